// The chart of a comparison: one axis, words beside bars, open ends, paper.

#include "paint/device_bar.h"
#include "plan/plan_json.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTest>

using namespace shardrack;

namespace {

constexpr qreal kLabel = 150;

const PaintStyle& screenStyle()
{
    static const PaintStyle style(
        Theme::light(), Surface::Screen, QFont(QStringLiteral("Noto Sans")));
    return style;
}

/// 24 GiB on four GPUs of 16 GiB: replicas (R), shards (S), and with all terms given (X); the last
/// with its own, smaller usable allocation (Y).
Comparison comparison(std::vector<std::size_t> offers = {})
{
    const std::string server = R"({"racks": [{"name": "A", "servers": [{"name": "A1",
        "gpus": {"type": "generic-16gib", "count": 4, )";
    const std::string open = server + R"("usable_confirmed": false}}]}]})";
    const std::string closed = server + R"("usable_bytes": 17179869184}}]}]})";
    const std::string small = server + R"("usable_bytes": 12884901888}}]}]})";
    const std::string given = R"("workload": {"state": {"stipulated": {"total_bytes": 25769803776}},
        "terms": {"gathered_bytes": 1073741824, "activations_bytes": 3221225472,
            "temporary_bytes": 0, "slack_bytes": 1073741824, "outside_bytes": 1073741824}})";
    const std::string text = R"({"format": "shardrack-plan", "version": 1,
        "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}}, "offers": [
        {"name": "R", "site": )"
        + open + R"(}, {"name": "S", "layout": {"preset": "fsdp"}, "site": )" + open
        + R"(}, {"name": "X", "layout": {"preset": "fsdp"}, "site": )" + closed + ", " + given
        + R"(}, {"name": "Y", "layout": {"preset": "fsdp"}, "site": )" + small + ", " + given
        + R"(, "measurements": [{"devices": "A1·0", "scope": "device", "peak_bytes": 10737418240,
            "phases": ["init"], "complete_steps": 2}]}, {"name": "Empty"}]})";
    ComparisonChoice choice;
    choice.offers = std::move(offers);
    return compare(std::make_shared<const Plan>(readPlan(text).value().plan), choice);
}

QImage painted(const ComparisonBarsInput& input, int width)
{
    const auto height = static_cast<int>(comparisonBarsHeight(input, width, screenStyle(), kLabel));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::light().view);
    QPainter painter(&image);
    paintComparisonBars(painter, input,
        layoutComparisonBars(input, image.rect(), screenStyle(), kLabel), screenStyle());
    return image;
}

bool isNear(const QColor& a, const QColor& b)
{
    return std::abs(a.red() - b.red()) < 24 && std::abs(a.green() - b.green()) < 24
        && std::abs(a.blue() - b.blue()) < 24;
}

} // namespace

class TestComparisonBars : public QObject {
    Q_OBJECT

private slots:
    void words();
    void oneAxis();
    void barsEndAtTheirNeed();
    void wordsDoNotCrossTheLine_data();
    void wordsDoNotCrossTheLine();
    void hitTest();
    void linesOfDifferentUsable();
    void legendNamesWhatIsThere();
    void nothingToShow();
    void paperHasNoPictures();
};

void TestComparisonBars::words()
{
    const ComparisonBarsInput input = comparisonBars(comparison());
    QCOMPARE(input.bars.size(), std::size_t(5));
    using Tone = ComparisonBar::Tone;
    // 24 of 16: over by 8; 24 ÷ 4 = 6, 16 − 6 = 10; 6 + 1 + 3 + 1 + 1 = 12, 16 − 12 = 4, 12 − 12 =
    // 0.
    QCOMPARE(input.bars[0].headline, QStringLiteral("need at least 24.00"));
    QCOMPARE(input.bars[0].detail, QStringLiteral("usable 16.00, over by at least 8.00"));
    QCOMPARE(input.bars[0].device, QStringLiteral("rank 0 and 3 equal"));
    QVERIFY(input.bars[0].tone == Tone::Over && input.bars[0].bar.open());
    QCOMPARE(input.bars[1].headline, QStringLiteral("need at least 6.00, five terms open"));
    QCOMPARE(input.bars[1].detail, QStringLiteral("10.00 to usable 16.00 is not a margin"));
    QVERIFY(input.bars[1].tone == Tone::Open && !input.bars[1].changedBasis);
    QCOMPARE(input.bars[2].headline, QStringLiteral("need 12.00"));
    QCOMPARE(input.bars[2].detail, QStringLiteral("4.00 below usable 16.00"));
    QVERIFY(input.bars[2].tone == Tone::Fit && input.bars[2].changedBasis);
    QCOMPARE(input.bars[3].detail, QStringLiteral("0.00 below usable 12.00"));
    QCOMPARE(input.bars[3].measured, std::optional(Bytes(10 * kGiB)));
    QCOMPARE(input.bars[3].note, QStringLiteral("highest measured 10.00, device memory in use"));
    QCOMPARE(input.bars[4].headline, QStringLiteral("no GPU has a rank"));
}

void TestComparisonBars::oneAxis()
{
    const ComparisonBarsInput input = comparisonBars(comparison());
    const auto layout = layoutComparisonBars(input, QRectF(0, 0, 1200, 400), screenStyle(), kLabel);
    QVERIFY(layout.axis.full() >= Bytes(24 * kGiB));
    for (const auto& row : layout.rows) {
        QCOMPARE(row.track.left(), layout.plot.left());
        QCOMPARE(row.track.width(), layout.plot.width());
    }
    // The first row is on top.
    QVERIFY(layout.rows[0].rect.bottom() <= layout.rows[1].rect.top());
}

