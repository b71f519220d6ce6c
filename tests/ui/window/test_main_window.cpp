#include "window_fixture.h"

#include "commands/edit_command.h"
#include "export/report_dialog.h"
#include "plan/plan_json.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QUrl>

using namespace shardrack;

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void opensOnTheFictionalExample();
    void saysHowAccurateItIs();
    void keyboardOnlyAddsAFifthReplica();
    void keyboardOnlyTakesARankOutOfTheShards();
    void keyboardOnlyRemovesARank();
    void undoIsNamed();
    void everyMenuKeyIsItsOwn();
    void savesAndOpensAgain();
    void brokenFilesChangeNothing_data();
    void brokenFilesChangeNothing();
    void asksBeforeLosingChanges();
    void newerPlansAreReadOnly();
    void anUnnamedPlanGoesByItsFile();
    void recentFilesAreKept();
    void aDroppedModelBecomesTheWorkload();
    void geometryAndThemeAreKept();
    void everythingInteractiveHasAName();
    void treesHaveUniformRows();
    void findGoesToRanksServersAndCommands();
    void offersAreAddedRenamedMovedAndClosed();
    void aReportIsExportedFromTheWindow();
};

void TestMainWindow::opensOnTheFictionalExample()
{
    WindowFixture on;
    QCOMPARE(on.offer().name, std::string("Offer R"));
    auto* note = on.child<QLabel>("exampleNote");
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().contains(QLatin1String("fictional")), qPrintable(note->text()));
    QVERIFY2(
        note->text().contains(QLatin1String("no additional sharding")), qPrintable(note->text()));
    const QString strip = on.child<QWidget>("findingsStrip")->accessibleDescription();
    QVERIFY2(strip.contains(QLatin1String("need at least 24.00")), qPrintable(strip));
    QVERIFY2(strip.contains(QLatin1String("usable 16.00 GiB, not confirmed")), qPrintable(strip));
    QVERIFY2(strip.contains(QLatin1String("Over capacity, 4 of 4")), qPrintable(strip));
    on.showOffer("Offer S");
    const QString open = on.child<QWidget>("findingsStrip")->accessibleDescription();
    QVERIFY2(open.contains(QLatin1String("need at least 6.00")), qPrintable(open));
    QVERIFY2(open.contains(QLatin1String("Capacity estimate: Open")), qPrintable(open));
    QVERIFY2(!open.contains(QLatin1String("10.00")), qPrintable(open));
}

void TestMainWindow::saysHowAccurateItIs()
{
    WindowFixture on;
    on.child<QAction>("accuracy")->trigger();
    const auto* text = on.child<QTextBrowser>("accuracyText");
    QVERIFY(text->isVisible());
    // A stipulated total has nothing to be off by; the page itself follows.
    QVERIFY(text->toPlainText().contains(QLatin1String("not derived by a framework's strategy")));
    QVERIFY(text->toPlainText().contains(QLatin1String("simumax")));
}

void TestMainWindow::keyboardOnlyAddsAFifthReplica()
{
    WindowFixture on;
    // F6 to the catalogue, down to the GPUs, Insert, arrows, Enter.
    auto* tree = on.child<QDockWidget>("catalogueDock")->findChild<QTreeView*>();
    tree->setFocus();
    auto* panel = on.window.findChild<CataloguePanel*>();
    for (int i = 0; i < 200; ++i) {
        const auto current = panel->current();
        if (current && current->kind == Carried::Kind::GpuType && current->type == "generic-16gib")
            break;
        QTest::keyClick(tree, Qt::Key_Down);
    }
    QVERIFY(panel->current());
    QCOMPARE(panel->current()->type, std::string("generic-16gib"));
    const Sum before = on.assessment().account.deviceClasses.front().need;
    QTest::keyClick(tree, Qt::Key_Insert);
    on.settle();
    QVERIFY(on.window.canvas().carry().active());
    // The server is full, so the first place is free rack space; the consequence shows before
    // Enter.
    for (int i = 0; i < 50 && !on.window.canvas().carry().mayDrop(); ++i)
        QTest::keyClick(&on.window.canvas(), Qt::Key_Down);
    QVERIFY(on.window.document().whatIf());
    QCOMPARE(on.window.document().whatIf()->assessment->layout.rankCount(), 5);
    QCOMPARE(on.assessment().layout.rankCount(), 4);
    QTest::keyClick(&on.window.canvas(), Qt::Key_Return);
    on.settle();
    QCOMPARE(on.assessment().layout.rankCount(), 5);
    for (int rank = 0; rank < 5; ++rank)
        QCOMPARE(on.needOfRank(rank), 24 * kGiB);
    QCOMPARE(on.assessment().account.deviceClasses.front().need, before);
    QCOMPARE(on.assessment().account.redundantTotal.count(), 96 * kGiB);
    on.child<QAction>("undo")->trigger();
    on.settle();
    QCOMPARE(on.assessment().layout.rankCount(), 4);
}

