#include "judge/warnings.h"

#include "base/size_text.h"

namespace shardrack {

namespace {

/// Ranks from one of a tensor group to the next; 0: the degrees do not divide the ranks.
std::int32_t tensorStride(const ResolvedLayout& layout)
{
    for (std::int32_t rank = 1; rank < layout.rankCount(); ++rank)
        if (layout.coordinates(rank).tensor == 1)
            return rank;
    return 0;
}

bool inOneServer(const Judged& judged, std::int32_t first, std::int32_t stride)
{
    const ResolvedLayout& layout = judged.resolved;
    const auto server = [&](std::int32_t number) {
        const std::int32_t gpu = layout.gpuOf(first + number * stride);
        return gpu < 0 ? -1 : judged.index.serverOf(gpu);
    };
    const std::int32_t own = server(0);
    const std::int32_t last = layout.tensor() - 1;
    if (server(last) != own)
        return false;
    // Ranks in the order of their GPUs: what is between two of a server is in it, too.
    if (layout.oneToOne())
        return true;
    for (std::int32_t number = 1; number < last; ++number)
        if (server(number) != own)
            return false;
    return true;
}

} // namespace

void addTensorSpan(std::vector<Warning>& warnings, const Judged& judged)
{
    const ResolvedLayout& layout = judged.resolved;
    const std::int32_t stride
        = layout.tensor() > 1 && layout.dataParallel() > 0 ? tensorStride(layout) : 0;
    if (stride == 0)
        return;
    std::int64_t apart = 0;
    std::int32_t example = -1;
    // A block holds as many groups, beginning one after the other, as lie between two of a group.
    const std::int32_t block = stride * layout.tensor();
    for (std::int32_t start = 0; start < layout.rankCount(); start += block)
        for (std::int32_t first = start; first < start + stride; ++first)
            if (!inOneServer(judged, first, stride)) {
                ++apart;
                example = example < 0 ? first : example;
            }
    if (apart == 0)
        return;
    const std::int64_t groups = layout.rankCount() / layout.tensor();
    warnings.push_back({ Warning::Severity::Note, "Tensor groups that leave their server",
        grouped(apart) + " of " + grouped(groups)
            + (groups == 1 ? " tensor group has" : " tensor groups have")
            + " GPUs in more than one server: what every layer exchanges inside a group goes over "
              "the link between them. No figure of memory depends on it.",
        "Bring a group's ranks together in one server, by their order or places, or use a tensor "
        "degree that a server has GPUs for.",
        Warning::Topic::Ranks, layout.gpuOf(example) });
}

} // namespace shardrack
