#include "compare_fixture.h"

#include "compare/price_editor.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace shardrack;

namespace {

Comparison of(const PlanDocument& document) { return compare(document.plan(), {}); }

} // namespace

class TestComparisonModel : public QObject {
    Q_OBJECT

private slots:
    void keepsTheRulesOfModels();
    void linesOfTs24();
    void notGivenIsOneLine();
    void hideEqual();
    void changesInPlace();
    void flagsChangedBasis();
    void headerSaysTheFindings();
    void editsPriceAndInterconnect();
    void refusesWithWords();
    void readsPrices_data();
    void readsPrices();
};

void TestComparisonModel::keepsTheRulesOfModels()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    QAbstractItemModelTester tester(&model);
    model.show(of(fixture.document), false);
    model.show(of(fixture.document), true);
    fixture.make(edit::RemoveOffer { 1 });
    model.show(of(fixture.document), false);
    model.show(Comparison {}, false);
    QCOMPARE(model.rowCount(), 0);
}

void TestComparisonModel::linesOfTs24()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    QCOMPARE(model.columnCount(), 3);
    using Kind = ComparisonModel::Kind;
    QStringList sections;
    int charts = 0;
    for (int line = 0; line < model.rowCount(); ++line) {
        if (model.line(line).kind == Kind::Section)
            sections << QLatin1String(id(model.line(line).section));
        charts += model.line(line).kind == Kind::Chart ? 1 : 0;
    }
    QCOMPARE(sections,
        (QStringList { "most loaded", "workload", "hardware", "arithmetic", "redundancy",
            "communication", "evidence", "price" }));
    QCOMPARE(charts, 1);
    const int line = model.lineOf(QStringLiteral("term_state"));
    QCOMPARE(model.index(line, 1).data().toString(), QStringLiteral("24.00 GiB"));
    QCOMPARE(model.index(line, 2).data().toString(), QStringLiteral("6.00 GiB"));
    // 6 − 24: with a minus sign, and against which offer.
    QCOMPARE(model.index(line, 2).data(ComparisonModel::ChangeRole).toString(),
        QStringLiteral("−18.00 GiB against Offer R"));
    QVERIFY(
        model.index(line, 1).data(ComparisonModel::DetailRole).toString().contains("24 GiB ÷ 1"));
    // The chart says in words what it shows.
    const QModelIndex chart = model.index(1, 0);
    QVERIFY(model.line(1).kind == Kind::Chart);
    QVERIFY(chart.data(Qt::AccessibleTextRole)
                .toString()
                .contains("Offer S, rank 0 and 3 equal, "
                          "need at least 6.00"));
}

void TestComparisonModel::notGivenIsOneLine()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    QCOMPARE(model.lineOf(QStringLiteral("micro_batch")), -1);
    QString folded;
    for (int line = 0; line < model.rowCount(); ++line)
        if (model.line(line).kind == ComparisonModel::Kind::NotGiven)
            folded += model.index(line, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(folded.contains("Micro-batch") && folded.contains("Optimizer"), qPrintable(folded));
    QVERIFY(!folded.contains("Persistent state"));
    // Once one offer says it, it is a row of its own.
    fixture.changeBasis(1, 2);
    model.show(of(fixture.document), false);
    const int line = model.lineOf(QStringLiteral("micro_batch"));
    QVERIFY(line > 0);
    QCOMPARE(model.index(line, 1).data().toString(), QStringLiteral("not given"));
    QCOMPARE(model.index(line, 2).data().toString(), QStringLiteral("2 sequences"));
    // What moves, and how long it takes, stays in sight though nobody has established it.
    for (const char* field : { "volume", "transfer_time", "step_time" })
        QVERIFY(model.lineOf(QLatin1String(field)) > 0);
}

void TestComparisonModel::hideEqual()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), true);
    for (int line = 0; line < model.rowCount(); ++line) {
        QVERIFY(model.line(line).kind != ComparisonModel::Kind::NotGiven);
        if (const ComparisonRow* row = model.row(line))
            QVERIFY2(!row->equal, row->field.c_str());
    }
    QCOMPARE(model.lineOf(QStringLiteral("gpus")), -1);
    QVERIFY(model.lineOf(QStringLiteral("layout")) > 0);
}

void TestComparisonModel::changesInPlace()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    fixture.make(edit::SetInterconnect { 0, "NVLink" });
    model.show(of(fixture.document), false);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(changes.count(), 1);
    const int line = model.lineOf(QStringLiteral("interconnect"));
    QCOMPARE(model.index(line, 1).data().toString(), QStringLiteral("NVLink"));
    fixture.changeBasis(1, 2); // a row more
    model.show(of(fixture.document), false);
    QCOMPARE(resets.count(), 1);
}

