#include "compare/comparison_model.h"

#include "commands/edit_command.h"
#include "compare/price_editor.h"
#include "models/number_text.h"
#include "paint/device_bar.h"

#include <algorithm>

namespace shardrack {

namespace {

using Section = ComparisonRow::Section;

QString fromCore(const std::string& text) { return QString::fromStdString(text); }

bool isPrice(const ComparisonRow& row) { return row.field == "price"; }
bool isInterconnect(const ComparisonRow& row) { return row.field == "interconnect"; }

} // namespace

ComparisonModel::ComparisonModel(PlanDocument& document, QObject* parent)
    : QAbstractTableModel(parent)
    , m_document(document)
{
}

void ComparisonModel::show(Comparison comparison, bool hideEqual)
{
    const auto sameLines = [](const std::vector<Line>& a, const std::vector<Line>& b) {
        return std::equal(
            a.begin(), a.end(), b.begin(), b.end(), [](const Line& one, const Line& other) {
                return one.kind == other.kind && one.section == other.section
                    && one.row == other.row && one.title == other.title;
            });
    };
    ComparisonModel next(m_document);
    next.m_comparison = std::move(comparison);
    next.m_hideEqual = hideEqual;
    next.m_lines = next.makeLines();
    const bool inPlace = next.m_comparison.offers.size() == m_comparison.offers.size()
        && sameLines(next.m_lines, m_lines) && !m_lines.empty();
    if (!inPlace)
        beginResetModel();
    m_comparison = std::move(next.m_comparison);
    m_lines = std::move(next.m_lines);
    m_hideEqual = hideEqual;
    if (!inPlace) {
        endResetModel();
        return;
    }
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

std::vector<ComparisonModel::Line> ComparisonModel::makeLines() const
{
    std::vector<Line> lines;
    const std::vector<ComparisonRow>& rows = m_comparison.rows;
    for (std::size_t i = 0; i < rows.size();) {
        const Section section = rows[i].section;
        // The findings stand in the header, under the names of the offers.
        const bool shown = section != Section::Findings;
        Line head { Kind::Section, section, 0, coreWord(title(section)), {}, {} };
        addSectionNotes(head);
        if (shown)
            lines.push_back(head);
        if (section == Section::MostLoaded)
            lines.push_back({ Kind::Chart, section, 0, tr("Chart"), {}, {} });
        QStringList notGiven;
        for (; i < rows.size() && rows[i].section == section; ++i) {
            if (!shown || (m_hideEqual && rows[i].equal))
                continue;
            const QString name = coreWord(rows[i].title.c_str());
            if (section == Section::Workload && rows[i].unknown())
                notGiven << name;
            else
                lines.push_back({ Kind::Row, section, i, name, {}, {} });
        }
        if (!notGiven.isEmpty())
            lines.push_back({ Kind::NotGiven, section, 0, tr("Not given by any"),
                notGiven.join(QStringLiteral(", ")), {} });
        if (shown && lines.back().kind == Kind::Section)
            lines.back().note = tr("equal in all offers");
    }
    return lines;
}

void ComparisonModel::addSectionNotes(Line& line) const
{
    QStringList changed;
    for (std::size_t i = 0; i < m_comparison.offers.size(); ++i)
        if (!m_comparison.offers[i].changes.empty())
            changed << fromCore(m_comparison.offer(i).name);
    const QString names = changed.join(QStringLiteral(", "));
    const QString baseline = m_comparison.offers.empty()
        ? QString()
        : fromCore(m_comparison.offer(m_comparison.baseline).name);
    switch (line.section) {
    case Section::MostLoaded:
        line.title = tr("Most loaded device (least headroom), one common axis");
        if (!changed.isEmpty())
            line.note = tr("%1 on a changed basis: read against usable, not ranked against the "
                           "common basis")
                            .arg(names);
        break;
    case Section::Workload:
        line.note = tr("what every offer is asked to do");
        if (!changed.isEmpty()) {
            const auto rows = std::count_if(
                m_comparison.rows.begin(), m_comparison.rows.end(), [](const ComparisonRow& row) {
                    return row.field != "basis"
                        && std::any_of(row.cells.begin(), row.cells.end(),
                            [](const ComparisonCell& cell) { return cell.changedBasis; });
                });
            line.flag
                = (rows == 1 ? tr("%1 row changed basis in %2") : tr("%1 rows changed basis in %2"))
                      .arg(countText(rows), names);
        }
        break;
    case Section::Arithmetic:
        line.note = tr("GiB; differences against %1").arg(baseline);
        break;
    case Section::Redundancy:
        line.note = tr("over the whole job");
        break;
    case Section::Communication:
        line.note = tr("per device and step");
        break;
    case Section::Price:
        line.note = tr("shown as given; nothing is computed from it");
        break;
    default:
        break;
    }
}

const ComparisonRow* ComparisonModel::row(int line) const
{
    if (line < 0 || line >= rowCount() || m_lines[std::size_t(line)].kind != Kind::Row)
        return nullptr;
    return &m_comparison.rows[m_lines[std::size_t(line)].row];
}

const ComparisonCell* ComparisonModel::cell(const QModelIndex& index) const
{
    const ComparisonRow* found = index.isValid() ? row(index.row()) : nullptr;
    if (!found || index.column() < 1 || index.column() > int(found->cells.size()))
        return nullptr;
    return &found->cells[std::size_t(index.column() - 1)];
}

int ComparisonModel::offerOf(int column) const
{
    if (column < 1 || column > int(m_comparison.offers.size()))
        return -1;
    return int(m_comparison.offers[std::size_t(column - 1)].offer);
}

int ComparisonModel::lineOf(const QString& field) const
{
    for (int i = 0; i < rowCount(); ++i)
        if (data(index(i, 0), FieldRole).toString() == field)
            return i;
    return -1;
}

QString ComparisonModel::changeText(const ComparisonCell& cell) const
{
    if (!cell.change || *cell.change == Bytes(0))
        return {};
    const QString sign = *cell.change > Bytes(0) ? QStringLiteral("+") : QString();
    return tr("%1%2 against %3")
        .arg(
            sign, sizeText(*cell.change), fromCore(m_comparison.offer(m_comparison.baseline).name));
}

QString ComparisonModel::detail(const QModelIndex& index) const
{
    const ComparisonCell* found = cell(index);
    if (!found)
        return {};
    QStringList parts { fromCore(found->detail), changeText(*found) };
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_lines.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_comparison.offers.empty() ? 0
                                                           : int(m_comparison.offers.size()) + 1;
}

/// What a line says that spans all columns, for people who cannot see it.
QString ComparisonModel::spanText(const Line& line) const
{
    QStringList parts;
    switch (line.kind) {
    case Kind::Chart:
        for (const ComparisonBar& bar : comparisonBars(m_comparison).bars) {
            QStringList words { bar.name, bar.device, bar.headline, bar.detail, bar.note };
            words.removeAll(QString());
            parts << words.join(QStringLiteral(", "));
        }
        return parts.join(QStringLiteral(". "));
    default:
        parts << line.title << line.note << line.flag;
        parts.removeAll(QString());
        return parts.join(QStringLiteral(". "));
    }
}

/// "≠ Micro-batch: not given → 2 sequences (reason)": how a cell changed the common basis.
QString ComparisonModel::basisText(const QModelIndex& index) const
{
    const ComparisonRow& found = *row(index.row());
    for (const BasisChange& change : m_comparison.offers[std::size_t(index.column() - 1)].changes)
        if (change.field == found.field)
            return QStringLiteral("≠ ") + fromCore(text(change));
    return tr("≠ differs from the common workload");
}

QString ComparisonModel::toolTip(const QModelIndex& index) const
{
    const ComparisonCell* found = cell(index);
    if (!found)
        return line(index.row()).kind == Kind::Chart ? QString() : spanText(line(index.row()));
    QStringList lines { tr("%1, %2: %3")
                            .arg(fromCore(m_comparison.offer(std::size_t(index.column() - 1)).name),
                                line(index.row()).title, fromCore(found->text)) };
    const QString more = detail(index);
    if (!more.isEmpty())
        lines << more;
    if (found->changedBasis)
        lines << basisText(index);
    if (flags(index) & Qt::ItemIsEditable)
        lines << tr("Double-click or F2 to edit");
    return lines.join(u'\n');
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Line& at = line(index.row());
    const ComparisonCell* found = cell(index);
    switch (role) {
    case Qt::DisplayRole:
        if (found)
            return fromCore(found->text);
        return at.kind == Kind::Row || index.column() == 0 ? QVariant(at.title) : QVariant();
    case DetailRole:
        return detail(index);
    case ChangeRole:
        return found ? changeText(*found) : QString();
    case FieldRole:
        if (at.kind == Kind::Row)
            return fromCore(m_comparison.rows[at.row].field);
        // Never the id of a row.
        return QStringLiteral("%1 %2").arg(int(at.kind)).arg(QLatin1String(id(at.section)));
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::AccessibleTextRole: {
        if (!found)
            return at.kind == Kind::Row ? at.title : spanText(at);
        QString text = fromCore(found->text);
        if (found->changedBasis)
            text = tr("changed basis: %1").arg(text);
        const QString more = detail(index);
        return more.isEmpty() ? text : text + QStringLiteral(", ") + more;
    }
    case Qt::EditRole:
        if (!found)
            return {};
        if (isInterconnect(m_comparison.rows[at.row]))
            return fromCore(m_comparison.offer(std::size_t(index.column() - 1)).interconnect);
        if (isPrice(m_comparison.rows[at.row]))
            return QVariant::fromValue(
                PriceEntry { m_comparison.offer(std::size_t(index.column() - 1)).price });
        return {};
    default:
        return {};
    }
}

QString ComparisonModel::findings(std::size_t column) const
{
    QStringList lines;
    for (const char* field : { "capacity", "demonstrated", "result" })
        if (const ComparisonRow* found = m_comparison.row(field))
            lines << tr("%1: %2").arg(
                coreWord(found->title.c_str()), fromCore(found->cells[column].text));
    if (!m_comparison.offers[column].changes.empty())
        lines << tr("Changed basis: not ranked against offers on the common basis");
    for (const BasisChange& change : m_comparison.offers[column].changes)
        lines << QStringLiteral("≠ ") + fromCore(text(change));
    return lines.join(u'\n');
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount())
        return {};
    if (section == 0)
        return role == Qt::DisplayRole ? QVariant(fromCore(m_comparison.plan->title)) : QVariant();
    const std::size_t column = std::size_t(section - 1);
    const QString name = fromCore(m_comparison.offer(column).name);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case Qt::ToolTipRole:
        return name + u'\n' + findings(column) + u'\n' + tr("Click to open this offer");
    case Qt::AccessibleTextRole:
        return name + QStringLiteral(". ") + findings(column).replace(u'\n', QStringLiteral(". "));
    default:
        return {};
    }
}

Qt::ItemFlags ComparisonModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    const ComparisonRow* found = row(index.row());
    if (found && index.column() > 0 && (isPrice(*found) || isInterconnect(*found)))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool ComparisonModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable))
        return false;
    // The plan may have changed under an open editor.
    const auto offer = static_cast<std::size_t>(offerOf(index.column()));
    if (offer >= m_document.plan()->offers.size())
        return false;
    const ComparisonRow& found = *row(index.row());
    const Edit edit = isPrice(found)
        ? Edit(edit::SetPrice { offer, value.value<PriceEntry>().price })
        : Edit(edit::SetInterconnect { offer, value.toString().trimmed().toStdString() });
    if (const auto error = perform(m_document, edit)) {
        emit refused(fromCore(error->text()));
        return false;
    }
    return true;
}

} // namespace shardrack
