#include "paint/hatch.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>

using namespace shardrack;

Q_DECLARE_METATYPE(shardrack::HatchKind)

class TestHatch : public QObject {
    Q_OBJECT

private slots:
    void tileIsWholeDevicePixels_data();
    void tileIsWholeDevicePixels();
    void repeatsWithoutSeam_data();
    void repeatsWithoutSeam();
    void cachePerRatioAndPen();
    void noneIsEmpty();
    void linesStayInside_data();
    void linesStayInside();
    void linesMeetAcrossRectangles();
    void openTermFadesOnScreenOnly();
    void smallMarksAreLeftOut();

private:
    static Hatch hatch(HatchKind kind, qreal tile = 6, qreal width = 1)
    {
        return { kind, tile, width, QColor(0x102030) };
    }
};

namespace {

constexpr HatchKind kAll[] { HatchKind::Rising, HatchKind::Falling, HatchKind::Horizontal,
    HatchKind::Vertical, HatchKind::Dots, HatchKind::SparseDots, HatchKind::Cross };

QImage whiteImage(QSize size)
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    return image;
}

} // namespace

void TestHatch::tileIsWholeDevicePixels_data()
{
    QTest::addColumn<double>("tile");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<int>("side");
    QTest::newRow("6 at 1") << 6.0 << 1.0 << 6;
    QTest::newRow("6 at 1.5") << 6.0 << 1.5 << 9;
    QTest::newRow("5 at 1.5") << 5.0 << 1.5 << 8;
    QTest::newRow("5 at 1.25") << 5.0 << 1.25 << 6;
    QTest::newRow("7 at 2") << 7.0 << 2.0 << 14;
}

void TestHatch::tileIsWholeDevicePixels()
{
    QFETCH(double, tile);
    QFETCH(double, ratio);
    QFETCH(int, side);
    const QBrush brush = hatchBrush(hatch(HatchKind::Rising, tile), ratio);
    QCOMPARE(brush.textureImage().size(), QSize(side, side));
    QCOMPARE(brush.transform().m11() * ratio, 1.0); // one texel is one device pixel
}

void TestHatch::repeatsWithoutSeam_data()
{
    QTest::addColumn<HatchKind>("kind");
    QTest::addColumn<double>("ratio");
    for (const HatchKind kind : kAll)
        for (const double ratio : { 1.0, 1.5, 2.0 })
            QTest::addRow("%d at %g", static_cast<int>(kind), ratio) << kind << ratio;
}

/// What is painted repeats with the tile, has marks and ground, and diagonals lean as named.
void TestHatch::repeatsWithoutSeam()
{
    QFETCH(HatchKind, kind);
    QFETCH(double, ratio);
    const PaintStyle style(Theme::light(), Surface::Screen, QFont(), ratio);
    QImage image = whiteImage(QSize(60, 60) * ratio);
    image.setDevicePixelRatio(ratio);
    {
        QPainter painter(&image);
        fillHatch(painter, QRectF(0, 0, 60, 60), hatch(kind), style);
    }
    const int side = static_cast<int>(std::lround(6 * ratio));
    constexpr int kRounding = 3; // grey levels, of antialiasing
    bool marked = false, clear = false;
    for (int y = 0; y + side < image.height(); ++y)
        for (int x = 0; x + side < image.width(); ++x) {
            const QRgb here = image.pixel(x, y);
            QCOMPARE(image.pixel(x + side, y), here);
            QCOMPARE(image.pixel(x, y + side), here);
            if (kind == HatchKind::Rising && x > 0)
                QVERIFY(qAbs(qGray(image.pixel(x - 1, y + 1)) - qGray(here)) <= kRounding);
            if (kind == HatchKind::Falling)
                QVERIFY(qAbs(qGray(image.pixel(x + 1, y + 1)) - qGray(here)) <= kRounding);
            marked = marked || qGray(here) < 128;
            clear = clear || here == qRgb(255, 255, 255);
        }
    QVERIFY(marked);
    QVERIFY(clear);
}

void TestHatch::cachePerRatioAndPen()
{
    const Hatch plain = hatch(HatchKind::Cross);
    const auto key = [](const Hatch& h, qreal ratio) {
        return hatchBrush(h, ratio).textureImage().cacheKey();
    };
    QCOMPARE(key(plain, 1), key(plain, 1));
    QVERIFY(key(plain, 1) != key(plain, 1.5));
    QCOMPARE(key(plain, 1.5), key(plain, 1.5));
    Hatch other = plain;
    other.pen = QColor(0xF0F0F0); // as in the other theme
    QVERIFY(key(other, 1) != key(plain, 1));
    QCOMPARE(key(plain, 1), key(plain, 1)); // still there
}

