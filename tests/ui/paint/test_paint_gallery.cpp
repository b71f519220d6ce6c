#include "paint/glyphs.h"
#include "paint/hatch.h"
#include "paint/memory_bars.h"
#include "sample_bars.h"

#include <QDir>
#include <QGuiApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QTest>

#include <set>

using namespace shardrack;

namespace {

using Draw = void (*)(QPainter&, const QRectF&, const PaintStyle&);

void drawBars(
    QPainter& painter, const QRectF& area, const PaintStyle& style, const MemoryBarsInput& input)
{
    paintMemoryBars(painter, input, layoutMemoryBars(input, area, style), style);
}

void glyphsAndIcons(QPainter& painter, const QRectF&, const PaintStyle& style)
{
    qreal x = 12;
    for (int i = 0; i < kGlyphCount; ++i, x += 66) {
        drawGlyph(painter, QRectF(x, 24, 16, 16), static_cast<Glyph>(i), *style.theme);
        drawGlyph(painter, QRectF(x + 20, 12, 40, 40), static_cast<Glyph>(i), *style.theme);
    }
    for (int i = 0; i < kIconCount; ++i) {
        const QPointF at(12 + (i % 14) * 56, 72 + i / 14 * 44);
        const Icon icon = static_cast<Icon>(i);
        drawIcon(painter, QRectF(at + QPointF(0, 8), QSizeF(16, 16)), icon,
            iconColor(icon, *style.theme));
        drawIcon(painter, QRectF(at + QPointF(20, 0), QSizeF(32, 32)), icon,
            iconColor(icon, *style.theme));
    }
}

void horizontalBars(QPainter& painter, const QRectF& area, const PaintStyle& style)
{
    const MemoryBarsInput four = sample::fourGpus(24), shards = sample::fourGpus(6),
                          all = sample::mixed();
    const StackedBar bars[] { four.bar(0), shards.bar(0), all.bar(2), all.bar(0), all.bar(3) };
    StackedBarOptions options;
    options.labels = BarLabels::NamesAndNumbers;
    options.lines = true;
    qreal y = 16;
    for (const StackedBar& bar : bars) {
        const BarScale scale(QRectF(20, y, area.width() - 40, 38), sample::gibibytes(32),
            BarDirection::Right, style);
        drawStackedBar(painter, bar, scale, style, options);
        y += 56;
    }
    options.labels = BarLabels::None;
    qreal x = 20;
    for (const StackedBar& bar : bars) { // as on the cards and in the cells of the canvas
        drawStackedBar(painter, bar,
            BarScale(QRectF(x, y, 160, 20), sample::gibibytes(32), BarDirection::Right, style),
            style, options);
        drawStackedBar(painter, bar,
            BarScale(QRectF(x, y + 32, 13, 40), sample::gibibytes(24), BarDirection::Up, style),
            style, options);
        drawStackedBar(painter, bar,
            BarScale(QRectF(x + 40, y + 32, 5, 40), sample::gibibytes(24), BarDirection::Up, style),
            style, options);
        x += 190;
    }
    x = 20;
    for (const Category category : kCategories) {
        drawSwatch(painter, QRectF(x, y + 84, 13, 13), category, style);
        x += 20;
    }
    drawOpenSwatch(painter, QRectF(x, y + 84, 13, 13), style);
    drawOverSwatch(painter, QRectF(x + 20, y + 84, 13, 13), style);
}

struct Picture {
    const char* name;
    QSize size;
    Draw draw;
};

const Picture kPictures[] {
    { "glyphs", { 810, 215 }, glyphsAndIcons },
    { "horizontal", { 1000, 410 }, horizontalBars },
    { "four-replicas", { 720, 400 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            drawBars(painter, area, style, sample::fourGpus(24));
        } },
    { "four-shards", { 720, 400 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            drawBars(painter, area, style, sample::fourGpus(6));
        } },
    { "mixed", { 720, 400 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            drawBars(painter, area, style, sample::mixed());
        } },
    { "what-if", { 980, 355 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            drawBars(painter, area, style, sample::whatIf());
        } },
    { "100-open", { 900, 355 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            MemoryBarsInput input = sample::fourGpus(6);
            input.bars.assign(100, 0);
            input.selected.assign(100, 0);
            input.selected[7] = 1;
            input.legend = true;
            input.label = [](int i) { return QString::number(i); };
            drawBars(painter, area, style, input);
        } },
    { "16384", { 980, 310 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            MemoryBarsInput input = sample::pipeline(16384);
            input.selected.assign(input.bars.size(), 0);
            for (int i = 0; i < 32; ++i)
                input.selected[static_cast<std::size_t>(i)] = 1;
            drawBars(painter, area, style, input);
        } },
    { "16384-shuffled", { 980, 310 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            MemoryBarsInput input = sample::pipeline(16384);
            std::vector<std::int32_t> shuffled(input.bars.size());
            for (std::size_t i = 0; i < shuffled.size(); ++i)
                shuffled[i] = input.bars[i * 4099 % shuffled.size()];
            input.bars = shuffled;
            drawBars(painter, area, style, input);
        } },
    { "16384-what-if-open", { 980, 310 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            MemoryBarsInput input = sample::pipeline(16384);
            input.before = input.bars;
            input.classes.push_back(sample::pipeline(16384).classes[5]);
            sample::openTerms(input.classes.back());
            const std::int32_t added = static_cast<std::int32_t>(input.classes.size()) - 1;
            for (std::size_t i = 4000; i < 6000; ++i)
                input.bars[i] = added;
            input.bars.insert(input.bars.end(), 1024, added);
            input.before.insert(input.before.end(), 1024, -1);
            drawBars(painter, area, style, input);
        } },
    { "empty", { 720, 240 },
        [](QPainter& painter, const QRectF& area, const PaintStyle& style) {
            drawBars(painter, area, style, MemoryBarsInput());
        } },
};

} // namespace

