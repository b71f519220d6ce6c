#include "compare_fixture.h"

#include "compare/compare_chooser.h"
#include "compare/price_editor.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace shardrack;

namespace {

QStringList names(CompareFixture& fixture)
{
    QStringList all;
    for (int column = 1; column < fixture.view.model().columnCount(); ++column)
        all << fixture.view.model().headerData(column, Qt::Horizontal).toString();
    return all;
}

/// TS-24's Offer S again, this many times.
void addOffers(CompareFixture& fixture, int count)
{
    for (int i = 0; i < count; ++i) {
        Offer copy = fixture.offer(1);
        copy.name = freeOfferName(*fixture.document.plan(), copy.name);
        fixture.make(edit::AddOffer { copy, fixture.document.plan()->offers.size() });
    }
}

} // namespace

class TestCompareView : public QObject {
    Q_OBJECT

private slots:
    void nothingWhileHidden();
    void followsThePlan();
    void keepsThePlace();
    void oneOfferIsNoComparison();
    void keyboardReachesEveryCell();
    void namesOpenTheirOffers();
    void escapeLeaves();
    void asksForArithmetic();
    void ordersWithChangedBasisLast();
    void choiceIsOfTheDocument();
    void chooser();
    void chooserLimits();
    void chooserMovesByKey();
    void copies();
    void exportsFiles();
    void exportNeedsAPlace();
    void editsAPriceInItsCell();
    void editsAnInterconnect();
    void fitsWidths_data();
    void fitsWidths();
    void everythingHasAName();
    void sixLargeOffers();
};

void TestCompareView::nothingWhileHidden()
{
    CompareFixture fixture;
    QCOMPARE(fixture.view.model().rowCount(), 0);
    fixture.make(edit::SetInterconnect { 0, "NVLink" });
    QCOMPARE(fixture.view.model().rowCount(), 0);
    fixture.show();
    QVERIFY(fixture.view.model().rowCount() > 0);
    fixture.view.hide();
    fixture.make(edit::SetInterconnect { 0, "Ethernet" });
    QCOMPARE(fixture.say("interconnect", 1), QStringLiteral("NVLink"));
    fixture.show();
    QCOMPARE(fixture.say("interconnect", 1), QStringLiteral("Ethernet"));
}

void TestCompareView::followsThePlan()
{
    CompareFixture fixture;
    fixture.show();
    QCOMPARE(fixture.say("need", 2), QStringLiteral("at least 6.00 GiB"));
    Workload workload = *fixture.document.plan()->workload;
    workload.stipulated.total = Bytes(48 * kGiB);
    fixture.make(edit::SetWorkload { workload });
    QCOMPARE(fixture.say("need", 2), QStringLiteral("at least 12.00 GiB")); // 48 ÷ 4
    fixture.document.undoStack().undo();
    fixture.settle();
    QCOMPARE(fixture.say("need", 2), QStringLiteral("at least 6.00 GiB"));
    fixture.make(edit::RenameOffer { 1, "Shards" });
    QCOMPARE(names(fixture), (QStringList { "Offer R", "Shards" }));
}

void TestCompareView::keepsThePlace()
{
    CompareFixture fixture;
    fixture.show();
    fixture.view.table().setCurrentIndex(fixture.cell("redundant", 2));
    fixture.view.setHideEqual(true);
    fixture.settle();
    QCOMPARE(fixture.view.table().currentIndex(), fixture.cell("redundant", 2));
    fixture.changeBasis(0, 3);
    QCOMPARE(fixture.view.table().currentIndex(), fixture.cell("redundant", 2));
}

void TestCompareView::oneOfferIsNoComparison()
{
    CompareFixture fixture;
    fixture.show();
    QVERIFY(fixture.view.table().isVisible());
    fixture.make(edit::RemoveOffer { 0 });
    QVERIFY(!fixture.view.table().isVisible());
    QVERIFY(!fixture.view.findChild<QPushButton*>("exportTable")->isEnabled());
    fixture.document.undoStack().undo();
    fixture.settle();
    QVERIFY(fixture.view.table().isVisible());
}

