#pragma once

#include "account/pytorch/stage.h"

namespace shardrack {

/// What the caching allocator makes of a rank's tensors, each stream with a pool of its own.
struct TorchReplay {
    Bytes allocated; ///< most allocated
    Bytes reserved; ///< most reserved
    Bytes rest; ///< allocated between steps
    std::array<Bytes, kStreams> ofStream {}; ///< reserved by stream
};

/// Replays build, first step and two steady steps, the state's tensors one by one. Milliseconds:
/// for what somebody looks at, not for live bars.
TorchReplay replay(const TorchRun& run, const TorchStage& stage);

} // namespace shardrack
