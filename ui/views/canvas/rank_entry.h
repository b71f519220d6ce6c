#pragma once

#include "document/plan_document.h"

#include <QFrame>

class QLabel;
class QLineEdit;

namespace shardrack {

/// A small entry beside a GPU for the rank, or ranks, that shall run there: the keyboard's way to
/// drag ranks. What it means is tried while it is typed; what is wrong is said below.
class RankEntry : public QFrame {
    Q_OBJECT
public:
    RankEntry(PlanDocument& document, QWidget* parent);

    /// For these GPUs: the first rank goes to the first, and so on.
    void ask(std::vector<GpuRef> gpus, const QString& where);
    void giveUp() { close(false); }
    QString message() const;
    QLineEdit& field() { return *m_field; }

    /// The edits that the text means, in order; an Error in words otherwise.
    static Result<std::vector<Edit>> editsFor(
        const PlanDocument& document, const std::vector<GpuRef>& gpus, const QString& text);

signals:
    /// It was answered or given up by key: the focus goes back to the canvas.
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tryText();
    void enter();
    void close(bool returnFocus);
    void say(const QString& message, bool wrong);

    PlanDocument& m_document;
    bool m_open = false;
    std::vector<GpuRef> m_gpus;
    QLabel* m_title;
    QLineEdit* m_field;
    QLabel* m_message;
};

} // namespace shardrack
