#pragma once

#include "account/operators.h"

#include <optional>
#include <utility>
#include <vector>

namespace shardrack {

/// The allocator's blocks that a replay holds, by the piece that each is for. One storage can go by
/// several names of the same size (a layer's output is the next one's input): the blocks of such
/// names are one pile.
template <class Handle> class HeldPieces {
public:
    void put(const Piece& piece, Handle block) { pile(piece).push_back(std::move(block)); }
    /// The block that was put last; absent where nothing of the kind is held.
    std::optional<Handle> take(const Piece& piece)
    {
        if (auto& own = pile(piece); !own.empty())
            return last(own);
        for (auto& [other, blocks] : m_piles)
            if (!blocks.empty() && other->bytes == piece.bytes && other->stream == piece.stream
                && other->category == piece.category)
                return last(blocks);
        return std::nullopt;
    }

private:
    using Pile = std::vector<Handle>;
    static Handle last(Pile& blocks)
    {
        Handle block = std::move(blocks.back());
        blocks.pop_back();
        return block;
    }
    Pile& pile(const Piece& piece)
    {
        for (auto& [known, blocks] : m_piles)
            if (known == &piece)
                return blocks;
        m_piles.emplace_back(&piece, Pile {});
        return m_piles.back().second;
    }

    std::vector<std::pair<const Piece*, Pile>> m_piles;
};

} // namespace shardrack
