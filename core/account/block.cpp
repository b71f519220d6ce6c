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
    limit(std::size_t(m_tensorCount) < kMostTensors);
    m_tensors[std::size_t(m_tensorCount)].piece = piece(name, Category::Activations, extent);
    m_input = static_cast<Tensor>(m_tensorCount++);
    return m_input;
}

Block::Tensor Block::apply(OperatorKind kind, const char* name, Tensor in, const char* output,
    const Extent& extent, const OperatorArguments& arguments, Tensor second)
{
    limit(
        std::size_t(m_operatorCount) < kMostOperators && std::size_t(m_tensorCount) < kMostTensors);
    const auto number = static_cast<std::int16_t>(m_operatorCount++);
    Operator& op = m_operators[std::size_t(number)];
    op.kind = kind;
    op.name = name;
    op.in = { in, second };
    op.effect = rule(kind).effect(arguments, m_kernels);
    const bool maps = kind == OperatorKind::ColumnMap || kind == OperatorKind::RowMap
        || kind == OperatorKind::WholeMap || kind == OperatorKind::Head;
    if (maps && m_kernels.weightGradientsFused && m_kernels.dummyGradients) {
        op.dummyRows = arguments.weightRows;
        op.dummyColumns = arguments.weightColumns;
    }
    for (const Tensor read : op.in)
        if (read != kNoTensor)
            m_tensors[std::size_t(read)].lastUse = number;
    // Backward runs from the last operator to the first, so the first holder is the last to let go.
    const auto hold = [&](Tensor tensor) {
        std::int16_t& freedBy = m_tensors[std::size_t(tensor)].freedBy;
        freedBy = freedBy < 0 ? number : std::min(freedBy, number);
    };
    if (op.effect.keepsInput)
        for (const Tensor read : op.in)
            if (read != kNoTensor)
                hold(read);
    if (output) {
        op.out = static_cast<Tensor>(m_tensorCount++);
        Stored& made = m_tensors[std::size_t(op.out)];
        made.piece = piece(output, Category::Activations, extent);
        made.maker = number;
        if (op.effect.keepsOutput)
            hold(op.out);
    }
    return op.out;
}

void Block::weight(std::int64_t rows, std::int64_t columns)
{
    limit(std::size_t(m_weightCount) < kMostWeights);
    m_weights[std::size_t(m_weightCount++)] = { rows, columns, 1 };
}

void Block::vector(std::int64_t count) { weight(count, 1); }

void Block::drop(const Drop& drop)
{
    limit(std::size_t(m_dropCount) < kMostDrops);
    m_drops[std::size_t(m_dropCount++)] = drop;
    for (const Tensor in : m_operators[std::size_t(drop.first)].in)
        if (in != kNoTensor) {
            std::int16_t& freedBy = m_tensors[std::size_t(in)].freedBy;
            freedBy = freedBy < 0 ? drop.first : std::min(freedBy, drop.first);
        }
}

void Block::finish(Tensor output)
{
    m_output = output;
    for (int i = 0; i < m_tensorCount; ++i) {
        m_gradients[std::size_t(i)] = m_tensors[std::size_t(i)].piece;
        m_gradients[std::size_t(i)].name = "gradient of an activation";
        m_gradients[std::size_t(i)].category = Category::Temporary;
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
    return std::any_of(m_operators.begin(), m_operators.begin() + m_operatorCount,
        [](const Operator& op) { return op.effect.needsBlas; });
}

bool Block::needsLibrary() const
{
    return std::any_of(m_operators.begin(), m_operators.begin() + m_operatorCount,
        [](const Operator& op) { return op.effect.needsLibrary; });
}

Bytes Block::buffer() const
{
    Bytes most;
    for (int i = 0; i < m_operatorCount; ++i)
        if (const Extent& buffer = m_operators[std::size_t(i)].effect.buffer; buffer.rows > 0)
            most = std::max(most, buffer.bytes());
    return most;
}

} // namespace shardrack
