#pragma once

#include "base/fixed_list.h"
#include "trace/category.h"

#include <array>
#include <cstdint>

namespace shardrack {

/// What divides a size.
enum class Axis : std::uint8_t { None, Tensor, Sequence, Optimizer, Shard };

/// The stream whose pool of the allocator a tensor comes from: memory that was freed in one is
/// never handed to another.
enum class Stream : std::uint8_t { Compute, Gather, Reduce };
constexpr std::size_t kStreams = 3;

/// A size as its formula says it: each × rows × width ÷ divisor bytes.
struct Extent {
    std::int64_t each = 1; ///< bytes an element
    std::int64_t rows = 0; ///< tokens, or pairs of tokens
    std::int64_t width = 1;
    std::int64_t divisor = 1;
    Axis axis = Axis::None; ///< what the divisor is
    /// Whole bytes, rounded up to the allocator's 512. Throws Failure beyond 64 bits.
    Bytes bytes() const;
    Bytes exact() const; ///< whole bytes, as the formula says
    bool operator==(const Extent&) const = default;
};

/// A tensor of a block, or memory that one operator needs for itself.
struct Piece {
    const char* name = "";
    Category category = Category::Activations;
    Extent extent;
    Bytes bytes;
    Stream stream = Stream::Compute;
};
Piece piece(
    const char* name, Category category, const Extent& extent, Stream stream = Stream::Compute);

enum class Kernel : std::uint8_t { Flash, Fused, Unfused };
/// Plain, Compiled and InPlace are Megatron's; the others keep and allocate what `lossWidths` says.
enum class LossKind : std::uint8_t { Plain, Compiled, InPlace, ByWidths };
/// How context ranks come to each other's keys and values: the first three are Transformer
/// Engine's, the others torch's, which gathers them all at once or sends them on.
enum class Ring : std::uint8_t { None, PointToPoint, AllToAll, Gathered, SentOn };
/// A norm as one kernel, or written out in Python, computing in fp32 or in the stream's format.
enum class NormForm : std::uint8_t { Kernel, PythonWide, PythonSame };

/// What a loss holds, in bytes a logit.
struct LossWidths {
    std::int64_t saved = 0; ///< from its forward to its backward
    std::int64_t forward = 0; ///< while its forward runs
    std::int64_t backward = 0; ///< while its backward runs, beside the gradient
    bool keepsInput = false;
    bool inPlace = false; ///< the gradient takes the place of the input, which it keeps
};

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
    bool holdsWeightGradients = false; ///< each is a tensor that outlives its operator's backward
    Category weightGradients = Category::Gradients; ///< what such a tensor counts as
    NormForm norm = NormForm::Kernel;
    bool keepsSquares = false; ///< a norm in Python keeps what it takes the mean of
    bool keepsSoftmaxInput = false;
    bool reordersOutput = false; ///< attention's output is copied for the next map, and both kept
    bool sumsQueryGradient = false; ///< attention's backward sums the queries' gradient in fp32
    bool gathersOutside = false; ///< sequences are gathered by operators of their own, and kept
    bool gathersTwice
        = false; ///< a gather along the sequence makes a second copy (micro-batch > 1)
    LossWidths lossWidths;
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
    CrossEntropy,
    Repeat, ///< key/value heads repeated for every query head; a cast; any copy that keeps nothing
    Product, ///< element by element, of two inputs that both need gradients
    Gather, ///< the tokens of all tensor ranks, along the sequence
    Scatter, ///< the sum over the tensor ranks, each taking its tokens
    Dropout ///< without a residual
};
constexpr std::size_t kOperatorKinds = 16;

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
    bool casts = false; ///< autocast: the weight has a copy in 16 bits while its gradient is due
    bool narrowInput = false; ///< and so has the input, which is then not kept itself
    bool inputsDivided = false; ///< over the tensor ranks; of a norm: it is one of each head
    bool separateInputs = false; ///< attention's queries, keys and values are tensors of their own
    bool wide = false; ///< computed in fp32, in Python
    bool passesGradient = false; ///< a copy whose gradient is that of what it was made from
    bool bias = false; ///< one more column of the weight's gradient
    std::int64_t weightBytes = 0; ///< of an element of the weight's gradient; 0: as Kernels::bytes
};

/// How the gradient of an operator's input comes to be.
enum class Gradient : std::uint8_t {
    None, ///< there is none (token numbers)
    New, ///< a new tensor of the input's size
    Passed, ///< the output's gradient itself
    InPlace ///< it takes the storage of the input, which the operator kept
};

/// What an operator does to memory. Its own pieces go to the list that it was made with.
class Effect {
public:
    /// When a piece is held.
    enum class Life : std::uint8_t {
        Saved, ///< from its forward to its backward
        WhileForward,
        WhileBackward,
        WeightGradient ///< from its backward on, until somebody releases it
    };
    struct Own {
        Piece piece;
        Life life;
    };
    static constexpr std::size_t kMostPieces = 72;
    using Pieces = FixedList<Own, kMostPieces>;

    explicit Effect(Pieces& pieces)
        : m_pieces(pieces)
    {
    }
    bool keepsInput = false; ///< until its backward has run
    bool keepsOutput = false;
    /// Of each input.
    std::array<Gradient, 3> gradients { Gradient::New, Gradient::Passed, Gradient::Passed };
    bool needsBlas = false; ///< torch's own matrix product, hence cuBLAS workspaces
    bool needsLibrary = false; ///< Transformer Engine's workspace
    Extent buffer; ///< of the framework's global buffer; rows 0: none

    void save(const char* name, const Extent& extent);
    void whileForward(const char* name, const Extent& extent);
    void whileBackward(const char* name, const Extent& extent);
    void weightGradient(const char* name, Category category, const Extent& extent);

private:
    void add(const Piece& piece, Life life);
    Pieces& m_pieces;
};

/// The one table of what operators keep, allocate and free: operators.cpp.
struct OperatorRule {
    OperatorKind kind;
    const char* name;
    const char* keeps; ///< in words
    void (*effect)(const OperatorArguments& arguments, const Kernels& kernels, Effect& effect);
};
const OperatorRule& rule(OperatorKind kind);
const std::array<OperatorRule, kOperatorKinds>& operatorRules();

} // namespace shardrack
