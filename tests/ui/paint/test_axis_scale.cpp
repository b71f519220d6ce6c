#include "paint/axis_scale.h"
#include "sample_bars.h"

#include <QTest>

#include <limits>

using namespace shardrack;

class TestAxisScale : public QObject {
    Q_OBJECT

private slots:
    void steps_data();
    void steps();
    void properties();
};

void TestAxisScale::steps_data()
{
    QTest::addColumn<double>("highest");
    QTest::addColumn<double>("usable");
    QTest::addColumn<double>("room");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("maximum");
    QTest::addColumn<QString>("second");
    QTest::newRow("16 usable lies on a tick") << 24.0 << 16.0 << 0.0 << 8.0 << 32.0 << "16";
    QTest::newRow("decimal where usable is no multiple")
        << 90.53 << 79.10 << 0.0 << 20.0 << 100.0 << "40";
    QTest::newRow("16 usable alone") << 16.0 << 16.0 << 0.0 << 4.0 << 20.0 << "8";
    QTest::newRow("small") << 0.9 << 0.0 << 0.0 << 0.2 << 1.0 << "0.4";
    QTest::newRow("half a TiB") << 600.0 << 512.0 << 0.0 << 128.0 << 640.0 << "256";
}

void TestAxisScale::steps()
{
    QFETCH(double, highest);
    QFETCH(double, usable);
    QFETCH(double, room);
    QFETCH(double, step);
    QFETCH(double, maximum);
    QFETCH(QString, second);
    const std::optional<Bytes> line
        = usable > 0 ? std::optional<Bytes>(sample::gibibytes(usable)) : std::nullopt;
    const AxisScale axis = axisFor(sample::gibibytes(highest), line, room);
    QVERIFY(axis.steps >= 1);
    QCOMPARE(axis.step, step);
    QCOMPARE(axis.maximum(), maximum);
    QCOMPARE(axis.label(2), second);
    QCOMPARE(axis.label(0).toDouble(), 0.0);
}

/// From a byte to the largest number of bytes: the end lies above the highest value, with the room
/// asked for, and there are three to six steps.
void TestAxisScale::properties()
{
    for (double highest = 1; highest < 8e18; highest *= 1.31)
        for (const double share : { 0.0, 0.15, 0.4 }) {
            const Bytes top(static_cast<std::int64_t>(highest));
            for (const std::optional<Bytes> usable :
                { std::optional<Bytes>(), std::optional<Bytes>(Bytes(16 * kGiB)) }) {
                const AxisScale axis = axisFor(top, usable, share);
                QVERIFY(axis.full() > top);
                QVERIFY(axis.steps >= 3 && axis.steps <= 6);
                const double full = axis.maximum() * static_cast<double>(kGiB);
                QVERIFY(highest <= full * (1 - share) * (1 + 1e-12));
            }
        }
    const AxisScale most = axisFor(Bytes(std::numeric_limits<std::int64_t>::max()), {}, 0);
    QVERIFY(most.full() > Bytes(0));
    QVERIFY(!most.label(most.steps).isEmpty());
}

QTEST_MAIN(TestAxisScale)
#include "test_axis_scale.moc"