void TestMainWindow::keyboardOnlyTakesARankOutOfTheShards()
{
    WindowFixture on;
    on.showOffer("Offer S");
    on.window.canvas().setFocus();
    on.window.selection().selectGpu(on.gpuOfRank(3));
    on.child<QAction>("leaveGroups")->trigger();
    on.settle();
    QCOMPARE(on.needOfRank(3), 24 * kGiB);
    for (int rank = 0; rank < 3; ++rank)
        QCOMPARE(on.needOfRank(rank), 8 * kGiB);
    QCOMPARE(on.assessment().findings.capacity, Capacity::Over);
    on.child<QAction>("undo")->trigger();
    on.settle();
    QCOMPARE(on.needOfRank(3), 6 * kGiB);
}

void TestMainWindow::keyboardOnlyRemovesARank()
{
    WindowFixture on;
    on.showOffer("Offer S");
    on.window.selection().selectGpu(on.gpuOfRank(3));
    on.child<QAction>("removeRanks")->trigger();
    on.settle();
    QCOMPARE(on.assessment().layout.rankCount(), 3);
    QCOMPARE(on.assessment().findings.devicesIdle, std::int64_t(1));
    QCOMPARE(on.needOfRank(0), 8 * kGiB);
    QCOMPARE(on.assessment().account.installedTotal.count(), 64 * kGiB);
}

void TestMainWindow::undoIsNamed()
{
    WindowFixture on;
    on.window.canvas().addRack();
    on.settle();
    QVERIFY(on.child<QAction>("undo")->text().contains(QLatin1String("rack"), Qt::CaseInsensitive));
    QVERIFY(on.window.isWindowModified());
}

void TestMainWindow::savesAndOpensAgain()
{
    WindowFixture on;
    const QString path = on.folder.filePath(QStringLiteral("plan.shardrack"));
    on.window.askForFile = [&](bool, const QString&) { return path; };
    on.window.canvas().addRack();
    on.settle();
    const Plan plan = *on.window.document().plan();
    on.child<QAction>("save")->trigger();
    on.settle();
    QVERIFY(QFileInfo::exists(path));
    QVERIFY(!on.window.isWindowModified());
    on.child<QAction>("new")->trigger();
    on.settle();
    QVERIFY(on.window.openPlan(path));
    on.settle();
    QVERIFY(*on.window.document().plan() == plan);
}

void TestMainWindow::brokenFilesChangeNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("not JSON") << QByteArray("{\"format\": ") << "line 1";
    QTest::newRow("a model description") << QByteArray("{\"model_type\": \"llama\"}") << "format";
    QTest::newRow("wrong type") << QByteArray(
        "{\"format\":\"shardrack-plan\",\"version\":1,\"title\":7}")
                                << "$.title";
}

