#pragma once

#include "base/amount.h"
#include "workload/model.h"
#include "workload/recipe.h"

#include <array>
#include <optional>
#include <string>

namespace shardrack {

/// A persistent training state given by a person: one total that nobody divided, or its parts.
struct StipulatedState {
    std::optional<Bytes> total; ///< when set, the parts are not used
    std::optional<Bytes> parameters;
    std::optional<Bytes> gradients;
    std::optional<Bytes> optimizer;
    bool operator==(const StipulatedState&) const = default;
};

/// The model whose state is derived: a shipped one, one read from its description, or one of which
/// nothing but the number of parameters is known.
struct ModelChoice {
    std::string preset; ///< name of a shipped model; empty when read from a config
    Extra config; ///< the config.json as given, when not a preset
    ModelArchitecture architecture; ///< only its name is set when `parametersGiven` is
    std::optional<std::int64_t> parametersGiven; ///< a bare number of parameters
    /// The exact number of parameters. Fails when it leaves 64 bits.
    Result<std::int64_t> parameters() const;
    friend bool operator==(const ModelChoice& a, const ModelChoice& b);
};

/// Terms that a person gives for every rank instead of their derivation; live for the whole step.
struct StipulatedTerms {
    std::optional<Bytes> gathered;
    std::optional<Bytes> activations;
    std::optional<Bytes> temporary;
    std::optional<Bytes> slack;
    std::optional<Bytes> outside;
    bool operator==(const StipulatedTerms&) const = default;
};

/// What is trained and how: the same question put to every offer.
struct Workload {
    enum class StateBasis { NotGiven, Stipulated, Derived };
    StateBasis basis = StateBasis::NotGiven;
    StipulatedState
        stipulated; ///< kept when the basis changes, so that switching back loses nothing
    std::optional<ModelChoice> model;
    std::string revision; ///< of the model: a commit, a date; empty: not given
    Recipe recipe;
    /// Quality and performance that every offer is asked to reach; empty: not given.
    std::string requirement;
    StipulatedTerms terms;
    /// A weights-only size (a checkpoint for inference). Does not answer fit and fills nothing.
    std::optional<Bytes> weightsOnly;
    Extra extra;
    Extra stateExtra;
    friend bool operator==(const Workload& a, const Workload& b);
};

} // namespace shardrack
