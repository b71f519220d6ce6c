#pragma once

#include "trace/category.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace shardrack {

/// The marks laid over a fill so that it is recognised without its colour.
enum class HatchKind { None, Rising, Falling, Horizontal, Vertical, Dots, SparseDots, Cross };

/// One hatch: marks of `pen`, `width` px wide, repeated every `tile` px (logical pixels).
struct Hatch {
    HatchKind kind = HatchKind::None;
    qreal tile = 6;
    qreal width = 1;
    QColor pen;
    bool operator==(const Hatch&) const = default;
};

/// How a memory category looks, in a bar and in a swatch.
struct CategoryStyle {
    QColor fill;
    Hatch hatch;
    QColor pad; ///< solid ground behind text that stands on the segment
    QColor padText;
};

/// Every colour of the product, once for light and once for dark. Colours are opaque: mixtures are
/// computed (see `mixed`), because print formats have no reliable transparency.
struct Theme {
    bool isDark = false;

    QColor win, title, dock, view,
        alt; ///< window, toolbar, dock titles, charts and tables, sub-headers
    QColor canvas, dot, pop; ///< scene background, its dot grid, pop-overs
    QColor line, line2, line3; ///< strong, normal, row rules
    QColor btn, btnLine; ///< buttons and fields
    QColor text, text2, text3, dis; ///< main, secondary, faint, disabled only
    QColor accent, accentTint, link; ///< selection, focus and what-if; links and accent text
    QColor over, overText, overTint; ///< over capacity, residual
    QColor ok, okText, okTint; ///< fit, improvement
    QColor open, openText, openTint; ///< not established, neutral chips
    QColor flag, flagTint; ///< changed basis, partial evidence
    QColor rack, rackLine, server, serverHead; ///< hardware on the canvas
    QColor cell, cellLine; ///< a GPU cell
    QColor grid, cap, inst; ///< chart grid, usable line, installed line

    std::array<CategoryStyle, kCategoryCount> categories;
    Hatch openHatch; ///< over a term that is not established
    Hatch overHatch; ///< over the part beyond usable
    std::array<QColor, 6> ramp; ///< fill level of a cell in a large cluster, emptiest first

    const CategoryStyle& style(Category category) const { return categories[index(category)]; }
    /// The fill of a cell that is `level` full (0 to 1, clamped).
    const QColor& rampColor(double level) const;
    /// The fill of a segment's part beyond usable: veiled by 62 % of `view`.
    QColor veiled(const QColor& fill) const;
    /// All roles and groups for the widgets.
    QPalette palette() const;

    /// The theme that goes with a palette: decided by its lightness, since nothing older than
    /// Qt 6.5 says which colour scheme is wanted.
    static const Theme& matching(const QPalette& palette);
    static const Theme& light();
    static const Theme& dark();
};

/// `share` (0 to 1) of `top` over `ground`, as one opaque colour.
QColor mixed(const QColor& ground, const QColor& top, double share);

/// Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2, "contrast ratio").
double contrast(const QColor& a, const QColor& b);

/// Distances in logical pixels, at the base font of 12 px.
namespace metrics {
constexpr int kSpacing = 4;
constexpr int kTableRow = 22;
constexpr int kTreeRow = 34; ///< two lines
constexpr int kField = 24;
constexpr int kButton = 26;
constexpr int kDockTitle = 27;
constexpr int kChartTabs = 30;
constexpr int kFindingsStrip = 50;
constexpr int kToolBar = 35;
constexpr int kOfferTabs = 35;
constexpr int kStatusBar = 25;
constexpr int kLeftDock = 262;
constexpr int kRightDock = 352;
constexpr int kLessonDock = 412;
constexpr int kIcon = 16;
constexpr qreal kFieldRadius = 3;
constexpr qreal kHardwareRadius = 5;
constexpr qreal kChipRadius = 9;
constexpr qreal kUsableLine = 1.6;
constexpr qreal kUsableHalo = 4;
constexpr qreal kSeparator = 1.2;
constexpr qreal kNarrowestHatch = 6; ///< a narrower bar shows no hatch
} // namespace metrics

/// The type scale in px; multiply by uiScale() on screen.
namespace type {
constexpr qreal kAxis = 10.5;
constexpr qreal kSecondary = 11;
constexpr qreal kStatus = 11.5;
constexpr qreal kBase = 12;
constexpr qreal kHeadline = 13.5;
constexpr qreal kLessonTitle = 16;
constexpr qreal kCardNumber = 21;
constexpr int kRegular = 400;
constexpr int kSemibold = 600;
constexpr int kBold = 700; ///< rank labels and changes only
} // namespace type

} // namespace shardrack
