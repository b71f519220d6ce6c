#include "window/measured_runs_model.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace shardrack {

namespace {

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

QString number(const std::optional<double>& value, int decimals, bool sign = false)
{
    if (!value)
        return QStringLiteral("\u2013");
    const QString digits = QLocale::c().toString(std::abs(*value), 'f', decimals);
    return (*value < 0    ? QStringLiteral("\u2212")
                   : sign ? QStringLiteral("+")
                          : QString())
        + digits;
}

bool isNumber(int column)
{
    return column == MeasuredRunsModel::MeasuredColumn
        || column == MeasuredRunsModel::PredictedColumn || column == MeasuredRunsModel::ErrorColumn;
}

std::optional<double> valueOf(const MeasuredRow& row, int column)
{
    switch (column) {
    case MeasuredRunsModel::MeasuredColumn:
        return row.measuredGib;
    case MeasuredRunsModel::PredictedColumn:
        return row.predictedGib;
    default:
        return row.errorPercent();
    }
}

} // namespace

MeasuredRunsModel::MeasuredRunsModel(std::vector<MeasuredRow> rows, QObject* parent)
    : QAbstractTableModel(parent)
    , m_rows(std::move(rows))
{
}

int MeasuredRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MeasuredRunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QString MeasuredRunsModel::textOf(const MeasuredRow& row, int column) const
{
    switch (column) {
    case RunColumn:
        return text(row.id);
    case FigureColumn:
        return text(row.metric);
    case ErrorColumn:
        return number(row.errorPercent(), 2, true);
    case VerdictColumn:
        return row.skipped.empty() ? text(row.verdict) : tr("not predicted");
    case RemarkColumn:
        break;
    default:
        return number(valueOf(row, column), 3);
    }
    if (!row.skipped.empty())
        return text(row.skipped);
    QStringList assumed;
    for (const std::string& each : row.assumed)
        assumed << text(each);
    QStringList remarks;
    if (row.suspect)
        remarks << tr("doubted by whoever collected it: counts in no score");
    if (!assumed.isEmpty())
        remarks << tr("assumed: %1").arg(assumed.join(QStringLiteral("; ")));
    return remarks.join(QStringLiteral(". "));
}

QVariant MeasuredRunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MeasuredRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return index.column() == RemarkColumn || index.column() == RunColumn
            ? textOf(row, index.column())
            : QVariant();
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case kSortRole: {
        if (!isNumber(index.column()))
            return textOf(row, index.column());
        const std::optional<double> value = valueOf(row, index.column());
        // The size of an error is what one looks for.
        return value ? (index.column() == ErrorColumn ? std::abs(*value) : *value)
                     : std::numeric_limits<double>::lowest();
    }
    default:
        return {};
    }
}

QVariant MeasuredRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RunColumn:
        return tr("Run");
    case FigureColumn:
        return tr("Figure");
    case MeasuredColumn:
        return tr("Measured, GiB");
    case PredictedColumn:
        return tr("Predicted, GiB");
    case ErrorColumn:
        return tr("Error, %");
    case VerdictColumn:
        return tr("Verdict");
    case RemarkColumn:
        return tr("Assumed, or why not predicted");
    default:
        return {};
    }
}

} // namespace shardrack
