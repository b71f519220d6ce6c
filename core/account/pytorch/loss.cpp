#include "account/pytorch/loss.h"

namespace shardrack {

namespace {

constexpr LossForm form(LossPath path, std::int64_t cast, std::int64_t shifted, LossWidths widths)
{
    LossForm made;
    made.path = path;
    made.cast = cast;
    made.shifted = shifted;
    made.widths = widths;
    return made;
}

/// What somebody holds longer than the loss needs it.
struct Holding {
    bool logitsThroughLoss = false;
    bool logitsThroughBackward = false;
    bool castThroughLoss = false;
    bool castThroughBackward = false;
};
constexpr LossForm held(LossForm form, Holding holding)
{
    form.logitsThroughLoss = holding.logitsThroughLoss;
    form.logitsThroughBackward = holding.logitsThroughBackward;
    form.castThroughLoss = holding.castThroughLoss;
    form.castThroughBackward = holding.castThroughBackward;
    return form;
}

/// In fp32: logarithms 4 are kept; backward adds a one-hot gradient 4 beside that of the copy 4.
constexpr LossWidths kInFp32 { 4, 0, 4, false, false };
constexpr LossWidths kKeepsInput { 0, 0, 0, true, false };

constexpr std::array<LossForm, 12> kForms { {
    // The loss casts to fp32. 10 at the end of forward, 12 in backward.
    held(form(LossPath::Eager, 4, 0, kInFp32), { true, false, false, false }),
    // The model puts out fp32 logits, which the loop's variable holds: 16.
    held(form(LossPath::EagerKept, 4, 0, kInFp32), { true, false, false, true }),
    // The same with a shifted copy: 12 at the end of forward, 16 in backward.
    held(form(LossPath::HuggingFaceKept, 4, 4, kInFp32), { false, false, true, true }),
    held(form(LossPath::HuggingFace, 4, 4, kInFp32), { false, false, true, false }),
    // bf16 logits are what the caller holds: 14.
    held(form(LossPath::HuggingFaceShared, 4, 0, kInFp32), { true, true, false, false }),
    // The loss runs over 128 rows at a time: each chunk's logarithms become its gradient, and the
    // gradients are put together: 8.
    held(form(LossPath::Fabric, 4, 4, { 0, 0, 4, true, true }), { false, false, true, false }),
    // Head and loss by chunks of the sequence: bf16 logits and their bf16 gradients, 4.
    form(LossPath::Chunked, 0, 0, kKeepsInput),
    // A compiled loss of fp32 logits keeps them beside the logarithms: 8, then 12.
    form(LossPath::CompiledFp32, 4, 0, { 4, 0, 0, true, false }),
    // A compiled loss of bf16 logits: 4, and what its scatter makes (2 of at most 4 was observed).
    form(LossPath::Compiled, 0, 0, { 0, 0, 2, true, false }),
    form(LossPath::FusedKernel, 0, 0, kKeepsInput),
    // Divided over the tensor ranks: 14 at the end of forward, 16 in backward.
    held(form(LossPath::Parallel, 4, 0, { 4, 4, 8, false, false }), { true, false, false, false }),
    form(LossPath::Classification, 0, 0, {}),
} };

} // namespace

const LossForm& lossForm(LossPath path) { return kForms[static_cast<std::size_t>(path)]; }

} // namespace shardrack
