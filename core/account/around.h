#pragma once

#include "account/account.h"
#include "account/operators.h"

#include <cstdint>
#include <initializer_list>

namespace shardrack {

// What every framework's strategy adds to the tensors that it derives: terms that a person gave,
// the allocator's slack, memory outside the allocator, and how far all of that is uncertain.

/// Categories that a person gave as a whole, as bits: nothing of them is derived.
std::uint32_t givenCategories(const StipulatedTerms& given);

/// What divides a piece, in words ("tensor group of 8"): what divides the model, where it is state,
/// and its own axis; `shards` is what the framework calls the group that divides over `axis`.
std::vector<std::string> dividersOf(
    const Piece& piece, std::int64_t tensor, std::int64_t pipeline, Axis axis, const char* shards);
/// How many of these degrees are above 1: communicators that are connected, besides the job's.
std::int64_t axesInUse(std::initializer_list<std::int64_t> degrees);

/// The term of `copies` equal tensors.
Term pieceTerm(const Piece& piece, std::int64_t copies, std::vector<std::string> dividedBy);
/// Adds what was given instead of derived terms, and `noneGathered` where nothing is gathered.
void addGiven(RankClass& ranks, const StipulatedTerms& given, const char* noneGathered);

/// What surrounds the tensors of one rank.
struct Surroundings {
    std::int64_t groups = 0; ///< communicators that are connected
    /// The highest that the allocator may have reserved for the tensors, where its pools tell; else
    /// by the range that was observed.
    std::optional<Bytes> pools;
};
/// Adds slack, context and communication buffers.
void addAround(RankClass& ranks, const StipulatedTerms& given, const Surroundings& around);
/// What the tensors are at least and at most, and with everything around them.
void addInterval(RankClass& ranks, const StipulatedTerms& given, const Surroundings& around,
    Bytes least, Bytes most);
/// Tensors at the peak: all but slack and outside.
Bytes tensorsOf(const RankClass& ranks);
/// By category, largest first within one that is no state.
void sortTerms(RankClass& ranks);

} // namespace shardrack
