#include "commands/rank_input.h"

#include <QTest>

using namespace shardrack;

class TestRankInput : public QObject {
    Q_OBJECT
private slots:
    void read_data();
    void read();
    void words();
};

void TestRankInput::read_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("expected"); // ranks, or "!" and what the message says
    QTest::newRow("one") << "3" << 8 << "3";
    QTest::newRow("range") << "0-3" << 8 << "0-3";
    QTest::newRow("en dash") << "0–3" << 8 << "0-3";
    QTest::newRow("list") << " 0-1, 5 " << 8 << "0-1,5";
    QTest::newRow("last") << "7" << 8 << "7";
    QTest::newRow("empty") << "  " << 8 << "!No rank is given";
    QTest::newRow("beyond") << "8" << 8 << "!There is no rank 8; expected ranks from 0 to 7";
    QTest::newRow("range beyond") << "6-9" << 8 << "!There is no rank 9";
    QTest::newRow("only one") << "1" << 1 << "!0, the only rank";
    QTest::newRow("no ranks") << "0" << 0 << "!There are no ranks yet";
    QTest::newRow("word") << "rank 3" << 8 << "!no number";
    QTest::newRow("backwards") << "3-0" << 8 << "!backwards";
    QTest::newRow("negative") << "-1" << 8 << "!no number";
    QTest::newRow("huge") << "99999999999" << 8 << "!";
}

void TestRankInput::read()
{
    QFETCH(const QString, text);
    QFETCH(const int, ranks);
    QFETCH(const QString, expected);
    const Result<RankSet> read = ranksFromText(text, ranks);
    if (!expected.startsWith('!')) {
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
        QCOMPARE(QString::fromStdString(read->text()), expected);
        return;
    }
    QVERIFY(!read.ok());
    const QString message = QString::fromStdString(read.error().text());
    QVERIFY2(message.contains(expected.mid(1)), qPrintable(message));
}

void TestRankInput::words()
{
    QCOMPARE(ranksText(RankSet::range(3, 3)), QString("rank 3"));
    RankSet ranks = RankSet::range(0, 3);
    ranks.insert(8);
    QCOMPARE(ranksText(ranks), QString("ranks 0–3, 8"));
}

QTEST_GUILESS_MAIN(TestRankInput)
#include "test_rank_input.moc"
