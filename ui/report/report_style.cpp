#include "report/report_style.h"

#include "report/units.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <cmath>

namespace shardrack {

namespace {

const QString& fontName()
{
    static const QString name = QStringLiteral("Noto Sans");
    return name;
}

/// One family for text, one for its signs (≥, →, ⌈): without the second, whatever font the system
/// prefers would be drawn in.
QFont reportFont()
{
    QFont font = QGuiApplication::font();
    if (ReportStyle::fontInstalled())
        font = QFont(QStringList { fontName(), QStringLiteral("Noto Sans Math") });
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setKerning(true);
    // No ligatures, which whoever searches the PDF for "fit" would not find: Qt forms none where
    // letters are spaced, and this is the smallest space.
    font.setLetterSpacing(QFont::AbsoluteSpacing, 1.0 / 64);
    return font;
}

QSizeF sheet(Paper paper)
{
    return paper == Paper::A4 ? QSizeF(mm(210), mm(297)) : QSizeF(mm(215.9), mm(279.4));
}

constexpr double kSide = 15.5; ///< mm
constexpr double kHead = 19.5; ///< of the rule below the head
constexpr double kTop = 24;
constexpr double kBottom = 17;

} // namespace

bool ReportStyle::fontInstalled() { return QFontDatabase::families().contains(fontName()); }

ReportStyle::ReportStyle(Paper paper)
    : m_paper(paper)
    , m_page(sheet(paper))
    , m_chart(PaintStyle::paper(Theme::light(), reportFont()))
{
}

QFont ReportStyle::font(double points, bool bold) const
{
    QFont font = m_chart.base;
    font.setPixelSize(static_cast<int>(std::lround(pt(points))));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

QColor ReportStyle::color(Tone tone) const
{
    const Theme& colors = theme();
    switch (tone) {
    case Tone::Normal:
        break;
    case Tone::Secondary:
        return colors.text2;
    case Tone::Over:
        return colors.overText;
    case Tone::Ok:
        return colors.okText;
    case Tone::Open:
        return colors.openText;
    case Tone::Flag:
        return colors.flag;
    }
    return colors.text;
}

QRectF ReportStyle::content() const
{
    return QRectF(mm(kSide), mm(kTop), m_page.width() - 2 * mm(kSide),
        m_page.height() - mm(kTop) - mm(kBottom));
}

QRectF ReportStyle::head() const
{
    return QRectF(mm(kSide), mm(kHead - 6), m_page.width() - 2 * mm(kSide), mm(6));
}

QRectF ReportStyle::foot() const
{
    return QRectF(
        mm(kSide), m_page.height() - mm(kBottom - 3), m_page.width() - 2 * mm(kSide), mm(6));
}

} // namespace shardrack
