#pragma once

#include "report/piece.h"

namespace shardrack {

/// A piece where it stands, from the content's upper edge.
struct PlacedPiece {
    const Piece* piece = nullptr;
    qreal y = 0;
    bool repeated = false; ///< a header again
};

struct PageContent {
    std::vector<PlacedPiece> pieces;
};

/// Puts pieces on pages of that height, in their order, each once (headers more often). A piece
/// that must stay with its next one moves to the next page with it; a chain that no page holds is
/// broken where it must be. A piece higher than a page stands alone on one. There is at least one
/// page. The list has to outlive the pages.
std::vector<PageContent> paginate(const PieceList& list, qreal height);

} // namespace shardrack
