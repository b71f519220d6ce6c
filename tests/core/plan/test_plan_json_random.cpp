// Properties of the plan file on plans of every shape.

#include "plan_texts.h"
#include "random_plan.h"

using namespace shardrack;
using namespace plantexts;

class TestPlanJsonRandom : public QObject {
    Q_OBJECT

private slots:
    void writingAndReadingIsTheIdentity();
    void blocksAreTheSameAlone();
};

void TestPlanJsonRandom::writingAndReadingIsTheIdentity()
{
    std::size_t bytes = 0;
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        const Plan plan = RandomPlan(seed).make();
        bytes += writePlan(plan).size();
        verifyRoundTrip(plan);
        if (QTest::currentTestFailed())
            QFAIL(("seed " + std::to_string(seed)).c_str());
    }
    QVERIFY(bytes > 1000000); // the plans were not all empty
}

void TestPlanJsonRandom::blocksAreTheSameAlone()
{
    for (unsigned seed = 1; seed <= 500; ++seed) {
        const Plan plan = RandomPlan(seed).make();
        const Json workload = toJson(*plan.workload);
        QVERIFY(workloadFromJson(JsonView(workload, "$")) == *plan.workload);
        for (const auto& offer : plan.offers) {
            const Json layout = toJson(offer->layout, offer->site);
            QVERIFY(layoutFromJson(JsonView(layout, "$"), offer->site) == offer->layout);
            for (const auto& rack : offer->site.racks) {
                const Json json = toJson(*rack);
                const ServerId first = rack->servers.empty() ? 1 : rack->servers.front().id;
                QVERIFY(rackFromJson(JsonView(json, "$"), first) == *rack);
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestPlanJsonRandom)
#include "test_plan_json_random.moc"
