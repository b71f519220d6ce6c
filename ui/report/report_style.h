#pragma once

#include "report/document.h"

#include <QFont>
#include <QSizeF>

namespace shardrack {

enum class Paper { A4, Letter };

/// How a report looks on paper. Sizes are in dots (units.h).
class ReportStyle {
public:
    explicit ReportStyle(Paper paper);

    QFont font(double points, bool bold = false) const;
    /// For the shared chart painters.
    const PaintStyle& chart() const { return m_chart; }
    const Theme& theme() const { return *m_chart.theme; }
    QColor color(Tone tone) const;

    Paper paper() const { return m_paper; }
    QSizeF page() const { return m_page; } ///< the sheet
    QRectF content() const; ///< where blocks stand
    QRectF head() const; ///< above them
    QRectF foot() const; ///< below them

    /// Whether the font that the report is meant to be set in is installed; else the application's
    /// font is used.
    static bool fontInstalled();

private:
    Paper m_paper;
    QSizeF m_page;
    PaintStyle m_chart;
};

// Type sizes in points: 39, 20, 17.5, 15 and 13.5 px at 150 dpi.
namespace print_type {
constexpr double kTitle = 18.7;
constexpr double kSubtitle = 9.6;
constexpr double kHeading = 9.6;
constexpr double kSubheading = 8.4;
constexpr double kBody = 8.4;
constexpr double kTable = 7.8;
constexpr double kSmall = 7.2;
constexpr double kTiny = 6.5;
} // namespace print_type

} // namespace shardrack
