#include "paint/free_place.h"

#include <QRandomGenerator>
#include <QTest>

using namespace shardrack;

namespace {

const QRectF kPlot(0, 0, 400, 160);
const QSizeF kLabel(90, 14);

/// Whether a line passes through a rectangle, by walking along it.
bool passes(const QPolygonF& line, const QRectF& rect)
{
    for (qsizetype i = 1; i < line.size(); ++i)
        for (int step = 0; step <= 400; ++step)
            if (rect.contains(QLineF(line[i - 1], line[i]).pointAt(step / 400.0)))
                return true;
    return false;
}

} // namespace

class TestFreePlace : public QObject {
    Q_OBJECT

private slots:
    void withNothingAroundItIsBesideAndAbove()
    {
        const QRectF label = freePlace(kLabel, { 100, 80 }, kPlot, {});
        QVERIFY(label.left() > 100 && label.bottom() < 80);
        QVERIFY(label.left() - 100 < 20 && 80 - label.bottom() < 10);
    }

    void atTheRightEdgeItGoesLeft()
    {
        const QRectF label = freePlace(kLabel, { 390, 80 }, kPlot, {});
        QVERIFY(label.right() < 390);
        QVERIFY(kPlot.contains(label));
    }

    void itCoversNoCurve()
    {
        // Falling curves as those of shards: each crosses the whole plot.
        QRandomGenerator random(7);
        for (int round = 0; round < 200; ++round) {
            Obstacles obstacles;
            for (int curve = 0; curve < 3; ++curve) {
                QPolygonF line;
                qreal y = 10 + random.bounded(60);
                for (int x = 0; x <= 400; x += 50) {
                    line << QPointF(x, y);
                    y = std::min(150.0, y + random.bounded(12));
                }
                obstacles.lines.push_back(line);
            }
            const QPointF at = obstacles.lines[0][random.bounded(1, 8)];
            const QRectF label = freePlace(kLabel, at, kPlot, obstacles);
            QVERIFY(kPlot.contains(label));
            for (const QPolygonF& line : obstacles.lines)
                QVERIFY2(!passes(line, label), qPrintable(QString::number(round)));
        }
    }

    void twoNamesOfOnePointStandApart()
    {
        Obstacles obstacles;
        const QRectF first = freePlace(kLabel, { 100, 80 }, kPlot, obstacles);
        obstacles.areas.push_back(first);
        QVERIFY(!freePlace(kLabel, { 100, 80 }, kPlot, obstacles).intersects(first));
    }

    void aFullPlotStillGivesAPlaceInside()
    {
        Obstacles obstacles;
        obstacles.areas.push_back(kPlot);
        QVERIFY(kPlot.contains(freePlace(kLabel, { 395, 4 }, kPlot, obstacles)));
    }
};

QTEST_APPLESS_MAIN(TestFreePlace)
#include "test_free_place.moc"
