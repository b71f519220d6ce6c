#pragma once

#include "account/operators.h"
#include "workload/pytorch_switches.h"

#include <array>

namespace shardrack {

/// One way from the logits to their gradient, in bytes a logit. What a caller's variables hold is
/// told apart from what the loss keeps.
struct LossForm {
    LossPath path {};
    /// Format of the copy that the loss is computed from; 0: from the logits themselves.
    std::int64_t cast = 0;
    std::int64_t shifted = 0; ///< a second copy, for labels that are shifted by one
    LossWidths widths;
    bool logitsThroughLoss = false; ///< the caller's variable holds the logits until backward
    bool logitsThroughBackward = false; ///< and through it
    bool castThroughLoss = false; ///< the model puts out the copy, and the caller holds it so long
    bool castThroughBackward = false; ///< and through backward

    /// Whether the model puts out the copy.
    bool castIsOutput() const { return castThroughLoss || castThroughBackward; }
    /// Whether all logits of a micro-batch are there at one time.
    bool makesLogits() const { return path != LossPath::Chunked && path != LossPath::FusedKernel; }
};
/// The one table of loss paths: loss.cpp.
const LossForm& lossForm(LossPath path);

} // namespace shardrack
