#pragma once

#include "lessons/facts.h"

#include <utility>

namespace shardrack {

/// What must be true of the plan or its account: {"ranks": 8}, {"most_loaded.need": {"at_least":
/// "24 GiB"}}, {"all": […]}, {"any": […]}, {"not": {…}}. Whichever way a person took there: a
/// condition looks at the result only.
class Condition {
public:
    /// Fails with the place of what is wrong in it.
    static Condition read(const JsonView& view);

    bool holds(const FactTable& facts) const;
    /// Whether it asks for nothing but a selection, which is no change of the plan.
    bool asksForSelectionOnly() const;
    /// The names that it asks offers to have, with their places, for a check against the plan.
    const std::vector<std::pair<std::string, std::string>>& offerNames() const
    {
        return m_offerNames;
    }

private:
    enum class Rule { Range, Word, All, Any, Not };
    static Condition readFact(const std::string& name, const JsonView& view);
    void readRange(const JsonView& view);
    void readParts(Rule rule, const JsonView& view);
    void add(Condition part);

    Rule m_rule = Rule::Range;
    Fact m_fact = Fact::Ranks; ///< Range, Word
    std::int64_t m_least = 0; ///< count, or bytes
    std::int64_t m_most = 0;
    std::string m_word;
    std::vector<Condition> m_parts; ///< All, Any; one of Not
    std::vector<std::pair<std::string, std::string>> m_offerNames; ///< name, path
};

/// A size or count as lesson files write it: "24 GiB", 8.
std::int64_t readFactNumber(Fact fact, const JsonView& view);
/// The number of a fact, in bytes or as a count; absent when it is not established.
std::optional<std::int64_t> numberOf(Fact fact, const FactTable& facts);

} // namespace shardrack
