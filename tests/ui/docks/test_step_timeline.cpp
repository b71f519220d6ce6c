#include "charts/step_timeline.h"

#include "base/size_text.h"
#include "charts/text_table.h"
#include "charts/timeline_chart.h"
#include "charts/timeline_side.h"
#include "charts/timeline_text.h"
#include "dock_fixture.h"
#include "docks/inspector_panel.h"
#include "docks/memory_chart.h"
#include "docks/memory_panel.h"
#include "editors/choice_box.h"
#include "models/account_model.h"

#include <QCheckBox>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QTabBar>
#include <QToolButton>

#include <random>

using namespace shardrack;

namespace {

/// Llama-3-8B with Megatron-LM on two servers: everything is derived.
Plan derivedPlan(const std::string& layout = R"({"preset": "megatron", "tp": 2})")
{
    return readPlan(R"({"format": "shardrack-plan", "version": 1, "title": "t",
 "required_margin": {"bytes": 4294967296, "basis": "policy"},
 "workload": {"model": {"preset": "llama-3-8b"},
  "recipe": {"framework": "megatron", "micro_batch": 1, "sequence": 8192, "global_batch": 64,
   "recompute": "none", "optimizer": "adamw", "megatron": {"distributed_optimizer": true,
   "sequence_parallel": true}}},
 "offers": [{"name": "Offer A", "site": {"racks": [{"name": "R{1..2}", "units": 42, "servers": [
   {"name": "{rack}-1", "type": "dgx-h100", "unit": 1, "height": 8,
   "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}, "layout": )"
        + layout + "}]}")
        .value()
        .plan;
}

struct Panel : DockFixture {
    MemoryPanel panel;
    StepTimeline* timeline;
    TimelineChart* chart;
    TimelineSide* side;
    explicit Panel(const Plan& plan, QSize size = { 1100, 460 })
        : DockFixture("ts-24")
        , panel(document, selection)
        , timeline(panel.findChild<StepTimeline*>())
        , chart(panel.findChild<TimelineChart*>())
        , side(panel.findChild<TimelineSide*>())
    {
        document.reset(plan, {}, false);
        document.flush();
        panel.resize(size);
        panel.show();
        panel.activateWindow();
        if (!QTest::qWaitForWindowActive(&panel))
            qWarning("the window did not become active");
    }
    void open()
    {
        panel.showTab(MemoryPanel::Tab::Timeline);
        QTest::qWait(1);
        chart->setFocus();
    }
    const RankTimeline& shown() const { return *timeline->timeline(); }
    const RankClass& ranks() const
    {
        return document.current()->assessment->account.rankClasses[std::size_t(shown().rankClass)];
    }
};

} // namespace

class TestStepTimeline : public QObject {
    Q_OBJECT

private slots:
    void nothingIsComputedWhileItIsHidden()
    {
        Panel view(derivedPlan());
        QCOMPARE(view.timeline->computations(), 0);
        view.changeWorkload([](Workload& workload) { workload.recipe.sequence = 4096; });
        view.selection.selectGpu({ 1, 3 });
        view.tryAnotherServer();
        QCOMPARE(view.timeline->computations(), 0);
        view.document.clearTry();
        view.document.flush();
        view.open();
        QCOMPARE(view.timeline->computations(), 1);
        // Nothing changed: nothing is computed anew.
        view.panel.showTab(MemoryPanel::Tab::Memory);
        view.panel.showTab(MemoryPanel::Tab::Timeline);
        QCOMPARE(view.timeline->computations(), 1);
    }

    void peakBarAndInspectorAgree()
    {
        Panel view(derivedPlan());
        InspectorPanel inspector(view.document, view.selection);
        inspector.show();
        view.open();
        const std::int64_t need = view.ranks().need.established.count();
        QCOMPARE(view.shown().need().count(), need);
        QCOMPARE(view.shown().held(view.shown().timeline.peak).count(), need);
        auto* bars = view.panel.findChild<MemoryChart*>();
        view.panel.showTab(MemoryPanel::Tab::Memory);
        QCOMPARE(bars->input().bar(0).need().count(), need);
        // The inspector's sum is a text: to the hundredth that it shows.
        const auto* model = inspector.findChild<AccountModel*>();
        QString sum;
        for (int row = 0; row < model->rowCount(); ++row) {
            const QString name = model->index(row, AccountModel::NameColumn).data().toString();
            if (name == QStringLiteral("Need at the peak"))
                sum = model->index(row, AccountModel::NameColumn + 1).data().toString();
        }
        QCOMPARE(sum, QString::fromStdString(gibNumber(view.ranks().need.established)));
    }

    void keysMoveTheCursor()
    {
        Panel view(derivedPlan());
        view.open();
        const Timeline& timeline = view.shown().timeline;
        QCOMPARE(view.chart->cursor(), timeline.peak);
        QTest::keyClick(view.chart, Qt::Key_Right);
        QCOMPARE(view.chart->cursor(), timeline.peak + 1);
        QTest::keyClick(view.chart, Qt::Key_Left);
        QTest::keyClick(view.chart, Qt::Key_Left);
        QCOMPARE(view.chart->cursor(), timeline.peak - 1);
        QTest::keyClick(view.chart, Qt::Key_End);
        QCOMPARE(view.chart->cursor(), *timeline.quiet);
        // The last optimizer is one event: nothing is allocated in it.
        QCOMPARE(timeline.stretches.back().first, *timeline.quiet);
        QTest::keyClick(view.chart, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(view.chart->cursor(), timeline.stretches[timeline.stretches.size() - 2].first);
        QTest::keyClick(view.chart, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(view.chart->cursor(), timeline.stretches[timeline.stretches.size() - 3].first);
        QTest::keyClick(view.chart, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(view.chart->cursor(), timeline.stretches[timeline.stretches.size() - 2].first);
        QTest::keyClick(view.chart, Qt::Key_Home);
        QCOMPARE(view.chart->cursor(), timeline.peak);
    }

    void keysAndWheelZoom()
    {
        Panel view(derivedPlan());
        view.open();
        QCOMPARE(view.chart->viewFirst(), 0.0);
        QCOMPARE(view.chart->viewLast(), 1.0);
        QTest::keyClick(view.chart, Qt::Key_Plus);
        QTest::keyClick(view.chart, Qt::Key_Plus);
        QVERIFY(view.chart->viewLast() - view.chart->viewFirst() < 0.26);
        // The cursor stays in view, also when it moves out of it.
        QVERIFY(view.chart->rect().contains(view.chart->pointOf(view.chart->cursor())));
        view.chart->setCursor(0);
        QCOMPARE(view.chart->viewFirst(), 0.0);
        QTest::keyClick(view.chart, Qt::Key_PageDown);
        QVERIFY(view.chart->viewFirst() > 0.1);
        QTest::keyClick(view.chart, Qt::Key_Minus);
        QTest::keyClick(view.chart, Qt::Key_0);
        QCOMPARE(view.chart->viewLast() - view.chart->viewFirst(), 1.0);
        QWheelEvent wheel(view.chart->rect().center(),
            view.chart->mapToGlobal(view.chart->rect().center()), {}, { 0, 120 }, Qt::NoButton,
            Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.chart, &wheel);
        QVERIFY(view.chart->viewLast() - view.chart->viewFirst() < 0.81);
    }

    void theMouseMovesTheCursor()
    {
        Panel view(derivedPlan());
        view.open();
        const Timeline& timeline = view.shown().timeline;
        const QPoint quiet = view.chart->pointOf(*timeline.quiet);
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, QPoint(quiet.x(), 100));
        QVERIFY(view.chart->cursor() >= timeline.stretches.back().first);
        QTest::mousePress(view.chart, Qt::LeftButton, {}, QPoint(100, 100));
        const std::size_t there = view.chart->cursor();
        QMouseEvent drag(QEvent::MouseMove, QPointF(160, 100),
            view.chart->mapToGlobal(QPointF(160, 100)), Qt::NoButton, Qt::LeftButton,
            Qt::NoModifier);
        QApplication::sendEvent(view.chart, &drag);
        QVERIFY(view.chart->cursor() > there);
        QTest::mouseRelease(view.chart, Qt::LeftButton, {}, QPoint(160, 100));
    }

    void theCursorIsRead()
    {
        Panel view(derivedPlan());
        view.open();
        QCOMPARE(view.chart->accessibleName(), QStringLiteral("Step timeline of rank 0"));
        const QString atPeak = view.chart->accessibleDescription();
        QVERIFY2(atPeak.contains(QStringLiteral("This is the peak")), qPrintable(atPeak));
        const auto number = [](Bytes bytes) { return QString::fromStdString(gibNumber(bytes)); };
        QVERIFY(atPeak.contains(number(view.shown().need())));
        QTest::keyClick(view.chart, Qt::Key_End);
        const QString atQuiet = view.chart->accessibleDescription();
        const Timeline& timeline = view.shown().timeline;
        const Bytes less
            = view.shown().tensors(timeline.peak) - view.shown().tensors(*timeline.quiet);
        QVERIFY2(atQuiet.contains(number(less) + QStringLiteral(" less than the peak")),
            qPrintable(atQuiet));
        QVERIFY(atQuiet.contains(QStringLiteral("of step 2")));
    }

    void whatIsHeldAtTheCursor()
    {
        Panel view(derivedPlan());
        view.open();
        TextTable& held = view.side->held();
        QVERIFY(held.isVisible());
        // 32 layers keep the MLP's inputs: 8,192 × 28,672 × 2 B ÷ 2 = 224 MiB each, 7 GiB.
        bool found = false;
        for (int row = 0; row < held.rowCount(); ++row)
            if (held.item(row, 2)->text() == QStringLiteral("32 × 224 MiB")) {
                found = true;
                QCOMPARE(held.item(row, 1)->text(), QStringLiteral("Activations"));
                QCOMPARE(held.item(row, 3)->text(), QStringLiteral("7.00"));
            }
        QVERIFY(found);
        // Largest first, the sum last.
        double before = 1e9, sum = 0;
        for (int row = 0; row + 1 < held.rowCount(); ++row) {
            const double here = held.item(row, 3)->text().toDouble();
            QVERIFY(here <= before);
            before = here;
            sum += here;
        }
        QVERIFY(std::abs(sum - held.item(held.rowCount() - 1, 3)->text().toDouble())
            < 0.005 * held.rowCount());
        held.setFocus();
        held.selectRow(0);
        QCOMPARE(held.selectedText().count(u'\t'), 3);
        QTest::keyClick(&held, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), held.selectedText());
    }

    void momentsOfSamples()
    {
        Panel view(derivedPlan());
        view.open();
        TextTable& samples = view.side->samples();
        const std::vector<SampleMoment> moments = sampleMoments(view.shown());
        QCOMPARE(samples.rowCount(), int(moments.size()));
        int peaks = 0;
        for (int row = 0; row < samples.rowCount(); ++row)
            if (samples.item(row, 2)->text() == QStringLiteral("peak"))
                ++peaks;
        QCOMPARE(peaks, 1);
        samples.setFocus();
        samples.selectRow(0);
        QCOMPARE(view.chart->cursor(), moments.front().moment);
        QCOMPARE(samples.item(0, 0)->text(), QStringLiteral("After init"));
        QTest::keyClick(&samples, Qt::Key_Down);
        QCOMPARE(view.chart->cursor(), moments[1].moment);
    }

    void calloutsSayWhatSamplesMiss()
    {
        Panel view(derivedPlan());
        view.open();
        QTRY_COMPARE(view.chart->callouts().size(), std::size_t(3));
        const auto& callouts = view.chart->callouts();
        QVERIFY(callouts[0].title.startsWith(QStringLiteral("Peak")));
        QCOMPARE(callouts[1].title, QStringLiteral("Quiet point"));
        const Timeline& timeline = view.shown().timeline;
        const Bytes less
            = view.shown().tensors(timeline.peak) - view.shown().tensors(*timeline.quiet);
        QVERIFY(callouts[1].lines[0].text.contains(QString::fromStdString(gibNumber(less))));
        QVERIFY(callouts[2].lines[0].text.contains(QStringLiteral("no moments yet")));
        for (std::size_t i = 0; i < callouts.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!callouts[i].box.intersects(callouts[j].box));
    }

    void theRankFollowsTheSelectionOrIsChosen()
    {
        Panel view(derivedPlan(R"({"preset": "megatron", "tp": 2, "pp": 2})"));
        view.open();
        auto* ranks = view.panel.findChild<ChoiceBox*>(QStringLiteral("timelineRank"));
        QCOMPARE(ranks->currentText(), QStringLiteral("0, most loaded"));
        view.selection.selectGpu({ 2, 1 });
        QCOMPARE(view.timeline->rank(), 9);
        QCOMPARE(ranks->currentText(), QStringLiteral("9, selected"));
        ranks->setCurrentIndex(1);
        emit ranks->activated(1);
        QCOMPARE(view.timeline->rank(), 0);
        // The inspector, which follows the selection, speaks of the same GPU.
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 0 } }));
        view.selection.selectGpu({ 2, 2 });
        QCOMPARE(view.timeline->rank(), 0);
        ranks->setCurrentIndex(0);
        emit ranks->activated(0);
        QCOMPARE(view.timeline->rank(), 10);
    }

    void aStipulatedStateSaysWhatCannotBeShown()
    {
        Panel view(derivedPlan());
        view.document.reset(
            readPlan(resourceText("examples/ts-24.shardrack")).value().plan, {}, false);
        view.document.flush();
        view.open();
        auto* missing = view.panel.findChild<QLabel*>(QStringLiteral("timelineMissing"));
        QVERIFY(missing->isVisible());
        QVERIFY(missing->text().contains(QStringLiteral("Activations")));
        QVERIFY(missing->text().contains(QStringLiteral("stipulated")));
        QCOMPARE(view.shown().need().count(), 24 * kGiB);
        QVERIFY(view.chart->accessibleDescription().contains(QStringLiteral("not established")));
    }

    void anEmptyPlanSaysSo()
    {
        Panel view(emptyPlan());
        view.open();
        QVERIFY(!view.timeline->timeline());
        QVERIFY(!view.chart->isVisible());
        view.document.reset(derivedPlan(), {}, false);
        view.document.flush();
        QVERIFY(view.chart->isVisible());
    }

    void whatIfIsShownLive()
    {
        Panel view(derivedPlan());
        view.open();
        const Bytes before = view.shown().need();
        // More ranks share the optimizer state: each needs less.
        view.tryAnotherServer();
        QVERIFY(view.shown().need() < before);
        auto* ranks = view.panel.findChild<ChoiceBox*>(QStringLiteral("timelineRank"));
        QCOMPARE(ranks->shownText(), QStringLiteral("0, most loaded, what if"));
        view.document.clearTry();
        view.document.flush();
        QCOMPARE(view.shown().need().count(), before.count());
    }

    void narrowFoldsTheList()
    {
        Panel view(derivedPlan(), { 620, 300 });
        view.open();
        QVERIFY(!view.side->isVisible());
        auto* list = view.panel.findChild<QToolButton*>(QStringLiteral("timelineSideShown"));
        QTest::mouseClick(list, Qt::LeftButton);
        QVERIFY(view.side->isVisible());
        QVERIFY(view.side->held().rowCount() > 3);
        QTest::mouseClick(list, Qt::LeftButton);
        QVERIFY(!view.side->isVisible());
    }

    void randomEditsWhileItIsOpen()
    {
        Panel view(derivedPlan());
        view.open();
        std::mt19937 random(5);
        for (int round = 0; round < 60; ++round) {
            Workload workload = view.workload();
            workload.recipe.sequence = 1024 << (random() % 4);
            workload.recipe.microBatch = 1 + std::int64_t(random() % 3);
            workload.recipe.recompute = std::array { "none", "selective", "full" }[random() % 3];
            if (random() % 4 == 0)
                workload.recipe.megatron = {};
            workload.recipe.framework
                = workload.recipe.megatron == MegatronSwitches {} && random() % 2 == 0 ? ""
                                                                                       : "megatron";
            if (random() % 5 == 0)
                workload.basis = Workload::StateBasis::NotGiven;
            else
                workload.basis = Workload::StateBasis::Derived;
            view.make(edit::SetWorkload { workload });
            QTest::keyClick(view.chart,
                std::array { Qt::Key_Left, Qt::Key_Right, Qt::Key_End, Qt::Key_Home, Qt::Key_Plus,
                    Qt::Key_0 }[random() % 6]);
            if (random() % 3 == 0)
                view.selection.selectGpu({ 1 + int(random() % 2), int(random() % 8) });
            if (view.timeline->timeline()) {
                QCOMPARE(view.shown().need().count(), view.ranks().need.established.count());
                QVERIFY(view.chart->cursor() < view.shown().timeline.moments.size());
            }
            if (round % 10 == 0)
                view.panel.grab();
        }
    }
};

QTEST_MAIN(TestStepTimeline)
#include "test_step_timeline.moc"
