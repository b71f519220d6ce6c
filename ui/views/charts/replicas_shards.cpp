#include "charts/replicas_shards.h"

#include "charts/shard_chart.h"
#include "charts/text_table.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPromise>
#include <QScrollArea>
#include <QStackedWidget>
#include <QThreadPool>
#include <QToolButton>

namespace shardrack {

ReplicasShards::ReplicasShards(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("replicasShards"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_row = new QBoxLayout(QBoxLayout::TopToBottom, this);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    m_stack = new QStackedWidget(this);
    m_chart = new ShardChart(m_stack);
    m_table = new TextTable({ tr("GPUs") }, m_stack);
    m_table->setObjectName(QStringLiteral("shardTable"));
    m_table->setAccessibleName(tr("Replicas against shards, as a table"));
    m_message = new QLabel(m_stack);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_message);
    m_row->addWidget(m_stack, 1);
    m_sentencesArea = new QScrollArea(this);
    m_sentencesArea->setFrameShape(QFrame::NoFrame);
    m_sentencesArea->setWidgetResizable(true);
    m_sentencesArea->setAccessibleName(tr("What the curves say"));
    m_sentencesArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_sentences = new QLabel(m_sentencesArea);
    m_sentences->setObjectName(QStringLiteral("shardSentences"));
    m_sentences->setAccessibleName(tr("What the curves say"));
    m_sentences->setWordWrap(true);
    m_sentences->setContentsMargins(10, 4, 10, 5);
    m_sentences->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_sentences->setAutoFillBackground(true);
    m_sentences->setBackgroundRole(QPalette::Base);
    m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_sentencesArea->setWidget(m_sentences);
    m_row->addWidget(m_sentencesArea);
    setFocusProxy(m_chart);
    makeControls();
    m_stack->setCurrentWidget(m_message);
    constexpr int kPause = 120; // ms
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this, &ReplicasShards::makeAside);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        const std::optional<ShownOffer> now = m_document.shown();
        if (!now || m_assessment != now->assessment) // else something later is shown already
            show(*m_making, m_watcher.result());
        m_making.reset();
        refreshIfSeen(); // what is shown may be another plan by now
    });
    for (const auto signal : { &PlanDocument::resetDone, &PlanDocument::whatIfChanged })
        connect(&document, signal, this, &ReplicasShards::refreshIfSeen);
    connect(&document, &PlanDocument::changed, this, &ReplicasShards::refreshIfSeen);
    connect(&document, &PlanDocument::currentOfferChanged, this, &ReplicasShards::refreshIfSeen);
}

void ReplicasShards::makeControls()
{
    m_controls = new QWidget(this);
    auto* row = new QHBoxLayout(m_controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto button = [&](const char* name, const QString& text, const QString& tip) {
        auto* made = new QToolButton(m_controls);
        made->setObjectName(QLatin1String(name));
        made->setText(text);
        made->setToolTip(tip);
        made->setAutoRaise(true);
        made->setFocusPolicy(Qt::StrongFocus);
        row->addWidget(made);
        return made;
    };
    m_copy = button(
        "shardsCopy", tr("Copy CSV"), tr("Copy the values of all curves as comma-separated text"));
    connect(m_copy, &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m_table->csv()); });
    m_asTable = button("shardsAsTable", tr("Table"), tr("Show the curves as a table"));
    m_asTable->setCheckable(true);
    connect(m_asTable, &QToolButton::toggled, this, &ReplicasShards::showTable);
}

void ReplicasShards::showTable(bool table)
{
    if (m_curves)
        m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_chart);
    setFocusProxy(table ? static_cast<QWidget*>(m_table) : m_chart);
}

void ReplicasShards::refreshIfSeen()
{
    m_stale = true;
    if (isVisible())
        refresh();
}

void ReplicasShards::refresh()
{
    m_stale = false;
    const std::optional<ShownOffer> shown = m_document.shown();
    m_pause.stop();
    if (!shown) {
        m_assessment.reset();
        return show({}, { nullptr, tr("No offer is there yet") });
    }
    if (m_assessment == shown->assessment)
        return;
    constexpr std::int32_t kMostAtOnce = 2048; // GPUs; above, a frame of a drag would wait for it
    if (shown->assessment->index.gpuCount() > kMostAtOnce) {
        m_message->setText(tr("Computing")); // seen where no curves are there yet
        return m_pause.start();
    }
    ++m_computations;
    show(*shown, make(*shown));
}

