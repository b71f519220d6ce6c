#pragma once

#include "document/plan_document.h"
#include "document/selection.h"

#include <QAction>
#include <QLineEdit>

#include <functional>
#include <vector>

class QCompleter;
class QStringListModel;

namespace shardrack {

/// One field for "go to": a rank ("12", "rank 12"), a server or rack by name, or a command by a
/// part of its name. Matches are made for the text typed, never for the whole plan.
class FindField : public QLineEdit {
    Q_OBJECT
public:
    FindField(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);
    /// The commands that can be found; disabled ones are left out at the time of the search.
    void setCommands(std::vector<QAction*> commands);

signals:
    /// Something on the canvas was found and selected.
    void found();

protected:
    bool event(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Match {
        QString text;
        std::function<void()> go;
        bool isPlace = true; ///< on the canvas; else a command
    };
    void search(const QString& text);
    void addRank(const QString& text);
    void addPlaces(const QString& text);
    void addCommands(const QString& text);
    void go(const QString& text);

    PlanDocument& m_document;
    Selection& m_selection;
    std::vector<QAction*> m_commands;
    std::vector<Match> m_matches;
    QStringListModel* m_model;
    QCompleter* m_completer;
};

} // namespace shardrack
