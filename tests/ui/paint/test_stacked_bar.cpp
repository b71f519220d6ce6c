#include "paint/stacked_bar.h"
#include "sample_bars.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <random>

using namespace shardrack;
using sample::gibibytes;

Q_DECLARE_METATYPE(shardrack::BarDirection)

class TestStackedBar : public QObject {
    Q_OBJECT

private slots:
    void sums();
    void lengthsSumToTheNeed_data();
    void lengthsSumToTheNeed();
    void fillsAreTheCategories_data();
    void fillsAreTheCategories();
    void beyondUsableLooksDifferent();
    void openEndIsDrawnAboveTheNeed_data();
    void openEndIsDrawnAboveTheNeed();
    void slightExcessIsSeen();
    void measuredIsADiamond();
    void beforeIsDrawn();
    void idleHasNoFill();
};

namespace {

const PaintStyle& screenStyle()
{
    static const PaintStyle style(
        Theme::light(), Surface::Screen, QFont(QStringLiteral("Noto Sans")));
    return style;
}

QImage painted(const StackedBar& bar, const BarScale& scale, const StackedBarOptions& options = {},
    QSize size = QSize(120, 220))
{
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawStackedBar(painter, bar, scale, screenStyle(), options);
    return image;
}

int pixelsOf(const QImage& image, const QColor& color)
{
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            pixels += image.pixel(x, y) == color.rgb() ? 1 : 0;
    return pixels;
}

} // namespace

void TestStackedBar::sums()
{
    StackedBar bar = sample::bar({ { Category::State, 24 } }, 16, 16);
    QCOMPARE(bar.need(), gibibytes(24));
    QCOMPARE(*bar.headroom(), Bytes(-8 * kGiB));
    QVERIFY(bar.over());
    QVERIFY(!bar.open());
    sample::openTerms(bar);
    QVERIFY(bar.open());
    QCOMPARE(bar.need(), gibibytes(24)); // not established is not zero, but adds nothing known
    bar.usable = gibibytes(24);
    QVERIFY(!bar.over()); // as much as usable is not over
    bar.usable.reset();
    QVERIFY(!bar.headroom());
    QVERIFY(!bar.over());
}

void TestStackedBar::lengthsSumToTheNeed_data()
{
    QTest::addColumn<BarDirection>("direction");
    QTest::addColumn<double>("ratio");
    for (const double ratio : { 1.0, 1.25, 1.5, 2.0 }) {
        QTest::addRow("up at %g", ratio) << BarDirection::Up << ratio;
        QTest::addRow("right at %g", ratio) << BarDirection::Right << ratio;
    }
}

/// Random stacks: pieces abut in order without gap or overlap, lie on whole device pixels, end
/// within a pixel of the need, and each begins within a pixel of its place.
void TestStackedBar::lengthsSumToTheNeed()
{
    QFETCH(BarDirection, direction);
    QFETCH(double, ratio);
    const PaintStyle style(Theme::light(), Surface::Screen, QFont(), ratio);
    std::mt19937 random(7);
    std::uniform_int_distribution<std::int64_t> bytes(0, 9 * kGiB);
    for (int round = 0; round < 200; ++round) {
        StackedBar bar;
        for (const Category category : kCategories)
            bar.segments.push_back(
                { category, Bytes(round % 3 ? bytes(random) : bytes(random) / 500), false });
        bar.usable = Bytes(bytes(random) * 5);
        const Bytes full(90 * kGiB);
        const QRectF track(10.3, 7.7, 311, 247);
        const BarScale scale(track, full, direction, style);
        const bool up = direction == BarDirection::Up;
        const qreal length = up ? scale.track().height() : scale.track().width();
        qreal end = up ? scale.track().bottom() : scale.track().left();
        const qreal start = end;
        qreal sum = 0;
        for (const SegmentPiece& piece : segmentPieces(bar, scale)) {
            const qreal from = up ? piece.rect.bottom() : piece.rect.left();
            const qreal to = up ? piece.rect.top() : piece.rect.right();
            QVERIFY(qAbs(from - end) < 1e-9);
            QVERIFY(qAbs(from * ratio - std::round(from * ratio)) < 1e-6);
            QVERIFY(piece.beyondUsable ? qAbs(to - start) >= qAbs(scale.at(*bar.usable) - start)
                                       : qAbs(to - start) <= qAbs(scale.at(*bar.usable) - start));
            sum += qAbs(to - from);
            end = to;
        }
        const double expected
            = static_cast<double>(bar.need().count()) / static_cast<double>(full.count()) * length;
        QVERIFY(qAbs(sum - expected) <= 1);
    }
}

void TestStackedBar::fillsAreTheCategories_data()
{
    QTest::addColumn<int>("category");
    for (const Category category : kCategories)
        QTest::newRow(id(category)) << static_cast<int>(category);
}

/// A wide bar shows fill and hatch of its category; one under 6 px only the fill.
void TestStackedBar::fillsAreTheCategories()
{
    QFETCH(int, category);
    const CategoryStyle& look = Theme::light().style(static_cast<Category>(category));
    const StackedBar bar = sample::bar({ { static_cast<Category>(category), 10 } }, 100, 100);
    const QImage wide = painted(
        bar, BarScale(QRectF(10, 10, 60, 200), gibibytes(20), BarDirection::Up, screenStyle()));
    QVERIFY(pixelsOf(wide, look.fill) > 60 * 100 / 2);
    if (look.hatch.kind != HatchKind::None)
        QVERIFY(pixelsOf(wide, look.hatch.pen) > 100);
    const QImage narrow = painted(
        bar, BarScale(QRectF(10, 10, 5, 200), gibibytes(20), BarDirection::Up, screenStyle()));
    QCOMPARE(pixelsOf(narrow, look.fill), 5 * 100);
}

