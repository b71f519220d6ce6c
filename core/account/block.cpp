#include "account/block.h"

#include <algorithm>

namespace shardrack {

namespace {

void limit(bool room)
{
    if (!room)
        throw Failure(
            { "", "a block has more operators than there is room for", "a shorter block" });
}

} // namespace

std::int64_t WeightShape::count() const { return (Bytes(rows) * columns * copies).count(); }

Block::Tensor Block::input(const char* name, const Extent& extent)
{
    limit(!m_tensors.full());
    m_input = static_cast<Tensor>(m_tensors.size());
    Stored made;
    made.piece = piece(name, Category::Activations, extent);
    m_tensors.add(made);
    return m_input;
}

Block::Tensor Block::apply(OperatorKind kind, const char* name, Tensor in, const char* output,
    const Extent& extent, const OperatorArguments& arguments, Tensor second, Tensor third)
{
    limit(!m_operators.full() && !m_tensors.full());
    const auto number = static_cast<std::int16_t>(m_operators.size());
    Operator& op = m_operators.add({});
    op.kind = kind;
    op.name = name;
    op.in = { in, second, third };
    op.firstOwn = static_cast<std::uint8_t>(m_own.size());
    Effect effect(m_own);
    rule(kind).effect(arguments, m_kernels, effect);
    op.endOwn = static_cast<std::uint8_t>(m_own.size());
    op.gradients = effect.gradients;
    op.keepsInput = effect.keepsInput;
    op.keepsOutput = effect.keepsOutput;
    op.needsBlas = effect.needsBlas;
    op.needsLibrary = effect.needsLibrary;
    op.buffer = effect.buffer;
    eachOwn(op, Effect::Life::Saved, [&](const Piece&) { op.saves = true; });
    const bool maps = kind == OperatorKind::ColumnMap || kind == OperatorKind::RowMap
        || kind == OperatorKind::WholeMap || kind == OperatorKind::Head;
    if (maps && m_kernels.weightGradientsFused && m_kernels.dummyGradients) {
        op.dummyRows = arguments.weightRows;
        op.dummyColumns = arguments.weightColumns;
    }
    // Backward runs from the last operator to the first, so the first holder is the last to let go.
    for (const Tensor read : op.in)
        if (read != kNoTensor) {
            m_tensors[std::size_t(read)].lastUse = number;
            if (op.keepsInput)
                holdThroughBackward(read, number);
        }
    if (output) {
        op.out = static_cast<Tensor>(m_tensors.size());
        Stored made;
        made.piece = piece(output, Category::Activations, extent);
        made.maker = number;
        m_tensors.add(made);
        if (op.keepsOutput)
            holdThroughBackward(op.out, number);
    }
    return op.out;
}

void Block::holdThroughForward(Tensor tensor)
{
    // As if the last operator read it, without a gradient.
    Operator& op = m_operators[m_operators.size() - 1];
    for (std::size_t k = 1; k < op.in.size(); ++k)
        if (op.in[k] == kNoTensor) {
            op.in[k] = tensor;
            op.gradients[k] = Gradient::None;
            m_tensors[std::size_t(tensor)].lastUse
                = static_cast<std::int16_t>(m_operators.size() - 1);
            return;
        }
    limit(false);
}

void Block::holdThroughBackward(Tensor tensor, int operatorNumber)
{
    std::int16_t& freedBy = m_tensors[std::size_t(tensor)].freedBy;
    const auto number = static_cast<std::int16_t>(operatorNumber);
    freedBy = freedBy < 0 ? number : std::min(freedBy, number);
}

void Block::weight(std::int64_t rows, std::int64_t columns)
{
    limit(!m_weights.full());
    m_weights.add({ rows, columns, 1 });
}

void Block::vector(std::int64_t count) { weight(count, 1); }

void Block::drop(const Drop& drop)
{
    limit(!m_drops.full());
    m_drops.add(drop);
    for (const Tensor in : m_operators[std::size_t(drop.first)].in)
        if (in != kNoTensor)
            holdThroughBackward(in, drop.first);
    findLastHolders();
}

void Block::finish(Tensor output)
{
    m_output = output;
    for (Stored& tensor : m_tensors) {
        tensor.gradient = tensor.piece;
        tensor.gradient.name = "gradient of an activation";
        tensor.gradient.category = Category::Temporary;
    }
    for (int number = 0; number < operatorCount(); ++number) {
        const Operator& op = m_operators[std::size_t(number)];
        if (op.keepsInput || op.keepsOutput || op.saves)
            m_lastKeeper = number;
    }
    findLastHolders();
}

void Block::findLastHolders()
{
    for (Operator& op : m_operators)
        op.frees = 0;
    for (std::size_t tensor = 0; tensor < m_tensors.size(); ++tensor)
        if (const int number = m_tensors[tensor].freedBy; number >= 0) {
            Operator& op = m_operators[std::size_t(number)];
            // What becomes the gradient in place is not freed by itself.
            if (op.gradients[0] != Gradient::InPlace || op.in[0] != Tensor(tensor))
                op.frees |= 1U << tensor;
        }
}

std::int64_t Block::parameters() const
{
    Bytes sum;
    std::for_each(weightsBegin(), weightsEnd(),
        [&](const WeightShape& weight) { sum += Bytes(weight.count()); });
    return sum.count();
}

bool Block::needsBlas() const
{
    return std::any_of(
        m_operators.begin(), m_operators.end(), [](const Operator& op) { return op.needsBlas; });
}

bool Block::needsLibrary() const
{
    return std::any_of(
        m_operators.begin(), m_operators.end(), [](const Operator& op) { return op.needsLibrary; });
}

Bytes Block::buffer() const
{
    Bytes most;
    for (const Operator& op : m_operators)
        if (op.buffer.rows > 0)
            most = std::max(most, op.buffer.bytes());
    return most;
}

} // namespace shardrack
