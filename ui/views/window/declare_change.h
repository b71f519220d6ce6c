#pragma once

#include "document/plan_document.h"

class QWidget;

namespace shardrack {

/// Asks for a change of basis that no field of the workload says ("optimizer state stays in host
/// memory"), and adds it to the offer in front.
void declareChange(PlanDocument& document, QWidget* parent);

} // namespace shardrack
