#include "models/number_text.h"

#include <QTest>

using namespace shardrack;

class TestNumberText : public QObject {
    Q_OBJECT
private slots:
    void numbers_data();
    void numbers();
    void sums();
};

void TestNumberText::numbers_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("number");
    QTest::addColumn<QString>("change");
    QTest::newRow("none") << qint64(0) << "0.00"
                          << "0";
    QTest::newRow("whole") << 24 * qint64(kGiB) << "24.00"
                           << "+24.00";
    QTest::newRow("negative") << -8 * qint64(kGiB) << "\u22128.00"
                              << "\u22128.00";
    // 81559 MiB
    QTest::newRow("rounded") << 81559 * qint64(kMiB) << "79.65"
                             << "+79.65";
    // What is not zero does not read as zero.
    QTest::newRow("tiny change") << qint64(1) << "<0.01"
                                 << "+<0.01";
}

void TestNumberText::numbers()
{
    QFETCH(const qint64, bytes);
    QFETCH(const QString, number);
    QFETCH(const QString, change);
    QCOMPARE(numberText(Bytes(bytes)), number);
    QCOMPARE(sizeText(Bytes(bytes)), number + " GiB");
    QCOMPARE(changeText(Bytes(bytes)), change);
}

void TestNumberText::sums()
{
    QCOMPARE(sumText({ Bytes(24 * kGiB), false }), QString("24.00"));
    QCOMPARE(sumText({ Bytes(24 * kGiB), true }), QString("at least 24.00"));
    QCOMPARE(numberText(Bytes(24 * kGiB), 1), QString("24.0"));
    QCOMPARE(countText(131072), QString("131,072"));
    QCOMPARE(coreWord("Over capacity"), QString("Over capacity"));
}

QTEST_GUILESS_MAIN(TestNumberText)
#include "test_number_text.moc"
