#pragma once

#include "layout/layout.h"
#include "trace/step_trace.h"
#include "workload/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

enum class Sharing { Replicated, Sharded, Gathered, Local };
/// "replicated", "sharded", "gathered", "local".
const char* name(Sharing sharing);

/// How a term was computed; rendered with its values on demand.
struct Formula {
    enum class Kind {
        None, ///< not established
        Nothing, ///< the term cannot exist: 0
        Given, ///< a size that a person gave, as it is
        GivenShare, ///< given ÷ divisor, whole bytes
        Elements, ///< elements × bytesEach ÷ divisor, whole elements a share
        Repeated, ///< copies × bytesEach × elements × width ÷ divisor
        LastShare, ///< what is left of the elements for the last rank that holds any
        Padding ///< share that every rank holds − what this rank needs of it
    };
    Kind kind = Kind::None;
    Bytes given;
    std::int64_t elements = 0;
    std::int64_t bytesEach = 0;
    std::int64_t divisor = 1;
    std::int64_t position = 0; ///< of the rank in its group, for LastShare and Padding
    std::int64_t copies = 1; ///< for Repeated: equal tensors held at one time
    std::int64_t width = 1; ///< for Repeated: of a row; `elements` are rows
    bool operator==(const Formula&) const = default;
};
/// "24 GiB ÷ 4", "8,030,261,248 × 2 B ÷ 32"; empty for Kind::None.
std::string text(const Formula& formula);

/// One line of an account.
struct Term {
    Category category = Category::State;
    std::string name; ///< "Persistent state, undivided", "Master copy", "padding", …
    Amount amount;
    Sharing sharing = Sharing::Local;
    std::vector<std::string> dividedBy; ///< the axes, "shard group of 4"
    Formula formula;
    std::string note; ///< why it is not established, or what it is; one sentence
    bool operator==(const Term&) const = default;
};

/// The events of one rank with the name of each tensor of the trace.
struct RankTrace {
    StepTrace trace;
    std::vector<std::string> names; ///< by tensor
};

/// Ranks whose accounts are equal.
struct RankClass {
    RankSet ranks;
    int stage = 0;
    std::vector<Term> terms; ///< in the order of Category
    /// What is held at the peak, per category; a category with an open term is "at least".
    std::array<Sum, kCategoryCount> atPeak {};
    Sum need; ///< their sum
    Phase peakPhase = Phase::Optimizer;
    Peak runnerUp; ///< the largest moment in another phase
    /// Where a framework's strategy derives them: the largest moment of every phase of the first
    /// and of a steady step, in order of time, without slack and memory outside the allocator.
    std::vector<Peak> phases;
    /// What the need is at least and at most, by the ranges of everything that is no arithmetic:
    /// least without slack. Absent: exactly the need, or what is established of it.
    std::optional<Bytes> least;
    std::optional<Bytes> most;
    Bytes state; ///< parameters + gradients + optimizer, whatever the moment, padding excluded
    /// Of the need, what a switch of the framework would spare: kept for nobody who asks for it.
    struct Spare {
        Bytes bytes;
        std::string what; ///< "the last stage's outputs of all 16 micro-batches, and …"
        std::string how; ///< "set … to nothing"
    };
    std::optional<Spare> spare;
};

/// GPUs whose accounts are equal: same kind, ranks of the same classes.
struct DeviceClass {
    RankSet gpus; ///< ordinals in the SiteIndex
    std::int32_t kind = 0; ///< index into SiteIndex::kinds()
    struct Holding {
        std::int32_t rankClass = 0;
        std::int64_t weight = 1; ///< share of the rank on this GPU: weight / weights
        std::int64_t weights = 1; ///< 0: not established
        std::int64_t before = 0; ///< weight on the rank's earlier GPUs
        bool operator==(const Holding&) const = default;
    };
    std::vector<Holding> holdings; ///< empty: no rank
    std::array<Sum, kCategoryCount> atPeak {};
    Sum need;
    /// need without the allocator's slack, which may make a device tight but never over.
    Sum needWithoutSlack;
    /// The interval of the need: its tensors and outside memory at their least, everything at its
    /// most. Equal to needWithoutSlack and need where nothing is uncertain.
    Bytes least;
    Bytes most;
    UsableAllocation usable;
    Bytes installed;
    bool installedKnown = true;

    bool idle() const { return holdings.empty(); }
    Bytes headroom() const { return usable.bytes - need.established; }
    /// The headroom is an upper bound: something is open, or nobody confirmed the usable
    /// allocation.
    bool headroomAtMost() const
    {
        return need.atLeast || usable.provenance == Provenance::NotEstablished;
    }
};

/// What every rank and device must hold. Immutable once made.
struct Account {
    std::vector<RankClass> rankClasses; ///< in order of their first rank
    std::vector<DeviceClass> deviceClasses; ///< in order of their first GPU; idle GPUs included
    std::vector<std::uint32_t> classOfRank;
    std::vector<std::uint32_t> classOfGpu;
    Bytes installedTotal;
    bool strategy = false; ///< a framework's strategy derived every term
    /// Whether the two totals below are known: every piece of the state is, and they fit into 64
    /// bits.
    bool stateEstablished = false;
    Bytes stateTotal; ///< over all ranks, padding excluded
    Bytes redundantTotal; ///< stateTotal minus one copy of each element
    std::optional<Bytes> oneCopy; ///< what one copy of each element takes, where it is known
};

/// Computes the account of a workload on a resolved layout. Fails only when numbers leave 64 bits.
/// State terms are derived; terms that nobody gave and that no rule derives are not established.
/// Replicated, sharded and padded shares follow the flattened layout of ZeRO (Rajbhandari et al.
/// 2020, arXiv:1910.02054, section 5) and FSDP: every rank of a group holds ceil(elements / ranks)
/// elements.
Result<Account> account(
    const Workload& workload, const ResolvedLayout& layout, const SiteIndex& site);

/// The trace of a rank with names: for timelines and "what is held now" (see contents()). Where a
/// framework's strategy derives the account, it is that strategy's trace, which depends on the GPU.
Result<RankTrace> rankTrace(const Workload& workload, const ResolvedLayout& layout,
    const SiteIndex& site, std::int32_t rank);

/// The step trace of one rank class, for views over time and for checking the account; of what any
/// framework has in common.
Result<StepTrace> stepTrace(
    const Workload& workload, const ResolvedLayout& layout, std::int32_t rank);

/// The state one copy holds: bytes of parameters, gradients, optimizer; absent when not
/// established.
std::optional<Bytes> oneCopy(const Workload& workload);

} // namespace shardrack