void TestCompareView::keyboardReachesEveryCell()
{
    CompareFixture fixture;
    fixture.show();
    ComparisonTable& table = fixture.view.table();
    table.setCurrentIndex(fixture.view.model().index(0, 2));
    QSet<int> seen;
    for (int i = 0; i < fixture.view.model().rowCount(); ++i) {
        seen.insert(table.currentIndex().row());
        fixture.press(Qt::Key_Down);
    }
    QCOMPARE(seen.size(), fixture.view.model().rowCount());
    // The current cell is always in sight.
    QVERIFY(table.viewport()->rect().intersects(table.visualRect(table.currentIndex())));
}

void TestCompareView::namesOpenTheirOffers()
{
    CompareFixture fixture;
    fixture.show();
    QSignalSpy opened(&fixture.view, &CompareView::openRequested);
    QHeaderView& header = *fixture.view.table().horizontalHeader();
    const QPoint name(header.sectionViewportPosition(2) + 40, 15);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, name);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.front().front().toInt(), 1);
    fixture.view.table().setCurrentIndex(fixture.cell("layout", 1));
    fixture.press(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(opened.count(), 2);
    QCOMPARE(opened.back().front().toInt(), 0);
}

void TestCompareView::escapeLeaves()
{
    CompareFixture fixture;
    fixture.show();
    QSignalSpy left(&fixture.view, &CompareView::leaveRequested);
    fixture.press(Qt::Key_Escape);
    QCOMPARE(left.count(), 1);
}

void TestCompareView::asksForArithmetic()
{
    CompareFixture fixture;
    fixture.show();
    const QString text = fixture.view.arithmetic(fixture.cell("term_state", 2));
    QVERIFY2(text.contains("24 GiB ÷ 4") && text.contains("= 6.00 GiB"), qPrintable(text));
    QVERIFY(fixture.view.arithmetic(fixture.cell("layout", 2)).isEmpty());
    QVERIFY(fixture.view.arithmetic(fixture.cell("term_slack", 1)).contains("not established"));
    fixture.view.table().setCurrentIndex(fixture.cell("term_state", 2));
    fixture.press(Qt::Key_Return);
    auto* frame = fixture.view.findChild<QFrame*>("arithmetic");
    QVERIFY(frame && frame->isVisible());
    QSignalSpy shown(&fixture.view, &CompareView::showDeviceRequested);
    frame->findChild<QPushButton*>()->click();
    QCOMPARE(shown.count(), 1);
    QCOMPARE(shown.front().front().toInt(), 1);
}

void TestCompareView::ordersWithChangedBasisLast()
{
    CompareFixture fixture;
    fixture.show();
    auto* order = fixture.view.findChild<QComboBox*>("compareOrder");
    order->setCurrentIndex(1);
    fixture.settle();
    QCOMPARE(names(fixture), (QStringList { "Offer S", "Offer R" }));
    fixture.changeBasis(1, 2); // S stands on another basis now: it goes behind, over or not
    QCOMPARE(names(fixture), (QStringList { "Offer R", "Offer S" }));
    order->setCurrentIndex(0);
    fixture.settle();
    QCOMPARE(names(fixture), (QStringList { "Offer R", "Offer S" }));
}

