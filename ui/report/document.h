#pragma once

#include "paint/glyphs.h"
#include "paint/icons.h"
#include "paint/paint_style.h"

#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <variant>
#include <vector>

class QPainter;

namespace shardrack {

/// The colour of words; what it means is always said by the words, too.
enum class Tone { Normal, Secondary, Over, Ok, Open, Flag };

/// A piece of text in one style. With a target it leads to the heading of that anchor.
struct Run {
    QString text;
    bool bold = false;
    Tone tone = Tone::Normal;
    QString target;
};
using Rich = std::vector<Run>;

/// The mark before a text: the glyph of a finding, or an icon.
using Mark = std::variant<std::monostate, Glyph, Icon>;

struct Heading {
    int level = 1; ///< 1: a section, 2: a part of it; both are in the outline
    QString text;
    QString anchor; ///< unique in the document
    QString note; ///< a line below it
};

struct Paragraph {
    enum class Size { Title, Subtitle, Body, Small };
    Rich text;
    Size size = Size::Body;
};

/// One cell of a table: a text with a mark, and a smaller line below.
struct Cell {
    Rich text;
    QString detail;
    Mark mark;
    bool flagged = false; ///< on a changed basis: tinted, besides the ≠ of its mark
};

struct Table {
    struct Column {
        bool right = false; ///< numbers
        double weight = 0; ///< share of the width; 0: by its content
    };
    QString title; ///< for files of its own: "arithmetic"
    std::vector<Column> columns;
    std::vector<Cell> header; ///< repeated on every page; may be empty
    std::vector<std::vector<Cell>> rows; ///< each as long as `columns`
    std::vector<int> strongRows; ///< rows that are set in bold: sums
    std::vector<int> groupRows; ///< rows whose first cell heads those below it
    bool small = false;
    bool together = false; ///< on one page, where one holds it
};

/// Terms at the left, what is to be said of them at the right.
struct Definitions {
    struct Item {
        Rich term;
        Rich text;
        Mark mark;
    };
    std::vector<Item> items;
    double termShare = 0.19;
    bool small = false;
};

/// A tinted box.
struct NoteBox {
    Rich text;
    Mark mark;
};

/// Short items with marks, in columns.
struct MarkList {
    struct Item {
        Mark mark;
        QString text;
    };
    std::vector<Item> items;
    int columns = 2;
};

struct Figure {
    QString alt; ///< what it shows, for those who cannot see it
    /// The height it wants in chart units, and how it is painted; the painter is scaled so that
    /// 1 unit is a chart unit, and `area` begins at the origin.
    std::function<qreal(qreal width, const PaintStyle&)> height;
    std::function<void(QPainter&, const QRectF& area, const PaintStyle&)> paint;
    /// What it shows as text, for those who cannot see it.
    Table values;
};

struct PageBreak { };

using ReportBlock
    = std::variant<Heading, Paragraph, Table, Definitions, NoteBox, MarkList, Figure, PageBreak>;

/// A document that knows nothing of pages.
struct ReportDocument {
    QString title; ///< metadata: one line
    QString subject;
    QString keywords;
    QString runningTitle; ///< at the right of every page's head
    QString footer; ///< at the left of every page's foot
    std::vector<ReportBlock> blocks;
};

/// A run in the usual style.
inline Rich plain(const QString& text, Tone tone = Tone::Normal)
{
    return { Run { text, false, tone, {} } };
}
inline Rich bold(const QString& text, Tone tone = Tone::Normal)
{
    return { Run { text, true, tone, {} } };
}
/// Without styles.
QString plainText(const Rich& text);

} // namespace shardrack