void TestMainWindow::brokenFilesChangeNothing()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, names);
    WindowFixture on;
    const auto before = on.window.document().plan();
    QFile file(on.folder.filePath(QStringLiteral("broken.shardrack")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    QVERIFY(!on.window.openPlan(file.fileName()));
    auto* bar = on.child<QWidget>("messageBar");
    QVERIFY(bar->isVisible());
    QVERIFY2(bar->findChild<QLabel*>()->text().contains(names),
        qPrintable(bar->findChild<QLabel*>()->text()));
    QCOMPARE(on.window.document().plan(), before);
}

void TestMainWindow::asksBeforeLosingChanges()
{
    WindowFixture on;
    int asked = 0;
    SaveChoice answer = SaveChoice::Cancel;
    on.window.askToSave = [&](const QString&) {
        ++asked;
        return answer;
    };
    on.child<QAction>("new")->trigger();
    QCOMPARE(asked, 0);
    on.settle();
    on.window.canvas().addRack();
    on.settle();
    const auto changed = on.window.document().plan();
    on.child<QAction>("new")->trigger();
    QCOMPARE(asked, 1);
    QCOMPARE(on.window.document().plan(), changed);
    QVERIFY(!on.window.close());
    QCOMPARE(asked, 2);
    answer = SaveChoice::Discard;
    QVERIFY(on.window.close());
}

void TestMainWindow::newerPlansAreReadOnly()
{
    WindowFixture on;
    std::string text = writePlan(*on.window.document().plan());
    const std::string version = "\"version\": 1";
    QVERIFY(text.find(version) != std::string::npos);
    text.replace(text.find(version), version.size(), "\"version\": 99");
    const QString path = on.folder.filePath(QStringLiteral("newer.shardrack"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), qint64(text.size()));
    file.close();
    QVERIFY(on.window.openPlan(path));
    on.settle();
    QVERIFY(on.window.document().readOnly());
    QVERIFY(on.window.windowTitle().contains(QLatin1String("read only")));
    QVERIFY(on.child<QWidget>("messageBar")->isVisible());
    QVERIFY(on.window.document().save(path).has_value());
}

void TestMainWindow::anUnnamedPlanGoesByItsFile()
{
    WindowFixture on;
    Plan plan = *on.window.document().plan();
    plan.title = "Untitled plan";
    on.window.document().reset(plan, {}, false);
    on.settle();
    QVERIFY(on.window.windowTitle().startsWith(QLatin1String("Untitled plan")));
    QVERIFY(!on.window.document().save(on.folder.filePath(QStringLiteral("spring.shardrack"))));
    on.settle();
    QVERIFY2(on.window.windowTitle().startsWith(QLatin1String("spring[*]")),
        qPrintable(on.window.windowTitle()));
}

void TestMainWindow::recentFilesAreKept()
{
    WindowFixture on;
    const QString path = on.folder.filePath(QStringLiteral("kept.shardrack"));
    QVERIFY(!on.window.document().save(path));
    QVERIFY(on.window.openPlan(path));
    QCOMPARE(on.settings.recentFiles().value(0), QFileInfo(path).absoluteFilePath());
}

void TestMainWindow::aDroppedModelBecomesTheWorkload()
{
    WindowFixture on;
    Workload chosen = *on.window.document().plan()->workload;
    chosen.recipe.bytesPerParameter = BytesPerParameter { 2, 2, 8, 4 };
    QVERIFY(!perform(on.window.document(), edit::SetWorkload { chosen }));
    // Llama-3-8B: 8,030,261,248 parameters.
    QFile file(on.folder.filePath(QStringLiteral("config.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,
        "intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false})");
    file.close();
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile(file.fileName()) });
    QDragEnterEvent enter(QPoint(50, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&on.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&on.window, &drop);
    on.settle();
    const Workload& workload = *on.window.document().plan()->workload;
    auto* bar = on.child<QWidget>("messageBar");
    QVERIFY2(workload.basis == Workload::StateBasis::Derived,
        qPrintable(bar->findChild<QLabel*>()->text()));
    QCOMPARE(workload.model->parameters().value(), std::int64_t(8'030'261'248));
    // 16 bytes a parameter on every replica.
    QCOMPARE(on.needOfRank(0), std::int64_t(128'484'179'968));
    on.child<QAction>("undo")->trigger();
    on.settle();
    QCOMPARE(on.needOfRank(0), 24 * kGiB);
}

void TestMainWindow::geometryAndThemeAreKept()
{
    QTemporaryDir folder;
    const QString ini = folder.filePath(QStringLiteral("s.ini"));
    QSize size;
    {
        Settings settings(ini);
        MainWindow window(settings);
        window.show();
        const QSize first = window.size();
        window.resize(first.width(), first.height() - 60);
        QApplication::processEvents();
        size = window.size();
        QVERIFY(size != first);
        settings.setTheme(Settings::Theme::Dark);
        QApplication::processEvents();
        QVERIFY(window.palette().color(QPalette::Window).lightness() < 100);
        window.close();
    }
    Settings settings(ini);
    MainWindow window(settings);
    QCOMPARE(window.size(), size);
    QCOMPARE(settings.theme(), Settings::Theme::Dark);
    window.applyTheme(Settings::Theme::Light);
}

void TestMainWindow::everythingInteractiveHasAName()
{
    WindowFixture on;
    QStringList nameless;
    for (QWidget* widget : on.window.findChildren<QWidget*>()) {
        const bool interactive = qobject_cast<QAbstractButton*>(widget)
            || qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget)
            || qobject_cast<QAbstractItemView*>(widget);
        // The buttons inside a line edit are Qt's own and speak for themselves.
        if (!interactive || widget->inherits("QLineEditIconButton")
            || widget->objectName().startsWith(QLatin1String("qt_")))
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty())
            && widget->isVisibleTo(&on.window))
            nameless << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ')
                    + widget->objectName() + QStringLiteral(" in ")
                    + QString::fromLatin1(widget->parent()->metaObject()->className());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

void TestMainWindow::treesHaveUniformRows()
{
    WindowFixture on;
    const QList<QTreeView*> trees = on.window.findChildren<QTreeView*>();
    QVERIFY(!trees.isEmpty());
    for (const QTreeView* tree : trees)
        QVERIFY2(tree->uniformRowHeights(), qPrintable(tree->objectName()));
}

void TestMainWindow::findGoesToRanksServersAndCommands()
{
    WindowFixture on;
    auto* field = on.child<QLineEdit>("findField");
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("rank 2"));
    QTest::keyClick(field, Qt::Key_Return);
    on.settle();
    QCOMPARE(on.window.selection().gpus(), std::vector<GpuRef> { on.gpuOfRank(2) });
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("a1"));
    QTest::keyClick(field, Qt::Key_Return);
    on.settle();
    QCOMPARE(on.window.selection().gpus().size(), std::size_t(4));
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("copy of this offer"));
    QTest::keyClick(field, Qt::Key_Return);
    on.settle();
    QCOMPARE(on.window.document().plan()->offers.size(), std::size_t(3));
}

void TestMainWindow::offersAreAddedRenamedMovedAndClosed()
{
    WindowFixture on;
    auto* tabs = on.child<QTabBar>("offerTabs");
    QCOMPARE(tabs->count(), 2);
    on.child<QAction>("addOffer")->trigger();
    on.settle();
    QCOMPARE(tabs->count(), 3);
    QCOMPARE(tabs->currentIndex(), 1);
    on.child<QAction>("renameOffer")->trigger();
    auto* editor = tabs->findChild<QLineEdit*>();
    QVERIFY(editor);
    editor->setText(QStringLiteral("Offer T"));
    QTest::keyClick(editor, Qt::Key_Return);
    on.settle();
    QCOMPARE(on.offer().name, std::string("Offer T"));
    on.child<QAction>("offerRight")->trigger();
    on.settle();
    QCOMPARE(on.window.document().plan()->offers[2]->name, std::string("Offer T"));
    QCOMPARE(on.window.document().currentOffer(), 2);
    on.child<QAction>("closeOffer")->trigger();
    on.settle();
    QCOMPARE(tabs->count(), 2);
    for (int i = 0; i < 4; ++i)
        on.child<QAction>("undo")->trigger();
    on.settle();
    QCOMPARE(tabs->count(), 2);
    QVERIFY(!on.window.isWindowModified());
}

namespace {

/// The menu's entries whose underlined letter another one has as well.
QStringList sharedKeys(const QMenu& menu)
{
    QStringList shared;
    QMap<QString, QString> keys;
    for (const QAction* action : menu.actions()) {
        if (action->menu())
            shared += sharedKeys(*action->menu());
        const QString key = QKeySequence::mnemonic(action->text()).toString();
        if (key.isEmpty() || !action->isVisible())
            continue;
        if (keys.contains(key))
            shared << menu.title() + QStringLiteral(": ") + keys[key] + QStringLiteral(" and ")
                    + action->text();
        keys[key] = action->text();
    }
    return shared;
}

} // namespace

void TestMainWindow::everyMenuKeyIsItsOwn()
{
    WindowFixture on;
    QStringList shared;
    for (const QAction* action : on.window.menuBar()->actions())
        if (action->menu())
            shared += sharedKeys(*action->menu());
    QVERIFY2(shared.isEmpty(), qPrintable(shared.join(u'\n')));
    QCOMPARE(on.child<QAction>("undo")->text(), QStringLiteral("&Undo"));
    on.child<QAction>("addRack")->trigger();
    on.settle();
    QVERIFY(on.child<QAction>("undo")->text().startsWith(QStringLiteral("&Undo: ")));
}

void TestMainWindow::aReportIsExportedFromTheWindow()
{
    WindowFixture on;
    on.child<QAction>("exportReport")->trigger();
    auto* dialog = on.child<ReportDialog>("reportDialog");
    QVERIFY(dialog->isVisible());
    const QString path = on.folder.filePath(QStringLiteral("report.pdf"));
    dialog->askForFile = [&](const QString&, const QString&) { return path; };
    dialog->findChild<QAbstractButton*>(QStringLiteral("exportPdf"))->click();
    QVERIFY(QFile::exists(path));
    dialog->reject();
}

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
