#pragma once

#include "account/account.h"
#include "account/pytorch/settings.h"
#include "base/json.h"

#include <string>
#include <vector>

namespace shardrack {

/// A published run of a framework built on torch: what its record says, as a run.
struct PublishedRun {
    std::string framework; ///< "torchtitan"
    TorchRun run;
    std::vector<std::string> assumed; ///< what the record leaves open, and what was taken
};

/// Reads a record of published_runs.json (its fields, and where it was published: never its name).
/// Throws Failure in words where what it describes is not computed.
PublishedRun publishedRun(const JsonView& record);

/// What is predicted for such a run.
struct PublishedPrediction {
    RankClass ranks;
    Bytes allocated; ///< as the allocator counts
    Bytes active; ///< with what another stream still holds
    Bytes reserved;
};
PublishedPrediction predictPublished(const PublishedRun& published);

} // namespace shardrack
