// Lessons are read with every member checked: a broken one is refused with its place and reason.
#include "lessons/lesson.h"

#include "plan/plan_json.h"
#include "plan/plan_json_nearest.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <QCryptographicHash>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kVersion = 1;
constexpr int kLongest = 60; ///< minutes
constexpr std::size_t kMostSteps = 20;
constexpr std::size_t kMostChoices = 6;

/// What is misspelled must not be taken for absent.
void requireKnown(const JsonView& view, std::initializer_list<const char*> known)
{
    const Extra unknown = unknownMembers(view, known);
    if (!unknown)
        return;
    const std::string key = unknown->begin().key();
    JsonView(unknown->begin().value(), memberPath(view.path(), key))
        .fail("is unknown here",
            "a member such as " + nearestNames(key, { known.begin(), known.end() }));
}

LessonText optionalLessonText(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    return member ? LessonText::read(*member) : LessonText();
}

std::vector<LessonPlace> readPlaces(const JsonView& view)
{
    std::vector<LessonPlace> places;
    const auto list = view.find("show");
    if (!list)
        return places;
    for (const JsonView& item : list->items()) {
        requireKnown(item, { "object", "place", "or" });
        LessonPlace place;
        place.object = item.at("object").string();
        place.path = item.at("object").path();
        if (const auto inside = item.find("place"))
            place.place = inside->string();
        if (const auto alternative = item.find("or")) {
            place.alternative = alternative->boolean();
            if (places.empty() && place.alternative)
                alternative->fail("is true for the first place", "a place before it");
        }
        places.push_back(std::move(place));
    }
    if (places.empty())
        list->fail("is an empty list", "at least one place");
    return places;
}

LessonChoice readChoice(const JsonView& view, std::optional<Fact> fact)
{
    requireKnown(view, { "text", "value", "right", "reply" });
    LessonChoice choice;
    choice.text = LessonText::read(view.at("text"));
    if (const auto value = view.find("value")) {
        if (!fact)
            value->fail("has nothing to be compared with", "\"fact\" in the prediction");
        choice.value = readFactNumber(*fact, *value);
    }
    if (const auto right = view.find("right")) {
        if (fact)
            right->fail(
                "is told beside a fact", "no \"right\": the window says which choice it is");
        choice.right = right->boolean();
    }
    const auto reply = view.find("reply");
    if (!reply && !choice.right)
        (void)view.at("reply");
    if (reply)
        choice.reply = LessonText::read(*reply);
    return choice;
}

void requireOneRight(const LessonPrediction& predict, const JsonView& list)
{
    const auto right = std::count_if(predict.choices.begin(), predict.choices.end(),
        [](const LessonChoice& choice) { return choice.right; });
    if (!predict.fact && right != 1)
        list.fail("has " + std::to_string(right) + " right choices", "exactly one");
    for (std::size_t i = 0; i < predict.choices.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (predict.choices[i].value && predict.choices[i].value == predict.choices[j].value)
                JsonView(list.json()[i], elementPath(list.path(), i))
                    .fail("has the value of choice " + std::to_string(j), "values that differ");
}

LessonPrediction readPrediction(const JsonView& view)
{
    requireKnown(view, { "question", "fact", "choices" });
    LessonPrediction predict;
    predict.question = LessonText::read(view.at("question"));
    if (const auto fact = view.find("fact")) {
        predict.fact = factNamed(fact->string(), *fact);
        if (kind(*predict.fact) != FactKind::Size && kind(*predict.fact) != FactKind::Count)
            fact->fail("is \"" + fact->string() + "\", which is no number", "a count or a size");
    }
    const JsonView list = view.at("choices");
    for (const JsonView& item : list.items())
        predict.choices.push_back(readChoice(item, predict.fact));
    if (predict.choices.size() < 2 || predict.choices.size() > kMostChoices)
        list.fail("has " + std::to_string(predict.choices.size()) + " choices",
            "from 2 to " + std::to_string(kMostChoices));
    requireOneRight(predict, list);
    return predict;
}

LessonTask readTask(const JsonView& view)
{
    requireKnown(view, { "text", "mouse", "keys", "hint", "done", "show", "replies" });
    LessonTask task;
    task.text = LessonText::read(view.at("text"));
    task.mouse = LessonText::read(view.at("mouse"));
    task.keys = LessonText::read(view.at("keys"));
    task.hint = optionalLessonText(view, "hint");
    task.done = Condition::read(view.at("done"));
    task.show = readPlaces(view);
    if (const auto replies = view.find("replies"))
        for (const JsonView& item : replies->items()) {
            requireKnown(item, { "when", "text" });
            task.replies.push_back(
                { Condition::read(item.at("when")), LessonText::read(item.at("text")) });
        }
    return task;
}

LessonStep readStep(const JsonView& view)
{
    requireKnown(view, { "title", "text", "predict", "tasks", "reveal" });
    LessonStep step;
    step.title = LessonText::read(view.at("title"));
    step.text = optionalLessonText(view, "text");
    if (const auto predict = view.find("predict"))
        step.predict = readPrediction(*predict);
    if (const auto tasks = view.find("tasks"))
        for (const JsonView& item : tasks->items())
            step.tasks.push_back(readTask(item));
    if (const auto reveal = view.find("reveal")) {
        requireKnown(*reveal, { "text", "show" });
        step.reveal = LessonReveal { LessonText::read(reveal->at("text")), readPlaces(*reveal) };
    }
    if (step.predict && !step.reveal)
        (void)view.at("reveal"); // a prediction that is never answered
    if (step.text.empty() && !step.predict && step.tasks.empty())
        view.fail("has nothing in it", "\"text\", \"predict\" or \"tasks\"");
    return step;
}

/// The plan: an example by its name, or the whole plan in place.
Plan readLessonPlan(const JsonView& view)
{
    if (view.isString()) {
        const std::string_view text = resourceText("examples/" + view.string() + ".shardrack");
        if (text.empty())
            view.fail("is \"" + view.string() + "\", which is no example",
                "\"ts-24\", \"llama-3-8b-32-gpus\" or a plan");
        return readPlan(text).value().plan;
    }
    view.expectObject();
    const Result<PlanReading> reading = readPlan(view.json().dump());
    if (!reading) {
        const Error& error = reading.error();
        const bool path = error.where.rfind('$', 0) == 0;
        throw Failure({ view.path() + (path ? error.where.substr(1) : std::string()), error.what,
            error.expected });
    }
    return reading->plan;
}

std::size_t offerNamed(const Plan& plan, const std::string& name, const std::string& path)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < plan.offers.size(); ++i) {
        if (plan.offers[i]->name == name)
            return i;
        names.push_back(plan.offers[i]->name);
    }
    throw Failure({ path, "is \"" + name + "\", which the lesson's plan does not have",
        "an offer such as " + nearestNames(name, names) });
}