void TestStackedBar::beyondUsableLooksDifferent()
{
    const Theme& theme = Theme::light();
    const StackedBar bar = sample::bar({ { Category::State, 24 } }, 16, 16);
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    const QImage image = painted(bar, scale);
    QCOMPARE(scale.at(gibibytes(16)), 110.0);
    const QColor state = theme.style(Category::State).fill;
    QCOMPARE(pixelsOf(image.copy(10, 110, 60, 100), state), 60 * 100);
    const QImage beyond = image.copy(10, 60, 60, 50);
    QCOMPARE(pixelsOf(beyond, state), 0);
    QVERIFY(pixelsOf(beyond, theme.veiled(state)) > 500);
    QVERIFY(pixelsOf(beyond, theme.over) > 50);
}

void TestStackedBar::openEndIsDrawnAboveTheNeed_data()
{
    QTest::addColumn<BarDirection>("direction");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    QTest::newRow("up") << BarDirection::Up << 28.0 << 46.0;
    QTest::newRow("right") << BarDirection::Right << 30.0 << 150.0;
}

void TestStackedBar::openEndIsDrawnAboveTheNeed()
{
    QFETCH(BarDirection, direction);
    QFETCH(double, least);
    QFETCH(double, most);
    const bool up = direction == BarDirection::Up;
    for (const double size : { 100.0, 200.0, 400.0, 2000.0 }) {
        const BarScale scale(QRectF(0, 0, size, size), gibibytes(32), direction, screenStyle());
        const QRectF end = openTermRect(gibibytes(6), scale);
        const qreal length = up ? end.height() : end.width();
        QVERIFY(length >= least && length <= most);
        QCOMPARE(up ? end.bottom() : end.left(), scale.at(gibibytes(6)));
    }
    StackedBar bar = sample::bar({ { Category::State, 6 } }, 16, 16);
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    const QImage closed = painted(bar, scale);
    sample::openTerms(bar);
    QVERIFY(painted(bar, scale) != closed);
}

/// A tenth of a pixel over capacity still shows above the usable line and its halo.
void TestStackedBar::slightExcessIsSeen()
{
    StackedBar bar = sample::bar({ { Category::State, 16.02 } }, 16, 16);
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    StackedBarOptions options;
    options.lines = true;
    QVERIFY(pixelsOf(painted(bar, scale, options), Theme::light().over) >= 60 * 2);
    bar.segments[0].bytes = gibibytes(16);
    QCOMPARE(pixelsOf(painted(bar, scale, options), Theme::light().over), 0);
}

/// Measured stands on the bar where it was read, above need or below it, and changes nothing else.
void TestStackedBar::measuredIsADiamond()
{
    StackedBar bar = sample::bar({ { Category::State, 8 } }, 16, 16);
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    const auto marked = [&](const BarScale& on) {
        QImage image(90, 230, QImage::Format_ARGB32_Premultiplied);
        image.fill(Theme::light().over);
        QPainter painter(&image);
        drawMeasured(painter, bar, on, screenStyle());
        return image;
    };
    const int all = 90 * 230;
    QCOMPARE(pixelsOf(marked(scale), Theme::light().over), all); // nothing was read
    for (const double gib : { 4.0, 12.0 }) {
        bar.measured = gibibytes(gib);
        const int y = qRound(scale.at(gibibytes(gib)));
        const QImage image = marked(scale);
        QVERIFY(pixelsOf(image, Theme::light().view) > 10);
        QCOMPARE(pixelsOf(image.copy(30, y - 8, 20, 16), Theme::light().view),
            pixelsOf(image, Theme::light().view));
    }
    QCOMPARE(bar.need(), gibibytes(8));
    const BarScale narrow(QRectF(10, 10, 5, 200), gibibytes(32), BarDirection::Up, screenStyle());
    QCOMPARE(pixelsOf(marked(narrow), Theme::light().over), all);
}

void TestStackedBar::beforeIsDrawn()
{
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    const StackedBar six = sample::bar({ { Category::State, 6 } }, 16, 16);
    const StackedBar more = sample::bar({ { Category::State, 24 } }, 16, 16);
    StackedBarOptions options;
    const QImage plain = painted(six, scale);
    options.before = &six;
    QVERIFY(painted(six, scale, options) == plain); // unchanged
    options.before = &more;
    const QImage fell = painted(six, scale, options);
    QVERIFY(fell != plain);
    QVERIFY(fell.copy(0, 174, 120, 46) == plain.copy(0, 174, 120, 46)); // the bar itself is kept
    options.before = &six;
    QVERIFY(painted(more, scale, options) != painted(more, scale));
}

void TestStackedBar::idleHasNoFill()
{
    StackedBar bar = sample::bar({}, 16, 16);
    bar.idle = true;
    const BarScale scale(QRectF(10, 10, 60, 200), gibibytes(32), BarDirection::Up, screenStyle());
    const QImage image = painted(bar, scale);
    QVERIFY(pixelsOf(image.copy(12, 112, 56, 96), Qt::white) == 56 * 96);
    QVERIFY(pixelsOf(image, Qt::white) < 120 * 220); // its dashed outline
}

QTEST_MAIN(TestStackedBar)
#include "test_stacked_bar.moc"
