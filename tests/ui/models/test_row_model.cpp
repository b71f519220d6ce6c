#include "mirror.h"
#include "models/row_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace shardrack;

namespace {

/// A letter is what the line is about, a digit its content.
struct Row {
    QString text;
    bool operator==(const Row&) const = default;
    bool sameLine(const Row& other) const { return text[0] == other.text[0]; }
};

class Rows : public RowModel<Row> {
public:
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 1;
    }
    QVariant data(const QModelIndex& index, int role) const override
    {
        return role == Qt::DisplayRole ? row(index).text : QVariant();
    }
    void set(const QString& words)
    {
        std::vector<Row> rows;
        for (const QString& word : words.split(' ', Qt::SkipEmptyParts))
            rows.push_back({ word });
        setRows(std::move(rows));
    }
};

} // namespace

class TestRowModel : public QObject {
    Q_OBJECT
private slots:
    void tellsPrecisely_data();
    void tellsPrecisely();
    void everyPairOfShortLists();
};

void TestRowModel::tellsPrecisely_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("told"); // inserted, removed, signals of change, rows in them
    QTest::newRow("nothing") << "a1 b1"
                             << "a1 b1"
                             << "0 0 0 0";
    QTest::newRow("one changed") << "a1 b1 c1"
                                 << "a1 b2 c1"
                                 << "0 0 1 1";
    QTest::newRow("neighbours are one range") << "a1 b1 c1"
                                              << "a2 b2 c1"
                                              << "0 0 1 2";
    QTest::newRow("apart are two") << "a1 b1 c1"
                                   << "a2 b1 c2"
                                   << "0 0 2 2";
    QTest::newRow("one more in the middle") << "a1 c1"
                                            << "a1 b1 c1"
                                            << "1 0 0 0";
    QTest::newRow("one less in the middle") << "a1 b1 c1"
                                            << "a1 c1"
                                            << "0 1 0 0";
    QTest::newRow("one more at the end") << "a1"
                                         << "a1 b1"
                                         << "1 0 0 0";
    QTest::newRow("one more at the start, one changed") << "b1 c1"
                                                        << "a1 b1 c2"
                                                        << "1 0 1 1";
    QTest::newRow("from nothing") << ""
                                  << "a1 b1"
                                  << "2 0 0 0";
    QTest::newRow("to nothing") << "a1 b1"
                                << ""
                                << "0 2 0 0";
    QTest::newRow("another list") << "a1 b1"
                                  << "c1 d1 e1"
                                  << "1 0 1 2";
}

void TestRowModel::tellsPrecisely()
{
    QFETCH(const QString, before);
    QFETCH(const QString, after);
    QFETCH(const QString, told);
    Rows model;
    model.set(before);
    const QAbstractItemModelTester tester(&model);
    Mirror mirror(model, { Qt::DisplayRole });
    model.set(after);
    QCOMPARE(tableText(model).join(' '), after);
    QCOMPARE(mirror.difference(), QString());
    QCOMPARE(QStringLiteral("%1 %2 %3 %4")
                 .arg(mirror.inserted)
                 .arg(mirror.removed)
                 .arg(mirror.changes)
                 .arg(mirror.changed),
        told);
}

void TestRowModel::everyPairOfShortLists()
{
    // All lists of up to three lines about three things with two contents each.
    QStringList lists { QString() };
    for (int length = 1, first = 0; length <= 3; ++length) {
        const int last = static_cast<int>(lists.size());
        for (int i = first; i < last; ++i)
            for (const char* line : { "a1", "a2", "b1", "b2", "c1" })
                lists += (lists[i] + ' ' + line).trimmed();
        first = last;
    }
    QCOMPARE(lists.size(), 1 + 5 + 25 + 125);
    Rows model;
    const QAbstractItemModelTester tester(&model);
    Mirror mirror(model, { Qt::DisplayRole });
    for (const QString& before : std::as_const(lists))
        for (const QString& after : std::as_const(lists)) {
            model.set(before);
            QCOMPARE(mirror.difference(), QString());
            model.set(after);
            QCOMPARE(mirror.difference(), QString());
            QCOMPARE(tableText(model).join(' '), after);
        }
}

QTEST_GUILESS_MAIN(TestRowModel)
#include "test_row_model.moc"
