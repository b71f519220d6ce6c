#include "charts/step_timeline.h"

#include "charts/timeline_chart.h"
#include "charts/timeline_side.h"
#include "charts/timeline_text.h"
#include "editors/choice_box.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kSideWidth = 350;
constexpr int kLeastChart = 430; ///< width that the side leaves the chart
constexpr std::size_t kMostListed = 64; ///< classes of ranks in the list

const DeviceClass& deviceOf(const Assessment& assessment, std::int32_t gpu)
{
    return assessment.account
        .deviceClasses[assessment.account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

} // namespace

StepTimeline::StepTimeline(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("stepTimeline"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(0);
    m_message = new QLabel(this);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_chart = new TimelineChart(this);
    m_missing = new QLabel(this);
    m_missing->setObjectName(QStringLiteral("timelineMissing"));
    m_missing->setWordWrap(true);
    m_missing->setContentsMargins(10, 2, 10, 4);
    m_missing->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_missing->setAccessibleName(tr("What the timeline cannot show"));
    left->addWidget(m_message, 1);
    left->addWidget(m_chart, 1);
    left->addWidget(m_missing);
    row->addLayout(left, 1);
    m_side = new TimelineSide(this);
    m_side->setFixedWidth(qRound(kSideWidth * uiScale()));
    row->addWidget(m_side);
    setFocusProxy(m_chart);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    makeControls();

    for (const auto signal : { &PlanDocument::resetDone, &PlanDocument::whatIfChanged })
        connect(&document, signal, this, &StepTimeline::refreshIfSeen);
    connect(&document, &PlanDocument::changed, this, &StepTimeline::refreshIfSeen);
    connect(&document, &PlanDocument::currentOfferChanged, this, &StepTimeline::refreshIfSeen);
    connect(&document, &PlanDocument::resetDone, this, [this] { m_pinned = -1; });
    connect(&document, &PlanDocument::currentOfferChanged, this, [this] { m_pinned = -1; });
    connect(&selection, &Selection::changed, this, &StepTimeline::followSelection);
    connect(m_chart, &TimelineChart::cursorMoved, this, [this] {
        if (m_side->isVisibleTo(this))
            m_side->show(m_shown, m_chart->cursor());
    });
    connect(m_side, &TimelineSide::momentChosen, m_chart, &TimelineChart::setCursor);
    say({});
}

void StepTimeline::makeControls()
{
    m_controls = new QWidget(this);
    auto* row = new QHBoxLayout(m_controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_slack = new QCheckBox(tr("Slack"), m_controls);
    m_slack->setObjectName(QStringLiteral("timelineSlack"));
    m_slack->setToolTip(tr("Allocator slack and memory outside the allocator, above the tensors"));
    m_slack->setChecked(true);
    connect(m_slack, &QCheckBox::toggled, m_chart, &TimelineChart::setSlackShown);
    row->addWidget(m_slack);
    auto* label = new QLabel(tr("Rank"), m_controls);
    row->addWidget(label);
    m_ranks = new ChoiceBox(m_controls);
    m_ranks->setObjectName(QStringLiteral("timelineRank"));
    m_ranks->setAccessibleName(tr("Rank"));
    m_ranks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    label->setBuddy(m_ranks);
    connect(m_ranks, &QComboBox::activated, this, [this](int index) {
        m_pinned = m_ranks->itemData(index).toInt();
        // The inspector is to speak of the same GPU.
        const std::optional<ShownOffer> current = m_document.current();
        if (m_pinned >= 0 && current && m_pinned < current->assessment->layout.rankCount())
            if (const std::int32_t gpu = current->assessment->layout.gpuOf(m_pinned); gpu >= 0)
                m_selection.selectGpu(current->assessment->index.ref(gpu));
        refresh();
    });
    row->addWidget(m_ranks);
    m_sideShown = new QToolButton(m_controls);
    m_sideShown->setObjectName(QStringLiteral("timelineSideShown"));
    m_sideShown->setText(tr("List"));
    m_sideShown->setToolTip(tr("What is held at the cursor, and where a sample would read"));
    m_sideShown->setCheckable(true);
    m_sideShown->setAutoRaise(true);
    m_sideShown->setFocusPolicy(Qt::StrongFocus);
    connect(m_sideShown, &QToolButton::clicked, this, [this] {
        m_sideChosen = true;
        showSide();
    });
    row->addWidget(m_sideShown);
}

void StepTimeline::refreshIfSeen()
{
    m_stale = true;
    if (isVisible())
        refresh();
}

void StepTimeline::followSelection()
{
    if (m_pinned >= 0)
        return;
    refreshIfSeen();
}

/// That of the selected GPU with the least headroom; else of the most loaded one.
std::int32_t StepTimeline::wantedRank(const ShownOffer& shown, QString& why) const
{
    const Assessment& assessment = *shown.assessment;
    if (m_pinned >= 0 && m_pinned < assessment.layout.rankCount()) {
        why = countText(m_pinned);
        return m_pinned;
    }
    std::int32_t gpu = -1;
    for (const GpuRef selected : m_selection.gpus()) {
        const std::int32_t there = assessment.index.ordinal(selected);
        if (there < 0 || assessment.layout.ranksOn(there).empty())
            continue;
        if (gpu < 0
            || deviceOf(assessment, there).headroom() < deviceOf(assessment, gpu).headroom())
            gpu = there;
    }
    const bool selected = gpu >= 0;
    if (!selected)
        gpu = assessment.findings.mostLoadedGpu;
    if (gpu < 0)
        return -1;
    const std::vector<std::int32_t> ranks = assessment.layout.ranksOn(gpu);
    if (ranks.empty())
        return -1;
    why = selected ? tr("%1, selected").arg(countText(ranks.front()))
                   : tr("%1, most loaded").arg(countText(ranks.front()));
    return ranks.front();
}

void StepTimeline::fillRanks(const ShownOffer& shown, const QString& followed)
{
    const QSignalBlocker quiet(m_ranks);
    m_ranks->clear();
    m_ranks->addItem(followed, -1);
    // Ranks of a class are alike: one of each stands for all.
    const std::vector<RankClass>& classes = shown.assessment->account.rankClasses;
    for (std::size_t i = 0; i < std::min(classes.size(), kMostListed); ++i) {
        const RankClass& ranks = classes[i];
        const QString name = shown.assessment->layout.pipeline() > 1
            ? tr("%1, stage %2").arg(countText(ranks.ranks.front())).arg(ranks.stage)
            : countText(ranks.ranks.front());
        m_ranks->addItem(name, ranks.ranks.front());
        m_ranks->setItemData(m_ranks->count() - 1,
            tr("stands for %n ranks that are alike", nullptr, static_cast<int>(ranks.ranks.size())),
            Qt::ToolTipRole);
    }
    const int pinned = m_ranks->findData(m_pinned);
    m_ranks->setCurrentIndex(std::max(pinned, 0));
    const bool tried = m_document.whatIf().has_value();
    m_ranks->setShownText(tried ? tr("%1, what if").arg(m_ranks->currentText()) : QString(), tried);
}

void StepTimeline::refresh()
{
    m_stale = false;
    const std::optional<ShownOffer> shown = m_document.shown();
    if (!shown || shown->assessment->index.gpuCount() == 0) {
        m_shown.reset();
        m_chart->setInput({});
        return say(tr("No GPU is placed yet"));
    }
    QString why;
    const std::int32_t rank = shown->assessment->error ? -1 : wantedRank(*shown, why);
    if (m_pinned >= shown->assessment->layout.rankCount())
        m_pinned = -1;
    fillRanks(*shown, m_pinned < 0 ? why : tr("Selected or most loaded"));
    if (rank < 0) {
        m_shown.reset();
        m_chart->setInput({});
        return say(shown->assessment->error
                ? QString::fromStdString(shown->assessment->error->text())
                : tr("No rank runs yet: there is no step to show"));
    }
    if (!m_shown || m_assessment != shown->assessment || m_shown->rank != rank) {
        ++m_computations;
        Result<RankTimeline> made = rankTimeline(shown->workload(), *shown->assessment, rank);
        if (!made) {
            m_shown.reset();
            m_chart->setInput({});
            return say(QString::fromStdString(made.error().text()));
        }
        m_shown = std::make_shared<const RankTimeline>(std::move(made).value());
        m_assessment = shown->assessment;
    }
    TimelineInput input;
    input.rank = m_shown;
    const std::int32_t gpu = shown->assessment->layout.gpuOf(rank);
    if (gpu >= 0) {
        const DeviceClass& device = deviceOf(*shown->assessment, gpu);
        input.usable = device.usable.bytes;
        input.usableConfirmed = device.usable.provenance != Provenance::NotEstablished;
        if (device.installedKnown)
            input.installed = device.installed;
        input.margin = shown->plan->margin.bytes;
        input.marginBasis = QString::fromStdString(shown->plan->margin.basis);
    }
    m_chart->setAccessibleName(tr("Step timeline of rank %1").arg(countText(rank)));
    m_missing->setText(whatIsMissing(shown->workload(), *m_shown));
    say({});
    m_chart->setInput(input);
    showSide();
}

/// A message stands instead of the chart.
void StepTimeline::say(const QString& message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    m_chart->setVisible(message.isEmpty());
    m_missing->setVisible(message.isEmpty() && !m_missing->text().isEmpty());
    if (!message.isEmpty())
        m_side->hide();
}

void StepTimeline::showSide()
{
    if (!m_sideChosen)
        m_sideShown->setChecked(width() >= kLeastChart + m_side->width());
    const bool shown = m_sideShown->isChecked() && m_shown != nullptr;
    m_side->setVisible(shown);
    if (shown)
        m_side->show(m_shown, m_chart->cursor());
}

void StepTimeline::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void StepTimeline::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showSide();
}

} // namespace shardrack
