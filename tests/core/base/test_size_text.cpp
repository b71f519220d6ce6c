#include "base/size_text.h"

#include <QtTest>

#include <limits>
#include <random>

using namespace shardrack;

namespace {
constexpr auto kMaximum = std::numeric_limits<std::int64_t>::max();
constexpr auto kMinimum = std::numeric_limits<std::int64_t>::min();
} // namespace

class TestSizeText : public QObject {
    Q_OBJECT
private slots:
    void writes_data();
    void writes();
    void readsSizes_data();
    void readsSizes();
    void refusesSizes_data();
    void refusesSizes();
    void readsIntegers_data();
    void readsIntegers();
    void refusesIntegers_data();
    void refusesIntegers();
    void readsWhatItWrote();
};

void TestSizeText::writes_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& written, const char* expected) {
        QTest::newRow(name) << QString::fromStdString(written) << QString::fromUtf8(expected);
    };
    row("24 GiB", gibNumber(Bytes(24 * kGiB)), "24.00");
    row("with its unit", gibText(Bytes(24 * kGiB)), "24.00 GiB");
    row("over by 8", gibText(Bytes(-8 * kGiB), 1), "-8.0 GiB");
    row("7e9 x 16 B in GiB", gibText(Bytes(112 * kGB), 1), "104.3 GiB");
    row("1.3e9 x 16 B in GiB", gibText(Bytes(20'800'000'000), 1), "19.4 GiB");
    row("7e9 x 16 B in GB", gbText(Bytes(112 * kGB)), "112.0 GB");
    row("half rounds away from zero", gibText(Bytes(kGiB / 2), 0), "1 GiB");
    row("half rounds away below zero", gibText(Bytes(-kGiB / 2), 0), "-1 GiB");
    row("just below half", gibText(Bytes(kGiB / 2 - 1), 0), "0 GiB");
    row("no negative zero", gibText(Bytes(-1)), "0.00 GiB");
    row("rounding carries", gibText(Bytes(kGiB - 1)), "1.00 GiB");
    row("fraction keeps its zeros", gibText(Bytes(kGiB + kGiB / 64), 3), "1.016 GiB");
    row("small fraction", gibText(Bytes(kGiB / 256), 4), "0.0039 GiB");
    row("nine decimals", gibText(Bytes(1), 9), "0.000000001 GiB");
    row("grouped whole part", gibText(Bytes(10240 * kGiB)), "10,240.00 GiB");
    row("largest", gibText(Bytes(kMaximum)), "8,589,934,592.00 GiB");
    row("smallest", gibText(Bytes(kMinimum)), "-8,589,934,592.00 GiB");
    row("largest in GB", gbText(Bytes(kMaximum)), "9,223,372,036.9 GB");

    row("exact GiB", exactText(Bytes(24 * kGiB)), "24 GiB");
    row("exact half", exactText(Bytes(kGiB + kGiB / 2)), "1.5 GiB");
    row("exact quarter", exactText(Bytes(kGiB + kGiB / 4)), "1.25 GiB");
    row("an eighth takes MiB", exactText(Bytes(kGiB + kGiB / 8)), "1152 MiB");
    row("below one GiB", exactText(Bytes(kGiB / 2)), "512 MiB");
    row("nvidia-smi's H100", exactText(Bytes(81559 * kMiB)), "81559 MiB");
    row("KiB", exactText(Bytes(1536)), "1.5 KiB");
    row("odd bytes", exactText(Bytes(81559 * kMiB + 1)), "85,520,809,985 B");
    row("zero", exactText(Bytes(0)), "0 B");
    row("below one KiB", exactText(Bytes(512)), "512 B");
    row("negative", exactText(Bytes(-8 * kGiB)), "-8 GiB");
    row("smallest exactly", exactText(Bytes(kMinimum)), "-8589934592 GiB");

    row("parameters", grouped(8'030'261'248), "8,030,261,248");
    row("three digits", grouped(999), "999");
    row("four digits", grouped(-1000), "-1,000");
    row("nothing", grouped(0), "0");
    row("largest number", grouped(kMaximum), "9,223,372,036,854,775,807");
    row("smallest number", grouped(kMinimum), "-9,223,372,036,854,775,808");
}

void TestSizeText::writes()
{
    QFETCH(const QString, written);
    QTEST(written, "expected");
}

void TestSizeText::readsSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("defaultUnit");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char* text, std::int64_t bytes, const char* defaultUnit = "") {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(defaultUnit)
                            << qint64(bytes);
    };
    row("24 GiB", 24 * kGiB);
    row("16GiB", 16 * kGiB);
    row("  24   gib  ", 24 * kGiB);
    row("24 GIB", 24 * kGiB);
    row("80 GB", 80 * kGB);
    row("80 gb", 80 * kGB);
    row("81559 MiB", 85'520'809'984);
    row("25,769,803,776 B", 25'769'803'776);
    row("25.769.803.776 B", 25'769'803'776);
    row("25 769 803 776 B", 25'769'803'776);
    row("25'769'803'776 b", 25'769'803'776);
    row("25\u00a0769\u00a0803\u00a0776\u00a0B", 25'769'803'776);
    row("10\u202f240 GiB", 10240 * kGiB);
    row("1,5 GiB", 1'610'612'736);
    row("1.5 GiB", 1'610'612'736);
    row(".5 GiB", kGiB / 2);
    row("0,125 GiB", kGiB / 8);
    row("0.125 GiB", kGiB / 8);
    row("1,024.5 GiB", 1024 * kGiB + kGiB / 2);
    row("1.024,5 GiB", 1024 * kGiB + kGiB / 2);
    row("1 024,5 GiB", 1024 * kGiB + kGiB / 2);
    row("1.0240 GiB", 1'099'511'628); // 1.024 x 2^30 = 1,099,511,627.776
    row("1,024 B", 1024);
    row("8,000 B", 8000);
    row("1,234,567 MiB", std::int64_t(1'234'567) * kMiB);
    row("1 KiB", 1024);
    row("1 KB", 1000);
    row("1 MB", 1'000'000);
    row("1 TB", 1'000'000'000'000);
    row("1 TiB", 1'099'511'627'776);
    row("0 B", 0);
    row("1.5 B", 2);
    row("1.4999999999999999999999999999 B", 1);
    row("0.0000000004 GB", 0);
    row("0.0000000005 GB", 1);
    row("24", 24 * kGiB, "GiB");
    row("1,5", 1'610'612'736, "GiB");
    row("8 MiB", 8 * kMiB, "GiB");
    row("9223372036854775807 B", kMaximum);
    row("8589934591.99 GiB", 9'223'372'036'844'038'390); // 2^63 - 0.01 x 2^30
    row("8388607 TiB", std::int64_t(8'388'607) << 40);
}

void TestSizeText::readsSizes()
{
    QFETCH(const QString, text);
    QFETCH(const QString, defaultUnit);
    QFETCH(const qint64, bytes);
    const auto size = parseSize(text.toStdString(), defaultUnit.toStdString());
    QVERIFY2(size.ok(), size.ok() ? "" : size.error().text().c_str());
    QCOMPARE(qint64(size->count()), bytes);
}

void TestSizeText::refusesSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* text, const QStringList& words) {
        QTest::newRow(text) << QString::fromUtf8(text) << words;
    };
    row("1,024 GiB", { "1,024", "1024", "1.024" });
    row("1.024 GiB", { "1.024", "1024" });
    row("12,345 MiB", { "12345", "12.345" });
    row("1.024 B", { "1024", "1.024" });
    row("1.5", { "unit", "24 GiB" });
    row("", { "nothing" });
    row("   ", { "nothing" });
    row("GiB", { "number" });
    row("-1 GiB", { "negative" });
    row("\u22121 GiB", { "negative" });
    row("nan GiB", { "number" });
    row("inf", { "number" });
    row("1e3 GiB", { "e3 GiB", "no unit" });
    row("24 GX", { "GX", "KiB" });
    row("24 Gi B", { "Gi B" });
    row("1,2,3 GiB", { "1,2,3" });
    row("1.2.3 GiB", { "1.2.3" });
    row("12 34 GiB", { "12 34" });
    row("1,0000 GiB,", { "GiB," });
    row("01,024,000 B", { "01,024,000" });
    row("1,024.000,5 GiB", { "1,024.000,5" });
    row("1 024.000.5 GiB", { "1 024.000.5" });
    row("5. GiB", { "5." });
    row(", GiB", { "," });
    row("9223372036854775808 B", { "too large", "9,223,372,036,854,775,807" });
    row("8388608 TiB", { "too large" });
    row("9223372036854775807.5 B", { "too large" });
    row("99999999999999999999999999 GiB", { "too large" });
}

void TestSizeText::refusesSizes()
{
    QFETCH(const QString, text);
    QFETCH(const QStringList, words);
    const auto size = parseSize(text.toStdString());
    QVERIFY(!size.ok());
    const QString message = QString::fromStdString(size.error().text());
    for (const QString& word : words)
        QVERIFY2(message.contains(word), qPrintable(message));
    QVERIFY2(!size.error().expected.empty(), qPrintable(message));
}

void TestSizeText::readsIntegers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("number");
    const auto row = [](const char* text, std::int64_t number) {
        QTest::newRow(text) << QString::fromUtf8(text) << qint64(number);
    };
    row("8192", 8192);
    row("8,192", 8192);
    row("8 192", 8192);
    row("8\u202f192", 8192);
    row("8'192", 8192);
    row("8,000", 8000);
    row("8.192.000", 8'192'000);
    row(" 7 ", 7);
    row("007", 7);
    row("-12", -12);
    row("\u22121,200", -1200);
    row("9,223,372,036,854,775,807", kMaximum);
    row("-9223372036854775808", kMinimum);
}

void TestSizeText::readsIntegers()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, number);
    const auto result = parseInteger(text.toStdString(), kMinimum, kMaximum);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
    QCOMPARE(qint64(*result), number);
}

void TestSizeText::refusesIntegers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("fraction") << "1.5"
                              << "no whole number";
    QTest::newRow("comma fraction") << "1,5"
                                    << "no whole number";
    QTest::newRow("misplaced mark") << "81,92"
                                    << "no whole number";
    QTest::newRow("two readings") << "8.192"
                                  << "8.192";
    QTest::newRow("broken groups") << "8,19,200"
                                   << "well-formed";
    QTest::newRow("word") << "eight"
                          << "well-formed";
    QTest::newRow("exponent") << "1e3"
                              << "well-formed";
    QTest::newRow("two signs") << "--1"
                               << "well-formed";
    QTest::newRow("only a sign") << "-"
                                 << "well-formed";
    QTest::newRow("empty") << ""
                           << "nothing";
    QTest::newRow("below") << "0"
                           << "out of range";
    QTest::newRow("above") << "131,073"
                           << "131,072";
    QTest::newRow("beyond 64 bits") << "9223372036854775808"
                                    << "out of range";
    QTest::newRow("far below") << "-99999999999999999999"
                               << "out of range";
}

void TestSizeText::refusesIntegers()
{
    QFETCH(const QString, text);
    QFETCH(const QString, word);
    const auto result = parseInteger(text.toStdString(), 1, 131'072);
    QVERIFY(!result.ok());
    const QString message = QString::fromStdString(result.error().text());
    QVERIFY2(message.contains(word), qPrintable(message));
}

void TestSizeText::readsWhatItWrote()
{
    std::mt19937_64 random(24);
    for (int i = 0; i < 20'000; ++i) {
        // Every magnitude, and often a round number of some unit.
        std::int64_t count = std::int64_t(random() >> (1 + random() % 63));
        if (i % 2 == 0)
            count &= ~((std::int64_t(1) << (random() % 50)) - 1);
        const std::string exact = exactText(Bytes(count));
        const auto size = parseSize(exact);
        QVERIFY2(size.ok() && size->count() == count, exact.c_str());
        const std::int64_t signedCount = i % 3 == 0 ? -count : count;
        const auto integer = parseInteger(grouped(signedCount), kMinimum, kMaximum);
        QVERIFY(integer.ok() && *integer == signedCount);
        // Nine decimals of a GiB round by less than two bytes.
        const auto near = parseSize(gibText(Bytes(count), 9));
        QVERIFY(!near.ok() ? count > kMaximum - 2 : std::abs(near->count() - count) <= 1);
    }
}

QTEST_GUILESS_MAIN(TestSizeText)
#include "test_size_text.moc"
