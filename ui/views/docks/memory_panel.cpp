#include "docks/memory_panel.h"

#include "charts/replicas_shards.h"
#include "charts/step_timeline.h"
#include "docks/device_table.h"
#include "docks/memory_chart.h"
#include "docks/terms_list.h"
#include "editors/choice_box.h"
#include "style/view_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

namespace shardrack {

namespace {

constexpr int kMostWithTerms = 8; ///< more bars need the room
constexpr int kLeastChart = 420; ///< width that the list of terms leaves the chart

/// How the bars tell now from what if.
class TryLegend : public QWidget {
public:
    explicit TryLegend(QWidget* parent)
        : QWidget(parent)
    {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    }
    QSize sizeHint() const override
    {
        const QFont font = styleOf(this).font(type::kBase);
        return { qCeil(lineWidth(now(), font) + lineWidth(whatIf(), font)) + 2 * kMark + 28, 20 };
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const PaintStyle style = styleOf(this);
        const Theme& theme = *style.theme;
        QPainter painter(this);
        const QFont font = style.font(type::kBase);
        const qreal middle = height() / 2.0;
        QRectF mark(1, middle - 5.5, kMark, 11);
        painter.setPen(QPen(theme.text, 1, Qt::DashLine));
        painter.drawRect(mark.adjusted(0.5, 0.5, -0.5, -0.5));
        QRectF text(mark.right() + 6, 0, lineWidth(now(), font) + 2, height());
        drawLine(painter, text, Qt::AlignVCenter, now(), font, theme.text);
        mark.moveLeft(text.right() + 12);
        painter.fillRect(mark, theme.style(Category::Parameters).fill);
        text = QRectF(mark.right() + 6, 0, lineWidth(whatIf(), font) + 2, height());
        drawLine(painter, text, Qt::AlignVCenter, whatIf(), font, theme.text);
    }

private:
    static constexpr int kMark = 13;
    static QString now() { return MemoryPanel::tr("now"); }
    static QString whatIf() { return MemoryPanel::tr("what if"); }
};

} // namespace

MemoryPanel::MemoryPanel(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("memoryPanel"));
    setAccessibleName(tr("Charts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());

    m_pages = new QStackedWidget(this);
    m_stack = new QStackedWidget(m_pages);
    auto* bars = new QWidget(m_stack);
    auto* row = new QHBoxLayout(bars);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_chart = new MemoryChart(document, selection, bars);
    m_termsArea = new QScrollArea(bars);
    m_termsArea->setFrameShape(QFrame::NoFrame);
    m_termsArea->setWidgetResizable(true);
    m_termsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_termsArea->setFocusPolicy(Qt::NoFocus);
    m_termsArea->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_terms = new TermsList(m_termsArea);
    m_termsArea->setWidget(m_terms);
    row->addWidget(m_chart, 1);
    row->addWidget(m_termsArea);
    m_stack->addWidget(bars);
    m_table = new DeviceTable(document, selection, m_stack);
    m_stack->addWidget(m_table);
    m_pages->addWidget(m_stack);
    m_timeline = new StepTimeline(document, selection, m_pages);
    m_pages->addWidget(m_timeline);
    m_shards = new ReplicasShards(document, m_pages);
    m_pages->addWidget(m_shards);
    column->addWidget(m_pages, 1);
    m_header->addWidget(m_timeline->controls());
    m_header->addWidget(m_shards->controls());
    changeTab(0);

    // After the chart, which was connected first.
    for (const auto signal : { &PlanDocument::resetDone, &PlanDocument::whatIfChanged })
        connect(&document, signal, this, &MemoryPanel::refresh);
    connect(&document, &PlanDocument::changed, this, &MemoryPanel::refresh);
    connect(&document, &PlanDocument::currentOfferChanged, this, &MemoryPanel::refresh);
    connect(&selection, &Selection::changed, this, &MemoryPanel::showTerms);
    restyle();
    refresh();
}

QWidget* MemoryPanel::makeHeader()
{
    auto* header = new QWidget(this);
    header->setFixedHeight(qRound((metrics::kChartTabs + 2) * uiScale()));
    m_header = new QHBoxLayout(header);
    m_header->setContentsMargins(8, 2, 8, 0);
    m_header->setSpacing(8);
    m_tabs = new QTabBar(header);
    m_tabs->setObjectName(QStringLiteral("chartTabs"));
    m_tabs->setAccessibleName(tr("Charts"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (int tab = 0; tab < 3; ++tab)
        m_tabs->addTab(QString());
    connect(m_tabs, &QTabBar::currentChanged, this, &MemoryPanel::changeTab);
    m_header->addWidget(m_tabs, 0, Qt::AlignBottom);
    m_header->addStretch(1);
    m_memoryControls = new QWidget(header);
    m_header->addWidget(m_memoryControls);
    auto* row = new QHBoxLayout(m_memoryControls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_tryLegend = new TryLegend(m_memoryControls);
    row->addWidget(m_tryLegend);
    m_asTable = new QToolButton(m_memoryControls);
    m_asTable->setObjectName(QStringLiteral("asTable"));
    m_asTable->setText(tr("Table"));
    m_asTable->setToolTip(tr("Show the bars as a table"));
    m_asTable->setCheckable(true);
    m_asTable->setAutoRaise(true);
    m_asTable->setFocusPolicy(Qt::StrongFocus);
    connect(m_asTable, &QToolButton::toggled, this, &MemoryPanel::showTable);
    row->addWidget(m_asTable);
    auto* label = new QLabel(tr("Order"), m_memoryControls);
    row->addWidget(label);
    m_order = new ChoiceBox(m_memoryControls);
    m_order->setObjectName(QStringLiteral("barOrder"));
    m_order->setAccessibleName(tr("Order"));
    m_order->addItem(tr("Most loaded first"), static_cast<int>(BarOrder::MostLoaded));
    m_order->addItem(tr("Rack order"), static_cast<int>(BarOrder::Rack));
    m_order->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    label->setBuddy(m_order);
    connect(m_order, &QComboBox::activated, this, &MemoryPanel::chooseOrder);
    row->addWidget(m_order);
    return header;
}

void MemoryPanel::chooseOrder(int index)
{
    const auto order = static_cast<BarOrder>(m_order->itemData(index).toInt());
    m_chart->setOrder(order);
    m_table->setOrder(order);
}

void MemoryPanel::showTable(bool table)
{
    m_stack->setCurrentIndex(table ? 1 : 0);
    setFocusProxy(table ? static_cast<QWidget*>(m_table) : m_chart);
}

void MemoryPanel::showTab(Tab tab) { m_tabs->setCurrentIndex(static_cast<int>(tab)); }

MemoryPanel::Tab MemoryPanel::tab() const { return static_cast<Tab>(m_tabs->currentIndex()); }

void MemoryPanel::changeTab(int index)
{
    if (!m_shards) // while it is made
        return;
    const Tab tab = static_cast<Tab>(index);
    m_pages->setCurrentIndex(index);
    m_memoryControls->setVisible(tab == Tab::Memory);
    m_timeline->controls()->setVisible(tab == Tab::Timeline);
    m_shards->controls()->setVisible(tab == Tab::Shards);
    if (tab == Tab::Memory)
        showTable(m_asTable->isChecked());
    else
        setFocusProxy(m_pages->currentWidget());
    fitHeader();
}

/// Where the tabs and what stands beside them have no room, the tabs have short names.
void MemoryPanel::fitHeader()
{
    const std::array<QString, 3> full { tr("Memory by GPU"), tr("Step timeline"),
        tr("Replicas against shards") };
    const std::array<QString, 3> brief { tr("Memory"), tr("Timeline"), tr("Shards") };
    const auto name = [&](const std::array<QString, 3>& names) {
        for (int i = 0; i < m_tabs->count(); ++i)
            m_tabs->setTabText(i, names[static_cast<std::size_t>(i)]);
    };
    name(full);
    m_header->invalidate();
    if (m_header->sizeHint().width() > width())
        name(brief);
}

void MemoryPanel::refresh()
{
    const bool tried = m_document.whatIf().has_value();
    m_tryLegend->setVisible(tried);
    m_order->setShownText(
        tried ? tr("%1, held while dragging").arg(m_order->currentText()) : QString());
    const QString widest = tried ? m_order->shownText() : m_order->itemText(0);
    m_order->setFixedWidth(fontMetrics().horizontalAdvance(widest) + 44);
    showTerms();
}

/// Beside few bars stands what the most loaded device of the selection holds.
void MemoryPanel::showTerms()
{
    if (!isVisible())
        return;
    const std::optional<ShownOffer> shown = m_document.shown();
    const bool computed = shown && !shown->assessment->error;
    const std::int32_t count = computed ? shown->assessment->index.gpuCount() : 0;
    const bool room = width() >= kLeastChart + m_terms->sizeHint().width();
    const bool few = count > 0 && count <= kMostWithTerms && room;
    m_termsArea->setVisible(few);
    m_chart->setLegend(!few);
    if (!few)
        return;
    const Assessment& assessment = *shown->assessment;
    std::int32_t gpu = -1;
    const auto headroom = [&](std::int32_t of) {
        return assessment.account
            .deviceClasses[assessment.account.classOfGpu[static_cast<std::size_t>(of)]]
            .headroom();
    };
    for (const GpuRef selected : m_selection.gpus()) {
        const std::int32_t there = assessment.index.ordinal(selected);
        if (there >= 0 && (gpu < 0 || headroom(there) < headroom(gpu)))
            gpu = there;
    }
    if (gpu < 0)
        gpu = std::max(assessment.findings.mostLoadedGpu, 0);
    m_terms->show(shown, gpu);
    m_termsArea->setFixedWidth(m_terms->sizeHint().width());
}

void MemoryPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeader();
    showTerms();
}

void MemoryPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showTerms();
}

void MemoryPanel::restyle()
{
    const Theme& theme = themeOf(this);
    m_tabs->setTabIcon(0, makeIcon(Icon::Bars, theme));
    m_tabs->setTabIcon(1, makeIcon(Icon::Clock, theme));
    m_tabs->setTabIcon(2, makeIcon(Icon::Ladder, theme));
}

void MemoryPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

} // namespace shardrack