void TestComparisonModel::flagsChangedBasis()
{
    CompareFixture fixture;
    fixture.changeBasis(1, 2);
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    const int line = model.lineOf(QStringLiteral("micro_batch"));
    QVERIFY(model.cell(model.index(line, 2))->changedBasis);
    const QString spoken = model.index(line, 2).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.startsWith("changed basis: 2 sequences"), qPrintable(spoken));
    QVERIFY(model.index(line, 2).data(Qt::ToolTipRole).toString().contains("≠"));
    QString flag, note;
    for (int i = 0; i < model.rowCount(); ++i) {
        flag += model.line(i).flag;
        if (model.line(i).section == ComparisonRow::Section::MostLoaded)
            note += model.line(i).note;
    }
    QCOMPARE(flag, QStringLiteral("1 row changed basis in Offer S"));
    QVERIFY2(note.contains("Offer S") && note.contains("not ranked"), qPrintable(note));
}

void TestComparisonModel::headerSaysTheFindings()
{
    CompareFixture fixture;
    fixture.changeBasis(1, 2);
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    QCOMPARE(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("Offer R"));
    const QString spoken = model.headerData(2, Qt::Horizontal, Qt::AccessibleTextRole).toString();
    for (const char* part : { "Offer S. ", "Capacity estimate: Open: five terms",
             "Demonstrated fit: None", "Training result: Not evaluated", "Changed basis",
             "Micro-batch: not given → 2 sequences" })
        QVERIFY2(spoken.contains(QString::fromUtf8(part)), qPrintable(spoken));
}

void TestComparisonModel::editsPriceAndInterconnect()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    const QModelIndex price = model.index(model.lineOf(QStringLiteral("price")), 2);
    const QModelIndex link = model.index(model.lineOf(QStringLiteral("interconnect")), 2);
    const QModelIndex layout = model.index(model.lineOf(QStringLiteral("layout")), 2);
    QVERIFY(price.flags() & Qt::ItemIsEditable);
    QVERIFY(link.flags() & Qt::ItemIsEditable);
    QVERIFY(!(layout.flags() & Qt::ItemIsEditable));
    QVERIFY(!(model.index(price.row(), 0).flags() & Qt::ItemIsEditable));
    QVERIFY(!model.setData(layout, "x"));
    Price given;
    given.amount = "2.49";
    given.currency = "USD";
    QVERIFY(model.setData(price, QVariant::fromValue(PriceEntry { given })));
    QVERIFY(model.setData(link, "  400 Gb/s  "));
    QCOMPARE(fixture.offer(1).price, std::optional(given));
    QCOMPARE(fixture.offer(1).interconnect, std::string("400 Gb/s"));
    QVERIFY(!fixture.offer(0).price);
    QCOMPARE(fixture.document.undoStack().count(), 2);
    fixture.document.undoStack().undo();
    fixture.document.undoStack().undo();
    QVERIFY(!fixture.offer(1).price && fixture.offer(1).interconnect.empty());
}

void TestComparisonModel::refusesWithWords()
{
    CompareFixture fixture;
    ComparisonModel model(fixture.document);
    model.show(of(fixture.document), false);
    QSignalSpy refused(&model, &ComparisonModel::refused);
    Price wrong;
    wrong.amount = "1.2.3";
    const QModelIndex price = model.index(model.lineOf(QStringLiteral("price")), 1);
    QVERIFY(!model.setData(price, QVariant::fromValue(PriceEntry { wrong })));
    QCOMPARE(refused.count(), 1);
    QVERIFY(!refused.front().front().toString().isEmpty());
    QVERIFY(!fixture.offer(0).price);
}

void TestComparisonModel::readsPrices_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("amount");
    QTest::addColumn<QString>("currency");
    QTest::newRow("amount and currency") << "2.49 USD"
                                         << "2.49"
                                         << "USD";
    QTest::newRow("currency first") << "EUR 120000.50"
                                    << "120000.50"
                                    << "EUR";
    QTest::newRow("amount alone") << " 3 "
                                  << "3"
                                  << "";
    QTest::newRow("two points") << "1.2.3 USD"
                                << "!"
                                << "";
    QTest::newRow("comma") << "1,234 USD"
                           << "!"
                           << "";
    QTest::newRow("no amount") << "USD"
                               << "!"
                               << "";
    QTest::newRow("three words") << "2 USD net"
                                 << "!"
                                 << "";
    QTest::newRow("negative") << "-2 USD"
                              << "!"
                              << "";
    QTest::newRow("nothing") << ""
                             << ""
                             << "";
}

void TestComparisonModel::readsPrices()
{
    QFETCH(QString, text);
    QFETCH(QString, amount);
    QFETCH(QString, currency);
    std::optional<Price> price;
    const QString problem = readPrice(text, price);
    QCOMPARE(problem.isEmpty(), amount != "!");
    if (amount == "!") {
        QVERIFY(!price);
    } else if (amount.isEmpty()) {
        QVERIFY(!price);
    } else {
        QCOMPARE(QString::fromStdString(price->amount), amount);
        QCOMPARE(QString::fromStdString(price->currency), currency);
    }
}

QTEST_MAIN(TestComparisonModel)
#include "test_comparison_model.moc"
