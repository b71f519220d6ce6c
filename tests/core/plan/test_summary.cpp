// What a plan says in words: title, reasons, what is open, what is assumed.

#include "plan_texts.h"

#include "plan/summary.h"

using namespace shardrack;
using namespace plantexts;

namespace {

PlanSummary summaryOf(const Plan& plan)
{
    std::vector<ComparedOffer> offers;
    for (std::size_t i = 0; i < plan.offers.size(); ++i) {
        ComparedOffer offer;
        offer.offer = i;
        offer.assessment = assess(plan, i);
        offer.changes = changedBasis(plan, i);
        offers.push_back(std::move(offer));
    }
    return summarize(plan, offers);
}

QString headline(const PlanSummary& summary)
{
    QStringList sentences;
    for (const std::string& sentence : summary.headline)
        sentences << q(sentence);
    return sentences.join(u' ');
}

/// A plan whose offers are one server of `gpus` GPUs of 16 GiB each with these layouts, for a total
/// of 24 GiB; `more` follows each offer's layout.
std::string planOf(const std::vector<std::pair<std::string, std::string>>& offers, int gpus = 4)
{
    std::string list;
    for (const auto& [name, members] : offers)
        list += (list.empty() ? "" : ", ") + std::string(R"({"name": ")") + name
            + R"(", "site": {"racks": [)" + oneServer(gpus) + "]}, " + members + "}";
    return planText(R"("workload": {"state": {"stipulated": {"total_bytes": 25769803776}}}, )"
                    R"("offers": [)"
        + list + "]");
}

const char* const kDdp = R"("layout": {"preset": "ddp"})";
const char* const kFsdp = R"("layout": {"preset": "fsdp"})";
/// Every term given, 1 GiB each: 24 / 4 + 5 = 11 GiB of 16.
const char* const kGiven
    = R"("layout": {"preset": "fsdp"}, "workload": {"state": {"stipulated": {"total_bytes": 25769803776}},
        "terms": {"gathered_bytes": 1073741824, "activations_bytes": 1073741824, "temporary_bytes": 1073741824,
                  "slack_bytes": 1073741824, "outside_bytes": 1073741824}})";

} // namespace

