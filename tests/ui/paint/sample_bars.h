#pragma once

#include "paint/memory_bars.h"

#include <cmath>
#include <string>
#include <utility>

// Bars for the tests of the painters. The figures are drawings: they only have to look like a plan.

namespace shardrack::sample {

inline Bytes gibibytes(double count)
{
    return Bytes(std::llround(count * static_cast<double>(kGiB)));
}

inline StackedBar bar(
    std::vector<std::pair<Category, double>> parts, double usable, double installed)
{
    StackedBar result;
    for (const auto& [category, size] : parts)
        result.segments.push_back({ category, gibibytes(size), false });
    result.usable = gibibytes(usable);
    result.installed = gibibytes(installed);
    return result;
}

inline void openTerms(StackedBar& bar)
{
    for (const Category category :
        { Category::Activations, Category::Temporary, Category::Slack, Category::Outside })
        bar.segments.push_back({ category, Bytes(0), true });
}

/// Four GPUs of 16 GiB, each with `state` GiB of undivided state; everything else is open.
inline MemoryBarsInput fourGpus(double state)
{
    MemoryBarsInput input;
    StackedBar replica = bar({ { Category::State, state } }, 16, 16);
    replica.usableConfirmed = false;
    openTerms(replica);
    input.classes = { replica };
    input.bars = { 0, 0, 0, 0 };
    input.selected = { 1, 0, 0, 0 };
    input.label = [](int i) { return QStringLiteral("rank %1").arg(i); };
    input.subLabel = [](int i) { return QStringLiteral("A1·%1").arg(i); };
    input.legend = false;
    return input;
}

inline StackedBar fineTune(double activations, double temporary, double slack)
{
    StackedBar result
        = bar({ { Category::Parameters, 3.74 }, { Category::Gradients, 0 },
                  { Category::Optimizer, 7.48 }, { Category::Gathered, 2.77 },
                  { Category::Activations, activations }, { Category::Temporary, temporary },
                  { Category::Slack, slack }, { Category::Outside, 1.5 } },
            79.10, 79.65);
    result.margin = gibibytes(4);
    return result;
}

/// 16 devices that were over capacity and fit now, and 8 new ones.
inline MemoryBarsInput whatIf()
{
    MemoryBarsInput input;
    input.classes = { fineTune(36, 11.74, 2.47), fineTune(54, 17.61, 3.42) };
    input.bars.assign(24, 0);
    input.before.assign(16, 1);
    input.before.resize(24, -1);
    input.selected.assign(24, 0);
    input.selected[0] = 1;
    input.label = [](int i) { return QString::number(i); };
    input.marginBasis = QStringLiteral("policy");
    input.marginIcon = Icon::Stipulated;
    input.brackets = { { 0, 15, QStringLiteral("ranks 0–15: −24.8 each, one sequence fewer"),
                           BarBracket::Tone::Better },
        { 16, 23, QStringLiteral("8 new: 65.70"), BarBracket::Tone::New } };
    input.legendNotes[index(Category::Gradients)]
        = QStringLiteral("Gradients: none held at this peak");
    return input;
}

/// `count` devices in 16 stages with falling activations; 32 in the third have less usable memory.
/// The least headroom stands first.
inline MemoryBarsInput pipeline(int count)
{
    MemoryBarsInput input;
    const auto stage = [](int i, double usable) {
        const double outside = i == 15 ? 1.9 + 5 : 1.9;
        return bar({ { Category::Parameters, 5.94 }, { Category::Gradients, 11.88 },
                       { Category::Optimizer, 0.28 },
                       { Category::Activations, i == 0 ? 53.2 : 61.44 - 3.84 * i },
                       { Category::Temporary, 1.1 }, { Category::Slack, 1.55 },
                       { Category::Outside, outside } },
            usable, 79.65);
    };
    input.classes.push_back(stage(2, 72));
    for (const int i : { 1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 })
        input.classes.push_back(stage(i, 79.10));
    const int each = count / 16;
    for (int i = 0; i < 32; ++i)
        input.bars.push_back(0);
    for (int c = 1; c <= 16; ++c)
        for (int i = 0; i < each - (c == 2 ? 32 : 0); ++i)
            input.bars.push_back(c);
    input.label = [](int i) { return QString::number(i); };
    input.order = QStringLiteral("GPUs, least headroom first");
    return input;
}

/// All categories, an idle device, one over capacity, one open, one with less usable memory.
inline MemoryBarsInput mixed()
{
    MemoryBarsInput input = fourGpus(6);
    StackedBar full = bar({ { Category::Parameters, 0.75 }, { Category::Gradients, 0.75 },
                              { Category::Optimizer, 4.5 }, { Category::Gathered, 1.1 },
                              { Category::Activations, 3.4 }, { Category::Temporary, 0.9 },
                              { Category::Slack, 0.6 }, { Category::Outside, 0.7 } },
        14, 16);
    full.margin = gibibytes(1);
    StackedBar idle = bar({}, 16, 16);
    idle.idle = true;
    StackedBar over = full;
    over.segments[4].bytes = gibibytes(9);
    input.classes.insert(input.classes.end(), { full, idle, over });
    input.bars = { 3, 0, 1, 2, 1 };
    input.selected = { 0, 0, 1, 0, 0 };
    input.hovered = 0;
    input.legend = true;
    return input;
}

} // namespace shardrack::sample
