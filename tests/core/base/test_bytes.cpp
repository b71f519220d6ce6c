#include "base/amount.h"
#include "base/utf8.h"

#include <QtTest>

#include <limits>

using namespace shardrack;

namespace {
constexpr auto kMaximum = std::numeric_limits<std::int64_t>::max();
constexpr auto kMinimum = std::numeric_limits<std::int64_t>::min();

/// The words of the Failure that `body` throws; empty if it throws none.
template <class Body> QString failureOf(Body body)
{
    try {
        body();
    } catch (const Failure& failure) {
        return QString::fromStdString(failure.error().text());
    }
    return {};
}
} // namespace

class TestBytes : public QObject {
    Q_OBJECT
private slots:
    void computesExactly();
    void refusesOverflow_data();
    void refusesOverflow();
    void keepsAmountsHonest();
    void namesProvenance();
    void carriesErrors();
    void handlesUtf8();
};

void TestBytes::computesExactly()
{
    // 7e9 parameters x 16 bytes = 112e9 bytes
    QCOMPARE(bytesOf(7'000'000'000, 16), Bytes(112'000'000'000));
    QCOMPARE(Bytes(24 * kGiB) - Bytes(16 * kGiB), Bytes(8'589'934'592));
    QCOMPARE(Bytes(16 * kGiB) - Bytes(24 * kGiB), Bytes(-8'589'934'592));
    QCOMPARE(Bytes(kMaximum - 1) + Bytes(1), Bytes(kMaximum));
    QCOMPARE(Bytes(kMinimum + 1) - Bytes(1), Bytes(kMinimum));
    Bytes sum(1);
    sum += Bytes(2);
    sum -= Bytes(5);
    QCOMPARE(sum, Bytes(-2));
    QVERIFY(Bytes(-1) < Bytes(0));
    QCOMPARE(Bytes(), Bytes(0));
}

void TestBytes::refusesOverflow_data()
{
    QTest::addColumn<int>("operation");
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<QString>("word");
    QTest::newRow("sum above") << int('+') << qint64(kMaximum) << qint64(1) << "sum";
    QTest::newRow("sum below") << int('+') << qint64(kMinimum) << qint64(-1) << "sum";
    QTest::newRow("difference above") << int('-') << qint64(0) << qint64(kMinimum) << "difference";
    QTest::newRow("difference below") << int('-') << qint64(kMinimum) << qint64(1) << "difference";
    QTest::newRow("product above")
        << int('*') << qint64(kMaximum / 2 + 1) << qint64(2) << "product";
    QTest::newRow("product of signs") << int('*') << qint64(kMinimum) << qint64(-1) << "product";
}

void TestBytes::refusesOverflow()
{
    QFETCH(const int, operation);
    QFETCH(const qint64, a);
    QFETCH(const qint64, b);
    QFETCH(const QString, word);
    const QString words = failureOf([&] {
        const Bytes result = operation == '+' ? Bytes(a) + Bytes(b)
            : operation == '-'                ? Bytes(a) - Bytes(b)
                                              : Bytes(a) * b;
        Q_UNUSED(result)
    });
    QVERIFY2(words.contains(word), qPrintable(words));
    QVERIFY2(words.contains("64-bit"), qPrintable(words));
}

void TestBytes::keepsAmountsHonest()
{
    const Amount unknown;
    QVERIFY(!unknown.established());
    QVERIFY(!unknown.bytes());
    const Amount known(Bytes(6 * kGiB), Provenance::Stipulated);
    QCOMPARE(known.bytes(), std::optional(Bytes(6 * kGiB)));

    Sum sum;
    sum += known;
    QVERIFY(!sum.atLeast);
    sum += unknown;
    sum += known;
    QCOMPARE(sum.established, Bytes(12 * kGiB));
    QVERIFY(sum.atLeast);
    Sum total;
    total += sum;
    QVERIFY(total == sum);
}

void TestBytes::namesProvenance()
{
    QCOMPARE(name(Provenance::Stipulated), "stipulated");
    QCOMPARE(name(Provenance::Derived), "derived");
    QCOMPARE(name(Provenance::Measured), "measured");
    QCOMPARE(name(Provenance::NotEstablished), "not established");
}

void TestBytes::carriesErrors()
{
    const auto fails = []() -> int { throw Failure({ "$.a", "is 3", "1 or 2" }); };
    const Result<int> failed = attempt(fails);
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().text(), "$.a: is 3; expected 1 or 2");
    QCOMPARE((Error { "", "is 3", "" }).text(), "is 3");
    QVERIFY(failureOf([&] { (void)failed.value(); }) == "$.a: is 3; expected 1 or 2");
    const Result<int> worked = attempt([] { return 3; });
    QCOMPARE(worked.value(), 3);
}

void TestBytes::handlesUtf8()
{
    QCOMPARE(utf8Length("a"), 1u);
    QCOMPARE(utf8Length("\u00b7"), 2u);
    QCOMPARE(utf8Length("\u2013"), 3u);
    QCOMPARE(utf8Length("\U0001F600"), 4u);
    for (const char* broken : { "", "\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
             "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF" })
        QCOMPARE(utf8Length(broken), 0u);
    for (const unsigned code :
        { 0x41u, 0xB7u, 0x2013u, 0x1F600u, 0x7FFu, 0x800u, 0xFFFFu, 0x10FFFFu }) {
        std::string encoded;
        appendUtf8(encoded, code);
        const char32_t character = code;
        QCOMPARE(QByteArray::fromStdString(encoded), QString::fromUcs4(&character, 1).toUtf8());
        QCOMPARE(utf8Length(encoded), encoded.size());
    }
    QCOMPARE(shortened("abc", 3), "abc");
    QCOMPARE(shortened("abcd", 3), "abc…");
    QCOMPARE(shortened("ab\u2013d", 4), "ab…");
    QCOMPARE(shortened("\u2013\u2013", 1), "…");
}

QTEST_GUILESS_MAIN(TestBytes)
#include "test_bytes.moc"
