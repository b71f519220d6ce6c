#pragma once

#include <QObject>
#include <QPoint>

class QWidget;

namespace shardrack {

/// Leads from everything that is shown to its word in the glossary: a right click where no other
/// menu is, and a command for what has the focus. It knows no view: see document/glossary_role.h.
class GlossaryGuide : public QObject {
    Q_OBJECT
public:
    explicit GlossaryGuide(QWidget* window);

    /// The word of what is at a point of a widget; empty when it is about none.
    static QString wordAt(const QWidget* widget, const QPoint& point);
    /// The word of what has the focus in the window; empty when it is about none.
    QString wordInFocus() const;

signals:
    void wordRequested(const QString& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window;
};

} // namespace shardrack
