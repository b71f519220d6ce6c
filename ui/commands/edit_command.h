#pragma once

#include "document/plan_document.h"

namespace shardrack {

/// Applies an edit to the document as one undo step named after it. Returns why it was refused;
/// then nothing changed. Edits of the same non-zero `gesture` merge into one step (typing in one
/// field, repeated key presses). An edit that changes nothing leaves no step.
/// `step`: the name of a step of several edits; empty: that of its last edit.
std::optional<Error> perform(
    PlanDocument& document, const Edit& edit, int gesture = 0, const QString& step = {});
/// Several edits as one step of this name; the first that is refused ends it.
std::optional<Error> performAll(
    PlanDocument& document, const std::vector<Edit>& edits, const QString& step);

/// A number for perform()'s `gesture` that no earlier gesture had.
int newGesture();

} // namespace shardrack