void setRanksFollow(Plan& plan, bool follow)
{
    for (std::shared_ptr<const Offer>& offer : plan.offers) {
        Offer changed = *offer;
        changed.layout.ranksFollowHardware = follow;
        offer = std::make_shared<const Offer>(std::move(changed));
    }
}

void requireOffers(const Lesson& lesson)
{
    const auto require = [&lesson](const Condition& condition) {
        for (const auto& [name, path] : condition.offerNames())
            (void)offerNamed(lesson.plan, name, path);
    };
    for (const LessonStep& step : lesson.steps)
        for (const LessonTask& task : step.tasks) {
            require(task.done);
            for (const LessonTask::Reply& reply : task.replies)
                require(reply.when);
        }
}

std::string requiredText(const JsonView& view, const char* key)
{
    const JsonView member = view.at(key);
    std::string text = member.string();
    if (text.empty())
        member.fail("is empty", "a text");
    return text;
}

Lesson read(const JsonView& root)
{
    const JsonView format = root.at("format");
    if (format.string() != "shardrack-lesson")
        format.fail("is \"" + format.string() + "\"", "\"shardrack-lesson\"");
    (void)root.at("version").integer(kVersion, kVersion);
    requireKnown(root,
        { "format", "version", "title", "subject", "minutes", "about", "plan", "plan_name", "offer",
            "ranks_follow_hardware", "steps", "end", "next" });
    Lesson lesson;
    lesson.title = requiredText(root, "title");
    lesson.subject = requiredText(root, "subject");
    lesson.minutes = static_cast<int>(root.at("minutes").integer(1, kLongest));
    lesson.about = LessonText::read(root.at("about"));
    lesson.plan = readLessonPlan(root.at("plan"));
    lesson.planName = requiredText(root, "plan_name");
    if (lesson.plan.offers.empty())
        root.at("plan").fail("has no offers", "at least one");
    if (const auto offer = root.find("offer")) {
        // The one in front comes first: that is the one a plan opens with.
        const std::size_t front = offerNamed(lesson.plan, offer->string(), offer->path());
        std::rotate(lesson.plan.offers.begin(),
            lesson.plan.offers.begin() + static_cast<std::ptrdiff_t>(front),
            lesson.plan.offers.begin() + static_cast<std::ptrdiff_t>(front) + 1);
    }
    if (const auto follow = root.find("ranks_follow_hardware"))
        setRanksFollow(lesson.plan, follow->boolean());
    const JsonView steps = root.at("steps");
    for (const JsonView& item : steps.items())
        lesson.steps.push_back(readStep(item));
    if (lesson.steps.empty() || lesson.steps.size() > kMostSteps)
        steps.fail("has " + std::to_string(lesson.steps.size()) + " steps",
            "from 1 to " + std::to_string(kMostSteps));
    lesson.end = LessonText::read(root.at("end"));
    if (const auto next = root.find("next")) {
        lesson.next = next->string();
        const std::vector<std::string> names = lessonNames();
        if (std::find(names.begin(), names.end(), lesson.next) == names.end())
            next->fail("is \"" + lesson.next + "\", which is no lesson",
                "one such as " + nearestNames(lesson.next, names));
    }
    requireOffers(lesson);
    return lesson;
}

} // namespace

Result<Lesson> readLesson(const std::string& name, std::string_view text)
{
    return attempt([&] {
        JsonLimits limits;
        limits.maximumBytes = std::size_t(4) << 20;
        const Json json = parseJson(text, limits).value();
        Lesson lesson = read(JsonView(json, "$"));
        lesson.name = name;
        lesson.digest = QCryptographicHash::hash(
            QByteArrayView(text.data(), static_cast<qsizetype>(text.size())),
            QCryptographicHash::Sha256)
                            .toHex()
                            .toStdString();
        return lesson;
    });
}

} // namespace shardrack
