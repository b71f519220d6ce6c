#include "dock_fixture.h"
#include "docks/basis_box.h"
#include "docks/form_grid.h"
#include "docks/workload_panel.h"
#include "editors/choice_box.h"
#include "editors/integer_edit.h"
#include "editors/segment_button.h"
#include "editors/size_edit.h"
#include "workload/pytorch_switches.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace shardrack;

namespace {

constexpr std::int64_t kMi = 1048576; // 2^20

/// The panel in a window of its own, over an example.
struct Form : DockFixture {
    WorkloadPanel panel;
    explicit Form(const std::string& example = "ts-24")
        : DockFixture(example)
        , panel(document)
    {
        panel.resize(262, 900);
        panel.show();
        panel.activateWindow();
        if (!QTest::qWaitForWindowActive(&panel))
            qWarning("the window did not become active");
    }
    template <class Widget> Widget* field(const char* name)
    {
        auto* widget = panel.findChild<Widget*>(QLatin1String(name));
        if (!widget)
            qFatal("no field %s", name);
        return widget;
    }
    void type(const char* name, const char* keys)
    {
        auto* edit = field<QLineEdit>(name);
        edit->setFocus();
        edit->selectAll();
        if (*keys)
            QTest::keyClicks(edit, QLatin1String(keys));
        else
            QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClick(edit, Qt::Key_Return);
        document.flush();
    }
    void choose(const char* name, const QVariant& data)
    {
        auto* box = field<ChoiceBox>(name);
        const int index = box->findData(data);
        if (index < 0)
            qFatal("no such choice in %s", name);
        emit box->opened();
        box->setCurrentIndex(index);
        emit box->activated(index);
        document.flush();
    }
    void press(const QString& text)
    {
        for (SegmentButton* button : panel.findChildren<SegmentButton*>())
            if (button->text() == text)
                button->click();
        document.flush();
    }
    void undo()
    {
        document.undoStack().undo();
        document.flush();
    }
    void redo()
    {
        document.undoStack().redo();
        document.flush();
    }
    QStringList notes()
    {
        QStringList texts;
        for (NoteLabel* note : panel.findChildren<NoteLabel*>())
            if (note->isVisible())
                texts << note->text();
        return texts;
    }
};

} // namespace

