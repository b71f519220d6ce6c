#include "charts/timeline_side.h"

#include "charts/text_table.h"
#include "charts/timeline_text.h"
#include "models/number_text.h"
#include "paint/stacked_bar.h"
#include "style/view_style.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QVBoxLayout>

namespace shardrack {

namespace {

QLabel* heading(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setContentsMargins(8, 3, 8, 3);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QIcon swatchIcon(Category category, const PaintStyle& style)
{
    constexpr int kSide = 12;
    QPixmap pixmap(QSizeF(kSide * style.devicePixelRatio, kSide * style.devicePixelRatio).toSize());
    pixmap.setDevicePixelRatio(style.devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawSwatch(painter, QRectF(0, 0, kSide, kSide), category, style);
    return QIcon(pixmap);
}

} // namespace

TimelineSide::TimelineSide(QWidget* parent)
    : QWidget(parent)
    , m_title(heading(QString(), this))
    , m_held(new TextTable({ tr("Tensors"), tr("Of"), tr("Number"), tr("GiB") }, this))
    , m_samples(new TextTable({ tr("Moment"), tr("Allocated"), tr("Against peak") }, this))
    , m_advice(new QLabel(this))
{
    setObjectName(QStringLiteral("timelineSide"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_held->setObjectName(QStringLiteral("heldTensors"));
    m_held->setAccessibleName(tr("Tensors at the cursor, largest first"));
    m_held->setTextColumns(2);
    m_held->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_held->setColumnWidth(1, qRound(78 * uiScale()));
    m_samples->setObjectName(QStringLiteral("sampleMoments"));
    m_samples->setAccessibleName(tr("Where would a sample read?"));
    m_samples->setSelectionMode(QAbstractItemView::SingleSelection);
    m_advice->setWordWrap(true);
    m_advice->setContentsMargins(8, 4, 8, 6);
    m_advice->setText(tr("To measure the need, read the peak counter over init and at least two "
                         "complete steps, on every rank."));
    column->addWidget(m_title);
    column->addWidget(m_held, 1);
    column->addWidget(heading(tr("Where would a sample read?"), this));
    column->addWidget(m_samples, 1);
    column->addWidget(m_advice);
    m_samples->setAccessibleDescription(m_advice->text());
    connect(m_samples, &QTableWidget::itemSelectionChanged, this, [this] {
        const auto rows = m_samples->selectionModel()->selectedRows();
        if (!m_filling && !rows.isEmpty())
            emit momentChosen(m_sampleMoments[static_cast<std::size_t>(rows.front().row())]);
    });
    restyle();
}

void TimelineSide::show(const std::shared_ptr<const RankTimeline>& rank, std::size_t moment)
{
    const bool other = rank != m_rank;
    m_rank = rank;
    m_moment = moment;
    fillHeld();
    if (other) {
        fillSamples();
        return;
    }
    // The row of the moment at the cursor is marked.
    m_filling = true;
    m_samples->clearSelection();
    for (std::size_t row = 0; row < m_sampleMoments.size(); ++row)
        if (m_sampleMoments[row] == moment)
            m_samples->selectRow(static_cast<int>(row));
    m_filling = false;
}

void TimelineSide::fillHeld()
{
    std::vector<TextTable::Row> rows;
    if (m_rank) {
        const PaintStyle style = styleOf(this);
        const auto named = [&](std::uint32_t tensor) {
            QString name = tensor < m_rank->trace.names.size()
                ? QString::fromStdString(m_rank->trace.names[tensor])
                : QString();
            if (!name.isEmpty())
                name.front() = name.front().toUpper();
            return name;
        };
        for (const HeldTensors& held : heldAt(*m_rank, m_moment)) {
            TextTable::Row row;
            const QString size = tensorSize(held.each);
            const QString number = held.count == 1 ? QStringLiteral("1")
                                                   : tr("%1 × %2").arg(countText(held.count), size);
            const QString category = categoryTitle(held.category);
            row.cells = { named(held.tensor), category, number, numberText(held.bytes()) };
            row.icon = swatchIcon(held.category, style);
            row.toolTip
                = tr("%1 (%2): %3, %4 bytes")
                      .arg(named(held.tensor), category, number, countText(held.bytes().count()));
            rows.push_back(std::move(row));
        }
        const QString sum = tr("Tensors");
        rows.push_back({ { sum, QString(), QString(), numberText(m_rank->tensors(m_moment)) }, {},
            tr("All tensors at the cursor"), true });
        m_title->setText(tr("At the cursor: %1").arg(momentPlace(m_rank->timeline, m_moment)));
        m_title->setToolTip(momentText(*m_rank, m_moment));
    } else {
        m_title->setText(tr("At the cursor"));
    }
    m_held->setRows(rows);
}

void TimelineSide::fillSamples()
{
    m_filling = true;
    m_sampleMoments.clear();
    std::vector<TextTable::Row> rows;
    if (m_rank) {
        const Bytes peak = m_rank->tensors(m_rank->timeline.peak);
        for (const SampleMoment& sample : sampleMoments(*m_rank)) {
            const Bytes there = m_rank->tensors(sample.moment);
            m_sampleMoments.push_back(sample.moment);
            rows.push_back({ { sample.name, numberText(there),
                                 sample.isPeak ? tr("peak") : changeText(there - peak) },
                {}, momentText(*m_rank, sample.moment), sample.isPeak });
        }
    }
    m_samples->setRows(rows);
    m_samples->clearSelection();
    for (std::size_t row = 0; row < m_sampleMoments.size(); ++row)
        if (m_sampleMoments[row] == m_moment)
            m_samples->selectRow(static_cast<int>(row));
    m_filling = false;
}

void TimelineSide::restyle()
{
    QPalette palette = m_advice->palette();
    palette.setColor(QPalette::WindowText, themeOf(this).text2);
    m_advice->setPalette(palette);
    fillHeld();
}

/// The lists come before the advice, which is their description as well.
void TimelineSide::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int kLeastWithAdvice = 420;
    m_advice->setVisible(height() >= qRound(kLeastWithAdvice * uiScale()));
}

void TimelineSide::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

} // namespace shardrack
