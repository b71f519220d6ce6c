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
    static constexpr std::size_t kMostTensors = 20;
    static constexpr std::size_t kMostOperators = 16;
    static constexpr std::size_t kMostWeights = 20;
    static constexpr std::size_t kMostDrops = 6;

    struct Operator {
        OperatorKind kind {};
        const char* name = "";
        std::array<Tensor, 2> in { kNoTensor, kNoTensor };
        Tensor out = kNoTensor;
        Effect effect;
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
    /// Applies an operator; `second` is a second input (a residual, a value that needs no
    /// rotation).
    Tensor apply(OperatorKind kind, const char* name, Tensor in, const char* output,
        const Extent& extent, const OperatorArguments& arguments, Tensor second = kNoTensor);
    void weight(std::int64_t rows, std::int64_t columns);
    void vector(std::int64_t count);
    /// Selective recompute of a range; its inputs are then held for backward.
    void drop(const Drop& drop);
    /// `output`: what the next block gets; kNoTensor for a loss, which has no width.
    void finish(Tensor output);
    int operatorCount() const { return m_operatorCount; }

    const char* name() const { return m_name; }
    const Kernels& kernels() const { return m_kernels; }
    const Piece& inputPiece() const { return m_tensors[std::size_t(m_input)].piece; }
    const Piece& outputPiece() const { return m_tensors[std::size_t(m_output)].piece; }
    const Piece& gradientPiece() const { return m_gradients[std::size_t(m_input)]; }
    const Operator& at(int number) const { return m_operators[std::size_t(number)]; }
    const WeightShape* weightsBegin() const { return m_weights.data(); }
    const WeightShape* weightsEnd() const { return m_weights.data() + m_weightCount; }
    std::int64_t parameters() const; ///< of one block
    bool needsBlas() const;
    bool needsLibrary() const;
    Bytes buffer() const; ///< largest use of the framework's global buffer

    /// The forward of one micro-batch. On entry the input is held, on exit the output.
    template <class Sink> void forward(Sink& sink) const
    {
        for (int number = 0; number < m_operatorCount; ++number) {
            runForward(number, true, sink);
            for (int drop = 0; drop < m_dropCount; ++drop)
                if (m_drops[std::size_t(drop)].after == number)
                    dropped(m_drops[std::size_t(drop)], sink, false);
        }
    }
    /// Its backward. On entry the gradient of the output is held, on exit that of the input.
    template <class Sink> void backward(Sink& sink) const;
    /// The forward of a block whose insides are recomputed in backward: it keeps its input, or,
    /// inside a longer recomputed unit, nothing.
    template <class Sink> void forwardKeepingNothing(bool keepsInput, Sink& sink) const
    {
        for (int number = 0; number < m_operatorCount; ++number)
            runForward(number, false, sink);
        if (!keepsInput)
            sink.dies(inputPiece());
    }

private:
    struct Stored {
        Piece piece;
        std::int16_t lastUse = -1; ///< last operator that reads it in forward
        std::int16_t freedBy = -1; ///< operator whose backward is its last holder; -1: none
        std::int16_t maker = -1;
    };
    /// Who holds the gradient of each tensor: a storage number, with how many hold it.
    struct Gradients {
        std::array<std::int16_t, kMostTensors> storageOf {};
        std::array<std::int16_t, kMostTensors> holders {};
    };

    template <class Sink> void runForward(int number, bool keeps, Sink& sink) const;
    template <class Sink> void runBackward(int number, Gradients& gradients, Sink& sink) const;
    template <class Sink> void release(Tensor of, Gradients& gradients, Sink& sink) const;
    template <class Sink> void dropped(const Drop& drop, Sink& sink, bool again) const;
    /// The gradient's piece stands for it: a temporary of the same size.
    const Piece& outputOf(const Drop& drop) const
    {
        return m_gradients[std::size_t(m_operators[std::size_t(drop.last - 1)].out)];
    }

    Kernels m_kernels;
    const char* m_name;
    std::array<Stored, kMostTensors> m_tensors;
    std::array<Piece, kMostTensors> m_gradients; ///< of the tensors
    std::array<Operator, kMostOperators> m_operators;
    std::array<WeightShape, kMostWeights> m_weights;
    std::array<Drop, kMostDrops> m_drops;
    int m_tensorCount = 0;
    int m_operatorCount = 0;
    int m_weightCount = 0;
    int m_dropCount = 0;
    Tensor m_input = kNoTensor;
    Tensor m_output = kNoTensor;
};

