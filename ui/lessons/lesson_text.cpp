#include "lessons/lesson_text.h"

#include "paint/theme.h"
#include "plan/glossary.h"
#include "plan/plan_json_nearest.h"

#include <QUrl>

namespace shardrack {

namespace {

constexpr const char* kBefore = "before.";
constexpr QLatin1StringView kLink("word:");

/// A mark of the text: how it begins and ends.
struct Mark {
    const char* begin;
    const char* end;
};
constexpr Mark kMarks[] = { { "**", "**" }, { "`", "`" }, { "[", "]" }, { "{", "}" } };

} // namespace

LessonText::Span LessonText::readWord(const std::string& mark, const JsonView& view)
{
    const std::size_t bar = mark.find('|');
    Span span;
    span.kind = Span::Kind::Word;
    span.text = mark.substr(0, bar);
    const std::string word = bar == std::string::npos ? mark : mark.substr(bar + 1);
    const GlossaryEntry* entry = glossaryEntry(word);
    if (!entry) {
        std::vector<std::string> words;
        for (const GlossaryEntry& known : glossary())
            words.push_back(known.word);
        view.fail("links to the word \"" + word + "\", which the glossary does not have",
            "a word such as " + nearestNames(word, words));
    }
    span.word = entry->word;
    return span;
}

LessonText::Span LessonText::readFact(const std::string& mark, const JsonView& view)
{
    Span span;
    span.kind = Span::Kind::Fact;
    span.before = mark.rfind(kBefore, 0) == 0;
    span.fact = factNamed(
        span.before ? mark.substr(std::char_traits<char>::length(kBefore)) : mark, view);
    return span;
}

LessonText LessonText::read(const JsonView& view)
{
    const std::string source = view.string();
    if (source.empty())
        view.fail("is empty", "a text");
    LessonText text;
    std::string plain;
    const auto endPlain = [&] {
        if (!plain.empty())
            text.m_spans.push_back({ Span::Kind::Plain, plain, {}, {}, false });
        plain.clear();
    };
    for (std::size_t at = 0; at < source.size();) {
        const Mark* mark = nullptr;
        for (const Mark& candidate : kMarks)
            if (source.compare(at, std::char_traits<char>::length(candidate.begin), candidate.begin)
                == 0)
                mark = &candidate;
        if (!mark) {
            plain += source[at++];
            continue;
        }
        const std::size_t from = at + std::char_traits<char>::length(mark->begin);
        const std::size_t to = source.find(mark->end, from);
        if (to == std::string::npos || to == from)
            view.fail("has \"" + std::string(mark->begin) + "\" with nothing that ends it",
                "\"" + std::string(mark->end) + "\" after a text");
        const std::string inside = source.substr(from, to - from);
        if (inside.find_first_of("{[`") != std::string::npos)
            view.fail("has a mark inside a mark: \"" + inside + '"', "one after the other");
        endPlain();
        if (*mark->begin == '[')
            text.m_spans.push_back(readWord(inside, view));
        else if (*mark->begin == '{')
            text.m_spans.push_back(readFact(inside, view));
        else
            text.m_spans.push_back({ *mark->begin == '`' ? Span::Kind::Key : Span::Kind::Bold,
                inside, {}, {}, false });
        at = to + std::char_traits<char>::length(mark->end);
    }
    endPlain();
    return text;
}

QString LessonText::textOf(const Span& span, const FactTable& now, const FactTable& before)
{
    if (span.kind != Span::Kind::Fact)
        return QString::fromStdString(span.text);
    return (span.before ? before : now).text(span.fact);
}

QString LessonText::html(const FactTable& now, const FactTable& before, const Theme& theme) const
{
    QString html;
    for (const Span& span : m_spans) {
        const QString text = textOf(span, now, before).toHtmlEscaped();
        switch (span.kind) {
        case Span::Kind::Plain:
            html += text;
            break;
        case Span::Kind::Bold:
        case Span::Kind::Fact:
            html += QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(text);
            break;
        case Span::Kind::Key:
            html += QStringLiteral("<span style=\"background-color:%2;color:%3\">&nbsp;%1&nbsp;"
                                   "</span>")
                        .arg(text, theme.openTint.name(), theme.text.name());
            break;
        case Span::Kind::Word:
            html
                += QStringLiteral("<a href=\"%1%2\" style=\"color:%3;text-decoration:none\">%4</a>")
                       .arg(kLink,
                           QString::fromLatin1(
                               QUrl::toPercentEncoding(QString::fromStdString(span.word))),
                           theme.link.name(), text);
            break;
        }
    }
    return html;
}

QString LessonText::plain(const FactTable& now, const FactTable& before) const
{
    QString plain;
    for (const Span& span : m_spans)
        plain += textOf(span, now, before);
    return plain;
}

QString glossaryWordOfLink(const QString& link)
{
    if (!link.startsWith(kLink))
        return {};
    return QUrl::fromPercentEncoding(link.mid(kLink.size()).toLatin1());
}

} // namespace shardrack
