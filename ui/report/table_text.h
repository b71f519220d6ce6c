#pragma once

#include "report/document.h"

#include <QByteArray>

namespace shardrack {

/// A table for other programs: RFC 4180, UTF-8, lines end with CR LF, a cell's detail in brackets.
/// A row that heads others becomes a first column of its own, so that every row can stand alone. A
/// cell that a spreadsheet would take for a formula begins with an apostrophe.
QByteArray tableCsv(const Table& table);

/// A cell with its detail as one text.
QString cellText(const Cell& cell);

} // namespace shardrack
