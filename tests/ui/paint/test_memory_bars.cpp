#include "paint/memory_bars.h"
#include "sample_bars.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <numeric>
#include <random>

using namespace shardrack;
using sample::gibibytes;

Q_DECLARE_METATYPE(shardrack::BarsMode)

class TestMemoryBars : public QObject {
    Q_OBJECT

private slots:
    void modes_data();
    void modes();
    void hitTestInvertsLayout_data();
    void hitTestInvertsLayout();
    void binsPartitionTheBars_data();
    void binsPartitionTheBars();
    void binsHideNothing();
    void mostLoadedIsLeastHeadroom();
    void whatIfBins();
    void overflowIsPainted();
    void sideLabelsDoNotOverlap_data();
    void sideLabelsDoNotOverlap();
    void sideLabelsSayWhatIsKnown();
    void labelsOnlyForWhatIsVisible_data();
    void labelsOnlyForWhatIsVisible();
    void everyPartInsideTheArea_data();
    void everyPartInsideTheArea();
    void oddInputs();
};

namespace {

const QRectF kArea(0, 0, 900, 360);

PaintStyle styleAt(qreal ratio)
{
    QFont font(QStringLiteral("Noto Sans"));
    return PaintStyle(Theme::light(), Surface::Screen, font, ratio);
}

MemoryBarsInput repeated(MemoryBarsInput input, int count)
{
    input.bars.assign(static_cast<std::size_t>(count), 0);
    input.selected.clear();
    return input;
}

QImage painted(const MemoryBarsInput& input, const QRectF& area = kArea)
{
    const PaintStyle style = styleAt(1);
    QImage image(area.size().toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(style.theme->view);
    QPainter painter(&image);
    paintMemoryBars(painter, input, layoutMemoryBars(input, area, style), style);
    return image;
}

QString rowsOf(const MemoryBarsLayout& layout)
{
    QStringList texts;
    for (const SideLabel& label : layout.sideLabels)
        for (const SideLabel::Row& row : label.rows)
            texts << row.text;
    return texts.join(QLatin1Char('|'));
}

} // namespace

void TestMemoryBars::modes_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("width");
    QTest::addColumn<BarsMode>("mode");
    QTest::newRow("none") << 0 << 900.0 << BarsMode::Empty;
    QTest::newRow("one") << 1 << 900.0 << BarsMode::Wide;
    QTest::newRow("eight") << 8 << 900.0 << BarsMode::Wide;
    QTest::newRow("eight without room") << 8 << 350.0 << BarsMode::Narrow;
    QTest::newRow("nine") << 9 << 900.0 << BarsMode::Narrow;
    QTest::newRow("128") << 128 << 900.0 << BarsMode::Narrow;
    QTest::newRow("128 without room") << 128 << 400.0 << BarsMode::Columns;
    QTest::newRow("129") << 129 << 900.0 << BarsMode::Columns;
    QTest::newRow("131072") << 131072 << 900.0 << BarsMode::Columns;
}

void TestMemoryBars::modes()
{
    QFETCH(int, count);
    QFETCH(double, width);
    QFETCH(BarsMode, mode);
    const MemoryBarsInput input = repeated(sample::fourGpus(6), count);
    QVERIFY(layoutMemoryBars(input, QRectF(0, 0, width, 360), styleAt(1)).mode == mode);
}

void TestMemoryBars::hitTestInvertsLayout_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("ratio");
    for (const int count : { 1, 4, 8, 9, 24, 128, 129, 700, 1000, 16384, 131072 })
        for (const double ratio : { 1.0, 1.5 })
            QTest::addRow("%d at %g", count, ratio) << count << ratio;
}

