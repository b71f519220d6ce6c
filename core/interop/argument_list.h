#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// One "--name value" of a list of arguments.
struct Argument {
    std::string name; ///< without the leading dashes
    std::string value; ///< "true" for a bare flag; variables replaced where the text sets them
    bool operator==(const Argument&) const = default;
};

/// A list of arguments, in the order in which it was written, and the environment beside it.
struct ArgumentList {
    std::vector<Argument> arguments;
    std::vector<Argument> environment; ///< "CUBLAS_WORKSPACE_CONFIG", …

    /// The last argument of this name wins, as on a command line.
    const std::string* find(std::string_view name) const;
    const std::string* variable(std::string_view name) const;
};

/// Reads a list of arguments from text: words of a shell command ("--num-layers 12 --bf16",
/// "--num-layers=12", NAME=value and $NAME, # comments, line ends with \), or flat YAML
/// ("--num-layers: 12" below MODEL_ARGS, "NAME: value" below ENV_VARS). Nothing is ever run. A YAML
/// file here is a flat map of scalars, which a line reader reads completely; a YAML library would
/// bring tags, anchors and a dependency for nothing. Fails when there is no argument, or the text
/// is no text or too long.
Result<ArgumentList> readArgumentList(std::string_view text);
/// The same from a JSON object of names and values ({"--bf16": true, "--num-layers": 12}).
Result<ArgumentList> argumentsOf(const Json& object);

} // namespace shardrack
