#include "canvas/group_strip.h"

#include "commands/rank_input.h"
#include "paint/paint_style.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace shardrack {

namespace {

/// Calls visit(rank) for the ranks of the selected GPUs until it returns false.
template <class Visit>
void eachSelectedRank(const ShownOffer& offer, const Selection& selection, Visit visit)
{
    for (const GpuRef& gpu : selection.gpus()) {
        const std::int32_t ordinal = offer.assessment->index.ordinal(gpu);
        if (ordinal < 0)
            continue;
        for (const std::int32_t rank : offer.assessment->layout.ranksOn(ordinal))
            if (!visit(rank))
                return;
    }
}

} // namespace

RankSet selectedRanks(const PlanDocument& document, const Selection& selection)
{
    RankSet ranks;
    const std::optional<ShownOffer> offer = document.current();
    if (!offer)
        return ranks;
    std::vector<std::int32_t> found;
    eachSelectedRank(*offer, selection, [&](std::int32_t rank) {
        found.push_back(rank);
        return true;
    });
    std::sort(found.begin(), found.end());
    for (const std::int32_t rank : found)
        ranks.insert(rank);
    return ranks;
}

bool anyRankSelected(const PlanDocument& document, const Selection& selection)
{
    bool any = false;
    if (const std::optional<ShownOffer> offer = document.current())
        eachSelectedRank(*offer, selection, [&](std::int32_t) {
            any = true;
            return false;
        });
    return any;
}

std::optional<Error> putSelectedRanks(
    PlanDocument& document, const Selection& selection, const DropTarget& target)
{
    Carried carried;
    carried.kind = Carried::Kind::Ranks;
    carried.ranks = selectedRanks(document, selection);
    return performDrop(document, carried, target);
}

GroupStrip::GroupStrip(
    PlanDocument& document, Selection& selection, CarrySession& session, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_session(session)
{
    setAcceptDrops(true);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window);
    setObjectName(QStringLiteral("groupStrip"));
    setAccessibleName(tr("Shard groups"));
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(10, 3, 10, 3);
    m_row->setSpacing(6);
    m_label = new QLabel(this);
    m_row->addWidget(m_label);
    m_row->addStretch(1);
    connect(&m_session, &CarrySession::changed, this, &GroupStrip::markTarget);
    connect(&m_selection, &Selection::changed, this, &GroupStrip::refresh);
}

std::vector<GroupStrip::Chip> GroupStrip::chipsFor(
    const PlanDocument& document, const Selection& selection, int mostGroups)
{
    std::vector<Chip> chips;
    const std::optional<ShownOffer> offer = document.current();
    if (!offer || offer->assessment->layout.rankCount() == 0)
        return chips;
    const ResolvedLayout& layout = offer->assessment->layout;
    std::vector<std::int32_t> numbers;
    if (layout.groupCount() <= mostGroups) {
        for (std::int32_t i = 0; i < layout.groupCount(); ++i)
            numbers.push_back(i);
    } else {
        eachSelectedRank(*offer, selection, [&](std::int32_t rank) {
            const ResolvedLayout::Shares shares = layout.shares(rank);
            const std::int32_t group = std::max(
                { shares.parameters.group, shares.gradients.group, shares.optimizer.group });
            if (group >= 0 && std::find(numbers.begin(), numbers.end(), group) == numbers.end())
                numbers.push_back(group);
            return static_cast<int>(numbers.size()) < mostGroups;
        });
    }
    const auto add = [&](DropTarget::Kind kind, const QString& text) {
        DropTarget target;
        target.kind = kind;
        chips.push_back({ target, text });
    };
    for (const std::int32_t number : numbers) {
        const ShardGroup group = layout.group(number);
        add(DropTarget::Kind::Group,
            tr("%1 · %2 · ÷ %3")
                .arg(QString::fromStdString(group.name), ranksText(group.ranks))
                .arg(group.ranks.size()));
        chips.back().target.group = group.name;
    }
    add(DropTarget::Kind::NoGroup, tr("No group: own replica"));
    add(DropTarget::Kind::NewGroup, tr("New group"));
    add(DropTarget::Kind::NoRank, tr("Remove rank"));
    return chips;
}

void GroupStrip::refresh()
{
    // While something is carried the chips stay where they are.
    if (!m_session.active())
        rebuild();
}