void TestMemoryBars::hitTestInvertsLayout()
{
    QFETCH(int, count);
    QFETCH(double, ratio);
    const MemoryBarsInput input = repeated(sample::fourGpus(6), count);
    const MemoryBarsLayout layout = layoutMemoryBars(input, kArea, styleAt(ratio));
    for (int bar = 0; bar < count; bar += 1 + count / 997) {
        const int hit = layout.barAt(layout.barSlot(bar).center());
        if (layout.mode == BarsMode::Columns) {
            const int slot = layout.columnOf(bar);
            const BarColumn& column = layout.columns[static_cast<std::size_t>(slot)];
            QVERIFY(column.first <= bar && bar < column.end);
            QCOMPARE(hit, column.most);
        } else {
            QCOMPARE(hit, bar);
            QVERIFY(layout.barSlot(bar).contains(layout.trackRect(bar)));
        }
    }
    const qreal y = layout.plot.center().y();
    QCOMPARE(layout.barAt(QPointF(layout.plot.left() - 1, y)), -1);
    QCOMPARE(layout.barAt(QPointF(layout.plot.right() + 1, y)), -1);
    QCOMPARE(layout.barAt(QPointF(layout.plot.left() + 1, layout.plot.top() - 2)), -1);
    // The label under a bar belongs to it.
    QVERIFY(layout.barAt(QPointF(layout.plot.left() + 1, layout.labels.bottom() - 1)) >= 0);
}

void TestMemoryBars::binsPartitionTheBars_data()
{
    QTest::addColumn<int>("count");
    for (const int count : { 129, 500, 777, 4096, 16384, 131072 })
        QTest::addRow("%d", count) << count;
}

/// Every bar in exactly one bin, in order, bins of equal size to within one bar.
void TestMemoryBars::binsPartitionTheBars()
{
    QFETCH(int, count);
    const MemoryBarsLayout layout
        = layoutMemoryBars(repeated(sample::fourGpus(6), count), kArea, styleAt(1));
    const int columns = static_cast<int>(layout.columns.size());
    QVERIFY(columns <= layout.plot.width());
    int next = 0;
    for (const BarColumn& column : layout.columns) {
        QCOMPARE(column.first, next);
        const int size = column.end - column.first;
        QVERIFY(size == count / columns || size == count / columns + 1);
        next = column.end;
    }
    QCOMPARE(next, count);
}

/// One device over capacity, one open and one selected among 131,072, at every kind of place.
void TestMemoryBars::binsHideNothing()
{
    MemoryBarsInput input;
    StackedBar over = sample::bar({ { Category::State, 16.01 } }, 16, 16);
    StackedBar open = sample::bar({ { Category::State, 1 } }, 16, 16);
    sample::openTerms(open);
    input.classes = { sample::bar({ { Category::State, 15.99 } }, 16, 16), over, open };
    input.bars.assign(131072, 0);
    input.selected.assign(131072, 0);
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        const std::size_t a = random() % 131072, b = random() % 131072, c = random() % 131072;
        if (a == b)
            continue;
        input.bars[a] = 1;
        input.bars[b] = 2;
        input.selected[c] = 1;
        const MemoryBarsLayout layout = layoutMemoryBars(input, kArea, styleAt(1.5));
        const auto column = [&layout](std::size_t bar) -> const BarColumn& {
            return layout.columns[static_cast<std::size_t>(layout.columnOf(static_cast<int>(bar)))];
        };
        QCOMPARE(layout.overCount, 1);
        QCOMPARE(column(a).most, static_cast<int>(a));
        QCOMPARE(column(a).over, 1);
        QVERIFY(column(b).open);
        QVERIFY(column(c).selected);
        int over_ = 0, open_ = 0, selected_ = 0;
        for (const BarColumn& each : layout.columns) {
            over_ += each.over;
            open_ += each.open ? 1 : 0;
            selected_ += each.selected ? 1 : 0;
        }
        QCOMPARE(over_, 1);
        QCOMPARE(open_, 1);
        QCOMPARE(selected_, 1);
        input.bars[a] = input.bars[b] = 0;
        input.selected[c] = 0;
    }
}

