#pragma once

#include "account/operators.h"

#include <array>
#include <cstdint>
#include <utility>

namespace shardrack {

/// A weight of an operator, on this rank.
struct WeightShape {
    std::int64_t rows = 0;
    std::int64_t columns = 1; ///< 1: a vector (bias, norm)
    std::int64_t copies = 1;
    std::int64_t count() const; ///< rows × columns × copies; throws Failure beyond 64 bits
};

/// A short list of operators between an input and an output. Tensors are storages with holders: an
/// operator still to come in forward, or one whose backward needs them; with the last holder they
/// die. Forward and backward are emitted from the list and the operators' rules, for any sink with
/// born(const Piece&) and dies(const Piece&).
class Block {
public:
    using Tensor = std::int16_t;
    static constexpr Tensor kNoTensor = -1;
    static constexpr std::size_t kMostTensors = 32; ///< as many as a mask has bits
    static constexpr std::size_t kMostOperators = 28;
    static constexpr std::size_t kMostWeights = 24;
    static constexpr std::size_t kMostDrops = 6;
    using Inputs = std::array<Tensor, 3>;

    struct Operator {
        OperatorKind kind {};
        const char* name = "";
        Inputs in { kNoTensor, kNoTensor, kNoTensor };
        Tensor out = kNoTensor;
        std::array<Gradient, 3> gradients {};
        std::uint8_t firstOwn = 0; ///< its own pieces: [firstOwn, endOwn)
        std::uint8_t endOwn = 0;
        bool keepsInput = false;
        bool keepsOutput = false;
        bool saves = false; ///< some of its pieces
        bool needsBlas = false;
        bool needsLibrary = false;
        std::uint32_t frees = 0; ///< tensors that its backward is the last to hold, as bits
        Extent buffer;
        std::int64_t dummyRows = 0; ///< shape of the dummy gradient that it caches; 0: none
        std::int64_t dummyColumns = 0;
    };
    /// Selective recompute: what the operators [first, last) give birth to is dropped after
    /// operator `after` has run, and made again before the backward of operator `before`.
    struct Drop {
        std::int16_t first = 0;
        std::int16_t last = 0;
        std::int16_t after = 0;
        std::int16_t before = 0;
        bool output = false; ///< the output of the range is dropped, too
    };

    Block(const Kernels& kernels, const char* name)
        : m_kernels(kernels)
        , m_name(name)
    {
    }
    // To build it: in the order of computation.
    Tensor input(const char* name, const Extent& extent);
    /// Applies an operator; `second` and `third` are further inputs (a residual, a value that needs
    /// no rotation).
    Tensor apply(OperatorKind kind, const char* name, Tensor in, const char* output,
        const Extent& extent, const OperatorArguments& arguments, Tensor second = kNoTensor,
        Tensor third = kNoTensor);
    /// Somebody else holds the tensor until the operator applied last has run its forward, or its
    /// backward.
    void holdThroughForward(Tensor tensor);
    void holdThroughBackward(Tensor tensor, int operatorNumber);
    void weight(std::int64_t rows, std::int64_t columns);
    void vector(std::int64_t count);
    /// Selective recompute of a range, of a finished block; its inputs are then held for backward.
    void drop(const Drop& drop);
    /// `output`: what the next block gets; kNoTensor for a loss, which has no width.
    void finish(Tensor output);
    int operatorCount() const { return int(m_operators.size()); }

    const char* name() const { return m_name; }
    const Kernels& kernels() const { return m_kernels; }
    const Piece& inputPiece() const { return m_tensors[std::size_t(m_input)].piece; }
    const Piece& outputPiece() const { return m_tensors[std::size_t(m_output)].piece; }
    const Piece& gradientPiece() const { return m_tensors[std::size_t(m_input)].gradient; }
    const Operator& at(int number) const { return m_operators[std::size_t(number)]; }
    const WeightShape* weightsBegin() const { return m_weights.begin(); }
    const WeightShape* weightsEnd() const { return m_weights.end(); }
    std::int64_t parameters() const; ///< of one block
    bool needsBlas() const;
    bool needsLibrary() const;
    Bytes buffer() const; ///< largest use of the framework's global buffer

