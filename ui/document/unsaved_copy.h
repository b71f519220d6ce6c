#pragma once

#include "base/result.h"

#include <QDateTime>
#include <QLockFile>
#include <QTimer>

#include <memory>

namespace shardrack {

class PlanDocument;
struct Plan;

/// A plan as it was before its program ended without asking: a crash, a kill, a power cut. While
/// it is held no other window is offered it.
struct LeftPlan {
    QString copy; ///< the file that keeps it
    QString file; ///< where the plan was opened or last saved; empty: never
    QString title;
    QDateTime written;
    std::shared_ptr<QLockFile> lock;
};

/// Keeps a copy of a document's plan in a folder for as long as the plan has changes that are not
/// saved, at most kSeconds behind. The copy goes when the plan is saved, replaced or given up; what
/// is left in the folder is what a program that died had not saved.
class UnsavedCopy : public QObject {
    Q_OBJECT
public:
    static constexpr int kSeconds = 5;

    /// The folder is made with the first copy.
    UnsavedCopy(PlanDocument& document, QString folder, QObject* parent = nullptr);
    ~UnsavedCopy() override;

    /// Writes the copy that is due now rather than in time. False: it could not be written, and
    /// is tried again in time.
    bool writeNow();
    /// A plan that nobody wants kept (a lesson's copy): no copy from here on.
    void stop();

    /// What programs that died left, newest first. Copies that cannot be read are among them, with
    /// their time alone.
    static std::vector<LeftPlan> left(const QString& folder);
    static Result<Plan> read(const LeftPlan& plan);
    static void remove(const LeftPlan& plan);

signals:
    /// No copy could be written, and why; once, until one can be again.
    void failed(const QString& reason);

private:
    void follow();
    void removeOwn();

    PlanDocument& m_document;
    const QString m_folder;
    QString m_file; ///< this document's copy
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    bool m_stopped = false;
    bool m_failing = false;
};

} // namespace shardrack
