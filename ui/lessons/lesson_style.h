#pragma once

#include "paint/paint_style.h"

#include <QWidget>

namespace shardrack {

/// The painters' style for a part of a lesson on its screen.
inline PaintStyle lessonStyle(const QWidget* widget)
{
    return PaintStyle::screen(Theme::matching(widget->palette()), widget->devicePixelRatioF());
}

} // namespace shardrack