    /// The forward of one micro-batch. On entry the input is held, on exit the output.
    template <class Sink> void forward(Sink& sink) const
    {
        for (int number = 0; number < operatorCount(); ++number) {
            runForward(number, true, sink);
            for (const Drop& drop : m_drops)
                if (drop.after == number)
                    dropped(drop, sink, false);
        }
    }
    /// Its backward. On entry the gradient of the output is held, on exit that of the input.
    /// `keepsGradients`: gradients of weights stay, where the block makes any.
    template <class Sink> void backward(Sink& sink, bool keepsGradients = true) const;
    /// The forward of a block whose insides are recomputed in backward: it keeps its input, or,
    /// inside a longer recomputed unit, nothing.
    template <class Sink> void forwardKeepingNothing(bool keepsInput, Sink& sink) const
    {
        for (int number = 0; number < operatorCount(); ++number)
            runForward(number, false, sink);
        if (!keepsInput)
            sink.dies(inputPiece());
    }

    // A block that is recomputed but for what some operators put out, which is cached: bit n of
    // `cached` is operator n. The input is held until forget().
    template <class Sink> void forwardCaching(std::uint32_t cached, Sink& sink) const;
    /// Makes again what backward needs; ends where the last tensor is saved.
    template <class Sink> void rebuild(std::uint32_t cached, Sink& sink) const;
    /// After backward: what was cached in vain, and the input.
    template <class Sink> void forget(std::uint32_t cached, Sink& sink) const;

    /// The gradients of all weights at once, as one backward makes them one by one.
    template <class Sink> void bearGradients(Sink& sink) const
    {
        for (const Effect::Own& own : m_own)
            if (own.life == Effect::Life::WeightGradient)
                sink.born(own.piece);
    }
    /// The gradients of all weights that one backward made die.
    template <class Sink> void releaseGradients(Sink& sink) const
    {
        for (const Effect::Own& own : m_own)
            if (own.life == Effect::Life::WeightGradient)
                sink.dies(own.piece);
    }

private:
    struct Stored {
        Piece piece;
        Piece gradient; ///< same size, a temporary
        std::int16_t lastUse = -1; ///< last operator that reads it in forward
        std::int16_t freedBy = -1; ///< operator whose backward is its last holder; -1: none
        std::int16_t maker = -1;
    };
    /// Who holds the gradient of each tensor: a storage number, with how many hold it.
    struct Gradients {
        std::array<std::int16_t, kMostTensors> storageOf;
        std::array<std::int16_t, kMostTensors> holders;
    };

    /// Which tensors die with which operator's backward.
    void findLastHolders();
    template <class Act> void eachOwn(const Operator& op, Effect::Life life, Act&& act) const
    {
        for (std::size_t i = op.firstOwn; i < op.endOwn; ++i)
            if (m_own[i].life == life)
                act(m_own[i].piece);
    }
    /// Whether input k stands in `in` before, too.
    static bool repeated(const Operator& op, std::size_t k)
    {
        return (k > 0 && op.in[k] == op.in[0]) || (k > 1 && op.in[k] == op.in[1]);
    }
    template <class Sink> void runForward(int number, bool keeps, Sink& sink) const;
    template <class Sink>
    void runBackward(int number, Gradients& gradients, bool keepsGradients, Sink& sink) const;
    template <class Sink> void release(Tensor of, Gradients& gradients, Sink& sink) const;
    template <class Sink> void dropped(const Drop& drop, Sink& sink, bool again) const;
    template <class Sink> void runOnce(const Operator& op, Sink& sink) const;
    bool isCached(Tensor tensor, std::uint32_t cached) const
    {
        const int maker = m_tensors[std::size_t(tensor)].maker;
        return maker >= 0 && (cached >> maker & 1) != 0;
    }
    /// Whether rebuild() uses what operator `maker` cached.
    bool rebuilds(int maker) const
    {
        return maker < m_lastKeeper
            || (maker == m_lastKeeper && !stopsBefore(m_operators[std::size_t(maker)]));
    }
    /// An operator that keeps nothing but its input: its output is not made again.
    static bool stopsBefore(const Operator& op) { return !op.keepsOutput && !op.saves; }
    /// The gradient's piece stands for it: a temporary of the same size.
    const Piece& outputOf(const Drop& drop) const
    {
        return m_tensors[std::size_t(m_operators[std::size_t(drop.last - 1)].out)].gradient;
    }

