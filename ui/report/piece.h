#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace shardrack {

/// A link inside the document, relative to its piece.
struct PieceLink {
    QRectF rect;
    QString target; ///< anchor of a heading
};

/// What cannot be broken over pages: a line, a row, a figure. A block is a sequence of pieces.
struct Piece {
    qreal height = 0;
    qreal before = 0; ///< space above, which falls away at the head of a page
    bool keepWithNext = false; ///< the next piece is on the same page, unless no page holds both
    bool newPage = false; ///< begins a page
    /// Pieces that stand above this one again where it begins a page (a table's header); indices
    /// into PieceList::headers, -1: none.
    int header = -1;
    int block = -1; ///< index of its block in the document
    std::function<void(QPainter&, QPointF)> paint; ///< at its upper left corner
    std::vector<PieceLink> links;
    QString anchor; ///< of a heading
    QString heading; ///< its text, for the outline
    int level = 0;
};

struct PieceList {
    std::vector<Piece> pieces;
    std::vector<Piece> headers;
};

} // namespace shardrack
