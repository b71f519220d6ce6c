#pragma once

#include <QAction>

namespace shardrack {

/// The window's own action of that object name; null where there is none.
inline QAction* actionNamed(const QObject* window, const char* name)
{
    return window->findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly);
}

} // namespace shardrack
