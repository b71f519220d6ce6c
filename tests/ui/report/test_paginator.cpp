// Pieces on pages: nothing lost, nothing on top of another, headings with what they head, table
// headers on every page.

#include "report_fixture.h"

#include "report/paginator.h"
#include "report/units.h"

#include <QImage>
#include <QPainter>
#include <QRandomGenerator>

using namespace shardrack;
using namespace reports;

namespace {

constexpr qreal kPage = 1000;

PieceList randomPieces(quint32 seed)
{
    QRandomGenerator random(seed);
    PieceList list;
    list.headers.resize(3);
    for (Piece& header : list.headers)
        header.height = 20 + random.bounded(60);
    const int count = 1 + random.bounded(120);
    for (int i = 0; i < count; ++i) {
        Piece piece;
        piece.height = random.bounded(10) == 0 ? 300 + random.bounded(600) : 5 + random.bounded(80);
        piece.before = random.bounded(30);
        piece.keepWithNext = i + 1 < count && random.bounded(3) == 0;
        piece.newPage = random.bounded(25) == 0;
        piece.header = random.bounded(2) == 0 ? random.bounded(3) : -1;
        piece.block = i;
        list.pieces.push_back(piece);
    }
    return list;
}

bool fitsOnOnePage(const PieceList& list, std::size_t first, std::size_t end)
{
    qreal height = list.pieces[first].header >= 0
        ? list.headers[std::size_t(list.pieces[first].header)].height + list.pieces[first].before
        : 0;
    for (std::size_t i = first; i < end; ++i)
        height += list.pieces[i].height + (i > first ? list.pieces[i].before : 0);
    return height <= kPage;
}

/// The page of each piece; fails when one is missing, twice, or out of order.
std::vector<int> pageOfEach(const PieceList& list, const std::vector<PageContent>& pages)
{
    std::vector<int> result;
    for (std::size_t page = 0; page < pages.size(); ++page)
        for (const PlacedPiece& placed : pages[page].pieces)
            if (!placed.repeated) {
                const auto number = std::size_t(placed.piece - list.pieces.data());
                if (number != result.size())
                    return {};
                result.push_back(int(page));
            }
    return result.size() == list.pieces.size() ? result : std::vector<int> {};
}

} // namespace

class TestPaginator : public QObject {
    Q_OBJECT
private slots:
    void randomDocuments_data()
    {
        QTest::addColumn<quint32>("seed");
        for (quint32 seed = 1; seed <= 300; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void randomDocuments()
    {
        QFETCH(quint32, seed);
        const PieceList list = randomPieces(seed);
        const std::vector<PageContent> pages = paginate(list, kPage);
        const std::vector<int> page = pageOfEach(list, pages);
        QVERIFY2(!page.empty(), "a piece is lost, doubled or moved");
        for (const PageContent& content : pages) {
            QVERIFY(!content.pieces.empty());
            qreal end = 0;
            for (const PlacedPiece& placed : content.pieces) {
                QVERIFY2(placed.y >= end - 0.01, "pieces overlap");
                end = placed.y + placed.piece->height;
            }
            QVERIFY2(end <= kPage + 1 || content.pieces.size() <= 2, "a page is too full");
            const PlacedPiece& first = content.pieces.front();
            if (!first.repeated)
                QCOMPARE(first.piece->header, -1);
        }
        for (std::size_t i = 0; i + 1 < list.pieces.size(); ++i) {
            if (list.pieces[i + 1].newPage)
                QVERIFY(page[i + 1] > page[i]);
            else if (list.pieces[i].keepWithNext && page[i] != page[i + 1])
                QVERIFY2(chainTooLong(list, i), "a piece was parted from what it stays with");
        }
    }

    /// The chain that piece i stands in does not fit on a page.
    static bool chainTooLong(const PieceList& list, std::size_t i)
    {
        std::size_t first = i;
        while (first > 0 && list.pieces[first - 1].keepWithNext && !list.pieces[first].newPage)
            --first;
        std::size_t end = i + 1;
        while (end < list.pieces.size() && list.pieces[end - 1].keepWithNext
            && !list.pieces[end].newPage)
            ++end;
        return !fitsOnOnePage(list, first, end);
    }

    void nothingIsOnePage() { QCOMPARE(paginate({}, kPage).size(), std::size_t(1)); }

    void realReports_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<bool>("letter");
        for (const char* plan : { "resources/examples/ts-24.shardrack",
                 "resources/examples/llama-3-8b-32-gpus.shardrack",
                 "tests/data/plans/report-llama-32.shardrack",
                 "tests/data/plans/report-16384-gpus.shardrack",
                 "tests/data/plans/every-field.shardrack" })
            for (const bool letter : { false, true })
                QTest::addRow("%s %s", plan, letter ? "Letter" : "A4")
                    << QString::fromLatin1(plan) << letter;
    }
    void realReports()
    {
        QFETCH(QString, plan);
        QFETCH(bool, letter);
        ReportOptions options;
        options.paper = letter ? Paper::Letter : Paper::A4;
        const auto report = layoutReport(inputFrom(plan.toLatin1().constData()), options);
        const qreal height = report->style().content().height();
        QVERIFY(!pageOfEach(report->pieces(), report->pages()).empty());
        for (const PageContent& page : report->pages()) {
            const PlacedPiece& last = page.pieces.back();
            QVERIFY2(last.piece->level == 0, "a heading is the last on its page");
            QVERIFY2(!last.repeated, "a table's header is the last on its page");
            QVERIFY2(last.y + last.piece->height <= height + 1, "something is cut off");
            const Piece& first = *page.pieces.front().piece;
            if (first.header >= 0)
                QVERIFY2(page.pieces.front().repeated, "a table goes on without its header");
        }
        // Every anchor that is linked to exists, and the contents name the right pages.
        for (const PageLink& link : report->links())
            QVERIFY2(report->pageOf(link.target) >= 0, qPrintable(link.target));
    }

    // Pages are painted on anything; each has something on it, and nothing beyond its edges.
    void pagesStayInsideTheirMargins()
    {
        const auto report = layoutReport(llama(), {});
        const double scale = 60.0 / kDotsPerInch;
        const QSizeF sheet = report->style().page() * scale;
        for (int page = 0; page < report->pageCount(); ++page) {
            QImage image(sheet.toSize(), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.scale(scale, scale);
            report->paintPage(painter, page);
            painter.end();
            const QRect inside = QRectF(report->style().content().left() * scale,
                report->style().head().top() * scale, report->style().content().width() * scale,
                sheet.height())
                                     .toAlignedRect()
                                     .adjusted(-2, 0, 2, 0);
            bool any = false;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) != qRgb(255, 255, 255)) {
                        any = true;
                        QVERIFY2(inside.contains(x, y),
                            qPrintable(
                                QStringLiteral("page %1 at %2, %3").arg(page).arg(x).arg(y)));
                    }
            QVERIFY(any);
        }
    }
};

QTEST_MAIN(TestPaginator)
#include "test_paginator.moc"
