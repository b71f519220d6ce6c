#include "charts/replicas_shards.h"

#include "charts/shard_chart.h"
#include "charts/text_table.h"
#include "dock_fixture.h"
#include "docks/memory_panel.h"

#include <QClipboard>
#include <QLabel>
#include <QToolButton>

#include <random>

using namespace shardrack;

namespace {

struct Panel : DockFixture {
    MemoryPanel panel;
    ReplicasShards* shards;
    ShardChart* chart;
    TextTable* table;
    explicit Panel(QSize size = { 1100, 460 })
        : DockFixture("ts-24")
        , panel(document, selection)
        , shards(panel.findChild<ReplicasShards*>())
        , chart(panel.findChild<ShardChart*>())
        , table(panel.findChild<TextTable*>(QStringLiteral("shardTable")))
    {
        panel.resize(size);
        panel.show();
        panel.activateWindow();
        if (!QTest::qWaitForWindowActive(&panel))
            qWarning("the window did not become active");
    }
    void open()
    {
        panel.showTab(MemoryPanel::Tab::Shards);
        chart->setFocus();
    }
    QString sentences()
    {
        return panel.findChild<QLabel*>(QStringLiteral("shardSentences"))->text();
    }
};

} // namespace

class TestReplicasShards : public QObject {
    Q_OBJECT

private slots:
    void nothingIsComputedWhileItIsHidden()
    {
        Panel view;
        view.changeWorkload([](Workload& workload) { workload.stipulated.total = Bytes(kGiB); });
        view.tryAnotherServer();
        QCOMPARE(view.shards->computations(), 0);
        view.open();
        QCOMPARE(view.shards->computations(), 1);
        view.panel.showTab(MemoryPanel::Tab::Memory);
        view.panel.showTab(MemoryPanel::Tab::Shards);
        QCOMPARE(view.shards->computations(), 1);
    }

    void keysGoFromNumberToNumber()
    {
        Panel view;
        view.open();
        const auto& gpus = view.shards->curves()->gpus;
        QCOMPARE(gpus[view.chart->cursor()], 4); // the offer's own
        QCOMPARE(view.chart->accessibleName(), QStringLiteral("Replicas against shards"));
        // DOMAIN.md section 3: 24 GiB each, or 24 ÷ 4 = 6.
        QCOMPARE(view.chart->accessibleDescription(),
            QStringLiteral("4 GPUs: Replicas (DDP) at least 24.00, FSDP at least 6.00, HSDP at "
                           "least 6.00 GiB a GPU; usable 16.00; this offer needs at least 24.00"));
        QTest::keyClick(view.chart, Qt::Key_Right);
        QVERIFY(view.chart->accessibleDescription().startsWith(
            QStringLiteral("8 GPUs: Replicas (DDP) at least 24.00, FSDP at least 3.00")));
        QTest::keyClick(view.chart, Qt::Key_Home);
        QVERIFY(view.chart->accessibleDescription().startsWith(QStringLiteral("1 GPU: ")));
        QTest::keyClick(view.chart, Qt::Key_Left);
        QCOMPARE(view.chart->cursor(), std::size_t(0));
        QTest::keyClick(view.chart, Qt::Key_End);
        QTest::keyClick(view.chart, Qt::Key_Right);
        QCOMPARE(view.chart->cursor(), gpus.size() - 1);
    }