void TestCompareView::choiceIsOfTheDocument()
{
    CompareFixture fixture;
    addOffers(fixture, 1);
    fixture.show();
    const auto plan = fixture.document.plan();
    const QByteArray before = QByteArray::fromStdString(writePlan(*plan));
    ComparisonChoice choice;
    choice.offers = { 2, 0 };
    choice.baseline = 0;
    fixture.view.setChoice(choice);
    fixture.view.setHideEqual(true);
    fixture.settle();
    QCOMPARE(names(fixture).size(), 2);
    QCOMPARE(names(fixture).back(), QStringLiteral("Offer R"));
    // Nothing of it is in the plan or its undo stack.
    QCOMPARE(fixture.document.plan(), plan);
    QCOMPARE(QByteArray::fromStdString(writePlan(*fixture.document.plan())), before);
    fixture.make(edit::MoveOffer { 0, 2 });
    QCOMPARE(names(fixture).back(), QStringLiteral("Offer R"));
    // Another document begins anew.
    fixture.openExample("llama-3-8b-32-gpus");
    fixture.settle();
    QCOMPARE(names(fixture).size(), 5);
    QVERIFY(!fixture.view.hidesEqual());
}

void TestCompareView::chooser()
{
    CompareFixture fixture;
    addOffers(fixture, 1);
    fixture.changeBasis(1, 2);
    CompareChooser chooser(*fixture.document.plan(), fixture.view.choice());
    auto* list = chooser.findChild<QListWidget*>("chosenOffers");
    QCOMPARE(list->count(), 3);
    QVERIFY(list->item(1)->text().contains("≠ changed basis"));
    QVERIFY(!list->item(0)->text().contains("≠"));
    list->item(1)->setCheckState(Qt::Unchecked);
    auto* baseline = chooser.findChild<QComboBox*>("baseline");
    QCOMPARE(baseline->count(), 2);
    baseline->setCurrentIndex(1);
    chooser.findChild<QCheckBox*>("byHeadroom")->setChecked(true);
    const ComparisonChoice choice = chooser.choice();
    QCOMPARE(choice.offers, (std::vector<std::size_t> { 0, 2 }));
    QCOMPARE(choice.baseline, std::size_t(2));
    QVERIFY(choice.order == ComparisonChoice::Order::ByHeadroom);
    QVERIFY(chooser.problem().isEmpty());
}

void TestCompareView::chooserLimits()
{
    CompareFixture fixture;
    addOffers(fixture, 5); // seven
    CompareChooser chooser(*fixture.document.plan(), fixture.view.choice());
    auto* list = chooser.findChild<QListWidget*>("chosenOffers");
    QVERIFY(chooser.problem().isEmpty()); // six are chosen
    list->item(6)->setCheckState(Qt::Checked);
    QVERIFY(chooser.problem().contains("six"));
    for (int row = 1; row < 7; ++row)
        list->item(row)->setCheckState(Qt::Unchecked);
    QVERIFY(chooser.problem().contains("two"));
}

void TestCompareView::chooserMovesByKey()
{
    CompareFixture fixture;
    CompareChooser chooser(*fixture.document.plan(), fixture.view.choice());
    chooser.show();
    auto* list = chooser.findChild<QListWidget*>("chosenOffers");
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(list->currentRow(), 1);
    QCOMPARE(chooser.choice().offers, (std::vector<std::size_t> { 1, 0 }));
    QCOMPARE(chooser.choice().baseline, std::size_t(0)); // the same offer
    QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier); // the end
    QCOMPARE(chooser.choice().offers, (std::vector<std::size_t> { 1, 0 }));
    QTest::keyClick(list, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(chooser.choice().offers, (std::vector<std::size_t> { 0, 1 }));
}

void TestCompareView::copies()
{
    CompareFixture fixture;
    fixture.show();
    QApplication::clipboard()->clear();
    fixture.press(Qt::Key_C, Qt::ControlModifier);
    const QMimeData* data = QApplication::clipboard()->mimeData();
    QVERIFY(data && data->hasText() && data->hasHtml());
    QVERIFY(data->text().startsWith("Section\tRow\tOffer R (baseline)\tOffer S\n"));
    QVERIFY(data->html().contains("<td>Headroom</td><td>over by at least 8.00 GiB</td>"));
    QVERIFY(data->data("text/markdown").startsWith("# TS-24"));
    QVERIFY(data->text().contains("\tMicro-batch\t"));
    fixture.view.setHideEqual(true);
    fixture.view.findChild<QPushButton*>("copyTable")->click();
    QVERIFY(!QApplication::clipboard()->text().contains("\tMicro-batch\t"));
}

