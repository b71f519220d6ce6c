#pragma once

#include <Qt>

namespace shardrack {

// How anything on screen says which word of the glossary it is about. A widget: a dynamic property
// of this name, on itself, on a parent of it, or on the label whose buddy it is. An item of a
// model: data of this role. A widget that paints several words: an invokable
// `QString glossaryWordAt(const QPoint& point)`.
constexpr char kGlossaryProperty[] = "glossaryWord";
constexpr int kGlossaryRole = Qt::UserRole + 1000;

} // namespace shardrack