class TestSummary : public QObject {
    Q_OBJECT
private slots:
    void titles_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::string& plan, const char* expected) {
            QTest::newRow(name) << q(plan) << QString::fromUtf8(expected);
        };
        row("TS-24, R and S", ts24(),
            "Replicas do not fit. Shards stay open until five terms are known.");
        row("one offer", planOf({ { "Offer R", kDdp } }), "Offer R does not fit.");
        row("two of a kind are called by their names",
            planOf({ { "A", kDdp }, { "B", kDdp }, { "C", kFsdp } }),
            "A and B do not fit. C stays open until five terms are known.");
        row("six offers",
            planOf({ { "A", kDdp }, { "B", kDdp }, { "C", kDdp }, { "D", kDdp }, { "E", kDdp },
                { "F", kFsdp } }),
            "Five offers do not fit. F stays open until five terms are known.");
        row("changed basis",
            planOf({ { "Offer R", kDdp }, { "Offer S", kFsdp }, { "Offer S2", kGiven } }),
            "Replicas do not fit. Shards stay open until five terms are known. "
            "On a changed basis, Offer S2 is estimated to fit.");
        row("nothing placed", planText(R"("offers": [{"name": "A"}])"),
            "A has nothing to judge yet.");
        row("not legal", planOf({ { "A", R"("layout": {"preset": "hsdp", "dp_shard": 3})" } }),
            // Groups of three on four ranks leave the last one alone with all 24 GiB.
            "A does not fit. The layout of A is not legal.");
        row("no offer", planText(""), "There is no offer yet.");
    }
    void titles()
    {
        QFETCH(QString, plan);
        QFETCH(QString, expected);
        QCOMPARE(headline(summaryOf(planFrom(plan.toStdString()))), expected);
    }

    void subtitles_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("expected");
        QTest::newRow("TS-24")
            << q(ts24())
            << QStringLiteral(
                   "24 GiB of persistent training state, four GPUs with 16 GiB installed "
                   "each, usable not confirmed");
        // 8,030,261,248 × 16 B = 128,484,179,968 B = 119.66 GiB.
        QTest::newRow("Llama")
            << q(sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack"))
            << QStringLiteral(
                   "119.66 GiB of persistent training state for llama-3-8b, 32 GPUs with "
                   "79.65 GiB installed each, 79.18 GiB usable");
    }
    void subtitles()
    {
        QFETCH(QString, plan);
        QFETCH(QString, expected);
        QCOMPARE(q(summaryOf(planFrom(plan.toStdString())).subtitle), expected);
    }

    // DOMAIN.md section 3, word for word what matters.
    void saysWhatTs24Says_data()
    {
        QTest::addColumn<int>("offer");
        QTest::addColumn<QString>("fact");
        QTest::newRow("24 of 16 on four")
            << 0
            << QStringLiteral("24.00 GiB against 16.00 GiB (usable not confirmed) on each of four "
                              "devices");
        QTest::newRow("persistent part alone")
            << 0
            << QStringLiteral("over capacity on the persistent part alone, by at least 8.00 GiB");
        QTest::newRow("sums")
            << 0
            << QStringLiteral("Four copies total 96.00 GiB, and 64.00 GiB are installed; neither "
                              "sum changes that.");
        QTest::newRow("fifth replica")
            << 0 << QStringLiteral("A fifth replica changes nothing for the first.");
        QTest::newRow("24 / 4")
            << 1
            << QStringLiteral("An even split over four ranks leaves 24.00 ÷ 4 = 6.00 GiB of "
                              "persistent state on each.");
        QTest::newRow("open terms")
            << 1
            << QStringLiteral(
                   "gathered parameters, activations, temporary buffers, allocator slack "
                   "and memory outside the allocator are not established, and the usable "
                   "allocation still needs confirmation");
        QTest::newRow("not a margin")
            << 1
            << QStringLiteral("16.00 − 6.00 = 10.00 GiB is what those must fit into; it is not a "
                              "measured margin.");
    }
    void saysWhatTs24Says()
    {
        QFETCH(int, offer);
        QFETCH(QString, fact);
        const QString says = q(summaryOf(planFrom(ts24())).offers[std::size_t(offer)].says);
        QVERIFY2(says.contains(fact), qPrintable(says));
    }

    void verdictsAreNamed()
    {
        const PlanSummary summary = summaryOf(planFrom(ts24()));
        QCOMPARE(q(summary.offers[0].verdict), QStringLiteral("Offer R is over capacity"));
        QCOMPARE(q(summary.offers[1].verdict), QStringLiteral("Offer S is open"));
    }

    void aFitSaysWhatIsLeft()
    {
        // 24 / 4 + 5 × 1 = 11 GiB; 16 − 11 = 5.
        const PlanSummary summary = summaryOf(planFrom(planOf({ { "A", kGiven } })));
        const QString says = q(summary.offers[0].says);
        QVERIFY2(says.contains(QStringLiteral("11.00 GiB of 16.00 GiB, 5.00 GiB below usable")),
            qPrintable(says));
        QVERIFY2(says.contains(QStringLiteral("not ranked")), qPrintable(says));
        QCOMPARE(summary.offers[0].marks, std::vector<std::string> { "changed basis" });
    }

    void mixedStateIsSaidPartByPart()
    {
        const std::string file = sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack");
        const PlanSummary summary = summaryOf(planFrom(file));
        // ZeRO-1: 2 + 2 of 16 bytes stay whole, 12 ÷ 32 remain: 29.92 + 2.80 = 32.72 GiB.
        const QString says = q(summary.offers[1].says);
        QVERIFY2(says.contains(QStringLiteral("32.72 GiB of persistent state")), qPrintable(says));
        QVERIFY2(says.contains(QStringLiteral("parameters 14.96 GiB")), qPrintable(says));
    }

    void openItemsAreSharedByTheOffersThatLackThem()
    {
        const PlanSummary summary = summaryOf(planFrom(ts24()));
        const auto offersOf = [&](const char* what) {
            std::vector<std::size_t> offers;
            for (const OpenItem& item : summary.notEstablished)
                if (item.what == what)
                    offers.insert(offers.end(), item.offers.begin(), item.offers.end());
            std::sort(offers.begin(), offers.end());
            return offers;
        };
        const std::vector<std::size_t> both { 0, 1 };
        // A replica gathers nothing.
        QCOMPARE(offersOf("Gathered parameters"), std::vector<std::size_t> { 1 });
        for (const char* what :
            { "Activations", "Temporary buffers", "Allocator slack", "Outside allocator",
                "Usable allocation", "Required margin", "Demonstrated fit", "Training result" })
            QCOMPARE(offersOf(what), both);
    }

    void assumptionsHaveSources()
    {
        const PlanSummary ts = summaryOf(planFrom(ts24()));
        bool stated = false;
        for (const Assumption& each : ts.assumptions) {
            QVERIFY(!each.source.empty());
            if (each.text == "Ordinary local optimizer state, no additional sharding or offload.") {
                stated = true;
                QCOMPARE(each.offers, std::vector<std::size_t> { 0 });
            }
        }
        QVERIFY(stated);
        const PlanSummary llama
            = summaryOf(planFrom(sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack")));
        QStringList sources;
        for (const Assumption& each : llama.assumptions)
            sources << q(each.source);
        // 2 + 2 + 8 + 4 bytes: the ZeRO paper's mixed-precision Adam.
        QVERIFY2(sources.join(u'|').contains(QStringLiteral("arXiv:1910.02054, section 3.1")),
            qPrintable(sources.join(u'|')));
        QVERIFY(sources.join(u'|').contains(QStringLiteral("catalogue: ")));
    }
};

QTEST_APPLESS_MAIN(TestSummary)
#include "test_summary.moc"