void TestHatch::noneIsEmpty()
{
    QCOMPARE(hatchBrush(hatch(HatchKind::None), 1).style(), Qt::NoBrush);
    QVERIFY(hatchLines(QRectF(0, 0, 50, 50), hatch(HatchKind::None)).empty());
}

void TestHatch::linesStayInside_data()
{
    QTest::addColumn<HatchKind>("kind");
    QTest::addColumn<QRectF>("rect");
    QTest::addColumn<int>("count");
    // Lines at multiples of 6 of y, of x, of x + y and of x - y that cross the rectangle.
    const QRectF rect(7, 1, 30, 10);
    QTest::newRow("horizontal, y = 6") << HatchKind::Horizontal << rect << 1;
    QTest::newRow("vertical, x = 12 to 36") << HatchKind::Vertical << rect << 5;
    QTest::newRow("rising, x + y = 12 to 48 of 8 to 48") << HatchKind::Rising << rect << 7;
    QTest::newRow("falling, x - y = 0 to 36 of -4 to 36") << HatchKind::Falling << rect << 7;
    QTest::newRow("cross") << HatchKind::Cross << rect << 14;
    QTest::newRow("far from the origin, x + y = -96 to -60 of -100 to -60")
        << HatchKind::Rising << QRectF(-50, -50, 30, 10) << 7;
}

void TestHatch::linesStayInside()
{
    QFETCH(HatchKind, kind);
    QFETCH(QRectF, rect);
    QFETCH(int, count);
    const std::vector<QLineF> lines = hatchLines(rect, hatch(kind));
    QCOMPARE(static_cast<int>(lines.size()), count);
    const QRectF bounds = rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9);
    for (const QLineF& line : lines) {
        QVERIFY(bounds.contains(line.p1()));
        QVERIFY(bounds.contains(line.p2()));
        if (kind == HatchKind::Rising)
            QCOMPARE(std::remainder(line.x1() + line.y1(), 6.0), 0.0);
    }
}

void TestHatch::linesMeetAcrossRectangles()
{
    const auto ends = [](const std::vector<QLineF>& lines, qreal y) {
        std::vector<qreal> xs;
        for (const QLineF& line : lines)
            for (const QPointF& end : { line.p1(), line.p2() })
                if (qFuzzyCompare(end.y(), y) && end.x() > 0.01 && end.x() < 39.99)
                    xs.push_back(end.x());
        std::sort(xs.begin(), xs.end());
        return xs;
    };
    const auto above = ends(hatchLines(QRectF(0, 3, 40, 20), hatch(HatchKind::Falling)), 23);
    const auto below = ends(hatchLines(QRectF(0, 23, 40, 31), hatch(HatchKind::Falling)), 23);
    QVERIFY(!above.empty());
    QCOMPARE(above, below);
}

void TestHatch::openTermFadesOnScreenOnly()
{
    const auto ink = [](const QImage& image, int top, int bottom) {
        int darkest = 255;
        for (int y = top; y < bottom; ++y)
            for (int x = 12; x < image.width() - 12; ++x)
                darkest = std::min(darkest, qGray(image.pixel(x, y)));
        return darkest;
    };
    QImage screen = whiteImage(QSize(80, 60)), paper = screen;
    {
        QPainter painter(&screen);
        drawOpenTerm(painter, QRectF(5, 10, 70, 40), OpenEnd::Top,
            PaintStyle(Theme::light(), Surface::Screen, QFont()));
    }
    {
        QPainter painter(&paper);
        drawOpenTerm(painter, QRectF(5, 10, 70, 40), OpenEnd::Top,
            PaintStyle::paper(Theme::light(), QFont()));
    }
    QVERIFY(ink(screen, 42, 50) < 160); // dense at the bar
    QVERIFY(ink(screen, 10, 13) > 225); // gone at the end
    QCOMPARE(ink(screen, 0, 9), 255); // nothing outside
    QVERIFY(ink(paper, 10, 16) < 160); // ink does not thin out on paper
}

void TestHatch::smallMarksAreLeftOut()
{
    const PaintStyle style(Theme::light(), Surface::Screen, QFont());
    for (const qreal side : { 8.0, 40.0 }) {
        QImage image = whiteImage(QSize(60, 60));
        {
            QPainter painter(&image);
            drawOpenMark(painter, QRectF(10, 10, side, side), style);
        }
        QCOMPARE(image == whiteImage(QSize(60, 60)), side < 10);
    }
}

QTEST_MAIN(TestHatch)
#include "test_hatch.moc"
