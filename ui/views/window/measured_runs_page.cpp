#include "window/measured_runs_page.h"

#include "paint/paint_style.h"
#include "window/measured_runs_model.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace shardrack {

MeasuredRunsPage::MeasuredRunsPage(
    const QString& file, std::vector<MeasuredRow> rows, QWidget* parent)
    : QDialog(parent)
    , m_model(new MeasuredRunsModel(std::move(rows), this))
    , m_shown(new QSortFilterProxyModel(this))
    , m_table(new QTableView(this))
    , m_filter(new QLineEdit(this))
{
    setObjectName(QStringLiteral("measuredRuns"));
    setWindowTitle(tr("Measured runs: %1").arg(file));
    m_shown->setSourceModel(m_model);
    m_shown->setSortRole(MeasuredRunsModel::kSortRole);
    m_shown->setFilterKeyColumn(-1);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* said = new QLabel(summary(), this);
    said->setObjectName(QStringLiteral("measuredSummary"));
    said->setWordWrap(true);
    said->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_filter->setObjectName(QStringLiteral("measuredFilter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the runs"));
    m_filter->setClearButtonEnabled(true);
    connect(
        m_filter, &QLineEdit::textChanged, m_shown, &QSortFilterProxyModel::setFilterFixedString);
    m_table->setObjectName(QStringLiteral("measuredTable"));
    m_table->setAccessibleName(tr("Measured runs"));
    m_table->setModel(m_shown);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(MeasuredRunsModel::ErrorColumn, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->resizeColumnsToContents();
    m_table->setColumnWidth(MeasuredRunsModel::RunColumn,
        std::min(m_table->columnWidth(MeasuredRunsModel::RunColumn), qRound(320 * uiScale())));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("Cop&y table"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("measuredCopy"));
    connect(copy, &QPushButton::clicked, this, &MeasuredRunsPage::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(said);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    resize(qRound(1000 * uiScale()), qRound(600 * uiScale()));
    m_table->setFocus();
}

QString MeasuredRunsPage::summary() const
{
    QStringList lines;
    qint64 predicted = 0;
    for (const FamilyScore& score : scores(m_model->rows())) {
        if (score.rows == 0)
            continue;
        predicted += score.rows;
        lines << tr("%1, %2: %3 figures, median error %4 %, nine of ten within %5 %")
                     .arg(
                         QString::fromStdString(score.family), QString::fromStdString(score.metric))
                     .arg(score.rows)
                     .arg(score.medianAbsolute, 0, 'f', 2)
                     .arg(score.p90Absolute, 0, 'f', 2);
    }
    const qint64 doubted = std::count_if(m_model->rows().begin(), m_model->rows().end(),
        [](const MeasuredRow& row) { return row.suspect && row.errorPercent(); });
    QString counted
        = tr("%1 of %2 figures are predicted.").arg(predicted + doubted).arg(m_model->rowCount());
    if (doubted > 0)
        counted += QLatin1Char(' ')
            + (doubted == 1
                    ? tr("1 of them is doubted by whoever collected it and counts in no score.")
                    : tr("%1 of them are doubted by whoever collected them and count in no score.")
                          .arg(doubted));
    lines.prepend(counted);
    return lines.join(u'\n');
}

QString MeasuredRunsPage::asText() const
{
    QStringList lines;
    const auto line = [&](auto&& cell) {
        QStringList cells;
        for (int column = 0; column < MeasuredRunsModel::kColumns; ++column)
            cells << cell(column).simplified();
        lines << cells.join(u'\t');
    };
    line([&](int column) { return m_shown->headerData(column, Qt::Horizontal).toString(); });
    for (int row = 0; row < m_shown->rowCount(); ++row)
        line([&](int column) { return m_shown->index(row, column).data().toString(); });
    return lines.join(u'\n') + u'\n';
}

void MeasuredRunsPage::copy() const { QGuiApplication::clipboard()->setText(asText()); }

} // namespace shardrack