ReplicasShards::Made ReplicasShards::make(const ShownOffer& shown)
{
    auto made = shardCurves(*shown.plan, shown.offer, *shown.assessment);
    if (!made)
        return { nullptr, QString::fromStdString(made.error().text()) };
    return { std::make_shared<const ShardCurves>(std::move(made).value()), QString() };
}

/// One at a time: what comes meanwhile is looked at when it is done.
void ReplicasShards::makeAside()
{
    const std::optional<ShownOffer> now = m_document.shown();
    m_stale = m_stale || !isVisible();
    if (m_making || !now || m_stale)
        return;
    const ShownOffer shown = *now;
    ++m_computations;
    m_making = shown;
    const auto promise = std::make_shared<QPromise<Made>>();
    promise->start();
    m_watcher.setFuture(promise->future());
    QThreadPool::globalInstance()->start([promise, shown] {
        promise->addResult(make(shown));
        promise->finish();
    });
}

QString ReplicasShards::nameOf(const ShownOffer& shown) const
{
    const QString name = QString::fromStdString(shown.get().name);
    return m_document.whatIf() ? tr("%1, what if").arg(name) : name;
}

void ReplicasShards::show(const ShownOffer& shown, const Made& made)
{
    m_curves = made.curves;
    m_assessment = shown.assessment;
    ShardLinesInput input;
    input.curves = m_curves;
    QStringList sentences;
    if (m_curves) {
        if (m_curves->ownGpus >= m_curves->gpus.front())
            input.own.push_back({ nameOf(shown), m_curves->ownGpus, m_curves->ownNeed });
        for (const std::string& sentence : { m_curves->boundSentence, m_curves->floorSentence,
                 m_curves->fitSentence, m_curves->leftOut })
            if (!sentence.empty())
                sentences << QString::fromStdString(sentence);
        fillTable();
    }
    m_chart->setInput(input);
    m_sentences->setText(sentences.join(QStringLiteral("\n\n")));
    m_sentencesArea->setVisible(!sentences.isEmpty());
    m_message->setText(made.message);
    m_copy->setEnabled(m_curves != nullptr);
    m_asTable->setEnabled(m_curves != nullptr);
    if (m_curves)
        showTable(m_asTable->isChecked());
    else
        m_stack->setCurrentWidget(m_message);
}

void ReplicasShards::fillTable()
{
    QStringList headers { tr("GPUs") };
    for (const ShardCurve& curve : m_curves->curves)
        headers << tr("%1, GiB").arg(QString::fromStdString(curve.name));
    m_table->setHeaders(headers);
    std::vector<TextTable::Row> rows;
    for (std::size_t i = 0; i < m_curves->gpus.size(); ++i) {
        TextTable::Row row;
        row.cells << countText(m_curves->gpus[i]);
        for (const ShardCurve& curve : m_curves->curves)
            row.cells << sumText(curve.points[i].need);
        row.strong = m_curves->gpus[i] == m_curves->ownGpus;
        row.toolTip = ShardChart::textAt(*m_curves, i);
        rows.push_back(std::move(row));
    }
    m_table->setRows(rows);
}

/// What the curves say stands beside them where there is room, else below them, where it scrolls.
void ReplicasShards::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int kBeside = 290, kLeastChart = 520, kMost = QWIDGETSIZE_MAX;
    const int beside = qRound(kBeside * uiScale());
    const bool wide = width() >= qRound(kLeastChart * uiScale()) + beside;
    m_row->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_sentencesArea->setMinimumWidth(wide ? beside : 0);
    m_sentencesArea->setMaximumWidth(wide ? beside : kMost);
    m_sentencesArea->setMaximumHeight(wide ? kMost : qMax(48, height() * 30 / 100));
}

void ReplicasShards::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

} // namespace shardrack