void TestComparisonBars::barsEndAtTheirNeed()
{
    const ComparisonBarsInput input = comparisonBars(comparison({ 2, 1 }));
    const QImage image = painted(input, 1200);
    const auto layout = layoutComparisonBars(input, QRectF(image.rect()), screenStyle(), kLabel);
    const double perGib = layout.plot.width() / layout.axis.maximum();
    const QColor state = Theme::light().style(Category::State).fill;
    const auto at = [&](int row, double gib) {
        const QRectF& track = layout.rows[std::size_t(row)].track;
        return image.pixelColor(int(layout.plot.left() + gib * perGib), int(track.top()) + 3);
    };
    QVERIFY(isNear(at(0, 0.2), state) && isNear(at(0, 5.8), state));
    QVERIFY(!isNear(at(0, 6.5), state));
    QVERIFY(isNear(at(1, 5.8), state) && !isNear(at(1, 6.3), state));
    // What has no established length is no fill.
    QVERIFY(!isNear(at(1, 15.0), state));
}

void TestComparisonBars::wordsDoNotCrossTheLine_data()
{
    QTest::addColumn<int>("width");
    for (const int width : { 520, 700, 900, 1280, 1600 })
        QTest::addRow("%d", width) << width;
}

void TestComparisonBars::wordsDoNotCrossTheLine()
{
    QFETCH(int, width);
    const ComparisonBarsInput input = comparisonBars(comparison({ 0, 1, 2 }));
    const auto layout
        = layoutComparisonBars(input, QRectF(0, 0, width, 300), screenStyle(), kLabel);
    const BarScale scale(layout.plot, layout.axis.full(), BarDirection::Right, screenStyle());
    const qreal line = scale.at(Bytes(16 * kGiB));
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const ComparisonBar& bar = input.bars[i];
        const qreal start = layout.rows[i].text.left();
        const qreal wide
            = lineWidth(bar.headline, screenStyle().font(type::kBase, type::kSemibold));
        QVERIFY(start >= scale.at(bar.bar.need()));
        QVERIFY2(start > line || start + wide < line, qPrintable(bar.headline));
        if (width >= 900) // all of it is seen
            QVERIFY2(start + wide <= width, qPrintable(bar.headline));
    }
}

void TestComparisonBars::hitTest()
{
    const ComparisonBarsInput input = comparisonBars(comparison({ 0, 1, 2 }));
    const auto layout
        = layoutComparisonBars(input, QRectF(10, 20, 900, 300), screenStyle(), kLabel);
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        QCOMPARE(layout.barAt(layout.rows[i].label.center()), int(i));
        QCOMPARE(layout.barAt(layout.rows[i].track.center()), int(i));
    }
    QCOMPARE(layout.barAt(layout.ticks.center()), -1);
    QCOMPARE(layout.barAt(QPointF(0, 0)), -1);
}

void TestComparisonBars::linesOfDifferentUsable()
{
    const ComparisonBarsInput input = comparisonBars(comparison({ 2, 3 }));
    const QImage image = painted(input, 1000);
    const auto layout = layoutComparisonBars(input, QRectF(image.rect()), screenStyle(), kLabel);
    const BarScale scale(layout.plot, layout.axis.full(), BarDirection::Right, screenStyle());
    const auto lineAt = [&](int row, std::int64_t gib) {
        const int y = int(layout.rows[std::size_t(row)].rect.top()) + 2;
        const int x = int(scale.at(Bytes(gib * kGiB)));
        for (int near = x - 1; near <= x; ++near)
            if (image.pixelColor(near, y).lightness() < 120) // dark; the grid is light
                return true;
        return false;
    };
    QVERIFY(lineAt(0, 16) && !lineAt(0, 12));
    QVERIFY(lineAt(1, 12) && !lineAt(1, 16));
}

void TestComparisonBars::legendNamesWhatIsThere()
{
    const auto legend = [](std::vector<std::size_t> offers) {
        const ComparisonBarsInput input = comparisonBars(comparison(std::move(offers)));
        QStringList names;
        for (const LegendEntry& entry :
            layoutComparisonBars(input, QRectF(0, 0, 900, 300), screenStyle(), kLabel)
                .legendEntries)
            names << entry.text;
        return names;
    };
    QVERIFY(legend({ 0, 1 }).contains("Beyond usable"));
    QVERIFY(legend({ 0, 1 }).contains("Not established, open-ended"));
    QVERIFY(!legend({ 0, 1 }).contains("Activations"));
    QVERIFY(legend({ 2, 3 }).contains("Activations"));
    QVERIFY(legend({ 2, 3 }).contains("Highest measured peak"));
    QVERIFY(!legend({ 2, 3 }).contains("Not established, open-ended"));
}

void TestComparisonBars::nothingToShow()
{
    const QImage none = painted(ComparisonBarsInput {}, 400);
    QVERIFY(!none.isNull());
    const QImage empty = painted(comparisonBars(comparison({ 4 })), 600);
    QVERIFY(!empty.isNull());
}

void TestComparisonBars::paperHasNoPictures()
{
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(72);
        QPainter painter(&writer);
        const ComparisonBarsInput input = comparisonBars(comparison());
        const PaintStyle style
            = PaintStyle::paper(Theme::light(), QFont(QStringLiteral("Noto Sans")));
        painter.scale(0.6, 0.6);
        paintComparisonBars(painter, input,
            layoutComparisonBars(input, QRectF(0, 0, 800, 360), style, kLabel), style);
    }
    const QByteArray pdf = buffer.data();
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY(!pdf.contains("/Subtype /Image"));
    QVERIFY(!pdf.contains("/Shading"));
}

QTEST_MAIN(TestComparisonBars)
#include "test_comparison_bars.moc"
