#include "canvas/canvas_text.h"
#include "canvas_fixture.h"

#include <QRandomGenerator>

using namespace shardrack;
using Kind = CanvasHit::Kind;

class TestCanvasLayout : public QObject {
    Q_OBJECT

    static Site randomSite(quint32 seed)
    {
        QRandomGenerator random(seed);
        Site site;
        ServerId id = 0;
        const int racks = random.bounded(1, 14);
        for (int r = 0; r < racks; ++r) {
            Rack rack;
            rack.name = std::to_string(r);
            rack.units = random.bounded(10, 48);
            int unit = 1;
            while (true) {
                unit += random.bounded(0, 5) == 0 ? random.bounded(1, 12) : 0;
                Server server;
                server.id = ++id;
                server.name = std::to_string(id);
                server.unit = unit;
                server.height = random.bounded(1, 9);
                server.gpuSlots = random.bounded(0, 17);
                GpuRun run;
                run.type = "h100-sxm5-80";
                run.count = random.bounded(0, server.gpuSlots + 1);
                if (run.count > 0)
                    server.gpus.push_back(run);
                if (unit + server.height - 1 > rack.units)
                    break;
                unit += server.height;
                rack.servers.push_back(server);
            }
            site.racks.push_back(std::make_shared<const Rack>(std::move(rack)));
        }
        return site;
    }

    static CanvasLayout layoutOf(
        const Site& site, double width, DetailLevel level, double ratio = 1)
    {
        CanvasLayout::Input input;
        input.site = &site;
        input.gpuWidth = width;
        input.level = level;
        input.viewport = { 900, 400 };
        input.devicePixelRatio = ratio;
        return CanvasLayout::make(input);
    }

private slots:
    /// What a server of eight says of its ranks, and what stands above its first GPU.
    void whatRanksShare_data()
    {
        QTest::addColumn<int>("preset");
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<QString>("server");
        QTest::addColumn<QString>("gpu");
        const auto row = [](const char* name, LayoutPreset preset, int tensor, int pipeline,
                             const char* server, const char* gpu) {
            QTest::newRow(name) << int(preset) << tensor << pipeline << server << gpu;
        };
        using P = LayoutPreset;
        row("replicas", P::Ddp, 1, 1, "8 replicas", "Replica 8 · complete copy");
        row("shards", P::Fsdp, 1, 1, "shard group S, ÷ 32", "shard group S, ÷ 32");
        row("stages of shards", P::Fsdp, 1, 4, "stage 1 · shard group S1, ÷ 8",
            "stage 1 · shard group S1, ÷ 8");
        row("more stages than servers", P::Fsdp, 1, 8, "stages 2–3 · 2 shard groups",
            "stage 2 · shard group S2, ÷ 4");
        row("tensor groups of shards", P::Fsdp, 4, 1, "2 tensor groups", "tensor group of 4");
        row("one tensor group", P::Fsdp, 8, 2, "stage 0 · tensor group of 8",
            "stage 0 · tensor group of 8");
        row("tensor groups of replicas", P::Ddp, 8, 1, "Replica 1 · tensor group of 8",
            "Replica 1 · tensor group of 8");
        row("stages of replicas", P::Ddp, 1, 4, "stage 1 · 8 replicas", "Replica 0 · stage 1");
    }
    void whatRanksShare()
    {
        QFETCH(int, preset);
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        Plan plan = clusterPlan(2, 2, LayoutPreset(preset));
        Offer offer = *plan.offers.front();
        offer.layout.tensor = tensor;
        offer.layout.pipeline = pipeline;
        plan.offers.front() = std::make_shared<const Offer>(std::move(offer));
        PlanDocument document;
        document.reset(plan, {}, false);
        const CanvasScene scene(*document.current(), {});
        QTEST(groupsOfServer(scene, scene.place(0, 1)), "server");
        QTEST(groupLabel(scene, 8).text, "gpu");
    }