/// Paints one of everything, in both themes and at two device pixel ratios, into files beside the
/// test programs, for people to look at. It checks only that something was painted.
class TestPaintGallery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void pictures_data();
    void pictures();
    void paper();

private:
    QDir m_folder { QStringLiteral(SHARDRACK_BINARY_DIR "/tests/paint-gallery") };
};

void TestPaintGallery::initTestCase()
{
    QVERIFY(m_folder.mkpath(QStringLiteral(".")));
    QFont font(QStringLiteral("Noto Sans"));
    font.setPixelSize(12);
    QGuiApplication::setFont(font);
}

void TestPaintGallery::pictures_data()
{
    QTest::addColumn<int>("picture");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("ratio");
    for (int i = 0; i < static_cast<int>(std::size(kPictures)); ++i)
        for (const bool dark : { false, true })
            for (const double ratio : { 1.0, 1.5 })
                QTest::addRow("%s-%s-%g", kPictures[i].name, dark ? "dark" : "light", ratio)
                    << i << dark << ratio;
}

void TestPaintGallery::pictures()
{
    QFETCH(int, picture);
    QFETCH(bool, dark);
    QFETCH(double, ratio);
    const Picture& drawn = kPictures[picture];
    const Theme& theme = dark ? Theme::dark() : Theme::light();
    QImage image(QSizeF(drawn.size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.view);
    {
        QPainter painter(&image);
        drawn.draw(painter, QRectF(QPointF(0, 0), drawn.size).adjusted(8, 8, -8, -8),
            PaintStyle::screen(theme, ratio));
    }
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            colors.insert(image.pixel(x, y));
    QVERIFY2(colors.size() > 3, "nothing was painted");
    QVERIFY(image.save(
        m_folder.filePath(QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png"))));
}

/// A PDF of the same pictures: nothing in it may be an image or fade to transparent.
void TestPaintGallery::paper()
{
    const QString path = m_folder.filePath(QStringLiteral("paper.pdf"));
    {
        QPdfWriter writer(path);
        writer.setResolution(96);
        QPainter painter(&writer);
        const PaintStyle style = PaintStyle::paper(Theme::light(), QGuiApplication::font());
        bool first = true;
        for (const Picture& picture : kPictures) {
            if (!first)
                QVERIFY(writer.newPage());
            first = false;
            painter.save();
            painter.scale(0.68, 0.68);
            picture.draw(
                painter, QRectF(QPointF(0, 0), picture.size).adjusted(8, 8, -8, -8), style);
            painter.restore();
        }
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray pdf = file.readAll();
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY2(!pdf.contains("/Subtype /Image"), "a hatch became an image");
    QVERIFY2(!pdf.contains("/Shading"), "something fades");
}

QTEST_MAIN(TestPaintGallery)
#include "test_paint_gallery.moc"
