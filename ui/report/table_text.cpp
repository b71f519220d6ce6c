#include "report/table_text.h"

#include <algorithm>

namespace shardrack {

namespace {

QString csvCell(QString text)
{
    if (!text.isEmpty() && QStringLiteral("=+-@\t\r").contains(text.front()))
        text.prepend(u'\'');
    const auto special = [](QChar c) { return QStringLiteral(",\"\r\n").contains(c); };
    if (std::none_of(text.begin(), text.end(), special))
        return text;
    text.replace(u'"', QStringLiteral("\"\""));
    return u'"' + text + u'"';
}

} // namespace

QString cellText(const Cell& cell)
{
    const QString text = plainText(cell.text);
    if (cell.detail.isEmpty())
        return text;
    return text.isEmpty() ? cell.detail : text + QStringLiteral(" (") + cell.detail + u')';
}

QByteArray tableCsv(const Table& table)
{
    const bool grouped = !table.groupRows.empty();
    QString all;
    const auto add = [&](const QString& group, const std::vector<Cell>& cells) {
        QStringList line;
        if (grouped)
            line << csvCell(group);
        for (const Cell& cell : cells)
            line << csvCell(cellText(cell));
        all += line.join(u',') + QStringLiteral("\r\n");
    };
    if (!table.header.empty())
        add({}, table.header);
    QString group;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const bool heads
            = std::count(table.groupRows.begin(), table.groupRows.end(), static_cast<int>(i)) > 0;
        if (heads)
            group = cellText(table.rows[i].front());
        else
            add(group, table.rows[i]);
    }
    return all.toUtf8();
}

} // namespace shardrack
