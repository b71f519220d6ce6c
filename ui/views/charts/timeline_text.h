#pragma once

#include "plan/rank_timeline.h"

#include <QString>

#include <vector>

namespace shardrack {

// The step timeline in words.

/// "init", "forward": the name below the axis; brief: "fwd".
QString phaseName(Phase phase, bool brief = false);
/// "forward of step 2"; "init" belongs to no step.
QString momentPlace(const Timeline& timeline, std::size_t moment);
/// What happens at a moment: "born: attention output, 64 MiB".
QString momentEvent(const RankTimeline& rank, std::size_t moment);
/// Everything about a moment in one sentence, as assistive technology reads it.
QString momentText(const RankTimeline& rank, std::size_t moment);

/// A moment at which somebody might look at a counter.
struct SampleMoment {
    QString name; ///< "After init", "Loss, step 1"
    std::size_t moment = 0;
    bool isPeak = false;
};
/// Those of a rank, in order of time; one moment stands once.
std::vector<SampleMoment> sampleMoments(const RankTimeline& rank);

/// "64 MiB", "2.77 GiB", "512 B": a tensor's size in the largest unit that it reaches.
QString tensorSize(Bytes bytes);

/// What cannot be shown or not when it comes and goes, and what would make it known; empty where
/// the working set is derived.
QString whatIsMissing(const Workload& workload, const RankTimeline& rank);

/// "7.48 under step 2: no optimizer state yet": why the first step's peak is no evidence.
QString firstStepDifference(const RankTimeline& rank);

} // namespace shardrack
