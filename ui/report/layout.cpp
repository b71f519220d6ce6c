#include "report/layout.h"

#include "report/block_layout.h"
#include "report/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

/// The mark of the program: three blocks in a rack.
void drawLogo(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    const qreal gap = rect.width() * 0.12;
    const qreal half = (rect.width() - gap) / 2;
    const auto fill = [&](qreal x, qreal y, qreal height, Category category) {
        painter.fillRect(
            QRectF(rect.left() + x, rect.top() + y, half, height), theme.style(category).fill);
    };
    fill(0, 0, rect.height(), Category::Parameters);
    fill(half + gap, 0, rect.height() * 0.42, Category::Activations);
    fill(half + gap, rect.height() * 0.42 + gap, rect.height() * 0.58 - gap, Category::Optimizer);
}

} // namespace

LaidOutReport::LaidOutReport(ReportDocument document, Paper paper)
    : m_document(std::move(document))
    , m_style(paper)
    , m_pieces(layoutBlocks(m_document, m_style))
    , m_pages(paginate(m_pieces, m_style.content().height()))
{
    findHeadings();
}

void LaidOutReport::findHeadings()
{
    for (int page = 0; page < pageCount(); ++page)
        for (const PlacedPiece& placed : m_pages[static_cast<std::size_t>(page)].pieces)
            if (placed.piece->level > 0 && !placed.repeated)
                m_outline.push_back({ placed.piece->heading, placed.piece->anchor,
                    placed.piece->level, page, m_style.content().top() + placed.y });
}

std::vector<PageLink> LaidOutReport::links() const
{
    std::vector<PageLink> links;
    for (int page = 0; page < pageCount(); ++page)
        for (const PlacedPiece& placed : m_pages[static_cast<std::size_t>(page)].pieces)
            for (const PieceLink& link : placed.piece->links)
                links.push_back({ page,
                    link.rect.translated(m_style.content().topLeft() + QPointF(0, placed.y)),
                    link.target });
    return links;
}

int LaidOutReport::pageOf(const QString& anchor) const
{
    for (const OutlineEntry& entry : m_outline)
        if (entry.anchor == anchor)
            return entry.page;
    return -1;
}

void LaidOutReport::paintPage(QPainter& painter, int page) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintChrome(painter, page);
    const QPointF corner = m_style.content().topLeft();
    for (const PlacedPiece& placed : m_pages[static_cast<std::size_t>(page)].pieces) {
        painter.save();
        placed.piece->paint(painter, corner + QPointF(0, placed.y));
        painter.restore();
    }
    painter.restore();
}

void LaidOutReport::paintChrome(QPainter& painter, int page) const
{
    const Theme& theme = m_style.theme();
    const QRectF head = m_style.head();
    const qreal logo = mm(2.9);
    const QFont strong = m_style.font(print_type::kSmall, true);
    const QFont usual = m_style.font(print_type::kTiny + 0.3);
    drawLogo(painter, QRectF(head.left(), head.center().y() - logo / 2, logo, logo), theme);
    const QString name = Words::tr("Comparison report");
    drawLine(painter, head.adjusted(logo + mm(1.6), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        name, strong, theme.text);
    const qreal used = logo + mm(10) + lineWidth(name, strong);
    drawLine(painter, head.adjusted(used, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
        m_document.runningTitle, usual, theme.text2);
    painter.fillRect(QRectF(head.left(), head.bottom(), head.width(), mm(0.2)), theme.text);

    const QRectF foot = m_style.foot();
    painter.fillRect(QRectF(foot.left(), foot.top(), foot.width(), mm(0.12)), theme.line);
    const QRectF line = foot.adjusted(0, mm(0.6), 0, 0);
    const QString number = Words::tr("%1 of %2").arg(page + 1).arg(pageCount());
    drawLine(painter, line, Qt::AlignRight | Qt::AlignVCenter, number, usual, theme.text2);
    drawLine(painter, line.adjusted(0, 0, -lineWidth(number, usual) - mm(8), 0),
        Qt::AlignLeft | Qt::AlignVCenter, m_document.footer, usual, theme.text2);
}

} // namespace shardrack