    void levels_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("level");
        QTest::newRow("140 px is a card") << 140.0 << int(DetailLevel::Card);
        QTest::newRow("139 px is a cell") << 139.9 << int(DetailLevel::Cell);
        QTest::newRow("40 px is a cell") << 40.0 << int(DetailLevel::Cell);
        QTest::newRow("39 px is a small cell") << 39.9 << int(DetailLevel::SmallCell);
        QTest::newRow("12 px is a small cell") << 12.0 << int(DetailLevel::SmallCell);
        QTest::newRow("11 px is one colour") << 11.9 << int(DetailLevel::GpuCell);
        QTest::newRow("2 px is one colour") << 2.0 << int(DetailLevel::GpuCell);
        QTest::newRow("below 2 px it is the server") << 1.9 << int(DetailLevel::ServerCell);
    }

    void levels()
    {
        QFETCH(double, width);
        QFETCH(int, level);
        QCOMPARE(int(detailLevel(width)), level);
    }

    void aLevelIsLeftTenPercentBeyondItsLimit_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        const int card = int(DetailLevel::Card), cell = int(DetailLevel::Cell);
        QTest::newRow("127 keeps the card") << 127.0 << card << card;
        QTest::newRow("125 does not") << 125.0 << card << cell;
        QTest::newRow("153 keeps the cell") << 153.0 << cell << cell;
        QTest::newRow("155 does not") << 155.0 << cell << card;
        QTest::newRow("37 keeps the cell") << 37.0 << cell << cell;
        QTest::newRow("35 does not") << 35.0 << cell << int(DetailLevel::SmallCell);
        QTest::newRow("1.85 keeps the GPU")
            << 1.85 << int(DetailLevel::GpuCell) << int(DetailLevel::GpuCell);
        QTest::newRow("far away at once") << 3.0 << card << int(DetailLevel::GpuCell);
    }

    void aLevelIsLeftTenPercentBeyondItsLimit()
    {
        QFETCH(double, width);
        QFETCH(int, before);
        QFETCH(int, after);
        QCOMPARE(int(detailLevel(width, DetailLevel(before))), after);
    }

    // What is drawn at a place is what a click there finds, on every site and at every level.
    void hitTestIsTheInverseOfGeometry()
    {
        const double widths[] = { 208, 150, 90, 47, 30, 13, 7, 2.5, 1.2 };
        for (quint32 seed = 1; seed <= 40; ++seed) {
            const Site site = randomSite(seed);
            for (const double width : widths) {
                const double ratio = seed % 3 == 0 ? 1.5 : 1;
                const CanvasLayout layout = layoutOf(site, width, detailLevel(width), ratio);
                QCOMPARE(layout.rackCount(), int(site.racks.size()));
                for (int rack = 0; rack < layout.rackCount(); ++rack) {
                    const QRectF frame = layout.rackRect(rack);
                    QVERIFY(QRectF(QPointF(0, 0), layout.size()).contains(frame));
                    int unit = 1;
                    for (int b = 0; b < layout.bandCount(rack); ++b) {
                        const CanvasBand& band = layout.band(rack, b);
                        QCOMPARE(band.firstUnit, unit); // units follow without a gap
                        unit = band.lastUnit + 1;
                        const QRectF rect = layout.bandRect(rack, b);
                        QVERIFY(frame.adjusted(-0.01, -0.01, 0.01, 0.01).contains(rect));
                        if (b > 0)
                            QVERIFY(rect.top() >= layout.bandRect(rack, b - 1).bottom() - 0.01);
                        if (!band.isServer()) {
                            const CanvasHit hit = layout.hitTest(rect.center());
                            QCOMPARE(hit.kind, Kind::FreeSpace);
                            QCOMPARE(hit.rack, rack);
                            QCOMPARE(hit.band, b);
                            continue;
                        }
                        QCOMPARE(layout.bandOfServer(rack, band.server), b);
                        for (int slot = 0; slot < band.gpuSlots; ++slot) {
                            const QRectF gpu = layout.gpuRect(rack, b, slot);
                            QVERIFY2(rect.adjusted(-0.01, -0.01, 0.01, 0.01).contains(gpu),
                                qPrintable(QStringLiteral("%1 at %2").arg(slot).arg(width)));
                            const CanvasHit hit = layout.hitTest(gpu.center());
                            QCOMPARE(hit.rack, rack);
                            QCOMPARE(hit.band, b);
                            QCOMPARE(hit.slot, slot);
                            QCOMPARE(hit.kind, slot < band.gpus ? Kind::Gpu : Kind::FreeSlot);
                            if (!layout.rankRect(rack, b, slot).isEmpty() && slot < band.gpus)
                                QCOMPARE(
                                    layout.hitTest(layout.rankRect(rack, b, slot).center()).kind,
                                    Kind::Rank);
                        }
                        const QRectF header = layout.serverHeaderRect(rack, b);
                        if (header.height() > 0)
                            QCOMPARE(layout.hitTest(header.center()).kind, Kind::ServerHeader);
                    }
                    QCOMPARE(unit, site.racks[std::size_t(rack)]->units + 1);
                }
            }
        }
    }

    void whatIsHitContainsThePoint()
    {
        const Site site = randomSite(7);
        QRandomGenerator random(11);
        for (const double width : { 208.0, 60.0, 20.0, 5.0, 1.0 }) {
            const CanvasLayout layout = layoutOf(site, width, detailLevel(width));
            for (int i = 0; i < 3000; ++i) {
                const QPointF point(random.bounded(layout.size().width() + 40) - 20,
                    random.bounded(layout.size().height() + 40) - 20);
                const CanvasHit hit = layout.hitTest(point);
                if (hit.onGpu() || hit.kind == Kind::FreeSlot)
                    QVERIFY(layout.gpuRect(hit.rack, hit.band, hit.slot).contains(point));
                else if (hit.band >= 0)
                    QVERIFY(layout.bandRect(hit.rack, hit.band).contains(point));
                else if (hit.kind == Kind::Rack)
                    QVERIFY(layout.rackRect(hit.rack).contains(point));
            }
        }
    }

    void everyGpuInARectangleIsVisitedOnce()
    {
        const Site site = randomSite(3);
        int gpuSlots = 0;
        for (const auto& rack : site.racks)
            for (const Server& server : rack->servers)
                gpuSlots += server.gpuSlots;
        for (const double width : { 150.0, 47.0, 3.0 }) {
            const CanvasLayout layout = layoutOf(site, width, detailLevel(width));
            int visited = 0;
            layout.eachGpuIn(
                QRectF(QPointF(0, 0), layout.size()), [&](int, int, int) { ++visited; });
            QCOMPARE(visited, gpuSlots);
        }
    }

    void freeSpaceIsDividedByWhatIsCarried()
    {
        Site site;
        Rack rack;
        rack.units = 42;
        Server server;
        server.id = 1;
        server.unit = 1;
        server.height = 4;
        server.gpuSlots = 4;
        rack.servers.push_back(server);
        site.racks.push_back(std::make_shared<const Rack>(rack));
        CanvasLayout::Input input;
        input.site = &site;
        input.viewport = { 900, 400 };
        const CanvasLayout usual = CanvasLayout::make(input);
        QCOMPARE(usual.band(0, 1).firstUnit, 5);
        QCOMPARE(usual.band(0, 1).lastUnit, 8); // as high as the server above
        input.carriedHeight = 8;
        const CanvasLayout carried = CanvasLayout::make(input);
        QCOMPARE(carried.band(0, 1).lastUnit, 12);
        QCOMPARE(carried.bandRect(0, 0), usual.bandRect(0, 0)); // the server stays
    }

    void cellsLieOnWholePixels()
    {
        const Plan plan = clusterPlan(40, 8, LayoutPreset::Ddp);
        for (const double ratio : { 1.0, 1.5, 2.0 }) {
            const CanvasLayout layout
                = layoutOf(plan.offers[0]->site, 3.4, DetailLevel::GpuCell, ratio);
            for (int rack = 0; rack < layout.rackCount(); ++rack)
                for (int slot = 0; slot < 8; ++slot) {
                    const double x = layout.gpuRect(rack, 2, slot).left() * ratio;
                    const double y = layout.gpuRect(rack, 2, slot).top() * ratio;
                    QVERIFY(std::abs(x - std::round(x)) < 1e-3);
                    QVERIFY(std::abs(y - std::round(y)) < 1e-3);
                }
        }
    }
};

QTEST_GUILESS_MAIN(TestCanvasLayout)
#include "test_canvas_layout.moc"