/// 76.40 of 72.00 comes before 80.24 of 79.10: least headroom, not most bytes.
void TestMemoryBars::mostLoadedIsLeastHeadroom()
{
    MemoryBarsInput input;
    StackedBar idle = sample::bar({}, 40, 40);
    idle.idle = true;
    StackedBar noLimit = sample::bar({ { Category::State, 500 } }, 0, 0);
    noLimit.usable.reset();
    input.classes = { sample::bar({ { Category::State, 80.24 } }, 79.10, 79.65),
        sample::bar({ { Category::State, 76.40 } }, 72, 79.65),
        sample::bar({ { Category::State, 10 } }, 79.10, 79.65), idle, noLimit };
    input.bars.resize(5000);
    for (std::size_t i = 0; i < input.bars.size(); ++i)
        input.bars[i] = static_cast<std::int32_t>((i * 3) % 5);
    const MemoryBarsLayout layout = layoutMemoryBars(input, QRectF(0, 0, 400, 300), styleAt(1));
    for (const BarColumn& column : layout.columns) {
        QVERIFY(column.end - column.first >= 5);
        QCOMPARE(input.classOf(column.most), 1);
        QCOMPARE(input.classOf(column.least), 4); // nothing limits it; an idle device is no device
    }
    input.bars.assign(5000, 3);
    const MemoryBarsLayout none = layoutMemoryBars(input, QRectF(0, 0, 400, 300), styleAt(1));
    QCOMPARE(none.overCount, 0);
    QCOMPARE(none.columns.front().most, none.columns.front().least);
}

void TestMemoryBars::whatIfBins()
{
    MemoryBarsInput input = sample::pipeline(16384);
    input.before = input.bars;
    std::swap(input.before.front(), input.before[8000]);
    input.bars.insert(input.bars.end(), 2000, 3);
    input.before.insert(input.before.end(), 2000, -1);
    const MemoryBarsLayout layout = layoutMemoryBars(input, kArea, styleAt(1));
    QVERIFY(layout.columns.back().isNew);
    QCOMPARE(layout.columns.back().mostBefore, -1);
    QVERIFY(!layout.columns.front().isNew);
    const BarColumn& moved = layout.columns[static_cast<std::size_t>(layout.columnOf(8000))];
    QCOMPARE(moved.mostBefore, 8000);
    QVERIFY(input.barBefore(8000)->over());
    QVERIFY(!input.barBefore(static_cast<int>(input.bars.size()) - 1));
}

/// The excess of one device is seen in the picture, whatever the number of devices.
void TestMemoryBars::overflowIsPainted()
{
    for (const int count : { 4, 24, 128, 1000, 131072 }) {
        MemoryBarsInput input = repeated(sample::fourGpus(6), count);
        input.classes.push_back(sample::bar({ { Category::State, 16.01 } }, 16, 16));
        input.legend = false;
        const auto orange = [](const QImage& image) {
            int pixels = 0;
            for (int y = 40; y < image.height(); ++y) // below the bracket that counts them
                for (int x = 0; x < image.width(); ++x)
                    pixels += image.pixel(x, y) == Theme::light().over.rgb() ? 1 : 0;
            return pixels;
        };
        QCOMPARE(orange(painted(input)), 0);
        input.bars[static_cast<std::size_t>(count) / 2] = 1;
        QVERIFY2(orange(painted(input)) >= 2, qPrintable(QString::number(count)));
    }
}

void TestMemoryBars::sideLabelsDoNotOverlap_data()
{
    QTest::addColumn<double>("usable");
    QTest::addColumn<double>("margin");
    QTest::addColumn<double>("height");
    for (const double height : { 120.0, 360.0 })
        for (const double usable : { 1.0, 40.0, 79.1, 79.65 })
            for (const double margin : { 0.1, 4.0, 30.0 })
                QTest::addRow("%g - %g in %g", usable, margin, height)
                    << usable << margin << height;
}

void TestMemoryBars::sideLabelsDoNotOverlap()
{
    QFETCH(double, usable);
    QFETCH(double, margin);
    QFETCH(double, height);
    MemoryBarsInput input = sample::whatIf();
    for (StackedBar& bar : input.classes) {
        bar.usable = gibibytes(usable);
        bar.margin = gibibytes(margin);
        bar.usableConfirmed = false;
    }
    const MemoryBarsLayout layout = layoutMemoryBars(input, QRectF(0, 0, 900, height), styleAt(1));
    QVERIFY(layout.sideLabels.size() >= 2);
    for (std::size_t i = 1; i < layout.sideLabels.size(); ++i)
        QVERIFY(layout.sideLabels[i].rect.top() >= layout.sideLabels[i - 1].rect.bottom() - 1e-9);
    QVERIFY(layout.sideLabels.front().rect.top() >= -1e-9);
}

