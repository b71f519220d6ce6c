#pragma once

#include "canvas/canvas_scene.h"

#include <QString>

namespace shardrack {

// The words on the canvas; made only for what is visible.

/// "rank 3", "ranks 3, 7", or the number alone; "no rank yet".
QString rankLabel(const CanvasScene& scene, std::int32_t gpu, bool brief);
/// "A1·3".
QString deviceLabel(const CanvasScene& scene, std::int32_t gpu);
/// "Rack A", "Server A1": the name as it is where it says so itself.
QString rackTitle(const Rack& rack);
QString serverTitle(const Server& server);
/// "U5–U8".
QString unitsLabel(int first, int last);

/// What the ranks on a GPU share, for the bracket above it. GPUs of equal labels stand under one.
struct GroupLabel {
    std::int64_t key = -1; ///< -1: no rank
    QString text;
    bool operator==(const GroupLabel&) const = default;
};
/// "Replica 0 · complete copy", "shard group S, ÷ 4".
GroupLabel groupLabel(const CanvasScene& scene, std::int32_t gpu);
/// The same for a server as a whole: one group, or how many.
QString groupsOfServer(const CanvasScene& scene, const SiteIndex::Place& place);

/// "4 × 16 GiB GPU".
QString gpusText(const Server& server);
/// "42 U · 1 of 10 servers · 4 GPUs, 64 GiB installed in total".
QString rackText(const CanvasScene& scene, int rack);
/// What joins a server's GPUs: "PCIe", "NVSwitch full mesh"; empty when unknown.
QString fabricText(const Server& server);
/// "4 × 16 GiB GPU, PCIe · U1–U4".
QString serverText(const Server& server);
/// "4 of 4 GPUs over capacity"; with an edit being tried "4 over → 0". Empty when nothing is over.
QString overText(const CanvasScene& scene, const SiteIndex::Place& place, bool brief);

/// "over by at least 8.00 GiB", "open: 5 terms not established"; without the verdict's name where a
/// glyph says it: "5 terms not established".
QString verdictText(const GpuLook& look, bool named = true);
/// "24.0", "≥24.0" when something is not established, "?" when nothing is; GiB.
QString needFigure(const GpuLook& look, int decimals);
/// "16.00 usable, not confirmed".
QString usableText(const GpuLook& look);
/// "GPU A1·3, rank 3, at least 24.00 of 16.00 GiB, over capacity".
QString gpuSentence(const CanvasScene& scene, std::int32_t gpu);
/// Several lines: the sentence's parts, headroom, change.
QString gpuToolTip(const CanvasScene& scene, std::int32_t gpu);
/// "+1.2", "−25.0": a sign always.
QString signedGib(Bytes change, int decimals);

} // namespace shardrack