    void theMouseGoesToTheNearestNumber()
    {
        Panel view;
        view.open();
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, QPoint(45, 100));
        QCOMPARE(view.chart->cursor(), std::size_t(0));
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, QPoint(view.chart->width() - 40, 100));
        QCOMPARE(view.chart->cursor(), view.shards->curves()->gpus.size() - 1);
    }

    void theTableSaysTheSame()
    {
        Panel view;
        view.open();
        auto* asTable = view.panel.findChild<QToolButton*>(QStringLiteral("shardsAsTable"));
        QTest::mouseClick(asTable, Qt::LeftButton);
        QVERIFY(view.table->isVisible());
        QVERIFY(!view.chart->isVisible());
        const ShardCurves& curves = *view.shards->curves();
        QCOMPARE(view.table->rowCount(), int(curves.gpus.size()));
        QCOMPARE(view.table->columnCount(), 1 + int(curves.curves.size()));
        QCOMPARE(view.table->item(1, 0)->text(), QStringLiteral("2"));
        QCOMPARE(view.table->item(1, 1)->text(), QStringLiteral("at least 24.00"));
        QCOMPARE(view.table->item(1, 2)->text(), QStringLiteral("at least 12.00"));
        auto* copy = view.panel.findChild<QToolButton*>(QStringLiteral("shardsCopy"));
        QTest::mouseClick(copy, Qt::LeftButton);
        const QStringList lines
            = QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"));
        QCOMPARE(lines[0],
            QStringLiteral("\"GPUs\",\"Replicas (DDP), GiB\",\"FSDP, GiB\",\"HSDP, GiB\""));
        QCOMPARE(lines[2],
            QStringLiteral("\"2\",\"at least 24.00\",\"at least 12.00\",\"at least 12.00\""));
    }

    void theSentencesHaveTheirArithmetic()
    {
        Panel view;
        view.open();
        const QString text = view.sentences();
        QVERIFY(text.contains(QStringLiteral("24 GiB ÷ 64")));
        QVERIFY(text.contains(QStringLiteral("lower bound")));
        QVERIFY(text.contains(QStringLiteral("ZeRO-1 and ZeRO-2 are left out")));
    }

    void aDerivedStateHasAllFive()
    {
        Panel view;
        view.open();
        view.document.reset(llamaPlan(), {}, false);
        view.document.flush();
        QCOMPARE(view.shards->curves()->curves.size(), std::size_t(5));
        QVERIFY(!view.sentences().contains(QStringLiteral("left out")));
        QCOMPARE(view.table->columnCount(), 6);
        // The offer's point is where its need is.
        QCOMPARE(view.chart->input().own.size(), std::size_t(1));
        QCOMPARE(view.chart->input().own[0].gpus, 16);
    }

    void withoutAStateItSaysWhatIsMissing()
    {
        Panel view;
        view.open();
        view.changeWorkload(
            [](Workload& workload) { workload.basis = Workload::StateBasis::NotGiven; });
        QVERIFY(!view.shards->curves());
        QVERIFY(!view.chart->isVisible());
        QVERIFY(view.sentences().isEmpty());
        view.document.reset(emptyPlan(), {}, false);
        view.document.flush();
        QVERIFY(!view.shards->curves());
        view.document.reset(llamaPlan(), {}, false);
        view.document.flush();
        QVERIFY(view.chart->isVisible());
    }

    void whatIfMovesTheOwnPoint()
    {
        Panel view;
        view.open();
        view.tryAnotherServer();
        QCOMPARE(view.shards->curves()->ownGpus, 8);
        QCOMPARE(view.chart->input().own[0].name, QStringLiteral("Offer R, what if"));
        view.document.clearTry();
        view.document.flush();
        QCOMPARE(view.shards->curves()->ownGpus, 4);
    }

    void manyGpusAreComputedAside()
    {
        Panel view;
        view.open();
        Plan plan = llamaPlan();
        Offer offer = *plan.offers[0];
        auto rack = std::make_shared<Rack>(*offer.site.racks[0]);
        rack->servers[0].gpus[0].count = rack->servers[0].gpuSlots = 4096;
        offer.site.racks = { rack };
        plan.offers[0] = std::make_shared<const Offer>(offer);
        view.document.reset(plan, {}, false);
        view.document.flush();
        // The old picture stays until the new one is there.
        QCOMPARE(view.shards->curves()->ownGpus, 4);
        QTRY_COMPARE(view.shards->curves()->ownGpus, 4096);
        QVERIFY(view.shards->curves()->gpus.back() >= 4 * 4096);
        // What changes meanwhile wins in the end.
        for (const std::int64_t gib : { 1, 2, 3 })
            view.changeWorkload(
                [&](Workload& workload) { workload.terms.activations = Bytes(gib * kGiB); });
        const std::int64_t floor = 2974339072 + 3 * kGiB + 3908420567 + 3672187863 + 1610612736;
        QTRY_COMPARE(view.shards->curves()->floor.established.count(), floor);
        QVERIFY(view.shards->computations() <= 5);
    }

    void randomEditsWhileItIsOpen()
    {
        Panel view;
        view.document.reset(llamaPlan(), {}, false);
        view.document.flush();
        view.open();
        std::mt19937 random(9);
        for (int round = 0; round < 60; ++round) {
            view.changeWorkload([&](Workload& workload) {
                workload.basis = random() % 5 == 0 ? Workload::StateBasis::NotGiven
                                                   : Workload::StateBasis::Derived;
                workload.terms.activations = random() % 2 == 0
                    ? std::nullopt
                    : std::optional(Bytes(std::int64_t(random() % 100) * kGiB));
            });
            if (random() % 4 == 0)
                view.tryAnotherServer();
            QTest::keyClick(view.chart,
                std::array {
                    Qt::Key_Left, Qt::Key_Right, Qt::Key_End, Qt::Key_Home }[random() % 4]);
            if (view.shards->curves()) {
                QVERIFY(view.chart->cursor() < view.shards->curves()->gpus.size());
                QCOMPARE(view.shards->curves()->floor.atLeast,
                    !view.document.shown()->workload().terms.activations.has_value());
            }
            view.document.clearTry();
            view.document.flush();
            if (round % 10 == 0)
                view.panel.grab();
        }
    }
};

QTEST_MAIN(TestReplicasShards)
#include "test_replicas_shards.moc"
