#pragma once

#include "trace/category.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace shardrack {

/// The moments of a run between which memory is compared, in order of time.
enum class Phase {
    Load,
    Init,
    FirstForward,
    FirstBackward,
    FirstOptimizer,
    Forward, ///< of a steady step, as are the next two
    Backward,
    Optimizer,
    Save,
    Evaluate
};
/// "load", "init", "first forward", …, "evaluate".
const char* name(Phase phase);
/// Whether the phase belongs to a complete step after the first.
constexpr bool isSteady(Phase phase)
{
    return phase >= Phase::Forward && phase <= Phase::Optimizer;
}

/// Bytes held per category at one moment.
using CategoryBytes = std::array<Bytes, kCategoryCount>;
Bytes total(const CategoryBytes& bytes);

/// Births and deaths of tensors over init, the first step and a steady step: a tree whose loops are
/// counted, not unrolled. It knows nothing of models; whoever emits it gives categories and sizes.
class StepTrace {
public:
    using Tensor = std::uint32_t;

    /// Declares a tensor; it is held only between born() and dies().
    Tensor declare(Category category, Bytes bytes);
    void phase(Phase phase);
    void born(Tensor tensor);
    void dies(Tensor tensor);
    /// Everything until the matching endLoop() happens `count` times. A body may hold tensors that
    /// an earlier pass or an earlier loop gave birth to (prefetch, pipeline queues): what counts is
    /// how much of each category one pass adds or removes.
    void beginLoop(std::int64_t count);
    void endLoop();

    struct Node {
        enum class Kind : std::uint8_t { Phase, Born, Dies, LoopBegin, LoopEnd };
        Kind kind;
        std::uint32_t tensor; ///< Born, Dies; the phase for Phase; the matching node for loops
        std::int64_t count; ///< LoopBegin
    };
    struct Held {
        Category category;
        Bytes bytes;
    };
    std::size_t tensorCount() const { return m_tensors.size(); }
    const std::vector<Node>& nodes() const { return m_nodes; }
    const Held& tensor(Tensor tensor) const { return m_tensors[tensor]; }

private:
    std::vector<Node> m_nodes;
    std::vector<Held> m_tensors;
    std::vector<std::uint32_t> m_openLoops;
};

/// The largest moment of a trace, and the largest moment outside its phase.
struct Peak {
    Phase phase = Phase::Init;
    CategoryBytes held {};
    bool operator==(const Peak&) const = default;
};
struct PeakPair {
    Peak peak;
    Peak runnerUp; ///< in another phase than the peak's; equals {Init, 0} when there is none
    bool operator==(const PeakPair&) const = default;
};

struct Profile;

/// Follows births and deaths as they are emitted and keeps the largest moment of each phase: the
/// numbers-only way to a peak, without a trace in memory.
class PeakFinder {
public:
    void phase(Phase phase);
    void born(Category category, Bytes bytes);
    void dies(Category category, Bytes bytes);
    /// `times` equal stretches, one after the other; the highest moment is in the first or the
    /// last.
    void pass(const Profile& profile, std::int64_t times);
    /// Adds to what is held without looking at the moment (a loop's passes that are not visited).
    void skip(const CategoryBytes& change, std::int64_t times);
    const CategoryBytes& held() const { return m_held; }
    PeakPair peaks() const;
    /// The largest moment of each phase that was seen, in order of time.
    std::vector<Peak> byPhase() const;

private:
    struct Moment {
        bool seen = false;
        Bytes total;
        CategoryBytes held {};
    };
    void see();
    void see(const Profile& profile);
    int largest(int except) const;

    Phase m_phase = Phase::Init;
    CategoryBytes m_held {};
    Bytes m_total; ///< of m_held
    std::array<Moment, 10> m_largest {}; ///< by phase
};

/// Finds the peaks without unrolling loops: along a loop every category changes by the same amount
/// each pass, so the extremes lie in its first or last pass. Equal moments: a steady phase before
/// any other, then the latest.
PeakPair peaks(const StepTrace& trace);
/// The same by unrolling every loop; what peaks() is tested against.
PeakPair peaksByExpansion(const StepTrace& trace);
/// What is held after the last event, loops unrolled.
CategoryBytes heldAtEnd(const StepTrace& trace);

/// How many of each tensor are held at the largest moment of `phase` (the one that peaks() finds),
/// by tensor; loops are reduced as in peaks(). Empty when the phase is not in the trace.
std::vector<std::int64_t> contents(const StepTrace& trace, Phase phase);

} // namespace shardrack
