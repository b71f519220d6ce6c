#include "account/refusal.h"

#include "base/result.h"
#include "base/size_text.h"

namespace shardrack {

void RefusalList::add(const char* rule, std::string text, std::string fix, bool computable)
{
    m_list.push_back({ rule, std::move(text), std::move(fix), computable });
}

void RefusalList::divides(
    const char* rule, std::int64_t whole, std::int64_t by, const char* what, bool computable)
{
    if (whole % by != 0)
        add(rule, grouped(whole) + " " + what + " do not divide by " + grouped(by), "", computable);
}

void RefusalList::check(const TransformerShape& shape, const RunSizes& sizes)
{
    checkSizes(shape, sizes);
    if (m_list.empty())
        checkDegrees(shape, sizes);
}

void RefusalList::checkSizes(const TransformerShape& shape, const RunSizes& sizes)
{
    constexpr std::int64_t most = std::int64_t(1) << 40;
    const auto positive = [&](std::int64_t value, const char* what) {
        if (value < 1 || value > most)
            add("sizes are positive", std::string(what) + " is " + grouped(value),
                "a number from 1 on", false);
    };
    positive(sizes.microBatch, "the micro-batch");
    positive(sizes.sequence, "the sequence");
    positive(shape.layers, "the number of layers");
    positive(shape.heads, "the number of heads");
    positive(shape.kvHeads, "the number of key/value heads");
    positive(sizes.tensor, "the tensor degree");
    positive(sizes.pipeline, "the pipeline degree");
    positive(sizes.context, "the context degree");
}

void RefusalList::checkDegrees(const TransformerShape& shape, const RunSizes& sizes)
{
    divides("the tensor degree divides the attention heads", shape.heads, sizes.tensor, "heads");
    if (!shape.latent.used())
        divides("the tensor degree divides the key/value heads", shape.kvHeads, sizes.tensor,
            "key/value heads");
    divides(
        "the tensor degree divides the MLP's width", shape.ffn, sizes.tensor, "columns of the MLP");
    divides("the context degree divides the sequence", sizes.sequence, sizes.context, "tokens");
    if (shape.positions > 0 && shape.positions < sizes.sequence)
        add("the position table is as long as the sequence",
            grouped(sizes.sequence) + " tokens, and " + grouped(shape.positions)
                + " rows of positions",
            "a longer table", true);
}

void RefusalList::refuse() const
{
    for (const Refusal& refusal : m_list)
        if (!refusal.computable)
            throw Failure({ "", refusal.text, refusal.rule });
}

} // namespace shardrack
