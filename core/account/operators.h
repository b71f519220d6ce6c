#pragma once

#include "trace/category.h"

#include <array>
#include <cstdint>

namespace shardrack {

/// What divides a size.
enum class Axis : std::uint8_t { None, Tensor, Sequence, Optimizer };

/// A size as its formula says it: each × rows × width ÷ divisor bytes.
struct Extent {
    std::int64_t each = 1; ///< bytes an element
    std::int64_t rows = 0; ///< tokens, or pairs of tokens
    std::int64_t width = 1;
    std::int64_t divisor = 1;
    Axis axis = Axis::None; ///< what the divisor is
    /// Whole bytes, rounded up to the allocator's 512. Throws Failure beyond 64 bits.
    Bytes bytes() const;
    bool operator==(const Extent&) const = default;
};

/// A tensor of a block, or memory that one operator needs for itself.
struct Piece {
    const char* name = "";
    Category category = Category::Activations;
    Extent extent;
    Bytes bytes;
};
Piece piece(const char* name, Category category, const Extent& extent);

enum class Kernel : std::uint8_t { Flash, Fused, Unfused };
enum class LossKind : std::uint8_t { Plain, Compiled, InPlace };
enum class Ring : std::uint8_t { None, PointToPoint, AllToAll };

/// How the framework computes: the switches of the rules. Sizes are those of one rank.
struct Kernels {
    std::int64_t bytes = 2; ///< of an element of weights and activations
    Kernel attention = Kernel::Fused;
    bool ownBuffer
        = false; ///< gathers and scores go into one buffer that is never freed (local layers)
    bool libraryMaps = true; ///< linear maps are Transformer Engine's, with its own workspace
    bool maskedSoftmaxFused = true;
    bool attentionDropout = false;
    bool hiddenDropout = false;
    bool paddingMask = false; ///< unfused attention keeps a mask of token pairs
    bool copiesFlashOutput
        = false; ///< the kernel's output has another order than the next map reads
    Ring ring = Ring::None;
    LossKind loss = LossKind::Plain;
    std::int64_t lossBytesPerToken = 0; ///< small tensors of the plain loss (constants.json)
    std::int64_t lossBytes = 0;
    bool weightGradientsFused = true; ///< added to the gradient buffer by the kernel itself
    bool dummyGradients = true; ///< autograd is given one cached dummy for each weight shape
    bool sequenceParallel = false; ///< residual stream divided over the tensor ranks
    std::int64_t tensor = 1;
    std::int64_t context = 1;
};

enum class OperatorKind : std::uint8_t {
    Embedding,
    Norm,
    ColumnMap, ///< linear map whose outputs the tensor ranks divide
    RowMap, ///< linear map whose inputs the tensor ranks divide
    WholeMap, ///< linear map that every tensor rank has whole
    Rotary,
    Attention,
    Activation,
    DropoutAdd, ///< dropout of the branch, and the residual added
    Head, ///< the map to the vocabulary
    CrossEntropy
};
constexpr std::size_t kOperatorKinds = 11;

/// What the rules need to know of one operator.
struct OperatorArguments {
    std::int64_t tokens = 0; ///< of the micro-batch on this rank
    std::int64_t pairs = 0; ///< micro-batch × sequence × sequence, for attention
    std::int64_t inputs = 0; ///< width that goes in, whole
    std::int64_t outputs = 0; ///< width that comes out, whole
    std::int64_t heads = 0;
    std::int64_t keyWidth = 0; ///< of keys
    std::int64_t valueWidth = 0;
    bool sharedKeys = false; ///< fewer key heads than query heads
    std::int64_t weightRows = 0; ///< of this rank; 0: no weight matrix
    std::int64_t weightColumns = 0;
    std::int64_t statistics = 0; ///< bytes a token that a norm keeps
};

/// How the gradient of an operator's input comes to be.
enum class Gradient : std::uint8_t {
    None, ///< there is none (token numbers)
    New, ///< a new tensor of the input's size
    Passed, ///< the output's gradient itself
    InPlace ///< it takes the storage of the input, which the operator kept
};

/// What an operator does to memory.
struct Effect {
    bool keepsInput = false; ///< until its backward has run
    bool keepsOutput = false;
    Gradient gradient = Gradient::New; ///< of the first input; a second one's is passed
    std::array<Piece, 7> saved; ///< born in its forward, freed by its backward
    std::array<Piece, 3> forward; ///< only while its forward runs
    std::array<Piece, 4> backward; ///< only while its backward runs
    std::uint8_t savedCount = 0;
    std::uint8_t forwardCount = 0;
    std::uint8_t backwardCount = 0;
    bool needsBlas = false; ///< torch's own matrix product, hence cuBLAS workspaces
    bool needsLibrary = false; ///< Transformer Engine's workspace
    Extent buffer; ///< of the framework's global buffer; rows 0: none

    void save(const char* name, const Extent& extent);
    void whileForward(const char* name, const Extent& extent);
    void whileBackward(const char* name, const Extent& extent);
};

/// The one table of what operators keep, allocate and free: operators.cpp.
struct OperatorRule {
    OperatorKind kind;
    const char* name;
    const char* keeps; ///< in words
    Effect (*effect)(const OperatorArguments& arguments, const Kernels& kernels);
};
const OperatorRule& rule(OperatorKind kind);
const std::array<OperatorRule, kOperatorKinds>& operatorRules();

} // namespace shardrack
