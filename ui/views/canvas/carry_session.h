#pragma once

#include "commands/drop.h"

#include <QObject>

#include <vector>

namespace shardrack {

/// Something on its way to a place: dragged by the mouse or picked up by keyboard. Shows the
/// consequence while it is over a place, and makes the edit when it is put down. Mouse, keys and
/// the strip of shard groups share it, so that all do the same.
class CarrySession : public QObject {
    Q_OBJECT
public:
    explicit CarrySession(PlanDocument& document, QObject* parent = nullptr);

    bool active() const { return m_carried.has_value(); }
    /// Only while active.
    const Carried& carried() const { return *m_carried; }
    int height() const { return m_height; }
    bool byKeyboard() const { return m_byKeyboard; }
    const DropTarget& target() const { return m_target; }
    bool alt() const { return m_alt; }
    /// It is over a place where it may not land; reason() says why in one sentence.
    bool refused() const { return !m_reason.isEmpty(); }
    QString reason() const { return m_reason; }
    /// It is over a place where it may land.
    bool mayDrop() const { return m_over && !refused(); }

    void begin(const Carried& carried, bool byKeyboard);
    /// Over another place, or with another `alt`: tries the edit. The same again costs nothing.
    void moveTo(const DropTarget& target, bool alt);
    /// Over no place: nothing is tried.
    void leave();
    /// Makes the edit as one undo step and ends. Nothing happens where it may not land; then it
    /// says why and goes on.
    bool drop();
    /// Ends; the plan is as it was.
    void cancel();

signals:
    /// It began, is over another place, or ended.
    void changed();
    /// It was put down there.
    void dropped(const shardrack::DropTarget& target);

private:
    void end();

    PlanDocument& m_document;
    std::optional<Carried> m_carried;
    int m_height = 0;
    bool m_byKeyboard = false;
    bool m_over = false;
    DropTarget m_target;
    bool m_alt = false;
    QString m_reason;
};

/// The edit that the drop means, as one undo step; says why it is refused.
std::optional<Error> performDrop(PlanDocument& document, const Carried& carried,
    const DropTarget& target, bool alt = false, int gesture = 0);

/// The places where hardware may land, rack by rack and from the top down, for the keyboard. Empty
/// for ranks, which may go to every GPU.
std::vector<DropTarget> placesFor(const Carried& carried, int height, const Site& site);

/// "Rack B, U9–U16", "server A1", "shard group S".
QString targetText(const DropTarget& target, int height, const Site& site);

} // namespace shardrack