void TestCompareView::exportsFiles()
{
    CompareFixture fixture;
    fixture.show();
    const auto written = [&](const QString& name) {
        fixture.view.askForFile = [&](const QString&) { return fixture.folder.filePath(name); };
        fixture.view.findChild<QPushButton*>("exportTable")->click();
        QFile file(fixture.folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not written");
    };
    QVERIFY(written("table.csv").startsWith("Section,Row,Offer R (baseline),Offer S\r\n"));
    QVERIFY(written("table.md").startsWith("# TS-24"));
    fixture.view.askForFile = [&](const QString&) { return fixture.folder.filePath("no ending"); };
    fixture.view.exportTable();
    QVERIFY(QFile::exists(fixture.folder.filePath("no ending.csv")));
    QCOMPARE(fixture.settings.lastFolder(), fixture.folder.path());
    fixture.view.askForFile = [](const QString& suggestion) {
        return suggestion.endsWith("-comparison.csv") ? QString() : QStringLiteral("/wrong");
    };
    fixture.view.exportTable(); // nothing chosen: nothing happens
}

void TestCompareView::exportNeedsAPlace()
{
    CompareFixture fixture;
    fixture.show();
    QSignalSpy refused(&fixture.view, &CompareView::refused);
    fixture.view.askForFile
        = [&](const QString&) { return fixture.folder.filePath("no such folder/table.csv"); };
    fixture.view.exportTable();
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused.front().front().toString().contains("could not be written"));
}

void TestCompareView::editsAPriceInItsCell()
{
    CompareFixture fixture;
    fixture.show();
    fixture.view.table().setCurrentIndex(fixture.cell("price", 1));
    fixture.press(Qt::Key_F2);
    auto* editor = fixture.view.table().findChild<PriceEditor*>();
    QVERIFY(editor);
    auto* text = editor->findChild<QLineEdit*>("priceText");
    QTest::keyClicks(text, "1,234 USD");
    QTest::keyClick(text, Qt::Key_Return);
    fixture.settle();
    // Refused in words beside the field, which stays.
    QVERIFY(editor->isVisible());
    const auto* why = editor->findChild<QWidget*>("priceProblem");
    QVERIFY(why->isVisible());
    QVERIFY(fixture.view.table().viewport()->rect().contains(
        QRect(why->mapTo(fixture.view.table().viewport(), QPoint(0, 0)), why->size())));
    QVERIFY(!editor->problem().isEmpty());
    QVERIFY(!fixture.offer(0).price);
    text->selectAll();
    QTest::keyClicks(text, "2.49 USD");
    QVERIFY(editor->problem().isEmpty());
    editor->findChild<QComboBox*>("pricePer")->setCurrentIndex(1);
    QTest::keyClick(text, Qt::Key_Return);
    fixture.settle();
    QVERIFY(fixture.offer(0).price);
    QCOMPARE(fixture.say("price", 1), QStringLiteral("2.49 USD for the offer"));
    QCOMPARE(fixture.document.undoStack().count(), 1);
    fixture.document.undoStack().undo();
    fixture.settle();
    QCOMPARE(fixture.say("price", 1), QStringLiteral("not given"));
}

