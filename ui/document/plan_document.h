#pragma once

#include "plan/edit.h"
#include "plan/plan.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <vector>

namespace shardrack {

/// One offer as the views show it: the plan it belongs to and everything derived from it.
struct ShownOffer {
    std::shared_ptr<const Plan> plan;
    std::size_t offer = 0;
    std::shared_ptr<const Assessment> assessment;

    const Offer& get() const { return *plan->offers[offer]; }
    const Workload& workload() const { return plan->workloadOf(offer); }
};

/// The only owner of the plan, its undo stack and its what-if. Views read const snapshots from it
/// and are told once per event-loop turn what changed; commands (ui/commands) are the only callers
/// of replacePlan().
///
/// In one turn the signals come in this order: changed(), currentOfferChanged(), whatIfChanged().
class PlanDocument : public QObject {
    Q_OBJECT
public:
    explicit PlanDocument(QObject* parent = nullptr);
    ~PlanDocument() override;

    std::shared_ptr<const Plan> plan() const { return m_plan; }
    /// Grows with every change of the plan; drags carry it, so that a stale drop is ignored.
    quint64 revision() const { return m_revision; }
    /// Identifies this document among others in this and other windows.
    QString id() const { return m_id; }

    QUndoStack& undoStack() { return m_undoStack; }

    /// The offer in front; -1 when the plan has none. It stays with its offer when offers are added
    /// before it or moved; an offer that arrives comes to the front.
    int currentOffer() const { return m_currentOffer; }
    void setCurrentOffer(int offer);

    /// Derived from the plan as it is; computed on demand and kept while the offer does not change.
    std::shared_ptr<const Assessment> assessment(std::size_t offer) const;
    /// The current offer as it is; absent when there is none.
    std::optional<ShownOffer> current() const;
    /// The current offer as it would be after the edit that is being tried; absent when none is.
    std::optional<ShownOffer> whatIf() const;
    /// whatIf() if there is one, else current().
    std::optional<ShownOffer> shown() const;

    /// Shows the consequence of an edit without making it. Returns why it would be refused (the
    /// what-if is then cleared).
    std::optional<Error> tryEdit(const Edit& edit);
    void clearTry();

    /// For commands only: makes `plan` the plan. Never from a slot of changed() or its companions.
    void replacePlan(std::shared_ptr<const Plan> plan);

    /// A new document state: clears the undo stack. `path` empty: never saved.
    void reset(const Plan& plan, const QString& path, bool readOnly);
    /// A new document state that no file has yet: as reset(), and modified.
    void restore(const Plan& plan, const QString& path);
    QString path() const { return m_path; }
    /// The file may be looked at and not be saved over: it is of a newer version.
    bool readOnly() const { return m_readOnly; }
    bool isModified() const { return !m_undoStack.isClean(); }

    /// Reads a file into the document. On error nothing changes. `remarks` receives what the person
    /// should know ("newer version: read only").
    std::optional<Error> load(const QString& path, QStringList* remarks = nullptr);
    /// Writes atomically (QSaveFile) and marks the stack clean.
    std::optional<Error> save(const QString& path);

    /// Time of the last recomputation of an offer, in microseconds; 0 before the first.
    qint64 lastRecomputeMicroseconds() const { return m_lastRecompute; }

    /// Delivers pending signals now (tests; otherwise once per event-loop turn).
    void flush();

signals:
    /// The plan changed; merged over one event-loop turn.
    void changed(const shardrack::ChangeSet& changes);
    /// The whole document was replaced (new, open); nothing else is told about it.
    void resetDone();
    void currentOfferChanged(int offer);
    /// A what-if appeared, changed or went away.
    void whatIfChanged();
    /// Path, read-only or modified state changed.
    void fileStateChanged();

private:
    struct Cached {
        std::shared_ptr<const Offer> offer;
        std::shared_ptr<const Workload> workload;
        std::shared_ptr<const Workload> common; ///< what a changed basis is told against
        RequiredMargin margin;
        std::shared_ptr<const Assessment> assessment;
        quint64 used = 0; ///< when it was last asked for
    };
    std::shared_ptr<const Assessment> assessmentOf(const Plan& plan, std::size_t offer) const;
    void makeRoom() const;
    std::optional<ShownOffer> shownOf(const std::shared_ptr<const Plan>& plan, int offer) const;
    void deliverBefore();
    void requireNotDelivering() const;

    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Plan> m_tried;
    quint64 m_revision = 0;
    const QString m_id;
    QUndoStack m_undoStack;
    int m_currentOffer = -1;
    QString m_path;
    bool m_readOnly = false;
    QTimer m_flushTimer;
    bool m_delivering = false;
    std::shared_ptr<const Plan> m_reported; ///< the plan of the last changed()
    int m_reportedOffer = -1; ///< of the last currentOfferChanged()
    bool m_whatIfDropped = false; ///< by a change of the plan that is not reported yet
    mutable std::vector<Cached> m_cache;
    mutable quint64 m_clock = 0;
    mutable qint64 m_lastRecompute = 0;
};

} // namespace shardrack