template <class Sink> void Block::runForward(int number, bool keeps, Sink& sink) const
{
    const Operator& op = m_operators[std::size_t(number)];
    const Effect& effect = op.effect;
    if (op.out != kNoTensor)
        sink.born(m_tensors[std::size_t(op.out)].piece);
    if (keeps)
        for (int i = 0; i < effect.savedCount; ++i)
            sink.born(effect.saved[std::size_t(i)]);
    for (int i = 0; i < effect.forwardCount; ++i)
        sink.born(effect.forward[std::size_t(i)]);
    for (int i = 0; i < effect.forwardCount; ++i)
        sink.dies(effect.forward[std::size_t(i)]);
    for (std::size_t k = 0; k < op.in.size(); ++k) {
        const Tensor in = op.in[k];
        if (in == kNoTensor || m_tensors[std::size_t(in)].lastUse != number
            || (k == 1 && in == op.in[0]))
            continue;
        const bool held = keeps ? m_tensors[std::size_t(in)].freedBy >= 0 : in == m_input;
        if (!held)
            sink.dies(m_tensors[std::size_t(in)].piece);
    }
}

template <class Sink> void Block::release(Tensor of, Gradients& gradients, Sink& sink) const
{
    const std::int16_t storage = gradients.storageOf[std::size_t(of)];
    if (storage < 0)
        return;
    gradients.storageOf[std::size_t(of)] = -1;
    if (--gradients.holders[std::size_t(storage)] == 0)
        sink.dies(m_gradients[std::size_t(storage)]);
}

template <class Sink> void Block::runBackward(int number, Gradients& gradients, Sink& sink) const
{
    const Operator& op = m_operators[std::size_t(number)];
    const Effect& effect = op.effect;
    std::array<bool, 2> added {}; // a second gradient of the same tensor, to be added to the first
    for (std::size_t k = 0; k < op.in.size(); ++k) {
        const Tensor in = op.in[k];
        if (in == kNoTensor)
            continue;
        const Gradient mode = k == 0 ? effect.gradient : Gradient::Passed;
        const auto at = std::size_t(in);
        if (mode == Gradient::New || mode == Gradient::InPlace) {
            if (mode == Gradient::InPlace) // what was kept becomes the gradient
                sink.dies(m_tensors[at].piece);
            sink.born(m_gradients[at]);
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
    for (int i = 0; i < effect.backwardCount; ++i)
        sink.born(effect.backward[std::size_t(i)]);
    for (int i = 0; i < effect.backwardCount; ++i)
        sink.dies(effect.backward[std::size_t(i)]);
    for (std::size_t k = 0; k < op.in.size(); ++k)
        if (added[k])
            sink.dies(m_gradients[std::size_t(op.in[k])]);
    if (op.out != kNoTensor)
        release(op.out, gradients, sink);
    for (int i = 0; i < effect.savedCount; ++i)
        sink.dies(effect.saved[std::size_t(i)]);
    for (int tensor = 0; tensor < m_tensorCount; ++tensor)
        if (m_tensors[std::size_t(tensor)].freedBy == number
            && !(effect.gradient == Gradient::InPlace && tensor == op.in[0]))
            sink.dies(m_tensors[std::size_t(tensor)].piece);
}

/// What a range drops after its forward, or makes again before its backward.
template <class Sink> void Block::dropped(const Drop& drop, Sink& sink, bool again) const
{
    const auto act = [&](const Piece& piece) { again ? sink.born(piece) : sink.dies(piece); };
    for (int number = drop.first; number < drop.last; ++number) {
        const Operator& op = m_operators[std::size_t(number)];
        for (int i = 0; i < op.effect.savedCount; ++i)
            act(op.effect.saved[std::size_t(i)]);
        // A tensor that nobody holds for backward is gone by itself.
        const bool inside = number + 1 < drop.last || drop.output;
        if (inside && op.out != kNoTensor && m_tensors[std::size_t(op.out)].freedBy >= 0)
            act(m_tensors[std::size_t(op.out)].piece);
    }
}

template <class Sink> void Block::backward(Sink& sink) const
{
    Gradients gradients;
    gradients.storageOf.fill(-1);
    if (m_output != kNoTensor) {
        gradients.storageOf[std::size_t(m_output)] = m_output;
        ++gradients.holders[std::size_t(m_output)];
    }
    for (int number = m_operatorCount - 1; number >= 0; --number) {
        for (int drop = 0; drop < m_dropCount; ++drop)
            if (const Drop& range = m_drops[std::size_t(drop)]; range.before == number) {
                dropped(range, sink, true);
                if (!range.output)
                    sink.born(outputOf(range));
            }
        runBackward(number, gradients, sink);
        // A checkpoint makes its output again, too, which nobody needs.
        for (int drop = 0; drop < m_dropCount; ++drop)
            if (const Drop& range = m_drops[std::size_t(drop)];
                range.first == number && !range.output)
                sink.dies(outputOf(range));
    }
}

} // namespace shardrack