void TestCompareView::editsAnInterconnect()
{
    CompareFixture fixture;
    fixture.show();
    const QModelIndex index = fixture.cell("interconnect", 2);
    fixture.view.table().scrollTo(index);
    QTest::mouseDClick(fixture.view.table().viewport(), Qt::LeftButton, {},
        fixture.view.table().visualRect(index).center());
    auto* editor = fixture.view.table().viewport()->findChild<QLineEdit*>();
    QVERIFY(editor);
    QTest::keyClicks(editor, "NVLink");
    QTest::keyClick(editor, Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.offer(1).interconnect, std::string("NVLink"));
    // Escape keeps what was there, and does not leave the view.
    QSignalSpy left(&fixture.view, &CompareView::leaveRequested);
    fixture.view.table().edit(fixture.cell("interconnect", 2));
    editor = nullptr; // the one before is gone, though it may not be deleted yet
    for (auto* each : fixture.view.table().viewport()->findChildren<QLineEdit*>())
        editor = each->isVisible() ? each : editor;
    QVERIFY(editor);
    QTest::keyClicks(editor, "x");
    QTest::keyClick(editor, Qt::Key_Escape);
    fixture.settle();
    QCOMPARE(fixture.offer(1).interconnect, std::string("NVLink"));
    QCOMPARE(left.count(), 0);
}

void TestCompareView::fitsWidths_data()
{
    QTest::addColumn<int>("offers");
    QTest::addColumn<QSize>("size");
    for (int offers = 2; offers <= 6; ++offers) {
        QTest::addRow("%d at 1600", offers) << offers << QSize(1600, 900);
        QTest::addRow("%d at 1280", offers) << offers << QSize(1280, 700);
        QTest::addRow("%d at 800", offers) << offers << QSize(800, 500);
    }
}

void TestCompareView::fitsWidths()
{
    QFETCH(int, offers);
    QFETCH(QSize, size);
    CompareFixture fixture;
    addOffers(fixture, offers - 2);
    fixture.show(size);
    const ComparisonTable& table = fixture.view.table();
    QCOMPARE(fixture.view.size(), size);
    int width = 0;
    for (int column = 0; column <= offers; ++column)
        width += table.columnWidth(column);
    for (int column = 1; column <= offers; ++column)
        QVERIFY(table.columnWidth(column) >= 180);
    // The columns fill the window; only where they would be too narrow they scroll.
    const int narrowest = 168 + offers * 180 + 20;
    QCOMPARE(table.horizontalScrollBar()->maximum() > 0, width > table.viewport()->width());
    QVERIFY(width >= table.viewport()->width());
    if (narrowest <= size.width())
        QVERIFY(width <= size.width());
    for (int row = 0; row < fixture.view.model().rowCount(); ++row)
        QVERIFY(table.rowHeight(row) >= 20);
}

void TestCompareView::everythingHasAName()
{
    CompareFixture fixture;
    fixture.show();
    for (QWidget* widget : fixture.view.findChildren<QWidget*>()) {
        const bool interactive = qobject_cast<QAbstractButton*>(widget)
            || qobject_cast<QComboBox*>(widget) || qobject_cast<QTableView*>(widget);
        if (!interactive || !widget->isVisible())
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
            qPrintable(widget->objectName()));
    }
}

void TestCompareView::sixLargeOffers()
{
    const std::string site = R"({"racks": [{"name": "R{1..256}", "units": 64, "servers": [
        {"name": "{rack}-{1..8}", "type": "dgx-h100", "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]})";
    std::string offers = R"({"name": "A", "layout": {"preset": "ddp"}, "site": )" + site + "}";
    for (const char* name : { "B", "C", "D", "E", "F" })
        offers += R"(, {"name": ")" + std::string(name)
            + R"(", "layout": {"preset": "fsdp"}, "site": "same as A"})";
    CompareFixture fixture;
    fixture.open(readPlan(R"({"format": "shardrack-plan", "version": 1, "workload":
        {"model": {"preset": "llama-3.1-405b"}, "recipe": {"preset": "mixed-adam"}}, "offers": [)"
        + offers + "]}")
                     .value()
                     .plan);
    fixture.show({ 1600, 900 });
    QCOMPARE(fixture.view.model().columnCount(), 7);
    fixture.make(edit::SetInterconnect { 2, "400 Gb/s" });
    fixture.view.table().viewport()->repaint();
    QCOMPARE(fixture.say("interconnect", 3), QStringLiteral("400 Gb/s"));
}

QTEST_MAIN(TestCompareView)
#include "test_compare_view.moc"