    Kernels m_kernels;
    const char* m_name;
    FixedList<Stored, kMostTensors> m_tensors;
    FixedList<Operator, kMostOperators> m_operators;
    Effect::Pieces m_own; ///< of all operators, in their order
    FixedList<WeightShape, kMostWeights> m_weights;
    FixedList<Drop, kMostDrops> m_drops;
    int m_lastKeeper = -1; ///< last operator that keeps anything
    Tensor m_input = kNoTensor;
    Tensor m_output = kNoTensor;
};

template <class Sink> void Block::runOnce(const Operator& op, Sink& sink) const
{
    eachOwn(op, Effect::Life::WhileForward, [&](const Piece& piece) { sink.born(piece); });
    eachOwn(op, Effect::Life::WhileForward, [&](const Piece& piece) { sink.dies(piece); });
}

template <class Sink> void Block::runForward(int number, bool keeps, Sink& sink) const
{
    const Operator& op = m_operators[std::size_t(number)];
    if (op.out != kNoTensor)
        sink.born(m_tensors[std::size_t(op.out)].piece);
    if (keeps)
        eachOwn(op, Effect::Life::Saved, [&](const Piece& piece) { sink.born(piece); });
    runOnce(op, sink);
    for (std::size_t k = 0; k < op.in.size(); ++k) {
        const Tensor in = op.in[k];
        if (in == kNoTensor || m_tensors[std::size_t(in)].lastUse != number || repeated(op, k))
            continue;
        const bool held = keeps ? m_tensors[std::size_t(in)].freedBy >= 0 : in == m_input;
        if (!held)
            sink.dies(m_tensors[std::size_t(in)].piece);
    }
}

template <class Sink> void Block::forwardCaching(std::uint32_t cached, Sink& sink) const
{
    for (int number = 0; number < operatorCount(); ++number) {
        const Operator& op = m_operators[std::size_t(number)];
        if (op.out != kNoTensor)
            sink.born(m_tensors[std::size_t(op.out)].piece);
        if ((cached >> number & 1) != 0)
            eachOwn(op, Effect::Life::Saved, [&](const Piece& piece) { sink.born(piece); });
        runOnce(op, sink);
        for (std::size_t k = 0; k < op.in.size(); ++k) {
            const Tensor in = op.in[k];
            if (in != kNoTensor && in != m_input && m_tensors[std::size_t(in)].lastUse == number
                && !repeated(op, k) && !isCached(in, cached))
                sink.dies(m_tensors[std::size_t(in)].piece);
        }
    }
}

template <class Sink> void Block::rebuild(std::uint32_t cached, Sink& sink) const
{
    for (int number = 0; number <= m_lastKeeper; ++number) {
        const Operator& op = m_operators[std::size_t(number)];
        if (number == m_lastKeeper && stopsBefore(op))
            break;
        if ((cached >> number & 1) == 0) {
            if (op.out != kNoTensor)
                sink.born(m_tensors[std::size_t(op.out)].piece);
            eachOwn(op, Effect::Life::Saved, [&](const Piece& piece) { sink.born(piece); });
            runOnce(op, sink);
        }
        for (std::size_t k = 0; k < op.in.size(); ++k) {
            const Tensor in = op.in[k];
            if (in != kNoTensor && in != m_input && m_tensors[std::size_t(in)].lastUse == number
                && m_tensors[std::size_t(in)].freedBy < 0 && !repeated(op, k))
                sink.dies(m_tensors[std::size_t(in)].piece);
        }
    }
    // Where it ends, what only later operators would have read is let go.
    for (const Stored& tensor : m_tensors)
        if (tensor.maker >= 0 && rebuilds(tensor.maker) && tensor.freedBy < 0
            && !(tensor.lastUse >= 0 && rebuilds(tensor.lastUse)))
            sink.dies(tensor.piece);
}

template <class Sink> void Block::forget(std::uint32_t cached, Sink& sink) const
{
    for (const Stored& tensor : m_tensors)
        if (tensor.maker >= 0 && (cached >> tensor.maker & 1) != 0 && !rebuilds(tensor.maker)
            && tensor.freedBy < 0)
            sink.dies(tensor.piece);
    if (m_tensors[std::size_t(m_input)].freedBy < 0)
        sink.dies(inputPiece());
}

template <class Sink> void Block::release(Tensor of, Gradients& gradients, Sink& sink) const
{
    const std::int16_t storage = gradients.storageOf[std::size_t(of)];
    if (storage < 0)
        return;
    gradients.storageOf[std::size_t(of)] = -1;
    if (--gradients.holders[std::size_t(storage)] == 0)
        sink.dies(m_tensors[std::size_t(storage)].gradient);
}

template <class Sink>
void Block::runBackward(int number, Gradients& gradients, bool keepsGradients, Sink& sink) const
{
    using Life = Effect::Life;
    const Operator& op = m_operators[std::size_t(number)];
    std::array<bool, 3> added {}; // a second gradient of the same tensor, to be added to the first
    for (std::size_t k = 0; k < op.in.size(); ++k) {
        const Tensor in = op.in[k];
        if (in == kNoTensor)
            continue;
        const Gradient mode = op.gradients[k];
        const auto at = std::size_t(in);
        if (mode == Gradient::New || mode == Gradient::InPlace) {
            if (mode == Gradient::InPlace) // what was kept becomes the gradient
                sink.dies(m_tensors[at].piece);
            sink.born(m_tensors[at].gradient);
            added[k] = gradients.storageOf[at] >= 0;
            if (!added[k]) {
                gradients.storageOf[at] = in;
                ++gradients.holders[at];
            }
        } else if (mode == Gradient::Passed && gradients.storageOf[at] < 0) {
            gradients.storageOf[at] = gradients.storageOf[std::size_t(op.out)];
            ++gradients.holders[std::size_t(gradients.storageOf[at])];
        }
    }
    eachOwn(op, Life::WeightGradient, [&](const Piece& piece) { sink.born(piece); });
    eachOwn(op, Life::WhileBackward, [&](const Piece& piece) { sink.born(piece); });
    eachOwn(op, Life::WhileBackward, [&](const Piece& piece) { sink.dies(piece); });
    if (!keepsGradients)
        eachOwn(op, Life::WeightGradient, [&](const Piece& piece) { sink.dies(piece); });
    for (std::size_t k = 0; k < op.in.size(); ++k)
        if (added[k])
            sink.dies(m_tensors[std::size_t(op.in[k])].gradient);
    if (op.out != kNoTensor)
        release(op.out, gradients, sink);
    eachOwn(op, Life::Saved, [&](const Piece& piece) { sink.dies(piece); });
    for (std::uint32_t left = op.frees; left != 0; left &= left - 1)
        sink.dies(m_tensors[std::size_t(__builtin_ctz(left))].piece);
}

/// What a range drops after its forward, or makes again before its backward.
template <class Sink> void Block::dropped(const Drop& drop, Sink& sink, bool again) const
{
    const auto act = [&](const Piece& piece) { again ? sink.born(piece) : sink.dies(piece); };
    for (int number = drop.first; number < drop.last; ++number) {
        const Operator& op = m_operators[std::size_t(number)];
        eachOwn(op, Effect::Life::Saved, act);
        // A tensor that nobody holds for backward is gone by itself.
        const bool inside = number + 1 < drop.last || drop.output;
        if (inside && op.out != kNoTensor && m_tensors[std::size_t(op.out)].freedBy >= 0)
            act(m_tensors[std::size_t(op.out)].piece);
    }
}

template <class Sink> void Block::backward(Sink& sink, bool keepsGradients) const
{
    Gradients gradients;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        gradients.storageOf[i] = -1;
        gradients.holders[i] = 0;
    }
    if (m_output != kNoTensor) {
        gradients.storageOf[std::size_t(m_output)] = m_output;
        ++gradients.holders[std::size_t(m_output)];
    }
    for (int number = operatorCount() - 1; number >= 0; --number) {
        for (const Drop& range : m_drops)
            if (range.before == number) {
                dropped(range, sink, true);
                if (!range.output)
                    sink.born(outputOf(range));
            }
        runBackward(number, gradients, keepsGradients, sink);
        // A checkpoint makes its output again, too, which nobody needs.
        for (const Drop& range : m_drops)
            if (range.first == number && !range.output)
                sink.dies(outputOf(range));
    }
}

} // namespace shardrack
