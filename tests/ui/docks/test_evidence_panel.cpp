#include "dock_fixture.h"
#include "docks/evidence_panel.h"
#include "docks/evidence_summary.h"
#include "docks/form_grid.h"
#include "docks/measured_marks.h"
#include "docks/measurement_form.h"
#include "docks/measurement_list.h"
#include "docks/memory_bars_data.h"
#include "plan/basis.h"

#include <nlohmann/json.hpp>

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace shardrack;

namespace {

/// TS-24's shards with every term and the usable allocation given: a fit that can be demonstrated.
Plan givenPlan()
{
    return readPlan(R"({"format": "shardrack-plan", "version": 1, "title": "Given",
        "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}, "terms": {
            "gathered_bytes": 1073741824, "activations_bytes": 1073741824,
            "temporary_bytes": 1073741824, "slack_bytes": 1073741824, "outside_bytes": 1073741824}},
        "offers": [
            {"name": "S", "interconnect": "NVLink", "layout": {"preset": "fsdp"}, "site": {"racks": [
                {"name": "A", "servers": [{"name": "A1", "height": 4,
                 "gpus": {"type": "generic-16gib", "count": 4, "usable_bytes": 17179869184}}]}]}},
            {"name": "T", "site": "same as S", "layout": {"preset": "ddp"}}]})")
        .value()
        .plan;
}

struct Fixture : DockFixture {
    Fixture()
        : DockFixture("ts-24")
        , panel(document, selection)
    {
        document.reset(givenPlan(), {}, false);
        document.flush();
        panel.resize(352, 900);
        panel.show();
        panel.activateWindow();
        (void)QTest::qWaitForWindowActive(&panel);
    }
    const Offer& offer() { return *plan().offers[std::size_t(document.currentOffer())]; }
    template <class T> T* part(const char* name)
    {
        auto* found = panel.findChild<T*>(QLatin1String(name));
        if (!found)
            qFatal("no %s", name);
        return found;
    }
    void press(const char* name)
    {
        auto* button = part<QAbstractButton>(name);
        if (!button->isVisible() || !button->isEnabled())
            qFatal("%s cannot be pressed", name);
        // The place of a click, whatever was scrolled.
        QTest::mouseClick(button, Qt::LeftButton);
        settle();
    }
    void tick(const char* name)
    {
        part<QWidget>(name)->setFocus();
        QTest::keyClick(part<QWidget>(name), Qt::Key_Space);
        settle();
    }
    void type(const char* name, const QString& text)
    {
        auto* edit = part<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Backspace);
        QTest::keyClicks(edit, text);
        settle();
    }
    void settle()
    {
        document.flush();
        QCoreApplication::processEvents();
    }
    QString summary() { return part<EvidenceSummary>("evidenceSummary")->text(); }
    QString preview() { return part<EvidenceSummary>("measurementPreview")->text(); }
    bool formOpen() { return part<QWidget>("measurementForm")->isVisible(); }
    /// All problems that are told beside the fields.
    QString problems()
    {
        QStringList all;
        for (const NoteLabel* note : panel.findChildren<NoteLabel*>())
            if (note->isVisible())
                all << note->text();
        return all.join(u'\n');
    }
    MeasurementList* list() { return part<MeasurementList>("measurements"); }

    EvidencePanel panel;
};

Measurement reading(const char* devices = "all", int gib = 12)
{
    Measurement measurement;
    measurement.devices = devices;
    measurement.peak = Bytes(gib * kGiB);
    measurement.phases.set(RunPhase::Init);
    measurement.completeSteps = 2;
    return measurement;
}

} // namespace

class TestEvidencePanel : public QObject {
    Q_OBJECT
private slots:
    void saysThatThereIsNone();
    void addsByKeyboardAlone();
    void tellsProblemsBesideTheFields_data();
    void tellsProblemsBesideTheFields();
    void previewFollowsWhatIsTyped();
    void outOfMemoryNeedsNoPeak();
    void takesTheSelection();
    void changesAndRemoves();
    void contextMenu();
    void stillApplies();
    void formStaysWithItsOffer();
    void formFollowsThePlan();
    void escapeCancels();
    void recordsAResult();
    void resultOfAnotherState();
    void draftsStayWithTheirOffers();
    void withoutAnOffer();
    void hiddenPanelIsFilledWhenShown();
    void barsCarryWhatWasMeasured();
};