void TestMemoryBars::sideLabelsSayWhatIsKnown()
{
    const auto texts = [](const MemoryBarsInput& input) {
        return rowsOf(layoutMemoryBars(input, kArea, styleAt(1)));
    };
    QCOMPARE(texts(sample::fourGpus(24)), QStringLiteral("usable 16.00|not confirmed|= installed"));
    QCOMPARE(texts(sample::whatIf()),
        QStringLiteral("installed 79.65|usable 79.10|required margin|4.00 GiB (policy)"));
    QCOMPARE(texts(sample::pipeline(16384)),
        QStringLiteral("installed 79.65|usable 79.10|72.00 on 32 of 16,384"));
    QCOMPARE(texts(sample::mixed()),
        QStringLiteral("installed 16.00|usable 14.00|not confirmed: 1 of 5|16.00 on 2 of "
                       "5|required margin|1.00 GiB"));
}

void TestMemoryBars::labelsOnlyForWhatIsVisible_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("most");
    QTest::newRow("8") << 8 << 9;
    QTest::newRow("128") << 128 << 60;
    QTest::newRow("131072") << 131072 << 0;
}

void TestMemoryBars::labelsOnlyForWhatIsVisible()
{
    QFETCH(int, count);
    QFETCH(int, most);
    MemoryBarsInput input = repeated(sample::fourGpus(6), count);
    int asked = 0;
    input.label = [&asked](int i) {
        ++asked;
        return QString::number(i);
    };
    painted(input);
    QVERIFY2(asked <= most, qPrintable(QString::number(asked)));
}

void TestMemoryBars::everyPartInsideTheArea_data()
{
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::newRow("usual") << 980.0 << 360.0;
    QTest::newRow("small") << 420.0 << 200.0;
    QTest::newRow("wide and low") << 1600.0 << 180.0;
    QTest::newRow("tall") << 500.0 << 900.0;
}

void TestMemoryBars::everyPartInsideTheArea()
{
    QFETCH(double, width);
    QFETCH(double, height);
    const QRectF area(0, 0, width, height);
    const QRectF bounds = area.adjusted(-0.5, -0.5, 0.5, 0.5);
    for (const MemoryBarsInput& input :
        { sample::fourGpus(24), sample::mixed(), sample::whatIf(), sample::pipeline(16384) }) {
        const MemoryBarsLayout layout = layoutMemoryBars(input, area, styleAt(1));
        QVERIFY(bounds.contains(layout.plot));
        QVERIFY(bounds.contains(layout.labels));
        if (!layout.legend.isEmpty())
            QVERIFY(bounds.contains(layout.legend));
        for (const SideLabel& label : layout.sideLabels) {
            QVERIFY(label.rect.left() >= layout.plot.right());
            QVERIFY(!layout.legendAtRight || !label.rect.intersects(layout.legend));
        }
    }
}

/// Nothing of this may crash: tiny areas, no usable, no installed, all idle, huge sizes.
void TestMemoryBars::oddInputs()
{
    std::vector<MemoryBarsInput> inputs { MemoryBarsInput(), sample::mixed(),
        sample::pipeline(4096) };
    MemoryBarsInput bare;
    bare.classes = { StackedBar() };
    bare.bars = { 0, 0, 0 };
    inputs.push_back(bare);
    bare.classes[0].idle = true;
    bare.before = { -1, 0, 0 };
    bare.hovered = 1;
    inputs.push_back(bare);
    MemoryBarsInput huge;
    huge.classes = { sample::bar({ { Category::State, 8e9 - 1e6 } }, 16, 16) };
    huge.classes[0].margin = gibibytes(32); // more than is usable
    huge.bars.assign(300, 0);
    inputs.push_back(huge);
    for (const MemoryBarsInput& input : inputs)
        for (const QSize size : { QSize(1, 1), QSize(30, 20), QSize(200, 60), QSize(900, 360) })
            painted(input, QRectF(QPointF(0, 0), size));
}

QTEST_MAIN(TestMemoryBars)
#include "test_memory_bars.moc"
