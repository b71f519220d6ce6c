#include "style/view_style.h"

#include <QWidget>

namespace shardrack {

const Theme& themeOf(const QWidget* widget) { return Theme::matching(widget->palette()); }

PaintStyle styleOf(const QWidget* widget)
{
    return PaintStyle::screen(themeOf(widget), widget->devicePixelRatioF());
}

QColor textColorOf(Capacity capacity, const Theme& theme)
{
    switch (capacity) {
    case Capacity::Over:
        return theme.overText;
    case Capacity::Fit:
        return theme.okText;
    case Capacity::Tight:
        return theme.flag;
    case Capacity::Open:
        break;
    }
    return theme.text;
}

} // namespace shardrack
