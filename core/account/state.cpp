#include "account/state.h"

#include <algorithm>

namespace shardrack {

namespace {

StateTensor unknown(Category category, const char* name, StatePart part, const char* note)
{
    StateTensor tensor;
    tensor.category = category;
    tensor.name = name;
    tensor.part = part;
    tensor.established = false;
    tensor.note = note;
    return tensor;
}

StateTensor givenTensor(Category category, StatePart part, Bytes bytes, const char* note)
{
    StateTensor tensor;
    tensor.category = category;
    tensor.name = title(category);
    tensor.part = part;
    tensor.stipulated = true;
    tensor.given = bytes;
    tensor.note = note;
    return tensor;
}

std::vector<StateTensor> stipulatedTensors(const StipulatedState& state)
{
    if (state.total)
        return { givenTensor(Category::State, StatePart::Whole, *state.total,
            "One figure for parameters, gradients and optimizer state together: nobody told the "
            "three apart. How many ranks share it, the arithmetic says.") };
    std::vector<StateTensor> tensors;
    const auto add = [&](Category category, StatePart part, const std::optional<Bytes>& bytes) {
        tensors.push_back(bytes ? givenTensor(category, part, *bytes, "")
                                : unknown(category, title(category), part, "Not given."));
    };
    add(Category::Parameters, StatePart::Parameters, state.parameters);
    add(Category::Gradients, StatePart::Gradients, state.gradients);
    add(Category::Optimizer, StatePart::Optimizer, state.optimizer);
    return tensors;
}

std::vector<StateTensor> derivedTensors(const Workload& workload)
{
    const char* missing = !workload.model ? "Needs a model." : "Needs the bytes per parameter.";
    if (!workload.model || !workload.recipe.bytesPerParameter)
        return { unknown(Category::Parameters, title(Category::Parameters), StatePart::Parameters,
                     missing),
            unknown(Category::Gradients, title(Category::Gradients), StatePart::Gradients, missing),
            unknown(
                Category::Optimizer, title(Category::Optimizer), StatePart::Optimizer, missing) };

    const std::int64_t elements = workload.model->parameters().value();
    const BytesPerParameter& each = *workload.recipe.bytesPerParameter;
    std::vector<StateTensor> tensors;
    const auto add = [&](Category category, const char* name, StatePart part, Lifetime life,
                         std::int64_t bytesEach, const char* note) {
        StateTensor tensor;
        tensor.category = category;
        tensor.name = name;
        tensor.part = part;
        tensor.life = life;
        tensor.elements = elements;
        tensor.bytesEach = bytesEach;
        tensor.note = note;
        tensors.push_back(std::move(tensor));
    };
    add(Category::Parameters, "Parameters", StatePart::Parameters, Lifetime::WholeRun,
        each.parameters, "Held from the build on.");
    add(Category::Gradients, "Gradients", StatePart::Gradients, Lifetime::BackwardToOptimizer,
        each.gradients, "Held until the optimizer has used them.");
    add(Category::Optimizer, "Optimizer state", StatePart::Optimizer, Lifetime::FromFirstOptimizer,
        each.optimizer, "First appears in the first optimizer step, then stays.");
    if (each.master > 0)
        add(Category::Optimizer, "Master copy", StatePart::Optimizer, Lifetime::WholeRun,
            each.master, "Full-precision parameters, held from the build on.");
    return tensors;
}

} // namespace

std::vector<StateTensor> stateTensors(const Workload& workload)
{
    switch (workload.basis) {
    case Workload::StateBasis::Stipulated:
        return stipulatedTensors(workload.stipulated);
    case Workload::StateBasis::Derived:
        return derivedTensors(workload);
    case Workload::StateBasis::NotGiven:
        break;
    }
    return { unknown(Category::State, "Persistent state", StatePart::Whole,
        "Needs a stipulated size, or a model and the bytes per parameter.") };
}

KeptShare keptShare(const StateTensor& tensor, const ResolvedLayout::Share& share)
{
    using Place = KeptShare::Place;
    if (tensor.stipulated) {
        const std::int64_t each = tensor.given.count() / share.ranks;
        const bool more = share.position < tensor.given.count() % share.ranks;
        return { Bytes(more ? each + 1 : each), Bytes(0),
            more || each > 0 ? Place::Full : Place::Empty };
    }
    const std::int64_t chunk
        = tensor.elements / share.ranks + (tensor.elements % share.ranks == 0 ? 0 : 1);
    const std::int64_t before = std::min(tensor.elements, chunk * share.position);
    const std::int64_t needed = std::min(chunk, tensor.elements - before);
    return { bytesOf(needed, tensor.bytesEach), bytesOf(chunk - needed, tensor.bytesEach),
        needed == chunk  ? Place::Full
            : needed > 0 ? Place::Last
                         : Place::Empty };
}

namespace {

bool together(const ResolvedLayout::Shares& shares)
{
    return shares.parameters == shares.gradients && shares.gradients == shares.optimizer;
}

} // namespace

ResolvedLayout::Share shareOf(StatePart part, const ResolvedLayout::Shares& shares)
{
    switch (part) {
    case StatePart::Parameters:
        return shares.parameters;
    case StatePart::Gradients:
        return shares.gradients;
    case StatePart::Optimizer:
        return shares.optimizer;
    case StatePart::Whole:
        break;
    }
    return together(shares) ? shares.parameters : ResolvedLayout::Share {};
}

bool dividesInParts(const ResolvedLayout::Shares& shares)
{
    const bool divided
        = shares.parameters.ranks > 1 || shares.gradients.ranks > 1 || shares.optimizer.ranks > 1;
    return divided && !together(shares);
}

} // namespace shardrack