void GroupStrip::rebuild()
{
    constexpr int kMostGroups = 5;
    const bool focused = std::any_of(m_buttons.begin(), m_buttons.end(),
        [](const QToolButton* button) { return button->hasFocus(); });
    const std::optional<ShownOffer> offer = m_document.current();
    m_groups = offer ? offer->assessment->layout.groupCount() : 0;
    m_chips = chipsFor(m_document, m_selection, kMostGroups);
    const bool ranks = anyRankSelected(m_document, m_selection);
    while (m_buttons.size() > m_chips.size()) {
        delete m_buttons.back();
        m_buttons.pop_back();
    }
    while (m_buttons.size() < m_chips.size()) {
        auto* button = new QToolButton(this);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        const std::size_t number = m_buttons.size();
        connect(button, &QToolButton::clicked, this, [this, number] {
            const std::optional<Error> error
                = putSelectedRanks(m_document, m_selection, m_chips[number].target);
            emit statusMessage(error ? QString::fromStdString(error->text()) : QString());
        });
        m_row->insertWidget(static_cast<int>(1 + number), button);
        m_buttons.push_back(button);
    }
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        QToolButton* button = m_buttons[i];
        button->setText(m_chips[i].text);
        button->setDown(false); // a drop ends over it
        button->setEnabled(ranks);
        button->setAccessibleName(m_chips[i].text);
        button->setToolTip(
            ranks ? tr("Put the selected ranks here, or drop ranks here") : tr("Drop ranks here"));
    }
    hideWhatDoesNotFit();
    if (focused && !m_buttons.empty() && !focusWidget())
        m_buttons.front()->setFocus();
}

void GroupStrip::hideWhatDoesNotFit()
{
    int width = m_row->contentsMargins().left() + m_row->contentsMargins().right();
    int shown = 0;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setVisible(true);
        width += m_buttons[i]->sizeHint().width() + m_row->spacing();
        shown += m_chips[i].target.kind == DropTarget::Kind::Group ? 1 : 0;
    }
    const auto label = [&] {
        m_label->setText(shown == m_groups
                ? tr("Shard groups")
                : (m_groups == 1 ? tr("%1 of %2 shard group") : tr("%1 of %2 shard groups"))
                      .arg(shown)
                      .arg(groupedNumber(m_groups)));
        return m_label->sizeHint().width();
    };
    for (std::size_t i = m_buttons.size(); i-- > 0 && width + label() > this->width();) {
        if (m_chips[i].target.kind != DropTarget::Kind::Group)
            continue;
        m_buttons[i]->setVisible(false);
        width -= m_buttons[i]->sizeHint().width() + m_row->spacing();
        --shown;
    }
    label();
}

void GroupStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    hideWhatDoesNotFit();
}

void GroupStrip::markTarget()
{
    if (!m_session.active()) {
        rebuild();
        return;
    }
    const bool ranks = m_session.carried().kind == Carried::Kind::Ranks;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setEnabled(ranks);
        m_buttons[i]->setDown(ranks && m_chips[i].target == m_session.target());
    }
}

int GroupStrip::chipAt(const QPoint& point) const
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        if (!m_buttons[i]->isHidden() && m_buttons[i]->geometry().contains(point))
            return static_cast<int>(i);
    return -1;
}

void GroupStrip::dragEnterEvent(QDragEnterEvent* event)
{
    const std::optional<Carried> carried = fromMime(*event->mimeData(), m_document);
    if (!carried || carried->kind != Carried::Kind::Ranks) {
        event->ignore();
        return;
    }
    if (!m_session.active())
        m_session.begin(*carried, false);
    event->setDropAction(Qt::MoveAction);
    event->accept();
}

void GroupStrip::dragMoveEvent(QDragMoveEvent* event)
{
    const int chip = chipAt(event->position().toPoint());
    if (chip < 0)
        m_session.leave();
    else
        m_session.moveTo(m_chips[std::size_t(chip)].target, false);
    event->setDropAction(Qt::MoveAction);
    event->setAccepted(m_session.mayDrop());
}

void GroupStrip::dragLeaveEvent(QDragLeaveEvent* event)
{
    static_cast<void>(event);
    m_session.cancel();
}

void GroupStrip::dropEvent(QDropEvent* event)
{
    if (m_session.drop()) {
        event->setDropAction(Qt::MoveAction);
        event->accept();
    } else {
        m_session.cancel();
        event->ignore();
    }
}

} // namespace shardrack
