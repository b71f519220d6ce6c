#include "base/rank_set.h"

#include <QtTest>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>

using namespace shardrack;

namespace {

RankSet parsed(const char* text) { return RankSet::parse(text).value(); }

std::set<std::int32_t> members(const RankSet& set)
{
    std::set<std::int32_t> all;
    for (const auto& [first, last] : set.intervals())
        for (std::int32_t i = first; i <= last; ++i)
            all.insert(i);
    return all;
}

/// Sorted, disjoint, not adjacent, none empty.
bool wellFormed(const RankSet& set)
{
    std::int64_t previous = -2;
    for (const auto& [first, last] : set.intervals()) {
        if (first > last || first <= previous + 1)
            return false;
        previous = last;
    }
    return true;
}

} // namespace

class TestRankSet : public QObject {
    Q_OBJECT
private slots:
    void parses_data();
    void parses();
    void refuses_data();
    void refuses();
    void isASet();
    void closesTheGap();
    void agreesWithStdSet();
    void readsWhatItWrote();
};

void TestRankSet::parses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::newRow("list") << "0-3,8,12-15"
                          << "0-3,8,12-15";
    QTest::newRow("spaces") << " 0 - 3 , 8 "
                            << "0-3,8";
    QTest::newRow("en dash") << QString::fromUtf8("0\u20133") << "0-3";
    QTest::newRow("unsorted") << "8,0-3"
                              << "0-3,8";
    QTest::newRow("overlapping") << "0-5,3-8,4"
                                 << "0-8";
    QTest::newRow("touching") << "0-3,4-7"
                              << "0-7";
    QTest::newRow("twice") << "5,5"
                           << "5";
    QTest::newRow("range of one") << "5-5"
                                  << "5";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("blank") << "  "
                           << "";
    QTest::newRow("large") << "131071"
                           << "131071";
}

void TestRankSet::parses()
{
    QFETCH(const QString, text);
    QFETCH(const QString, canonical);
    const auto set = RankSet::parse(text.toStdString());
    QVERIFY2(set.ok(), set.ok() ? "" : set.error().text().c_str());
    QCOMPARE(QString::fromStdString(set->text()), canonical);
    QVERIFY(wellFormed(*set));
}

void TestRankSet::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("word") << "0-3,a,5"
                          << "\"a\"";
    QTest::newRow("backwards") << "0,7-4"
                               << "\"7-4\"";
    QTest::newRow("negative") << "-1"
                              << "\"-1\"";
    QTest::newRow("two dashes") << "1-2-3"
                                << "\"1-2-3\"";
    QTest::newRow("empty piece") << "1,,2"
                                 << "\"\"";
    QTest::newRow("trailing comma") << "1,"
                                    << "\"\"";
    QTest::newRow("open range") << "1-"
                                << "\"1-\"";
    QTest::newRow("hex") << "0x10"
                         << "\"0x10\"";
    QTest::newRow("limit") << "0-16"
                           << "numbers from 0 to 15";
    QTest::newRow("beyond 32 bits") << "4294967296"
                                    << "4294967296";
}

void TestRankSet::refuses()
{
    QFETCH(const QString, text);
    QFETCH(const QString, words);
    const auto set = RankSet::parse(text.toStdString(), 16);
    QVERIFY(!set.ok());
    const QString message = QString::fromStdString(set.error().text());
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TestRankSet::isASet()
{
    RankSet set = RankSet::range(4, 7);
    QCOMPARE(set.size(), std::int64_t(4));
    QCOMPARE(set.front(), 4);
    QCOMPARE(set.back(), 7);
    QCOMPARE(set.positionOf(4), std::int64_t(0));
    QCOMPARE(set.positionOf(6), std::int64_t(2));
    QCOMPARE(set.positionOf(100), std::int64_t(4));
    QVERIFY(RankSet::range(1, 0).empty());
    QVERIFY(!RankSet::range(0, 3).intersects(set));
    QVERIFY(RankSet::range(0, 4).intersects(set));
    QVERIFY(!RankSet().intersects(set));
    QVERIFY(parsed("0-3,8") == parsed("8,0,1,2,3"));
    // The whole range of indices, where sums of ends would overflow.
    RankSet all = RankSet::range(0, std::numeric_limits<std::int32_t>::max());
    QCOMPARE(all.size(), std::int64_t(1) << 31);
    all.unite(parsed("3"));
    QCOMPARE(all.intervals().size(), std::size_t(1));
}

void TestRankSet::closesTheGap()
{
    RankSet set = parsed("0-3,5-7");
    set.removeAndClose(4); // not a member: the upper ones still move down
    QCOMPARE(set.text(), std::string("0-6"));
    set.removeAndClose(2);
    QCOMPARE(set.text(), std::string("0-5"));
    set.removeAndClose(9);
    QCOMPARE(set.text(), std::string("0-5"));
}

void TestRankSet::agreesWithStdSet()
{
    std::mt19937 random(7);
    const auto number = [&random](int bound) { return std::int32_t(random() % unsigned(bound)); };
    RankSet set;
    std::set<std::int32_t> model;
    for (int step = 0; step < 20'000; ++step) {
        const std::int32_t at = number(60);
        switch (number(6)) {
        case 0:
        case 1:
            set.insert(at);
            model.insert(at);
            break;
        case 2:
        case 3:
            set.erase(at);
            model.erase(at);
            break;
        case 4: {
            set.removeAndClose(at);
            std::set<std::int32_t> moved;
            for (const std::int32_t i : model)
                if (i != at)
                    moved.insert(i < at ? i : i - 1);
            model = moved;
            break;
        }
        default: {
            RankSet other = RankSet::range(at, at + number(4));
            other.insert(number(60));
            const auto more = members(other);
            const bool common = std::any_of(
                more.begin(), more.end(), [&model](std::int32_t i) { return model.count(i) > 0; });
            QCOMPARE(set.intersects(other), common);
            QCOMPARE(other.intersects(set), common);
            set.unite(other);
            model.insert(more.begin(), more.end());
        }
        }
        QVERIFY(wellFormed(set));
        QVERIFY(members(set) == model);
        QCOMPARE(set.size(), std::int64_t(model.size()));
        const std::int32_t probe = number(64);
        QCOMPARE(set.contains(probe), model.count(probe) > 0);
        QCOMPARE(set.positionOf(probe),
            std::int64_t(std::distance(model.begin(), model.lower_bound(probe))));
        if (step % 500 == 0) {
            set = RankSet();
            model.clear();
        }
    }
}

void TestRankSet::readsWhatItWrote()
{
    std::mt19937 random(11);
    for (int i = 0; i < 500; ++i) {
        RankSet set;
        for (auto n = random() % 40; n > 0; --n)
            set.insert(std::int32_t(random() % 100));
        QVERIFY(parsed(set.text().c_str()) == set);
    }
}

QTEST_GUILESS_MAIN(TestRankSet)
#include "test_rank_set.moc"
