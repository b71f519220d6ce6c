#include "lessons/lesson_progress.h"

#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace shardrack {

namespace {

constexpr std::size_t kLargestPlan = std::size_t(256) << 10; ///< that settings shall keep

/// One value each, in the order of Fact: a number, [bytes, bound], a word, or null.
Json factsJson(const FactTable& facts)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < kFactCount; ++i) {
        const FactValue& value = facts[static_cast<Fact>(i)];
        if (value.count)
            list.push_back(*value.count);
        else if (value.size)
            list.push_back(Json::array({ value.size->count(), static_cast<int>(value.bound) }));
        else if (!value.word.empty())
            list.push_back(value.word);
        else
            list.push_back(nullptr);
    }
    return list;
}

FactTable readFacts(const JsonView& view)
{
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::vector<JsonView> items = view.items();
    if (items.size() != kFactCount)
        view.fail("has other facts", "those of this version");
    FactTable facts;
    for (std::size_t i = 0; i < kFactCount; ++i) {
        FactValue value;
        if (items[i].isArray()) {
            const std::vector<JsonView> size = items[i].items();
            if (size.size() != 2)
                items[i].fail("is no size", "bytes and bound");
            value.size = Bytes(size[0].integer(least, most));
            value.bound = static_cast<FactValue::Bound>(size[1].integer(0, 2));
        } else if (items[i].isString()) {
            value.word = items[i].string();
        } else if (!items[i].json().is_null()) {
            value.count = items[i].integer(least, most);
        }
        facts.set(static_cast<Fact>(i), std::move(value));
    }
    return facts;
}

StepRecord readRecord(const JsonView& view, const LessonStep& step)
{
    const std::int64_t choices
        = step.predict ? static_cast<std::int64_t>(step.predict->choices.size()) : 0;
    StepRecord record;
    record.chosen = static_cast<int>(view.at("chosen").integer(-1, choices - 1));
    record.locked = record.chosen >= 0 && view.at("locked").boolean();
    if (const auto before = view.find("before"))
        record.before = readFacts(*before);
    if (const auto read = view.find("read"))
        record.read = readFacts(*read);
    return record;
}

} // namespace

QByteArray progressText(const Lesson& lesson, const LessonProgress& progress)
{
    Json records = Json::array();
    for (std::size_t i = 0; i < progress.records.size(); ++i) {
        const StepRecord& record = progress.records[i];
        Json step { { "chosen", record.chosen }, { "locked", record.locked } };
        if (i < static_cast<std::size_t>(progress.step)) {
            step["before"] = factsJson(record.before);
            step["read"] = factsJson(record.read);
        }
        records.push_back(std::move(step));
    }
    Json json { { "lesson", lesson.digest }, { "step", progress.step }, { "done", progress.done },
        { "steps", std::move(records) } };
    if (progress.plan) {
        std::string plan = writePlan(*progress.plan);
        if (plan.size() <= kLargestPlan)
            json["plan"] = std::move(plan);
    }
    if (!progress.offer.empty())
        json["offer"] = progress.offer;
    return QByteArray::fromStdString(json.dump());
}

std::optional<LessonProgress> readProgress(const Lesson& lesson, const QByteArray& text)
{
    if (text.isEmpty())
        return std::nullopt;
    const Result<LessonProgress> progress = attempt([&] {
        const Json json
            = parseJson({ text.constData(), static_cast<std::size_t>(text.size()) }).value();
        const JsonView root(json, "$");
        if (root.at("lesson").string() != lesson.digest)
            root.at("lesson").fail("is another version", "this one");
        LessonProgress read;
        read.step = static_cast<int>(
            root.at("step").integer(0, static_cast<std::int64_t>(lesson.steps.size())));
        read.done = root.at("done").boolean();
        const std::vector<JsonView> records = root.at("steps").items();
        if (records.size() != lesson.steps.size())
            root.at("steps").fail("has other steps", "those of the lesson");
        for (std::size_t i = 0; i < records.size(); ++i)
            read.records.push_back(readRecord(records[i], lesson.steps[i]));
        if (const auto plan = root.find("plan"))
            read.plan = readPlan(plan->string()).value().plan;
        read.offer = optionalText(root, "offer");
        return read;
    });
    return progress ? std::optional(*progress) : std::nullopt;
}

LessonState stateOf(const Lesson& lesson, const QByteArray& progress)
{
    const std::optional<LessonProgress> kept = readProgress(lesson, progress);
    if (!kept)
        return {};
    const bool passed = kept->step == static_cast<int>(lesson.steps.size());
    // A lesson that was finished stays so while nobody is in the middle of it again.
    if (kept->done && (passed || kept->step == 0))
        return { LessonState::Kind::Done, 0 };
    return { LessonState::Kind::Started, kept->step };
}

} // namespace shardrack
