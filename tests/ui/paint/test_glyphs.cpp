#include "paint/glyphs.h"
#include "paint/icons.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <functional>
#include <set>

using namespace shardrack;

class TestGlyphs : public QObject {
    Q_OBJECT

private slots:
    void shapesDiffer_data();
    void shapesDiffer();
    void stayInsideTheirRectangle_data();
    void stayInsideTheirRectangle();
    void ticksAreHoles();
    void iconsFollowRatioAndState();
    void colorsCarryTheFinding();
};

namespace {

/// Draws number `i` in black into the rectangle of a white image.
using Draw = std::function<void(QPainter&, const QRectF&, int)>;

QImage drawn(const Draw& draw, int i, QSize size, const QRectF& rect)
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    draw(painter, rect, i);
    return image;
}

void drawBlackGlyph(QPainter& painter, const QRectF& rect, int i)
{
    drawGlyph(painter, rect, static_cast<Glyph>(i), QColor(Qt::black));
}

void drawBlackIcon(QPainter& painter, const QRectF& rect, int i)
{
    drawIcon(painter, rect, static_cast<Icon>(i), QColor(Qt::black));
}

void addSets()
{
    QTest::addColumn<Draw>("draw");
    QTest::addColumn<int>("count");
    QTest::newRow("glyphs") << Draw(drawBlackGlyph) << kGlyphCount;
    QTest::newRow("icons") << Draw(drawBlackIcon) << kIconCount;
}

} // namespace

Q_DECLARE_METATYPE(Draw)

void TestGlyphs::shapesDiffer_data() { addSets(); }

/// At 16 px and without colour, each is told from every other by many pixels.
void TestGlyphs::shapesDiffer()
{
    QFETCH(Draw, draw);
    QFETCH(int, count);
    std::vector<QImage> images;
    for (int i = 0; i < count; ++i)
        images.push_back(drawn(draw, i, QSize(16, 16), QRectF(0, 0, 16, 16)));
    for (std::size_t a = 0; a < images.size(); ++a)
        for (std::size_t b = a + 1; b < images.size(); ++b) {
            int different = 0;
            for (int y = 0; y < 16; ++y)
                for (int x = 0; x < 16; ++x)
                    different
                        += std::abs(qGray(images[a].pixel(x, y)) - qGray(images[b].pixel(x, y)))
                            > 100
                        ? 1
                        : 0;
            QVERIFY2(different >= 4, qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
        }
}

void TestGlyphs::stayInsideTheirRectangle_data() { addSets(); }

void TestGlyphs::stayInsideTheirRectangle()
{
    QFETCH(Draw, draw);
    QFETCH(int, count);
    const QRectF rect(10, 14, 64, 40); // not square: drawn in the middle, 40 × 40
    const QRect square(22, 14, 40, 40);
    for (int i = 0; i < count; ++i) {
        const QImage image = drawn(draw, i, QSize(90, 70), rect);
        int ink = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) == qRgb(255, 255, 255))
                    continue;
                QVERIFY2(square.contains(x, y), qPrintable(QString::number(i)));
                ++ink;
            }
        QVERIFY2(ink > 40, qPrintable(QString::number(i)));
    }
}

/// A tick shows whatever stands behind the glyph, on every ground.
void TestGlyphs::ticksAreHoles()
{
    for (const Glyph glyph : { Glyph::OverCapacity, Glyph::Rejected }) {
        QVERIFY(!glyphPath(glyph).contains(QPointF(8, 8)));
        QVERIFY(glyphPath(glyph).contains(QPointF(8, 3)));
    }
    QVERIFY(!glyphPath(Glyph::Fit).contains(QPointF(7.1, 10.6)));
    QVERIFY(!glyphPath(Glyph::Open).contains(QPointF(5, 8)));
    QVERIFY(glyphPath(Glyph::Open).contains(QPointF(11, 8)));
    QVERIFY(!glyphPath(Glyph::Tight).contains(QPointF(8, 6.3)));
    QVERIFY(glyphPath(Glyph::Tight).contains(QPointF(8, 11)));
    QVERIFY(!glyphPath(Glyph::PartlyDemonstrated).contains(QPointF(6, 6)));
    QVERIFY(glyphPath(Glyph::PartlyDemonstrated).contains(QPointF(10, 6)));
}

void TestGlyphs::iconsFollowRatioAndState()
{
    const Theme& theme = Theme::light();
    const QIcon icons[] { makeIcon(Icon::Add, theme), glyphIcon(Glyph::Fit, theme) };
    for (const QIcon& icon : icons) {
        QVERIFY(!icon.isNull());
        for (const double ratio : { 1.0, 1.5, 2.0 }) {
            const QPixmap pixmap = icon.pixmap(QSize(16, 16), ratio);
            QCOMPARE(pixmap.size(), (QSizeF(16, 16) * ratio).toSize());
            QCOMPARE(pixmap.devicePixelRatio(), ratio);
        }
        const auto darkest = [&icon](QIcon::Mode mode) {
            const QImage image = icon.pixmap(QSize(32, 32), 1, mode).toImage();
            int least = 255;
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x)
                    if (image.pixelColor(x, y).alpha() == 255)
                        least = std::min(least, image.pixelColor(x, y).lightness());
            return least;
        };
        QVERIFY(darkest(QIcon::Normal) < darkest(QIcon::Disabled));
        QCOMPARE(qAlpha(icon.pixmap(32, 32).toImage().pixel(0, 0)), 0);
    }
}

void TestGlyphs::colorsCarryTheFinding()
{
    for (const Theme* theme : { &Theme::light(), &Theme::dark() }) {
        QCOMPARE(glyphColor(Glyph::OverCapacity, *theme), theme->over);
        QCOMPARE(glyphColor(Glyph::Contradicted, *theme), theme->over);
        QCOMPARE(glyphColor(Glyph::Tight, *theme), theme->flag);
        QCOMPARE(glyphColor(Glyph::NotLegal, *theme), theme->flag);
        QCOMPARE(glyphColor(Glyph::Fit, *theme), theme->ok);
        QCOMPARE(glyphColor(Glyph::Open, *theme), theme->open);
        QCOMPARE(iconColor(Icon::NotEstablished, *theme), theme->overText);
    }
}

QTEST_MAIN(TestGlyphs)
#include "test_glyphs.moc"
