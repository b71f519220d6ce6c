// The report without pages, for browsers and screen readers.
#include "report/export.h"
#include "report/table_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

const char* const kStyle
    = "body{font:15px/1.5 'Noto Sans',sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
      "color:#1f2529;background:#fff}h1{font-size:2rem;line-height:1.2;margin:.5rem 0}"
      "h2{margin:2rem 0 .3rem;font-size:1.2rem}h3{margin:1.2rem 0 .3rem;font-size:1rem}"
      "p{margin:.4rem 0}.note,.detail{color:#55606a;font-size:.85em}.detail{display:block}"
      "table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:left;"
      "vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #d8dce0}"
      "thead th{border-bottom:2px solid #1f2529}th[scope=row]{font-weight:400;color:#55606a}"
      ".number{text-align:right}.strong td,.strong th{font-weight:600}tbody "
      "th.group{font-weight:600;"
      "color:#1f2529;padding-top:1rem}.changed{background:#fbf3cf}"
      "aside{background:#fbf3cf;border-left:4px solid #7a5c00;padding:.6rem 1rem;margin:1rem 0}"
      "dt{font-weight:600;margin-top:.6rem}dd{margin:0}figure{margin:.5rem 0}"
      "@media print{body{max-width:none}}";

QString escaped(const QString& text)
{
    return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

QString html(const Rich& text)
{
    QString all;
    for (const Run& run : text) {
        QString piece = escaped(run.text);
        if (run.bold)
            piece = QStringLiteral("<strong>%1</strong>").arg(piece);
        if (!run.target.isEmpty())
            piece = QStringLiteral("<a href=\"#%1\">%2</a>").arg(run.target, piece);
        all += piece;
    }
    return all;
}

/// A mark in words, where colour and shape would be lost.
QString words(const Mark& mark)
{
    const Icon* icon = std::get_if<Icon>(&mark);
    if (!icon)
        return {};
    switch (*icon) {
    case Icon::Changed:
        return Words::tr("changed basis");
    case Icon::NotEstablished:
        return Words::tr("not established");
    case Icon::Stipulated:
        return Words::tr("stipulated");
    case Icon::Derived:
        return Words::tr("derived");
    case Icon::Measured:
        return Words::tr("measured");
    default:
        return {};
    }
}

QString html(const Cell& cell)
{
    QString text = html(cell.text);
    QString beside = escaped(cell.detail);
    const QString mark = words(cell.mark);
    if (!mark.isEmpty() && !plainText(cell.text).contains(mark))
        beside += (beside.isEmpty() ? QString() : QStringLiteral("; ")) + mark;
    if (!beside.isEmpty())
        text += QStringLiteral("<span class=\"detail\">%1</span>").arg(beside);
    return text;
}

class HtmlWriter {
public:
    QString write(const ReportDocument& document)
    {
        m_text
            = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
                             "\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
            + escaped(document.title)
            + QStringLiteral("</title>\n<meta name=\"description\" content=\"")
            + escaped(document.subject) + QStringLiteral("\">\n<style>") + QLatin1String(kStyle)
            + QStringLiteral("</style>\n</head>\n<body>\n<p class=\"note\">")
            + escaped(document.runningTitle) + QStringLiteral("</p>\n");
        for (const ReportBlock& block : document.blocks)
            std::visit([this](const auto& each) { add(each); }, block);
        m_text += QStringLiteral("<p class=\"note\">")
            + escaped(Words::tr("GiB = 2³⁰ bytes. Computed from bytes, then rounded to 0.01."))
            + QStringLiteral("</p>\n</body>\n</html>\n");
        return std::move(m_text);
    }

private:
    void add(const Heading& heading)
    {
        m_text += QStringLiteral("<h%1 id=\"%2\">%3</h%1>\n")
                      .arg(heading.level + 1)
                      .arg(heading.anchor, escaped(heading.text));
        if (!heading.note.isEmpty())
            m_text += QStringLiteral("<p class=\"note\">%1</p>\n").arg(escaped(heading.note));
    }

    void add(const Paragraph& paragraph)
    {
        const QString text = html(paragraph.text);
        if (paragraph.size == Paragraph::Size::Title)
            m_text += QStringLiteral("<h1>%1</h1>\n").arg(text);
        else
            m_text += QStringLiteral("<p%1>%2</p>\n")
                          .arg(paragraph.size == Paragraph::Size::Small
                                  ? QStringLiteral(" class=\"note\"")
                                  : QString(),
                              text);
    }

    void add(const Table& table)
    {
        m_text += QStringLiteral("<table>\n");
        if (!table.header.empty()) {
            m_text += QStringLiteral("<thead><tr>");
            for (std::size_t i = 0; i < table.header.size(); ++i)
                m_text += QStringLiteral("<th scope=\"col\"%1>%2</th>")
                              .arg(columnClass(table, i), html(table.header[i]));
            m_text += QStringLiteral("</tr></thead>\n");
        }
        m_text += QStringLiteral("<tbody>\n");
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            addRow(table, static_cast<int>(row));
        m_text += QStringLiteral("</tbody>\n</table>\n");
    }

    static QString columnClass(const Table& table, std::size_t column)
    {
        return table.columns[column].right ? QStringLiteral(" class=\"number\"") : QString();
    }

    void addRow(const Table& table, int row)
    {
        const auto among = [row](const std::vector<int>& rows) {
            return std::count(rows.begin(), rows.end(), row) > 0;
        };
        const std::vector<Cell>& cells = table.rows[static_cast<std::size_t>(row)];
        if (among(table.groupRows)) {
            m_text += QStringLiteral("<tr><th class=\"group\" scope=\"rowgroup\" colspan=\"%1\">%2"
                                     "</th></tr>\n")
                          .arg(table.columns.size())
                          .arg(html(cells.front()));
            return;
        }
        m_text += among(table.strongRows) ? QStringLiteral("<tr class=\"strong\">")
                                          : QStringLiteral("<tr>");
        m_text += QStringLiteral("<th scope=\"row\">%1</th>").arg(html(cells.front()));
        for (std::size_t i = 1; i < cells.size(); ++i)
            m_text += QStringLiteral("<td%1>%2</td>")
                          .arg(cells[i].flagged ? QStringLiteral(" class=\"changed\"")
                                                : columnClass(table, i),
                              html(cells[i]));
        m_text += QStringLiteral("</tr>\n");
    }

    void add(const Definitions& list)
    {
        m_text += QStringLiteral("<dl>\n");
        for (const Definitions::Item& item : list.items)
            m_text
                += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(html(item.term), html(item.text));
        m_text += QStringLiteral("</dl>\n");
    }

    void add(const NoteBox& box)
    {
        m_text += QStringLiteral("<aside>%1</aside>\n").arg(html(box.text));
    }

    void add(const MarkList& list)
    {
        m_text += QStringLiteral("<ul>\n");
        for (const MarkList::Item& item : list.items)
            m_text += QStringLiteral("<li>%1</li>\n").arg(escaped(item.text));
        m_text += QStringLiteral("</ul>\n");
    }

    /// Bars as text: the PDF has the picture.
    void add(const Figure& figure)
    {
        m_text += QStringLiteral("<figure>\n");
        if (!figure.values.rows.empty())
            add(figure.values);
        m_text += QStringLiteral("<figcaption class=\"note\">%1</figcaption>\n</figure>\n")
                      .arg(escaped(figure.alt));
    }

    void add(const PageBreak&) { }

    QString m_text;
};

} // namespace

QByteArray reportHtml(const ReportInput& input, const ReportOptions& options)
{
    ReportOptions withoutPages = options;
    withoutPages.sections.set(ReportSection::Contents, false);
    withoutPages.attachPlan = false;
    return HtmlWriter().write(composeReport(input, withoutPages)).toUtf8();
}

} // namespace shardrack
