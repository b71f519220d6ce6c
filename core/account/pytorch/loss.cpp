#include "account/pytorch/loss.h"

namespace shardrack {

namespace {

constexpr std::array<LossForm, 12> kForms { {
    // The loss casts to fp32: logarithms 4 are kept; backward adds a one-hot gradient 4 beside the
    // gradient of the copy. 10 at the end of forward, 12 in backward.
    { LossPath::Eager, 4, 0, { 4, 0, 4, false, false }, true, false, false, false },
    // The model puts out fp32 logits, which the loop's variable holds: 16.
    { LossPath::EagerKept, 4, 0, { 4, 0, 4, false, false }, false, false, true, false },
    // The same with a shifted copy: 12 at the end of forward, 16 in backward.
    { LossPath::HuggingFaceKept, 4, 4, { 4, 0, 4, false, false }, false, false, true, false },
    { LossPath::HuggingFace, 4, 4, { 4, 0, 4, false, false }, false, false, false, false },
    // bf16 logits are what the caller holds: 14.
    { LossPath::HuggingFaceShared, 4, 0, { 4, 0, 4, false, false }, true, true, false, false },
    // The loss runs over 128 rows at a time, and each chunk's logarithms become its gradient: 8.
    { LossPath::Fabric, 4, 4, { 0, 0, 0, true, true }, false, false, true, true },
    // Head and loss by chunks of the sequence: bf16 logits and their bf16 gradients, 4.
    { LossPath::Chunked, 0, 0, { 0, 0, 0, true, false }, false, false, false, true },
    // A compiled loss of fp32 logits keeps them beside the logarithms: 8, then 12.
    { LossPath::CompiledFp32, 4, 0, { 4, 0, 0, true, false }, false, false, false, false },
    // A compiled loss of bf16 logits: 4, and what its scatter makes (2 of at most 4 was observed).
    { LossPath::Compiled, 0, 0, { 0, 0, 2, true, false }, false, false, false, false },
    { LossPath::FusedKernel, 0, 0, { 0, 0, 0, true, false }, false, false, false, false },
    // Divided over the tensor ranks: 14 at the end of forward, 16 in backward.
    { LossPath::Parallel, 4, 0, { 4, 4, 8, false, false }, true, false, false, false },
    { LossPath::Classification, 0, 0, {}, false, false, false, false },
} };

} // namespace

const LossForm& lossForm(LossPath path) { return kForms[static_cast<std::size_t>(path)]; }

} // namespace shardrack