class TestWorkloadPanel : public QObject {
    Q_OBJECT

private slots:
    void typedFieldsMakeOneStepEach_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<qint64>("value");
        const auto row = [](const char* field, const char* keys, qint64 value) {
            QTest::newRow(field) << QByteArray(field) << QByteArray(keys) << value;
        };
        row("persistent", "25.5", 26112 * kMi); // 25.5 × 1024 MiB
        row("termGathered", "512 MiB", 512 * kMi);
        row("termActivations", "3", 3072 * kMi);
        row("termTemporary", "1,5", 1536 * kMi);
        row("termSlack", "100 MB", 100'000'000);
        row("termOutside", "550 MiB", 550 * kMi);
        row("weightsOnly", "16 GB", 16'000'000'000);
        row("globalBatch", "48", 48);
        row("microBatch", "3", 3);
        row("accumulation", "2", 2);
        row("sequence", "8,192", 8192);
    }
    void typedFieldsMakeOneStepEach()
    {
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, keys);
        QFETCH(qint64, value);
        Form form;
        form.field<QToolButton>("moreTerms")->click();
        const auto given = [&]() -> std::optional<std::int64_t> {
            const Workload& workload = form.workload();
            const auto size = [](const std::optional<Bytes>& bytes) {
                return bytes ? std::optional(bytes->count()) : std::nullopt;
            };
            if (field == "persistent")
                return size(workload.stipulated.total);
            if (field == "termGathered")
                return size(workload.terms.gathered);
            if (field == "termActivations")
                return size(workload.terms.activations);
            if (field == "termTemporary")
                return size(workload.terms.temporary);
            if (field == "termSlack")
                return size(workload.terms.slack);
            if (field == "termOutside")
                return size(workload.terms.outside);
            if (field == "weightsOnly")
                return size(workload.weightsOnly);
            if (field == "globalBatch")
                return workload.recipe.globalBatch;
            if (field == "microBatch")
                return workload.recipe.microBatch;
            if (field == "accumulation")
                return workload.recipe.accumulation;
            return workload.recipe.sequence;
        };
        const auto before = given();
        const QString shownBefore = form.field<QLineEdit>(field)->text();
        form.type(field, keys);
        QCOMPARE(given(), std::optional<std::int64_t>(value));
        QCOMPARE(form.document.undoStack().count(), 1);
        const QString shown = form.field<QLineEdit>(field)->text();
        form.undo();
        QCOMPARE(given(), before);
        QCOMPARE(form.field<QLineEdit>(field)->text(), shownBefore);
        form.redo();
        QCOMPARE(form.field<QLineEdit>(field)->text(), shown);
        QCOMPARE(form.document.undoStack().count(), 1); // following the plan edits nothing
        form.type(field, "");
        QVERIFY(!given());
    }

    void oneVisitToAFieldIsOneStep()
    {
        Form form;
        auto* edit = form.field<SizeEdit>("persistent");
        edit->setFocus();
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(edit, Qt::Key_Up);
            form.document.flush();
        }
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(29 * kGiB)));
        QCOMPARE(form.document.undoStack().count(), 1);
        form.field<QLineEdit>("sequence")->setFocus();
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_Up);
        form.document.flush();
        QCOMPARE(form.document.undoStack().count(), 2);
        form.undo();
        QCOMPARE(edit->text(), QStringLiteral("29.00"));
        form.undo();
        QCOMPARE(edit->text(), QStringLiteral("24.00"));
    }

    void textWithTwoReadingsIsRefusedBesideTheField()
    {
        Form form;
        form.type("persistent", "1,024");
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(24 * kGiB)));
        QCOMPARE(form.document.undoStack().count(), 0);
        const QString all = form.notes().join(u'\n');
        QVERIFY2(all.contains(QLatin1String("1.024")), qPrintable(all));
        form.type("persistent", "30");
        QVERIFY(!form.notes().join(u'\n').contains(QLatin1String("1.024")));
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(30 * kGiB)));
    }

    void stateBasis()
    {
        Form form;
        QVERIFY(form.field<QLineEdit>("persistent")->isVisible());
        QVERIFY(!form.field<ChoiceBox>("model")->isEnabled());
        QCOMPARE(form.field<ChoiceBox>("recipe")->shownText(), QStringLiteral("inside the 24 GiB"));
        form.press(QStringLiteral("Derived"));
        QCOMPARE(form.workload().basis, Workload::StateBasis::Derived);
        QVERIFY(!form.field<QLineEdit>("persistent")->isVisible());
        QVERIFY(form.field<ChoiceBox>("model")->isEnabled());
        form.undo();
        QCOMPARE(form.workload().basis, Workload::StateBasis::Stipulated);
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(24 * kGiB)));
        QVERIFY(form.field<QLineEdit>("persistent")->isVisible());
        QVERIFY(!form.field<QLineEdit>("bytesParameters")->isVisible());
    }

    void typedTextThatIsNotEnteredDoesNotSurviveItsField()
    {
        Form form;
        auto* edit = form.field<SizeEdit>("persistent");
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("99"));
        // The plan changes under the field, which goes away.
        form.changeWorkload(
            [](Workload& workload) { workload.basis = Workload::StateBasis::Derived; });
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(24 * kGiB)));
        QCOMPARE(form.document.undoStack().count(), 1);
    }

    void partsApart()
    {
        Form form;
        auto* apart = form.field<QCheckBox>("partsApart");
        apart->click();
        form.document.flush();
        QCOMPARE(form.document.undoStack().count(), 0); // the total counts until a part is given
        QVERIFY(form.field<QLineEdit>("stateGradients")->isVisible());
        QVERIFY(!form.field<QLineEdit>("persistent")->isVisible());
        form.type("stateParameters", "4");
        form.type("stateGradients", "4");
        form.type("stateOptimizer", "8");
        QVERIFY(!form.workload().stipulated.total);
        QCOMPARE(form.workload().stipulated.optimizer, std::optional(Bytes(8 * kGiB)));
        apart->click();
        form.document.flush();
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(16 * kGiB)));
        QCOMPARE(form.field<QLineEdit>("persistent")->text(), QStringLiteral("16.00"));
        form.undo();
        QVERIFY(apart->isChecked());
        // A sum beyond 64 bits is refused in words.
        form.changeWorkload([](Workload& workload) {
            workload.stipulated.total.reset();
            workload.stipulated.parameters = workload.stipulated.gradients
                = Bytes(std::int64_t(1) << 62);
        });
        apart->click();
        form.document.flush();
        QVERIFY(!form.workload().stipulated.total);
        QVERIFY(form.notes().join(u'\n').contains(QLatin1String("64-bit")));
    }

    void layoutPresets_data()
    {
        QTest::addColumn<int>("preset");
        QTest::addColumn<QString>("shown");
        QTest::newRow("ddp") << int(LayoutPreset::Ddp) << "4 replicas";
        QTest::newRow("zero1") << int(LayoutPreset::Zero1) << "ZeRO-1 over 4 ranks";
        QTest::newRow("zero2") << int(LayoutPreset::Zero2) << "ZeRO-2 over 4 ranks";
        QTest::newRow("fsdp") << int(LayoutPreset::Fsdp) << "4 shards";
        QTest::newRow("hsdp") << int(LayoutPreset::Hsdp) << "HSDP 1 × 4";
    }
    void layoutPresets()
    {
        QFETCH(int, preset);
        QFETCH(QString, shown);
        Form form;
        const LayoutPreset before = form.layout().preset;
        form.choose("layout", preset);
        QCOMPARE(int(form.layout().preset), preset);
        QCOMPARE(form.field<ChoiceBox>("layout")->shownText(), shown);
        QCOMPARE(form.field<QLineEdit>("shards")->isVisible(), preset == int(LayoutPreset::Hsdp));
        const bool same = int(before) == preset;
        QCOMPARE(form.document.undoStack().count(), same ? 0 : 1);
        QCOMPARE(form.plan().offers[1]->layout.preset, LayoutPreset::Fsdp);
        if (!same)
            form.undo();
        QCOMPARE(form.field<ChoiceBox>("layout")->shownText(), QStringLiteral("4 replicas"));
    }

    void shardSizeAndItsRule()
    {
        Form form;
        form.choose("layout", int(LayoutPreset::Hsdp));
        auto* shards = form.field<IntegerEdit>("shards");
        QCOMPARE(shards->derivedText(), QStringLiteral("4"));
        form.type("shards", "2");
        QCOMPARE(form.layout().dpShard, std::optional<std::int32_t>(2));
        QCOMPARE(form.field<ChoiceBox>("layout")->shownText(), QStringLiteral("HSDP 2 × 2"));
        form.type("shards", "3");
        const QString all = form.notes().join(u'\n');
        QVERIFY2(all.contains(QLatin1String("4 ranks are not a multiple of 3")), qPrintable(all));
        form.type("shards", "");
        QVERIFY(!form.layout().dpShard);
    }

    void groupsByHandAreShownAsCustom()
    {
        Form form;
        form.document.setCurrentOffer(1);
        form.make(edit::LeaveGroups { 1, RankSet::range(3, 3) });
        auto* layout = form.field<ChoiceBox>("layout");
        QCOMPARE(layout->currentData().toInt(), int(LayoutPreset::Custom));
        QVERIFY(!form.field<QCheckBox>("ranksFollow")->isEnabled());
        form.choose("layout", int(LayoutPreset::Fsdp));
        QVERIFY(form.layout().groups.empty());
        QVERIFY(layout->findData(int(LayoutPreset::Custom)) < 0);
    }

    void ranksFollowTheHardware()
    {
        Form form;
        auto* follow = form.field<QCheckBox>("ranksFollow");
        QVERIFY(follow->isChecked());
        follow->click();
        form.document.flush();
        QVERIFY(!form.layout().ranksFollowHardware);
        form.undo();
        QVERIFY(follow->isChecked());
    }

    void models()
    {
        Form form;
        form.press(QStringLiteral("Derived"));
        QSignalSpy import(&form.panel, &WorkloadPanel::importModelRequested);
        form.choose("model", QStringLiteral("llama-3-8b"));
        QVERIFY(form.workload().model);
        QCOMPARE(form.workload().model->preset, std::string("llama-3-8b"));
        QVERIFY2(form.notes().contains(QStringLiteral("8,030,261,248 parameters")),
            qPrintable(form.notes().join(u'\n')));
        form.choose("model", QStringLiteral(":file"));
        QCOMPARE(import.size(), 1);
        QCOMPARE(
            form.field<ChoiceBox>("model")->currentData().toString(), QStringLiteral("llama-3-8b"));
        form.choose("model", QStringLiteral(":count"));
        QVERIFY(form.field<QLineEdit>("parameterCount")->isVisible());
        QCOMPARE(form.workload().model->preset, std::string("llama-3-8b"));
        form.type("parameterCount", "7,000,000,000");
        QVERIFY2(form.field<QLineEdit>("parameterCount")->toolTip().isEmpty(),
            qPrintable(form.field<QLineEdit>("parameterCount")->toolTip()));
        QCOMPARE(
            form.workload().model->parametersGiven, std::optional<std::int64_t>(7'000'000'000));
        QCOMPARE(form.workload().model->architecture.name, std::string("7B"));
        form.undo();
        QCOMPARE(form.workload().model->preset, std::string("llama-3-8b"));
        form.choose("model", QStringLiteral(":none"));
        QVERIFY(!form.workload().model);
    }

    void recipes()
    {
        Form form("llama-3-8b-32-gpus");
        auto* recipe = form.field<ChoiceBox>("recipe");
        QCOMPARE(recipe->currentData().toString(), QStringLiteral("mixed-adam"));
        // Two presets have the same bytes: what was chosen stays chosen.
        form.choose("recipe", QStringLiteral("fsdp2-fp32"));
        QCOMPARE(form.workload().recipe.bytesPerParameter,
            std::optional(BytesPerParameter { 4, 4, 8, 0 }));
        QCOMPARE(recipe->currentData().toString(), QStringLiteral("fsdp2-fp32"));
        form.type("bytesOptimizer", "6");
        QCOMPARE(form.workload().recipe.bytesPerParameter->optimizer, std::int64_t(6));
        QCOMPARE(recipe->currentText(), QStringLiteral("Custom"));
        form.type("bytesOptimizer", ""); // unknown is never zero
        QCOMPARE(form.workload().recipe.bytesPerParameter->optimizer, std::int64_t(6));
        form.undo();
        QCOMPARE(form.field<QLineEdit>("bytesOptimizer")->text(), QStringLiteral("8"));
        form.choose("recipe", QStringLiteral(":none"));
        QVERIFY(!form.workload().recipe.bytesPerParameter);
        QVERIFY(!form.field<QLineEdit>("bytesOptimizer")->isEnabled());
    }

    void recompute()
    {
        Form form;
        form.choose("recompute", QStringLiteral("full"));
        QCOMPARE(form.workload().recipe.recompute, std::string("full"));
        form.undo();
        QCOMPARE(form.field<ChoiceBox>("recompute")->currentText(), QStringLiteral("not given"));
    }

    void oneOfTheBatchFactorsIsDerived()
    {
        Form form;
        form.document.reset(llamaPlan(), {}, false);
        form.document.flush();
        auto* micro = form.field<IntegerEdit>("microBatch");
        QCOMPARE(micro->derivedText(), QStringLiteral("3")); // 48 = 3 × 1 × 16
        form.tryAnotherServer();
        QCOMPARE(micro->derivedText(), QStringLiteral("3 → 2")); // 48 = 2 × 1 × 24
        QCOMPARE(form.field<ChoiceBox>("layout")->shownText(), QStringLiteral("HSDP 2 → 3 × 8"));
        QCOMPARE(form.document.undoStack().count(), 0);
        form.document.clearTry();
        form.document.flush();
        QCOMPARE(micro->derivedText(), QStringLiteral("3"));
        form.type("microBatch", "4"); // 4 × 1 × 16 = 64
        QVERIFY2(form.notes().join(u'\n').contains(QStringLiteral("48 is not 4 × 1 × 16")),
            qPrintable(form.notes().join(u'\n')));
        form.type("globalBatch", "");
        QCOMPARE(form.field<IntegerEdit>("globalBatch")->derivedText(), QStringLiteral("64"));
    }

    void anOffersOwnWorkloadIsShownAndEditedApart()
    {
        Form form;
        Offer own = *form.plan().offers[0];
        own.name = "Offer O";
        Workload workload = form.workload();
        workload.stipulated.total = Bytes(8 * kGiB);
        own.workload = std::make_shared<const Workload>(workload);
        form.make(edit::AddOffer { own, 2 });
        form.document.setCurrentOffer(2);
        form.document.flush();
        auto* edit = form.field<SizeEdit>("persistent");
        QCOMPARE(edit->value(), std::optional(Bytes(8 * kGiB)));
        form.type("persistent", "10");
        QCOMPARE(form.plan().workloadOf(2).stipulated.total, std::optional(Bytes(10 * kGiB)));
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(24 * kGiB)));
        form.document.setCurrentOffer(0);
        form.document.flush();
        QCOMPARE(edit->value(), std::optional(Bytes(24 * kGiB)));
    }

    /// "This offer": what is typed then is a change of basis of the offer in front, with a reason,
    /// and there are two ways back.
    void aChangedBasisIsMadeExplainedAndTakenBack()
    {
        Form form;
        form.document.setCurrentOffer(1);
        form.document.flush();
        form.press(QStringLiteral("This offer"));
        form.type("microBatch", "2");
        QVERIFY(!form.workload().recipe.microBatch);
        QVERIFY(hasChangedBasis(form.plan(), 1));
        QVERIFY(!hasChangedBasis(form.plan(), 0));
        auto* box = form.field<BasisBox>("basisBox");
        QVERIFY(box->isVisible());

        form.type("basisReason0", "the supplier measured it so");
        const std::vector<BasisChange> changes = changedBasis(form.plan(), 1);
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes[0].field, std::string("micro_batch"));
        QCOMPARE(changes[0].offer, std::string("2 sequences"));
        QCOMPARE(changes[0].reason, std::string("the supplier measured it so"));

        form.field<QPushButton>("backToCommon")->click();
        form.document.flush();
        QVERIFY(!hasChangedBasis(form.plan(), 1));
        QVERIFY(!box->isVisible());
        // Going back does not send what is typed next to all offers.
        QVERIFY(form.field<SegmentButton>("askThisOffer")->isChecked());
        form.undo();
        QVERIFY(hasChangedBasis(form.plan(), 1));
        form.field<QPushButton>("makeCommon")->click();
        form.document.flush();
        QVERIFY(!hasChangedBasis(form.plan(), 1));
        QCOMPARE(form.workload().recipe.microBatch, std::optional<std::int64_t>(2));
    }

    void whatOffersAreAskedInWords()
    {
        Form form;
        form.field<QToolButton>("askedFields")->click();
        form.type("revision", "2024-05");
        form.type("placement", "optimizer state in host memory");
        QCOMPARE(form.workload().revision, std::string("2024-05"));
        QCOMPARE(form.workload().recipe.offload, std::string("optimizer state in host memory"));
        form.type("price", "2.49 USD a GPU-hour");
        QVERIFY(form.plan().offers[0]->price.has_value());
        QCOMPARE(text(*form.plan().offers[0]->price), std::string("2.49 USD a GPU-hour"));
        form.type("price", "about two");
        QVERIFY2(form.notes().join(u'\n').contains(QStringLiteral("does not say what it is for")),
            qPrintable(form.notes().join(u'\n')));
        QCOMPARE(form.plan().offers[0]->price->amount, std::string("2.49"));
    }

    /// Switches of Megatron-LM: what nobody gave shows its default and why; what is given counts.
    void switchesOfAFramework()
    {
        Form form("llama-3-8b-32-gpus");
        QVERIFY(!form.field<ChoiceBox>("attention")->isVisible());
        form.choose("framework", QStringLiteral("megatron"));
        QCOMPARE(form.workload().recipe.framework, std::string("megatron"));
        auto* distributed = form.field<ChoiceBox>("distributed_optimizer");
        QVERIFY(distributed->isVisible());
        QCOMPARE(distributed->shownText(), QStringLiteral("off")); // the training script's default
        form.choose("distributed_optimizer", qint64(1));
        QCOMPARE(form.workload().recipe.megatron.get(Switch::DistributedOptimizer),
            std::optional<std::int64_t>(1));
        auto* dropout = form.field<QLineEdit>("hidden_dropout");
        QVERIFY(!dropout->isVisible());
        form.field<QToolButton>("moreSwitches")->click();
        QVERIFY(dropout->isVisible());
        form.type("hidden_dropout", "0");
        QCOMPARE(form.workload().recipe.megatron.get(Switch::HiddenDropout),
            std::optional<std::int64_t>(0));
        form.type("hidden_dropout", "2");
        QCOMPARE(form.workload().recipe.megatron.get(Switch::HiddenDropout),
            std::optional<std::int64_t>(0));
        QVERIFY2(form.notes().join(u'\n').contains(QStringLiteral("below 1")),
            qPrintable(form.notes().join(u'\n')));
        form.choose("layout", static_cast<int>(LayoutPreset::Megatron));
        form.type("tensorDegree", "2");
        QCOMPARE(form.plan().offers[0]->layout.tensor, 2);
    }

    /// A word that is longer than the panel is wide goes on in the next line.
    void longWordsDoNotWidenTheForm()
    {
        NoteLabel note;
        note.setNote(QStringLiteral("expected at most 9,223,372,036,854,775,807"));
        QCOMPARE(note.minimumSizeHint().width(), 0);
        const int line = note.fontMetrics().height();
        QVERIFY(note.heightForWidth(90) >= 3 * line); // the number takes two
        note.setNote(QStringLiteral("short words"));
        QCOMPARE(note.text(), QStringLiteral("short words"));
    }

    /// What is about tensor, context or pipeline ranks is shown where there are any, or was given.
    void switchesOfAxesThatAreUsed()
    {
        Form form("llama-3-8b-32-gpus");
        form.choose("framework", QStringLiteral("torchtitan"));
        auto* keeps = form.field<ChoiceBox>("pytorch_pipeline_keeps");
        auto* sequence = form.field<ChoiceBox>("pytorch_sequence_parallel");
        QVERIFY(!keeps->isVisible());
        QVERIFY(!sequence->isVisible());
        form.type("pipelineDegree", "4");
        QVERIFY(keeps->isVisible());
        QVERIFY(!sequence->isVisible());
        form.choose("pytorch_pipeline_keeps", qint64(0));
        form.type("pipelineDegree", "1");
        QVERIFY(keeps->isVisible()); // it was given
        form.type("tensorDegree", "2");
        QVERIFY(sequence->isVisible());
    }

    /// Frameworks built on torch have one set of switches, each its own eras.
    void switchesOfTorch()
    {
        Form form("llama-3-8b-32-gpus");
        form.choose("framework", QStringLiteral("torchtitan"));
        auto* compile = form.field<ChoiceBox>("pytorch_compile");
        QVERIFY(compile->isVisible());
        QVERIFY(!form.field<ChoiceBox>("distributed_optimizer")->isVisible());
        QCOMPARE(compile->shownText(), QStringLiteral("none"));
        form.choose("pytorch_compile", qint64(1));
        QCOMPARE(form.workload().recipe.pytorch.get(TorchSwitch::Compile),
            std::optional<std::int64_t>(1));
        auto* era = form.field<ChoiceBox>("pytorch_era");
        QVERIFY(era->findText(QStringLiteral("2024-06")) > 0);
        form.choose("pytorch_era", qint64(0));
        form.choose("framework", QStringLiteral("torchtune"));
        QCOMPARE(era->findText(QStringLiteral("2024-06")), -1);
        QVERIFY(!form.workload().recipe.pytorch.get(TorchSwitch::Era));
        QCOMPARE(form.workload().recipe.pytorch.get(TorchSwitch::Compile),
            std::optional<std::int64_t>(1));
    }

    void aPanelThatGoesAwayEditsNothing()
    {
        DockFixture fixture("ts-24");
        {
            WorkloadPanel panel(fixture.document);
            panel.show();
            panel.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&panel));
            auto* edit = panel.findChild<SizeEdit*>(QStringLiteral("persistent"));
            edit->setFocus();
            edit->selectAll();
            QTest::keyClicks(edit, QStringLiteral("1,024"));
        }
        QCOMPARE(fixture.document.undoStack().count(), 0);
    }

    void aPlanWithoutOffers()
    {
        Form form;
        form.document.reset(emptyPlan(), {}, false);
        form.document.flush();
        QVERIFY(!form.field<ChoiceBox>("layout")->isEnabled());
        form.press(QStringLiteral("Stipulated"));
        form.type("persistent", "24");
        QCOMPARE(form.workload().stipulated.total, std::optional(Bytes(24 * kGiB)));
    }
};

QTEST_MAIN(TestWorkloadPanel)
#include "test_workload_panel.moc"
