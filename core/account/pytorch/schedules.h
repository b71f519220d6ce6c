#pragma once

#include "account/pytorch/stage.h"

#include <algorithm>

namespace shardrack {

// In which order the micro-batches of a step go through one rank. Every schedule calls
//   forward(chunk, fetches, opens)    fetches: parameters are gathered; opens: it is the first
//   backward(chunk, opens, closes)    which accumulates unless it opens, and reduces if it closes
// and tells the sink which turns are equal.

/// One micro-step after the other.
template <class Sink, class Forward, class Backward>
void accumulateSteps(const TorchStage& stage, Sink& sink, Forward&& forward, Backward&& backward)
{
    const TorchChunk& chunk = stage.chunks.front();
    const std::int64_t all = stage.microSteps;
    const auto both = [&](bool opens, bool closes) {
        forward(chunk, true, opens);
        backward(chunk, opens, closes);
    };
    both(true, all == 1);
    if (all > 2)
        sink.loop(all - 2, [&] { both(false, false); });
    if (all > 1)
        both(false, true);
}

/// One forward, one backward (torch.distributed.pipelining's Schedule1F1B): a stage is so many
/// forwards ahead as there are stages after it.
template <class Sink, class Forward, class Backward>
void oneForwardOneBackward(
    const TorchStage& stage, Sink& sink, Forward&& forward, Backward&& backward)
{
    const TorchChunk& chunk = stage.chunks.front();
    const bool again = !stage.holdsAcross(); // later forwards gather, too
    const std::int64_t all = stage.microSteps;
    const std::int64_t ahead = std::min(stage.stages - 1 - stage.number, all);
    const std::int64_t pairs = all - ahead;
    if (ahead > 0)
        forward(chunk, true, true);
    sink.loop(ahead - 1, [&] { forward(chunk, again, false); });
    // The first pair and, without a cool-down, the last one differ from the others.
    const std::int64_t last = ahead == 0 && pairs > 1 ? 1 : 0;
    if (pairs > 0) {
        forward(chunk, ahead == 0 || again, ahead == 0);
        backward(chunk, true, all == 1);
    }
    sink.loop(pairs - 1 - last, [&] {
        forward(chunk, again, false);
        backward(chunk, false, false);
    });
    if (last > 0) {
        forward(chunk, again, false);
        backward(chunk, false, true);
    }
    const std::int64_t opening = pairs == 0 && ahead > 1 ? 1 : 0;
    if (opening > 0)
        backward(chunk, true, false);
    sink.loop(ahead - opening - 1, [&] { backward(chunk, false, false); });
    if (ahead > 0)
        backward(chunk, pairs == 0 && opening == 0, true);
}

/// The same for several chunks a rank, which take turns of `perRound` micro-batches
/// (ScheduleInterleaved1F1B): the warm-up is longer by the chunks before the last.
template <class Sink, class Forward, class Backward>
void interleavedTurns(const TorchStage& stage, Sink& sink, Forward&& forward, Backward&& backward)
{
    const std::int64_t chunks = std::int64_t(stage.chunks.size());
    const std::int64_t round = stage.perRound;
    const std::int64_t period = round * chunks;
    const std::int64_t all = stage.microSteps * chunks;
    const std::int64_t ahead
        = std::min(all, (chunks - 1) * round + 2 * (stage.stages - 1 - stage.number));
    const auto forwardAt = [&](std::int64_t at) {
        const bool opens = at < period && at % round == 0;
        forward(
            stage.chunks[std::size_t(at / round % chunks)], opens || !stage.holdsAcross(), opens);
    };
    const auto backwardAt = [&](std::int64_t at) {
        const bool opens = at < period && at % round == 0;
        const bool closes = at >= all - period && (at + 1) % round == 0;
        backward(stage.chunks[std::size_t(chunks - 1 - at / round % chunks)], opens, closes);
    };
    const auto pair = [&](std::int64_t at) {
        forwardAt(ahead + at);
        backwardAt(at);
    };
    for (std::int64_t at = 0; at < ahead; ++at)
        forwardAt(at);
    const std::int64_t pairs = all - ahead;
    std::int64_t at = 0;
    for (; at < std::min(period, pairs); ++at)
        pair(at);
    // Between the first turns and the last each turn of all chunks does the same.
    const std::int64_t turns = (std::min(pairs, all - period) - at) / period;
    if (turns > 0)
        sink.loop(turns, [&] {
            for (std::int64_t i = 0; i < period; ++i)
                pair(at + i);
        });
    at += std::max<std::int64_t>(0, turns) * period;
    for (; at < pairs; ++at)
        pair(at);
    for (; at < all; ++at)
        backwardAt(at);
}

} // namespace shardrack