void TestEvidencePanel::saysThatThereIsNone()
{
    Fixture on;
    QVERIFY2(on.summary().startsWith("None. No run was measured."), qPrintable(on.summary()));
    QVERIFY(on.summary().contains("0 of 4 devices count"));
    QVERIFY(!on.list()->isVisible());
    QVERIFY(on.problems().contains("No peak of a run is entered yet."));
    QVERIFY(!on.formOpen());
    QVERIFY(!on.part<QWidget>("measurementRemove")->isVisible());
    QCOMPARE(on.panel.subtitle(), QString("S"));
}

void TestEvidencePanel::addsByKeyboardAlone()
{
    Fixture on;
    auto* add = on.part<QPushButton>("measurementAdd");
    add->setFocus();
    QTest::keyClick(add, Qt::Key_Space);
    on.settle();
    QVERIFY(on.formOpen());
    // The devices are "all" and have the focus; Tab goes on.
    auto* devices = on.part<QLineEdit>("measurementDevices");
    QVERIFY(devices->hasFocus());
    QCOMPARE(devices->text(), QString("all"));
    for (int i = 0; i < 4 && !on.part<QWidget>("measurementPeak")->hasFocus(); ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(on.part<QWidget>("measurementPeak")->hasFocus());
    QTest::keyClicks(QApplication::focusWidget(), "12.5");
    const auto tabTo = [&](const char* name) {
        for (int i = 0; i < 20 && !on.part<QWidget>(name)->hasFocus(); ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY2(on.part<QWidget>(name)->hasFocus(), name);
    };
    tabTo("measurementPhase-init");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    tabTo("measurementSteps");
    QTest::keyClicks(QApplication::focusWidget(), "20");
    tabTo("measurementSoftware");
    QTest::keyClicks(QApplication::focusWidget(), "PyTorch 2.6");
    QVERIFY2(on.preview().startsWith("With this: Demonstrated"), qPrintable(on.preview()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    on.settle();
    QVERIFY(!on.formOpen());
    QCOMPARE(on.offer().measurements.size(), std::size_t(1));
    const Measurement& made = on.offer().measurements[0];
    QCOMPARE(made.devices, std::string("all"));
    QCOMPARE(made.peak->count(), 25 * kGiB / 2);
    QVERIFY(made.scope == MemoryScope::Device);
    QVERIFY(made.phases.has(RunPhase::Init) && !made.phases.has(RunPhase::Load));
    QCOMPARE(made.completeSteps, std::int64_t(20));
    QCOMPARE(made.software, std::string("PyTorch 2.6"));
    QCOMPARE(made.basis, offerFingerprint(on.plan(), 0));
    QVERIFY2(on.summary().startsWith("Demonstrated. Every device with a rank was measured"),
        qPrintable(on.summary()));
    QVERIFY(on.summary().contains("Highest reading: 12.50 GiB (device memory in use), A1·0"));
    QCOMPARE(on.document.undoStack().undoText(), QString("Add measurement of S"));
    on.document.undoStack().undo();
    on.settle();
    QVERIFY(on.offer().measurements.empty());
    QVERIFY(on.summary().startsWith("None."));
}

void TestEvidencePanel::tellsProblemsBesideTheFields_data()
{
    QTest::addColumn<QString>("devices");
    QTest::addColumn<QString>("peak");
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("focus");
    QTest::addColumn<QString>("says");
    QTest::newRow("no devices") << ""
                                << "12"
                                << "2"
                                << "measurementDevices"
                                << "Name the measured devices";
    QTest::newRow("unknown devices") << "B7.0"
                                     << "12"
                                     << "2"
                                     << "measurementDevices"
                                     << "\"B7.0\" names no GPU of the site; expected \"all\"";
    QTest::newRow("no peak") << "all"
                             << ""
                             << "2"
                             << "measurementPeak"
                             << "The peak is needed, unless the run ran out of memory.";
    QTest::newRow("peak of nothing") << "all"
                                     << "0"
                                     << "2"
                                     << "measurementPeak"
                                     << "A peak is more than 0";
    QTest::newRow("two readings") << "all"
                                  << "1,024"
                                  << "2"
                                  << "measurementPeak"
                                  << "can be read as 1024 or as 1.024";
    QTest::newRow("words") << "all"
                           << "much"
                           << "2"
                           << "measurementPeak"
                           << "much";
    QTest::newRow("no number of steps") << "all"
                                        << "12"
                                        << "many"
                                        << "measurementSteps"
                                        << "many";
}

void TestEvidencePanel::tellsProblemsBesideTheFields()
{
    QFETCH(QString, devices);
    QFETCH(QString, peak);
    QFETCH(QString, steps);
    QFETCH(QString, focus);
    QFETCH(QString, says);
    Fixture on;
    on.press("measurementAdd");
    on.type("measurementDevices", devices);
    on.type("measurementPeak", peak);
    on.type("measurementSteps", steps);
    QVERIFY(on.preview().contains("not complete yet"));
    on.press("measurementAccept");
    QVERIFY(on.formOpen());
    QVERIFY(on.offer().measurements.empty());
    QVERIFY2(on.problems().contains(says), qPrintable(on.problems()));
    QVERIFY(on.part<QWidget>(focus.toLatin1().constData())->hasFocus());
    // Put right, the words go and it can be added.
    on.type("measurementDevices", "A1.0-3");
    on.type("measurementPeak", "12");
    on.type("measurementSteps", "2");
    QVERIFY2(!on.problems().contains(says), qPrintable(on.problems()));
    on.press("measurementAccept");
    QCOMPARE(on.offer().measurements.size(), std::size_t(1));
    QCOMPARE(on.offer().measurements[0].devices, std::string("A1.0-3"));
}

void TestEvidencePanel::previewFollowsWhatIsTyped()
{
    Fixture on;
    on.press("measurementAdd");
    on.type("measurementDevices", "A1.0-1");
    on.type("measurementPeak", "12");
    QVERIFY2(
        on.preview().startsWith("With this: Partial coverage, 0 of 4"), qPrintable(on.preview()));
    QVERIFY(on.preview().contains("does not cover initialization"));
    QVERIFY2(on.preview().contains("measured − estimated: +1.00 GiB (need 11.00)"),
        qPrintable(on.preview()));
    on.tick("measurementPhase-init");
    QVERIFY(on.preview().contains("covers no complete step"));
    on.type("measurementSteps", "1");
    QVERIFY(on.preview().contains("covers one complete step"));
    on.type("measurementSteps", "2");
    QVERIFY(on.preview().startsWith("With this: Partial coverage, 2 of 4"));
    on.type("measurementDevices", "all");
    QVERIFY(on.preview().startsWith("With this: Demonstrated"));
    on.tick("measurementAverage");
    QVERIFY(on.preview().contains("is an average"));
    on.tick("measurementAverage");
    on.part<QRadioButton>("measurementScope-allocated")->click();
    on.settle();
    QVERIFY(on.preview().contains("counts tensors only"));
    QVERIFY(on.preview().contains("+3.00 GiB (tensors 9.00)"));
    on.part<QRadioButton>("measurementScope-reserved")->click();
    on.settle();
    QVERIFY(on.preview().startsWith("With this: Demonstrated"));
    on.type("measurementPeak", "16.5");
    QVERIFY(on.preview().startsWith("With this: Contradicted"));
    on.type("measurementPeak", "12");
    on.tick("measurementOutOfMemory");
    QVERIFY(on.preview().contains("A run ran out of memory on all devices."));
    // Nothing of this reached the plan, and nothing else is shown as tried.
    QVERIFY(on.offer().measurements.empty());
    QVERIFY(on.document.undoStack().isClean());
    QVERIFY(on.summary().startsWith("None."));
}

void TestEvidencePanel::outOfMemoryNeedsNoPeak()
{
    Fixture on;
    on.press("measurementAdd");
    on.tick("measurementOutOfMemory");
    on.press("measurementAccept");
    QCOMPARE(on.offer().measurements.size(), std::size_t(1));
    QVERIFY(!on.offer().measurements[0].peak);
    QVERIFY2(on.summary().startsWith("Contradicted. A run ran out of memory on all devices."),
        qPrintable(on.summary()));
}

void TestEvidencePanel::takesTheSelection()
{
    Fixture on;
    on.press("measurementAdd");
    QVERIFY(!on.part<QWidget>("measurementSelection")->isEnabled());
    on.selection.selectGpus({ { 1, 1 }, { 1, 2 }, { 1, 3 } }, { 1, 1 });
    on.press("measurementSelection");
    QCOMPARE(on.part<QLineEdit>("measurementDevices")->text(), QString("A1·1-3"));
    on.press("measurementAll");
    QCOMPARE(on.part<QLineEdit>("measurementDevices")->text(), QString("all"));
    on.selection.selectGpus({ { 1, 0 }, { 1, 3 } }, { 1, 0 });
    on.press("measurementSelection");
    QCOMPARE(on.part<QLineEdit>("measurementDevices")->text(), QString("A1·0, A1·3"));
}

void TestEvidencePanel::changesAndRemoves()
{
    Fixture on;
    Measurement first = reading("A1·0-1");
    first.extra = std::make_shared<const Json>(parseJson(R"({"x_more": 1})").value());
    first.source = "supplier";
    on.make(edit::SetMeasurements { 0, { first, reading("A1·2") } });
    on.settle();
    QVERIFY(on.list()->isVisible());
    QVERIFY(on.summary().startsWith("Partial coverage, 3 of 4"));
    QVERIFY(!on.part<QWidget>("measurementChange")->isEnabled());
    on.list()->setFocus();
    QTest::keyClick(on.list(), Qt::Key_Home);
    QTest::keyClick(on.list(), Qt::Key_Return);
    on.settle();
    QVERIFY(on.formOpen());
    QCOMPARE(on.part<QLineEdit>("measurementDevices")->text(), QString("A1·0-1"));
    QCOMPARE(on.part<QLineEdit>("measurementSource")->text(), QString("supplier"));
    QCOMPARE(on.part<QPushButton>("measurementAccept")->text(), QString("Save measurement"));
    on.type("measurementPeak", "13");
    on.press("measurementAccept");
    QCOMPARE(on.offer().measurements.size(), std::size_t(2));
    QCOMPARE(on.offer().measurements[0].peak->count(), 13 * kGiB);
    QVERIFY(sameExtra(on.offer().measurements[0].extra, first.extra));
    QCOMPARE(on.document.undoStack().undoText(), QString("Change measurement of S"));

    // A double click opens too; Delete removes.
    const QRect row = on.list()->visualRect(on.list()->model()->index(1, 0));
    QTest::mouseClick(on.list()->viewport(), Qt::LeftButton, {}, row.center());
    QTest::mouseDClick(on.list()->viewport(), Qt::LeftButton, {}, row.center());
    on.settle();
    QVERIFY(on.formOpen());
    QCOMPARE(on.part<QLineEdit>("measurementDevices")->text(), QString("A1·2"));
    on.press("measurementCancel");
    QVERIFY(!on.formOpen());
    on.list()->setFocus();
    QTest::keyClick(on.list(), Qt::Key_Delete);
    on.settle();
    QCOMPARE(on.offer().measurements.size(), std::size_t(1));
    QCOMPARE(on.offer().measurements[0].devices, std::string("A1·0-1"));
    QCOMPARE(on.document.undoStack().undoText(), QString("Remove measurement of S"));
    on.list()->setCurrentIndex(on.list()->model()->index(0, 0));
    on.press("measurementRemove");
    QVERIFY(on.offer().measurements.empty());
    QVERIFY(!on.list()->isVisible());
}

void TestEvidencePanel::contextMenu()
{
    Fixture on;
    on.make(edit::SetMeasurements { 0, { reading() } });
    on.settle();
    on.list()->setFocus();
    on.list()->setCurrentIndex(on.list()->model()->index(0, 0));
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(on.list()->viewport(), &event);
    auto* menu = on.list()->findChild<QMenu*>();
    QVERIFY(menu);
    const auto actions = menu->actions();
    QCOMPARE(actions.size(), 4);
    QVERIFY(!actions[1]->isEnabled()); // it is about the offer as it stands
    actions[3]->trigger();
    menu->close();
    on.settle();
    QVERIFY(on.offer().measurements.empty());
}

void TestEvidencePanel::stillApplies()
{
    Fixture on;
    on.make(edit::SetMeasurements { 0, { reading() } });
    on.settle();
    QVERIFY(!on.part<QWidget>("measurementStillApplies")->isVisible());
    on.changeWorkload([](Workload& workload) { workload.recipe.framework = "torchtitan"; });
    on.settle();
    QVERIFY2(on.summary().startsWith("None. The reading of all devices was recorded for another "
                                     "state of this offer."),
        qPrintable(on.summary()));
    on.list()->setFocus();
    on.list()->setCurrentIndex(on.list()->model()->index(0, 0));
    on.press("measurementStillApplies");
    QVERIFY(on.summary().startsWith("Demonstrated."));
    QCOMPARE(on.offer().measurements[0].basis, offerFingerprint(on.plan(), 0));
    QCOMPARE(on.document.undoStack().undoText(), QString("Change measurement of S"));
    QVERIFY(!on.part<QWidget>("measurementStillApplies")->isVisible());
    on.document.undoStack().undo();
    on.settle();
    QVERIFY(on.summary().startsWith("None."));
    on.document.undoStack().undo();
    on.settle();
    QVERIFY(on.summary().startsWith("Demonstrated."));
}

void TestEvidencePanel::formStaysWithItsOffer()
{
    Fixture on;
    QSignalSpy subtitle(&on.panel, &EvidencePanel::subtitleChanged);
    on.press("measurementAdd");
    on.type("measurementPeak", "12");
    on.document.setCurrentOffer(1);
    on.settle();
    QCOMPARE(subtitle.size(), 1);
    QCOMPARE(subtitle[0][0].toString(), QString("T"));
    QVERIFY(!on.formOpen());
    on.document.setCurrentOffer(0);
    on.settle();
    QVERIFY(on.formOpen());
    QCOMPARE(on.part<QLineEdit>("measurementPeak")->text(), QString("12.00"));
    on.press("measurementAccept");
    QCOMPARE(on.plan().offers[0]->measurements.size(), std::size_t(1));
    QVERIFY(on.plan().offers[1]->measurements.empty());
}

/// The plan changes while a measurement is being changed.
void TestEvidencePanel::formFollowsThePlan()
{
    Fixture on;
    on.make(edit::SetMeasurements { 0, { reading("A1·0"), reading("A1·1"), reading("A1·2") } });
    on.settle();
    on.list()->setFocus();
    on.list()->setCurrentIndex(on.list()->model()->index(2, 0));
    QTest::keyClick(on.list(), Qt::Key_Return);
    on.type("measurementPeak", "14");
    // The one before it goes: it is still the same one that is changed.
    std::vector<Measurement> all = on.offer().measurements;
    all.erase(all.begin());
    on.make(edit::SetMeasurements { 0, all });
    on.settle();
    QCOMPARE(on.part<QLineEdit>("measurementPeak")->text(), QString("14"));
    on.press("measurementAccept");
    QCOMPARE(on.offer().measurements.size(), std::size_t(2));
    QCOMPARE(on.offer().measurements[1].peak->count(), 14 * kGiB);
    QCOMPARE(on.offer().measurements[0].peak->count(), 12 * kGiB);
    // It goes itself: what was typed is added.
    on.list()->setFocus();
    on.list()->setCurrentIndex(on.list()->model()->index(1, 0));
    QTest::keyClick(on.list(), Qt::Key_Return);
    on.type("measurementPeak", "15");
    on.make(edit::SetMeasurements { 0, {} });
    on.settle();
    QCOMPARE(on.part<QPushButton>("measurementAccept")->text(), QString("Add measurement"));
    on.press("measurementAccept");
    QCOMPARE(on.offer().measurements.size(), std::size_t(1));
    QCOMPARE(on.offer().measurements[0].peak->count(), 15 * kGiB);
}

void TestEvidencePanel::escapeCancels()
{
    Fixture on;
    on.press("measurementAdd");
    on.type("measurementSource", "nobody");
    QTest::keyClick(on.part<QWidget>("measurementSource"), Qt::Key_Escape);
    on.settle();
    QVERIFY(!on.formOpen());
    QVERIFY(on.document.undoStack().isClean());
    on.press("measurementAdd");
    QVERIFY(on.part<QLineEdit>("measurementSource")->text().isEmpty());
}

void TestEvidencePanel::recordsAResult()
{
    Fixture on;
    auto* result = on.part<QComboBox>("outcomeResult");
    QCOMPARE(result->currentText(), QString("Not evaluated"));
    // What the plan knows is attached.
    QCOMPARE(on.part<QLineEdit>("outcomeInterconnect")->text(), QString("NVLink"));
    QVERIFY(!on.part<QWidget>("outcomeRecord")->isEnabled());
    QVERIFY(!on.part<QWidget>("outcomeRemove")->isEnabled());
    result->setFocus();
    QTest::keyClick(result, Qt::Key_Down);
    QCOMPARE(result->currentText(), QString("Accepted"));
    on.press("outcomeRecord");
    QVERIFY(!on.offer().outcome);
    QVERIFY2(on.problems().contains("Name the quality and performance criterion"),
        qPrintable(on.problems()));
    QVERIFY(on.part<QWidget>("outcomeCriterion")->hasFocus());
    on.type("outcomeCriterion", "validation loss 2.10");
    QVERIFY(!on.problems().contains("Name the quality and performance criterion"));
    on.type("outcomeValue", "2.08");
    on.type("outcomeThroughput", "11,400 tokens/s");
    on.type("outcomeSoftware", "torchtitan 0.2");
    on.press("outcomeRecord");
    QVERIFY(on.offer().outcome);
    const TrainingOutcome& outcome = *on.offer().outcome;
    QVERIFY(outcome.result == TrainingResult::Accepted);
    QCOMPARE(outcome.criterion, std::string("validation loss 2.10"));
    QCOMPARE(outcome.value, std::string("2.08"));
    QCOMPARE(outcome.throughput, std::string("11,400 tokens/s"));
    QCOMPARE(outcome.software, std::string("torchtitan 0.2"));
    QCOMPARE(outcome.interconnect, std::string("NVLink"));
    QCOMPARE(outcome.basis, offerFingerprint(on.plan(), 0));
    QCOMPARE(on.document.current()->assessment->findings.result, TrainingResult::Accepted);
    QVERIFY(!on.part<QWidget>("outcomeRecord")->isEnabled());
    QCOMPARE(on.document.undoStack().undoText(), QString("Record training result of S"));

    // Undone, the fields are as the plan is; redone and removed.
    on.document.undoStack().undo();
    on.settle();
    QVERIFY(!on.offer().outcome);
    QCOMPARE(result->currentText(), QString("Not evaluated"));
    QVERIFY(on.part<QLineEdit>("outcomeValue")->text().isEmpty());
    on.document.undoStack().redo();
    on.settle();
    QCOMPARE(on.part<QLineEdit>("outcomeValue")->text(), QString("2.08"));
    on.press("outcomeRemove");
    QVERIFY(!on.offer().outcome);
    QCOMPARE(on.document.undoStack().undoText(), QString("Remove training result of S"));
}

void TestEvidencePanel::resultOfAnotherState()
{
    Fixture on;
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Rejected;
    outcome.criterion = "loss";
    on.make(edit::SetOutcome { 0, outcome });
    on.settle();
    QVERIFY(!on.part<QWidget>("outcomeStillApplies")->isVisible());
    on.changeWorkload([](Workload& workload) { workload.recipe.microBatch = 2; });
    on.settle();
    QVERIFY(on.problems().contains("Recorded for another state of this offer"));
    QCOMPARE(on.document.current()->assessment->findings.result, TrainingResult::NotEvaluated);
    on.press("outcomeStillApplies");
    QCOMPARE(on.document.current()->assessment->findings.result, TrainingResult::Rejected);
    QVERIFY(!on.part<QWidget>("outcomeStillApplies")->isVisible());
    // Given anew, it is about the offer as it stands.
    on.changeWorkload([](Workload& workload) { workload.recipe.microBatch = 3; });
    on.settle();
    on.type("outcomeValue", "2.5");
    on.press("outcomeRecord");
    QCOMPARE(on.document.current()->assessment->findings.result, TrainingResult::Rejected);
}

void TestEvidencePanel::draftsStayWithTheirOffers()
{
    Fixture on;
    on.type("outcomeNote", "half typed");
    on.document.setCurrentOffer(1);
    on.settle();
    QVERIFY(on.part<QLineEdit>("outcomeNote")->text().isEmpty());
    // Another edit of the plan leaves what is typed alone.
    on.type("outcomeNote", "of T");
    on.make(edit::SetTitle { "Title" });
    on.settle();
    QCOMPARE(on.part<QLineEdit>("outcomeNote")->text(), QString("of T"));
    on.document.setCurrentOffer(0);
    on.settle();
    QCOMPARE(on.part<QLineEdit>("outcomeNote")->text(), QString("half typed"));
    QVERIFY(on.problems().contains("Not recorded yet."));
    QVERIFY(!on.offer().outcome);
}

void TestEvidencePanel::withoutAnOffer()
{
    Fixture on;
    on.press("measurementAdd");
    on.document.reset(emptyPlan(), {}, false);
    on.settle();
    QVERIFY(on.summary().contains("Evidence belongs to an offer"));
    QVERIFY(!on.formOpen());
    QVERIFY(!on.part<QWidget>("measurementAdd")->isEnabled());
    QVERIFY(!on.part<QWidget>("outcomeResult")->isEnabled());
    on.panel.addMeasurement();
    QVERIFY(!on.formOpen());
}

void TestEvidencePanel::hiddenPanelIsFilledWhenShown()
{
    Fixture on;
    on.panel.hide();
    on.make(edit::SetMeasurements { 0, { reading() } });
    QVERIFY(on.summary().startsWith("None.")); // nothing is done for nobody
    on.panel.show();
    on.settle();
    QVERIFY(on.summary().startsWith("Demonstrated."));
}

void TestEvidencePanel::barsCarryWhatWasMeasured()
{
    Fixture on;
    Measurement average = reading("all", 15);
    average.average = true;
    Measurement tensors = reading("A1·0", 14);
    tensors.scope = MemoryScope::Allocated;
    Measurement stale = reading("all", 15);
    stale.basis = "0123456789abcdef";
    on.make(edit::SetMeasurements {
        0, { reading("A1·0-2", 12), reading("A1·1", 13), average, tensors, stale } });
    const ShownOffer offer = *on.document.current();
    using Peaks = std::vector<std::optional<Bytes>>;
    QVERIFY(measuredPeaks(offer)
        == (Peaks { Bytes(12 * kGiB), Bytes(13 * kGiB), Bytes(12 * kGiB), std::nullopt }));
    const MemoryBarsInput input = barsInput(offer, {}, { 3, 0, 1, 2 }, {});
    const auto measured = [&](int bar) { return input.bar(bar).measured; };
    QVERIFY(!measured(0));
    QVERIFY(measured(1) == Bytes(12 * kGiB));
    QVERIFY(measured(2) == Bytes(13 * kGiB));
    QVERIFY(measured(3) == Bytes(12 * kGiB));
    QCOMPARE(input.classOf(1), input.classOf(3)); // equal devices are drawn equal
    for (int bar = 0; bar < 4; ++bar)
        QCOMPARE(input.bar(bar).need().count(), 11 * kGiB);
    QVERIFY(barToolTip(offer, 1).contains("measured 13.00 GiB, device memory in use"));
    QVERIFY(!barToolTip(offer, 3).contains("measured"));
}

QTEST_MAIN(TestEvidencePanel)
#include "test_evidence_panel.moc"
