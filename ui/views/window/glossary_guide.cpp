#include "window/glossary_guide.h"

#include "document/glossary_role.h"
#include "plan/glossary.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>

namespace shardrack {

namespace {

QString entryFor(const QString& word)
{
    const GlossaryEntry* entry = word.isEmpty() ? nullptr : glossaryEntry(word.toStdString());
    return entry ? QString::fromStdString(entry->word) : QString();
}

QString paintedWord(const QWidget* widget, const QPoint& point)
{
    if (widget->metaObject()->indexOfMethod("glossaryWordAt(QPoint)") < 0)
        return {};
    QString word;
    QMetaObject::invokeMethod(const_cast<QWidget*>(widget), "glossaryWordAt", Qt::DirectConnection,
        Q_RETURN_ARG(QString, word), Q_ARG(QPoint, point));
    return entryFor(word);
}

QString wordOfItem(const QModelIndex& index)
{
    return entryFor(index.data(kGlossaryRole).toString());
}

/// The word that the label of a field has.
QString wordOfLabel(const QWidget* field)
{
    const QWidget* parent = field->parentWidget();
    if (!parent)
        return {};
    for (const QLabel* label : parent->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (label->buddy() == field)
            return entryFor(label->property(kGlossaryProperty).toString());
    return {};
}

QString ownWord(const QWidget* widget)
{
    const QString word = entryFor(widget->property(kGlossaryProperty).toString());
    return word.isEmpty() ? wordOfLabel(widget) : word;
}

QString wordOfParents(const QWidget* widget)
{
    for (const QWidget* at = widget; at; at = at->parentWidget())
        if (const QString word = ownWord(at); !word.isEmpty())
            return word;
    return {};
}

} // namespace

GlossaryGuide::GlossaryGuide(QWidget* window)
    : QObject(window)
    , m_window(window)
{
    QApplication::instance()->installEventFilter(this);
}

QString GlossaryGuide::wordAt(const QWidget* widget, const QPoint& point)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget);
    if (!view)
        view = qobject_cast<const QAbstractItemView*>(widget->parentWidget());
    if (view) {
        const QPoint inView = widget == view ? view->viewport()->mapFrom(view, point) : point;
        return wordOfItem(view->indexAt(inView));
    }
    if (const QString word = paintedWord(widget, point); !word.isEmpty())
        return word;
    // Other widgets may have a menu of their own there.
    return qobject_cast<const QLabel*>(widget) ? wordOfParents(widget) : QString();
}

QString GlossaryGuide::wordInFocus() const
{
    const QWidget* focus = QApplication::focusWidget();
    if (!focus || focus->window() != m_window)
        focus = m_window->focusWidget();
    if (!focus)
        return {};
    if (const auto* view = qobject_cast<const QAbstractItemView*>(focus))
        if (const QString word = wordOfItem(view->currentIndex()); !word.isEmpty())
            return word;
    if (const QString word = paintedWord(focus, { -1, -1 }); !word.isEmpty())
        return word;
    return wordOfParents(focus);
}

bool GlossaryGuide::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ContextMenu || !watched->isWidgetType())
        return false;
    auto* widget = static_cast<QWidget*>(watched);
    const auto* asked = static_cast<QContextMenuEvent*>(event);
    const bool byKeyboard = asked->reason() == QContextMenuEvent::Keyboard;
    // Only what was clicked itself: its parents are asked after it.
    if (widget->window() != m_window || (!byKeyboard && widget->childAt(asked->pos())))
        return false;
    const bool item = qobject_cast<QAbstractItemView*>(widget) != nullptr;
    const QString word = !byKeyboard ? wordAt(widget, asked->pos())
        : item                       ? wordInFocus()
                                     : QString();
    if (word.isEmpty())
        return false;
    auto* menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("glossaryMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QWidget* at : { widget, widget->parentWidget() })
        if (at && at->contextMenuPolicy() == Qt::ActionsContextMenu)
            menu->addActions(at->actions());
    menu->addAction(
        tr("What is “%1”?").arg(word), this, [this, word] { emit wordRequested(word); });
    menu->popup(asked->globalPos());
    return true;
}

} // namespace shardrack
