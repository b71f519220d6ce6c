#include "lessons/condition.h"

#include "base/size_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace shardrack {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::string quotedList(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ('"' + words[i] + '"');
    return text;
}

} // namespace

std::int64_t readFactNumber(Fact fact, const JsonView& view)
{
    if (kind(fact) == FactKind::Count)
        return view.integer(0, kLargest);
    if (!view.isString())
        view.fail("is no size", "a size with its unit, such as \"24 GiB\"");
    const Result<Bytes> bytes = parseSize(view.string());
    if (!bytes)
        view.fail(bytes.error().what, bytes.error().expected);
    return bytes->count();
}

std::optional<std::int64_t> numberOf(Fact fact, const FactTable& facts)
{
    const FactValue& value = facts[fact];
    if (kind(fact) == FactKind::Count)
        return value.count;
    return value.size ? std::optional(value.size->count()) : std::nullopt;
}

Condition Condition::read(const JsonView& view)
{
    view.expectObject();
    const Json& members = view.json();
    if (members.empty())
        view.fail("is empty", "a condition, such as {\"ranks\": 8}");
    if (members.size() > 1)
        view.fail("has " + std::to_string(members.size()) + " members",
            "one fact; several conditions together are {\"all\": […]}");
    const std::string key = members.begin().key();
    const JsonView value = view.at(key.c_str());
    const bool negated = key == "not";
    if (key != "all" && key != "any" && !negated)
        return readFact(key, value);
    Condition condition;
    if (negated) {
        condition.m_rule = Rule::Not;
        condition.add(read(value));
    } else {
        condition.readParts(key == "all" ? Rule::All : Rule::Any, value);
    }
    return condition;
}

void Condition::readParts(Rule rule, const JsonView& view)
{
    m_rule = rule;
    for (const JsonView& item : view.items())
        add(read(item));
    if (m_parts.empty())
        view.fail("is an empty list", "at least one condition");
}

void Condition::add(Condition part)
{
    m_offerNames.insert(m_offerNames.end(), part.m_offerNames.begin(), part.m_offerNames.end());
    m_parts.push_back(std::move(part));
}

Condition Condition::readFact(const std::string& name, const JsonView& view)
{
    Condition condition;
    condition.m_fact = factNamed(name, view);
    switch (kind(condition.m_fact)) {
    case FactKind::Count:
    case FactKind::Size:
        condition.readRange(view);
        return condition;
    case FactKind::Word:
        break;
    case FactKind::Text:
        view.fail("asks for \"" + name + "\", which is for texts only", "a fact to compare");
    }
    condition.m_rule = Rule::Word;
    condition.m_word = view.string();
    const std::vector<std::string> words = wordsOf(condition.m_fact);
    if (!words.empty() && std::find(words.begin(), words.end(), condition.m_word) == words.end())
        view.fail("is \"" + condition.m_word + "\"", quotedList(words));
    if (condition.m_fact == Fact::OfferName)
        condition.m_offerNames.emplace_back(condition.m_word, view.path());
    return condition;
}

void Condition::readRange(const JsonView& view)
{
    m_rule = Rule::Range;
    if (!view.isObject()) {
        m_least = m_most = readFactNumber(m_fact, view);
        return;
    }
    for (const auto& [key, value] : view.json().items())
        if (key != "at_least" && key != "at_most")
            JsonView(value, memberPath(view.path(), key))
                .fail("is no comparison", "\"at_least\" or \"at_most\"");
    const auto least = view.find("at_least");
    const auto most = view.find("at_most");
    if (!least && !most)
        view.fail("compares with nothing", "\"at_least\" or \"at_most\"");
    m_least = least ? readFactNumber(m_fact, *least) : std::numeric_limits<std::int64_t>::min();
    m_most = most ? readFactNumber(m_fact, *most) : kLargest;
    if (m_least > m_most)
        view.fail("can never hold: at_least is more than at_most", "a range with something in it");
}

bool Condition::holds(const FactTable& facts) const
{
    const auto holdsNow = [&facts](const Condition& part) { return part.holds(facts); };
    switch (m_rule) {
    case Rule::Range: {
        const std::optional<std::int64_t> number = numberOf(m_fact, facts);
        return number && *number >= m_least && *number <= m_most;
    }
    case Rule::Word:
        return facts[m_fact].word == m_word;
    case Rule::All:
        return std::all_of(m_parts.begin(), m_parts.end(), holdsNow);
    case Rule::Any:
        return std::any_of(m_parts.begin(), m_parts.end(), holdsNow);
    case Rule::Not:
        break;
    }
    return !m_parts.front().holds(facts);
}

bool Condition::asksForSelectionOnly() const
{
    if (m_rule == Rule::Range || m_rule == Rule::Word)
        return m_fact == Fact::SelectedGpus || m_fact == Fact::SelectedGpusWithoutRank
            || m_fact == Fact::OfferName;
    return std::all_of(m_parts.begin(), m_parts.end(),
        [](const Condition& part) { return part.asksForSelectionOnly(); });
}

} // namespace shardrack
