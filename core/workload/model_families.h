#pragma once

#include "base/json.h"
#include "workload/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// One kind of config.json: which classes of a model it may name, which keys it is read from, and
/// how.
struct ModelFamily {
    std::string_view type; ///< its model_type
    std::vector<std::string_view> classes; ///< language models whose tensors are known
    std::vector<std::string_view> keys; ///< keys that `read` uses
    bool tied; ///< head shares the embedding when the file does not say (the class's default)
    bool biased; ///< linear maps have biases unless told otherwise
    /// Fills everything but name, family and tied. Throws Failure with the JSON path.
    void (*read)(
        const JsonView& config, ModelArchitecture& model, std::vector<std::string>& warnings);
};

const std::vector<ModelFamily>& modelFamilies();

} // namespace shardrack
