#pragma once

#include "layout/layout.h"
#include "trace/category.h"
#include "trace/step_trace.h"
#include "workload/workload.h"

#include <string>
#include <vector>

namespace shardrack {

/// When a piece of state is held.
enum class Lifetime {
    WholeRun, ///< from the build on
    FromFirstOptimizer, ///< torch.optim creates the moments in its first step
    BackwardToOptimizer ///< gradients grow in backward and are set to none after the optimizer
};

/// Which part's shard group divides a piece of state; Whole: only a group that distributes all
/// parts.
enum class StatePart { Parameters, Gradients, Optimizer, Whole };

/// One piece of the persistent state before any division.
struct StateTensor {
    Category category = Category::State;
    std::string name;
    StatePart part = StatePart::Whole;
    Lifetime life = Lifetime::WholeRun;
    bool established = true;
    bool stipulated = false; ///< `given` counts; else elements × bytesEach
    Bytes given;
    std::int64_t elements = 0;
    std::int64_t bytesEach = 0;
    std::string note;

    /// All of it, undivided; must be established.
    Bytes bytes() const { return stipulated ? given : bytesOf(elements, bytesEach); }
};

/// What the workload's persistent state consists of, in stack order. Throws Failure on overflow.
std::vector<StateTensor> stateTensors(const Workload& workload);

/// What one rank of a group keeps of a piece of state.
struct KeptShare {
    enum class Place { Full, Last, Empty }; ///< a full share, the remainder, nothing but padding
    Bytes needed;
    Bytes padding; ///< held although no element lives there
    Place place = Place::Full;
};
/// Derived state: every rank holds ceil(elements / ranks) elements, the tail is padding. Stipulated
/// state: whole bytes, the first ranks one more where it does not divide; nobody said that it is
/// padded.
KeptShare keptShare(const StateTensor& tensor, const ResolvedLayout::Share& share);

/// The share that divides a piece of state for a rank.
ResolvedLayout::Share shareOf(StatePart part, const ResolvedLayout::Shares& shares);

/// Whether the parts of the state are divided differently: of a total that nobody took apart, what
/// a rank keeps is then not established.
bool dividesInParts(const ResolvedLayout::Shares& shares);

/// A piece of memory with its life, as the emitter sees it.
struct HeldTensor {
    Category category;
    Bytes bytes;
    Lifetime life;
};

/// Emits what a rank holds over initialization, the first step and a steady step, into a sink that
/// has phase(Phase), born(std::size_t tensor) and dies(std::size_t tensor). Written once; the sinks
/// decide whether numbers, names or events come of it.
template <class Sink> void emitStep(const std::vector<HeldTensor>& tensors, Sink& sink)
{
    const auto each = [&](Lifetime life, auto&& act) {
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (tensors[i].life == life)
                act(i);
    };
    const auto born = [&](std::size_t i) { sink.born(i); };
    const auto dies = [&](std::size_t i) { sink.dies(i); };
    sink.phase(Phase::Init);
    each(Lifetime::WholeRun, born);
    for (const bool first : { true, false }) {
        sink.phase(first ? Phase::FirstForward : Phase::Forward);
        sink.phase(first ? Phase::FirstBackward : Phase::Backward);
        each(Lifetime::BackwardToOptimizer, born);
        sink.phase(first ? Phase::FirstOptimizer : Phase::Optimizer);
        if (first)
            each(Lifetime::FromFirstOptimizer, born);
        each(Lifetime::BackwardToOptimizer, dies);
    }
}

} // namespace shardrack
