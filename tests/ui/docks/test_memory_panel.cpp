#include "dock_fixture.h"
#include "docks/catalogue_panel.h"
#include "docks/device_table.h"
#include "docks/findings_panel.h"
#include "docks/inspector_panel.h"
#include "docks/memory_chart.h"
#include "docks/memory_panel.h"
#include "docks/terms_list.h"
#include "docks/workload_panel.h"
#include "editors/choice_box.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>

using namespace shardrack;

namespace {

struct Chart : DockFixture {
    MemoryPanel panel;
    MemoryChart* chart;
    explicit Chart(const std::string& example = "ts-24")
        : DockFixture(example)
        , panel(document, selection)
        , chart(panel.findChild<MemoryChart*>())
    {
        panel.resize(1000, 420);
        panel.show();
        panel.activateWindow();
        if (!QTest::qWaitForWindowActive(&panel))
            qWarning("the window did not become active");
        chart->setFocus();
    }
    QPoint middleOf(int bar) const { return chart->barsLayout().barSlot(bar).center().toPoint(); }
    std::vector<GpuRef> bars() const
    {
        std::vector<GpuRef> gpus;
        for (int i = 0; i < chart->barCount(); ++i)
            gpus.push_back(chart->gpuOf(i));
        return gpus;
    }
};

/// Racks with eight servers of eight GPUs each.
Plan largePlan(int racks)
{
    const std::string text = R"({"format": "shardrack-plan", "version": 1, "title": "Large",
      "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}},
      "offers": [{"name": "A", "site": {"racks": [{"name": "R{1..)"
        + std::to_string(racks) + R"(}", "units": 72, "servers": [{"name": "{rack}-{1..8}",
          "unit": 1, "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
        "layout": {"preset": "fsdp"}}]})";
    return readPlan(text).value().plan;
}

} // namespace

class TestMemoryPanel : public QObject {
    Q_OBJECT

private slots:
    void barsSelectAndFollow()
    {
        Chart view;
        QCOMPARE(view.chart->barCount(), 4);
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, view.middleOf(2));
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 2 } }));
        QTest::mouseClick(view.chart, Qt::LeftButton, Qt::ControlModifier, view.middleOf(0));
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 0 }, { 1, 2 } }));
        QCOMPARE(view.chart->input().selected, (std::vector<std::uint8_t> { 1, 0, 1, 0 }));
        QTest::mouseClick(view.chart, Qt::LeftButton, Qt::ShiftModifier, view.middleOf(3));
        QCOMPARE(view.selection.gpus().size(), std::size_t(4));
        view.selection.selectGpu({ 1, 1 });
        QCOMPARE(view.chart->input().selected, (std::vector<std::uint8_t> { 0, 1, 0, 0 }));
        QVERIFY(view.chart->accessibleDescription().contains(QStringLiteral("rank 1 on A1·1")));
    }

    void keysMoveTheSelection()
    {
        Chart view;
        QTest::keyClick(view.chart, Qt::Key_Right);
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 0 } }));
        QTest::keyClick(view.chart, Qt::Key_Right);
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 1 } }));
        QTest::keyClick(view.chart, Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(view.selection.gpus().size(), std::size_t(3));
        QTest::keyClick(view.chart, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(view.selection.gpus().size(), std::size_t(2));
        QTest::keyClick(view.chart, Qt::Key_Home);
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 0 } }));
        QTest::keyClick(view.chart, Qt::Key_Escape);
        QVERIFY(view.selection.empty());
    }

    void hoverIsShared()
    {
        Chart view;
        QTest::mouseMove(view.chart, view.middleOf(1));
        QTRY_COMPARE(view.selection.hovered(), (GpuRef { 1, 1 }));
        QCOMPARE(view.chart->input().hovered, 1);
        view.selection.setHovered({ 1, 3 });
        QCOMPARE(view.chart->input().hovered, 3);
        view.selection.setHovered({});
        QCOMPARE(view.chart->input().hovered, -1);
    }

    void mostLoadedFirstThenRackOrder()
    {
        Chart view;
        // The last GPU has the least.
        view.make(edit::SetUsable { 0, { { 1, 3 } }, Bytes(10 * kGiB), true });
        QCOMPARE(view.bars(), (std::vector<GpuRef> { { 1, 3 }, { 1, 0 }, { 1, 1 }, { 1, 2 } }));
        auto* order = view.panel.findChild<ChoiceBox*>(QStringLiteral("barOrder"));
        order->setCurrentIndex(1);
        emit order->activated(1);
        QCOMPARE(view.bars(), (std::vector<GpuRef> { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 } }));
    }

    void theOrderIsHeldWhileSomethingIsTried()
    {
        Chart view;
        view.make(edit::SetUsable { 0, { { 1, 3 } }, Bytes(20 * kGiB), true });
        const std::vector<GpuRef> before { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 } };
        QCOMPARE(view.bars(), before);
        // Tried: GPU 3 becomes the worst. It stays where it is until that is done.
        const Edit edit = edit::SetUsable { 0, { { 1, 3 } }, Bytes(2 * kGiB), true };
        QVERIFY(!view.document.tryEdit(edit));
        view.document.flush();
        QCOMPARE(view.bars(), before);
        QVERIFY(!view.chart->input().before.empty());
        auto* order = view.panel.findChild<ChoiceBox*>(QStringLiteral("barOrder"));
        QCOMPARE(order->shownText(), QStringLiteral("Most loaded first, held while dragging"));
        view.make(edit);
        QCOMPARE(view.bars().front(), (GpuRef { 1, 3 }));
        QVERIFY(view.chart->input().before.empty());
        QVERIFY(order->shownText().isEmpty());
    }

    void newDevicesComeLastWithTheirChange()
    {
        Chart view;
        view.document.setCurrentOffer(1);
        view.document.flush();
        view.tryAnotherServer();
        const MemoryBarsInput& input = view.chart->input();
        QCOMPARE(input.count(), 8);
        for (int i = 0; i < 8; ++i) {
            QCOMPARE(input.isNew(i), i >= 4);
            QCOMPARE(input.bar(i).need(), Bytes(3 * kGiB)); // 24 ÷ 8
        }
        QCOMPARE(input.barBefore(0)->need(), Bytes(6 * kGiB));
        QCOMPARE(input.brackets.size(), std::size_t(2));
        QCOMPARE(input.brackets[0].text, QStringLiteral("ranks 0–3: \u22123.0 each"));
        QCOMPARE(input.brackets[1].text, QStringLiteral("4 new: 3.00"));
        // What is not in the plan yet cannot be selected.
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, view.middleOf(6));
        QVERIFY(view.selection.empty());
    }

    // A GPU that is moved goes with its rank: nothing is new, and no replica's 24 GiB change.
    void movedDevicesAreNotNew_data()
    {
        QTest::addColumn<int>("index");
        QTest::newRow("the last of its server") << 3;
        QTest::newRow("the first, whose place another takes") << 0;
    }
    void movedDevicesAreNotNew()
    {
        QFETCH(int, index);
        Chart view;
        QVERIFY(!view.document.tryEdit(edit::MoveGpuToRack { 0, { 1, index }, 0, 20 }));
        view.document.flush();
        const MemoryBarsInput& input = view.chart->input();
        QCOMPARE(input.count(), 4);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(!input.isNew(i));
            QVERIFY(input.barBefore(i));
            QCOMPARE(input.bar(i).need(), input.barBefore(i)->need());
        }
    }

    void termsOfTheMostLoadedDevice()
    {
        Chart view;
        auto* terms = view.panel.findChild<TermsList*>();
        QVERIFY(terms->isVisible());
        const QString text = terms->text();
        QVERIFY2(text.startsWith(QLatin1String("Terms of rank 0, GiB")), qPrintable(text));
        QVERIFY(text.contains(QLatin1String("Activations not established")));
        QVERIFY(text.contains(QLatin1String("Persistent state, undivided 24.00")));
        QVERIFY(text.contains(QLatin1String("Usable, not confirmed 16.00")));
        QVERIFY(text.contains(QStringLiteral("Beyond usable \u2265 8.00")));
        QVERIFY2(
            text.contains(QLatin1String("4 copies total 96.00 GiB. The 64.00 GiB installed is not "
                                        "one allocation: each GPU has only its own 16.00.")),
            qPrintable(text));
        // Sharded: no copies, and what is left is no margin.
        view.document.setCurrentOffer(1);
        view.document.flush();
        QVERIFY2(!terms->text().contains(QLatin1String("copies")), qPrintable(terms->text()));
        QVERIFY(terms->text().contains(QLatin1String("For what is open at most 10.00")));
        view.selection.selectGpu({ 1, 2 });
        QVERIFY(terms->text().startsWith(QLatin1String("Terms of rank 2")));
        // Many bars need the room.
        view.document.reset(largePlan(1), {}, false);
        view.document.flush();
        QVERIFY(!terms->isVisible());
        QVERIFY(view.chart->input().legend);
    }

    void tableTwin()
    {
        Chart view;
        view.make(edit::SetUsable { 0, { { 1, 3 } }, Bytes(10 * kGiB), true });
        auto* table = view.panel.findChild<DeviceTable*>();
        QVERIFY(!table->isVisible());
        QCOMPARE(table->model()->rowCount(), 0);
        view.panel.findChild<QToolButton*>(QStringLiteral("asTable"))->click();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 4);
        QCOMPARE(table->gpuOf(0), (GpuRef { 1, 3 }));
        table->selectRow(1);
        QCOMPARE(view.selection.gpus(), (std::vector<GpuRef> { { 1, 0 } }));
        view.selection.selectGpu({ 1, 3 });
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QVERIFY(table->selectionModel()->isRowSelected(0, {}));
        view.document.undoStack().undo();
        view.document.flush();
        QCOMPARE(table->gpuOf(0), (GpuRef { 1, 0 }));
        QVERIFY(table->selectionModel()->isRowSelected(3, {}));
    }

    void anEmptyPlan()
    {
        Chart view;
        view.document.reset(emptyPlan(), {}, false);
        view.document.flush();
        QCOMPARE(view.chart->barCount(), 0);
        QCOMPARE(view.chart->accessibleDescription(), QStringLiteral("No GPU is placed yet"));
        QTest::keyClick(view.chart, Qt::Key_Right);
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, view.chart->rect().center());
        view.panel.grab();
    }

    void manyGpusKeepTheirRacks()
    {
        Chart view;
        view.document.reset(largePlan(16), {}, false); // 1,024 GPUs
        view.document.flush();
        QCOMPARE(view.chart->barCount(), 1024);
        QCOMPARE(view.chart->barsLayout().mode, BarsMode::Columns);
        // One GPU of the last rack has less: its whole rack comes first.
        const SiteIndex& index = view.document.current()->assessment->index;
        const GpuRef last = index.ref(1023);
        view.make(edit::SetUsable { 0, { last }, Bytes(60 * kGiB), true });
        QCOMPARE(view.chart->gpuOf(63), last);
        QCOMPARE(view.chart->gpuOf(64), index.ref(0));
        QTest::mouseClick(view.chart, Qt::LeftButton, {}, view.middleOf(0));
        QCOMPARE(view.selection.gpus().size(), std::size_t(1));
        QTest::keyClick(view.chart, Qt::Key_Right);
        QCOMPARE(view.selection.gpus().size(), std::size_t(1));
        // Every device has exactly one bar.
        std::vector<GpuRef> bars = view.bars();
        std::sort(bars.begin(), bars.end());
        QVERIFY(std::adjacent_find(bars.begin(), bars.end()) == bars.end());
    }

    void nothingInteractiveIsWithoutAName()
    {
        DockFixture fixture("llama-3-8b-32-gpus");
        QWidget window;
        new WorkloadPanel(fixture.document, &window);
        new CataloguePanel(fixture.document, &window);
        new InspectorPanel(fixture.document, fixture.selection, &window);
        new FindingsPanel(fixture.document, &window);
        new MemoryPanel(fixture.document, fixture.selection, &window);
        window.show();
        int seen = 0;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy())
                continue;
            if (QLatin1String(widget->metaObject()->className())
                    .startsWith(QLatin1String("QComboBox"))
                || (widget->parentWidget()
                    && widget->parentWidget()->inherits("QComboBoxPrivateContainer")))
                continue; // parts of a list that opens have their field's name
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(interface);
            QVERIFY2(!interface->text(QAccessible::Name).isEmpty(),
                qPrintable(QStringLiteral("%1 %2 in %3")
                               .arg(QLatin1String(widget->metaObject()->className()),
                                   widget->objectName(), widget->parentWidget()->objectName())));
            ++seen;
        }
        QVERIFY(seen > 30);
    }

    void aLargeWhatIfIsDrawn()
    {
        Chart view;
        view.document.reset(largePlan(2048), {}, false); // 131,072 GPUs
        view.document.flush();
        const Offer& offer = *view.plan().offers[0];
        Server server = offer.site.racks[0]->servers[0];
        server.unit = offer.site.racks[0]->firstFree(server.height);
        view.panel.show();
        QVERIFY(!view.document.tryEdit(edit::AddServer { 0, 0, server }));
        view.document.flush();
        QVERIFY(!view.chart->grab().isNull());
        QCOMPARE(view.chart->barCount(), 131080);
    }
};

QTEST_MAIN(TestMemoryPanel)
#include "test_memory_panel.moc"
