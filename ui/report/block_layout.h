#pragma once

#include "report/document.h"
#include "report/piece.h"
#include "report/report_style.h"

namespace shardrack {

/// Breaks a document into pieces for the style's width.
PieceList layoutBlocks(const ReportDocument& document, const ReportStyle& style);

/// Adds the pieces of one kind of block; table_layout.cpp.
void layoutTable(PieceList& list, const Table& table, const ReportStyle& style, int block);

/// Draws a mark as large as fits in the rectangle.
void drawMark(QPainter& painter, const QRectF& rect, const Mark& mark, const ReportStyle& style);
inline bool hasMark(const Mark& mark) { return !std::holds_alternative<std::monostate>(mark); }

/// Lines of one row that stay together; a longer row is broken over pages there.
constexpr int kMostLines = 14;

} // namespace shardrack
