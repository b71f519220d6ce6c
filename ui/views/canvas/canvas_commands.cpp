// What menus and keys do with the selection.

#include "canvas/rack_canvas.h"

#include "canvas/group_strip.h"
#include "canvas/rank_entry.h"
#include "commands/edit_command.h"

#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

namespace shardrack {

std::vector<GpuRef> RackCanvas::commandGpus() const
{
    if (!m_selection.gpus().empty())
        return m_selection.gpus();
    return m_scene.ordinal(m_selection.focus()) >= 0 ? std::vector<GpuRef> { m_selection.focus() }
                                                     : std::vector<GpuRef> {};
}

void RackCanvas::say(const std::optional<Error>& error)
{
    emit statusMessage(error ? QString::fromStdString(error->text()) : QString());
}

void RackCanvas::askForRank()
{
    const std::vector<GpuRef> gpus = commandGpus();
    if (gpus.empty()) {
        emit statusMessage(tr("Select a GPU for the rank"));
        return;
    }
    const int first = m_scene.ordinal(gpus.front());
    if (first < 0)
        return;
    if (m_layout.level() >= DetailLevel::GpuCell)
        revealSelection();
    else
        ensureVisible(rectOf(gpus.front()));
    const QString where = gpus.size() == 1
        ? deviceLabel(m_scene, first)
        : tr("%1 and %2 more").arg(deviceLabel(m_scene, first)).arg(gpus.size() - 1);
    m_rankEntry->ask(gpus, where);
    const QRect at = rectOf(gpus.front());
    const QRect view = viewport()->rect();
    const QSize size = m_rankEntry->size();
    m_rankEntry->move(std::clamp(at.left(), 0, std::max(0, view.width() - size.width())),
        at.bottom() + 6 + size.height() <= view.height()
            ? at.bottom() + 6
            : std::max(0, at.top() - 6 - size.height()));
}

void RackCanvas::putRanks(const DropTarget& target)
{
    say(putSelectedRanks(m_document, m_selection, target));
}

void RackCanvas::removeRanks()
{
    DropTarget target;
    target.kind = DropTarget::Kind::NoRank;
    putRanks(target);
}

void RackCanvas::leaveGroups()
{
    DropTarget target;
    target.kind = DropTarget::Kind::NoGroup;
    putRanks(target);
}

void RackCanvas::giveRanks()
{
    const std::optional<ShownOffer> current = m_document.current();
    if (!current)
        return;
    std::vector<Edit> edits;
    for (const GpuRef& gpu : commandGpus()) {
        const std::int32_t ordinal = current->assessment->index.ordinal(gpu);
        if (ordinal >= 0 && current->assessment->layout.ranksOn(ordinal).empty())
            edits.emplace_back(edit::AddRank { current->offer, gpu });
    }
    if (edits.empty())
        emit statusMessage(tr("Every selected GPU has a rank"));
    else
        say(performAll(m_document, edits, tr("Add %1 ranks").arg(edits.size())));
}

QMenu* RackCanvas::groupMenu()
{
    constexpr int kMostGroups = 16;
    auto* menu = new QMenu(tr("Shard group"), this);
    for (const GroupStrip::Chip& chip :
        GroupStrip::chipsFor(m_document, m_selection, kMostGroups)) {
        if (chip.target.kind == DropTarget::Kind::NoRank)
            continue;
        menu->addAction(chip.text, this, [this, target = chip.target] { putRanks(target); });
    }
    return menu;
}

void RackCanvas::chooseGroup()
{
    if (!anyRankSelected(m_document, m_selection)) {
        emit statusMessage(tr("Select GPUs with ranks to put into a shard group"));
        return;
    }
    QMenu* menu = groupMenu();
    menu->setObjectName(QStringLiteral("groupMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!menu->actions().isEmpty())
        menu->setActiveAction(menu->actions().front());
    menu->popup(viewport()->mapToGlobal(rectOf(m_selection.focus()).bottomLeft()));
}

void RackCanvas::removeSelected()
{
    const std::optional<ShownOffer> current = m_document.current();
    if (!current)
        return;
    if (m_selection.rack() >= 0) {
        say(perform(
            m_document, edit::RemoveRack { current->offer, std::size_t(m_selection.rack()) }));
        return;
    }
    if (m_selection.server() != 0) {
        say(perform(m_document, edit::RemoveServer { current->offer, m_selection.server() }));
        return;
    }
    // From the last, so that the others keep their numbers.
    const std::vector<GpuRef> gpus = m_selection.gpus();
    std::vector<Edit> edits;
    for (auto gpu = gpus.rbegin(); gpu != gpus.rend(); ++gpu)
        edits.emplace_back(edit::RemoveGpu { current->offer, *gpu });
    if (const auto error = performAll(m_document, edits, tr("Remove %1 GPUs").arg(edits.size())))
        say(error);
}

void RackCanvas::requestUsable()
{
    const std::vector<GpuRef> gpus = commandGpus();
    if (gpus.empty())
        emit statusMessage(tr("Select the GPUs whose usable allocation is to be stated"));
    else
        emit usableRequested(gpus);
}

void RackCanvas::addRack()
{
    const std::vector<RackType>& types = Catalogue::builtIn().racks();
    if (types.empty())
        return;
    const int gesture = newGesture();
    if (m_document.currentOffer() < 0) {
        edit::AddOffer first { emptyOffer(freeOfferName(*m_document.plan(), "Offer A")), 0 };
        if (const std::optional<Error> error = perform(m_document, first, gesture)) {
            say(error);
            return;
        }
    }
    Carried carried;
    carried.kind = Carried::Kind::RackType;
    carried.type = types.front().id;
    DropTarget target;
    target.kind = DropTarget::Kind::NewRack;
    say(performDrop(m_document, carried, target, false, gesture));
}

void RackCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!m_scene.hasOffer() || m_carry.active())
        return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const CanvasHit hit = m_layout.hitTest(toCanvas(event->pos()));
        if (!hit.onGpu() || !m_selection.contains(refOf(hit)))
            select(hit, Qt::NoModifier);
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("canvasMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool hardware = m_selection.server() != 0 || m_selection.rack() >= 0;
    const bool gpus = !m_selection.gpus().empty();
    const bool ranks = anyRankSelected(m_document, m_selection);
    const auto add
        = [&](const QString& text, const QString& key, bool enabled, void (RackCanvas::*slot)()) {
              QAction* action = menu->addAction(
                  key.isEmpty() ? text : text + QLatin1Char('\t') + key, this, slot);
              action->setEnabled(enabled);
          };
    add(tr("Move to…"), QStringLiteral("M"), m_selection.rack() < 0 && (gpus || hardware),
        &RackCanvas::moveSelected);
    add(tr("Assign rank…"), QStringLiteral("R"), gpus, &RackCanvas::askForRank);
    add(tr("Give a rank of its own"), QString(), gpus, &RackCanvas::giveRanks);
    QMenu* groups = groupMenu();
    groups->setEnabled(ranks);
    menu->addMenu(groups);
    add(tr("Take out of shard group"), QString(), ranks, &RackCanvas::leaveGroups);
    add(tr("Remove rank"), QString(), ranks, &RackCanvas::removeRanks);
    menu->addSeparator();
    add(tr("Set usable allocation…"), QString(), gpus, &RackCanvas::requestUsable);
    menu->addSeparator();
    const QString removed = m_selection.rack() >= 0 ? tr("Remove rack")
        : m_selection.server() != 0                 ? tr("Remove server")
                                                    : tr("Remove GPU");
    add(removed, QStringLiteral("Del"), gpus || hardware, &RackCanvas::removeSelected);
    add(tr("Add a rack"), QString(), true, &RackCanvas::addRack);
    menu->popup(event->globalPos());
    connect(menu, &QMenu::destroyed, groups, &QMenu::deleteLater);
}

} // namespace shardrack
