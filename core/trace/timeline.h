#pragma once

#include "trace/step_trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardrack {

/// A trace as moments in order of events, which is not to the scale of time: what a view over the
/// step draws, and what a cursor on it reads.
struct Timeline {
    struct Moment {
        enum class Kind : std::uint8_t {
            Start, ///< of a phase: nothing changes
            Born,
            Dies,
            Skipped ///< passes of a loop that are not visited, all at once
        };
        CategoryBytes held {}; ///< after the event
        Bytes total; ///< of `held`
        std::int64_t times = 1; ///< Skipped: so many passes
        std::uint32_t tensor = 0; ///< Born, Dies; the loop's node for Skipped
        Phase phase = Phase::Init;
        Kind kind = Kind::Start;
    };
    /// Neighbouring moments of one phase.
    struct Stretch {
        Phase phase = Phase::Init;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    std::vector<Moment> moments;
    std::vector<Stretch> stretches;
    /// Loops of which only the first and last pass are among the moments (nodes of LoopBegin,
    /// ascending); the others change every category by the same amount and reach no higher.
    std::vector<std::uint32_t> reduced;
    /// The largest moment of each phase, by phase: those that PeakFinder::byPhase() finds.
    std::array<std::optional<std::size_t>, 10> largest {};
    std::size_t peak = 0; ///< the largest moment, the one that peaks() finds
    /// The largest of the first step and of a steady one.
    std::optional<std::size_t> firstPeak;
    std::optional<std::size_t> steadyPeak;
    /// The last moment of a forward pass, in the pass that ends highest: where the loss is, on a
    /// rank that computes it.
    std::optional<std::size_t> firstLoss;
    std::optional<std::size_t> steadyLoss;
    std::optional<std::size_t> built; ///< after initialization
    /// What is held between steps: after the last event of the first and of a steady step.
    std::optional<std::size_t> firstQuiet;
    std::optional<std::size_t> quiet;

    bool empty() const { return moments.empty(); }
    /// Whether a moment belongs to the first step, or to a steady one.
    bool inFirstStep(std::size_t moment) const;
    bool inSteadyStep(std::size_t moment) const;
};

/// More moments than can be told apart on any screen.
constexpr std::size_t kMostMoments = 20'000;

/// Unrolls a trace into at most about `most` moments: loops are visited pass by pass where that
/// fits; else the outermost and longest are reduced to their first and last pass until it does.
Timeline timelineOf(const StepTrace& trace, std::size_t most = kMostMoments);

/// How many of each tensor are held after a moment of the trace's timeline, by tensor.
std::vector<std::int64_t> contentsAt(
    const StepTrace& trace, const Timeline& timeline, std::size_t moment);

} // namespace shardrack
