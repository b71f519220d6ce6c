#pragma once

#include "account/megatron/stage.h"

namespace shardrack {

/// What the caching allocator makes of a stage's tensors: with the rests of blocks that it does not
/// split, and the segments that it keeps.
struct ReplayedMemory {
    Bytes firstStepAllocated; ///< most allocated up to the end of the first step
    Bytes allocated; ///< most allocated
    Bytes reserved; ///< most reserved
    Bytes rest; ///< allocated between steps
};

/// Replays build, first step and one steady step, loops unrolled (at most a few micro-batches more
/// than are alive at one time) and the state's tensors one by one, as the optimizer makes them. For
/// the stage that somebody looks at: milliseconds, not for live bars. `shard`: which share of the
/// optimizer's buffer the rank has.
ReplayedMemory replay(const MegatronRun& run, const MegatronStage& stage, std::int64_t shard);

} // namespace shardrack
