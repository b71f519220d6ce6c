#pragma once

#include "lessons/facts.h"

namespace shardrack {

struct Theme;

/// A text of a lesson with its marks: **bold**, `Key`, [word of the glossary], [shown words|word of
/// the glossary], {fact} as it is now, {before.fact} as it was when the step began.
class LessonText {
public:
    LessonText() = default;
    /// Fails with the place of what is wrong in it: an unknown fact or word, a mark without its
    /// end.
    static LessonText read(const JsonView& view);

    bool empty() const { return m_spans.empty(); }
    /// For a label: facts filled in, glossary words as links ("word:headroom").
    QString html(const FactTable& now, const FactTable& before, const Theme& theme) const;
    /// The same without marks, for assistive technology.
    QString plain(const FactTable& now, const FactTable& before) const;

private:
    struct Span {
        enum class Kind { Plain, Bold, Key, Word, Fact };
        Kind kind = Kind::Plain;
        std::string text; ///< for Word: as shown
        std::string word; ///< Word: of the glossary
        Fact fact = Fact::Ranks;
        bool before = false; ///< Fact: as it was
    };
    static Span readWord(const std::string& mark, const JsonView& view);
    static Span readFact(const std::string& mark, const JsonView& view);
    static QString textOf(const Span& span, const FactTable& now, const FactTable& before);

    std::vector<Span> m_spans;
};

/// The word of a link in such a text; empty when it is another link.
QString glossaryWordOfLink(const QString& link);

} // namespace shardrack
