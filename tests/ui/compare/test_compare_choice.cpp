#include "compare/compare_choice.h"

#include <QTest>

using namespace shardrack;

namespace {

Plan planOf(const QStringList& names)
{
    Plan plan = emptyPlan();
    for (const QString& name : names)
        plan.offers.push_back(std::make_shared<const Offer>(emptyOffer(name.toStdString())));
    return plan;
}

using Offers = std::vector<std::size_t>;

} // namespace

class TestCompareChoice : public QObject {
    Q_OBJECT

private slots:
    void allUpToSix()
    {
        const CompareChoice choice;
        QCOMPARE(choice.of(planOf({ "A", "B" })).offers, (Offers { 0, 1 }));
        QCOMPARE(choice.of(planOf({ "A", "B", "C", "D", "E", "F", "G" })).offers,
            (Offers { 0, 1, 2, 3, 4, 5 }));
        QCOMPARE(choice.of(planOf({ "A" })).offers.size(), std::size_t(1));
    }
    void followsNewOffersUnlessChosen()
    {
        CompareChoice choice;
        const Plan two = planOf({ "A", "B" });
        choice.set(two, choice.of(two));
        QCOMPARE(choice.of(planOf({ "A", "B", "C" })).offers, (Offers { 0, 1, 2 }));
        ComparisonChoice chosen;
        chosen.offers = { 1, 0 };
        chosen.baseline = 1;
        choice.set(two, chosen);
        QCOMPARE(choice.of(planOf({ "A", "B", "C" })).offers, (Offers { 1, 0 }));
        QCOMPARE(choice.of(planOf({ "C", "B", "A" })).offers, (Offers { 1, 2 }));
        QCOMPARE(choice.of(planOf({ "C", "B", "A" })).baseline, std::size_t(1));
    }
    void baselineIsAmongThem()
    {
        CompareChoice choice;
        const Plan plan = planOf({ "A", "B", "C" });
        ComparisonChoice chosen;
        chosen.offers = { 2, 1 };
        chosen.baseline = 1;
        choice.set(plan, chosen);
        QCOMPARE(choice.of(plan).baseline, std::size_t(1));
        // Offer B is gone: too few are left, so all are compared again.
        QCOMPARE(choice.of(planOf({ "A", "C" })).offers, (Offers { 0, 1 }));
        QCOMPARE(choice.of(planOf({ "A", "C" })).baseline, std::size_t(0));
    }
    void renamedStaysChosen()
    {
        CompareChoice choice;
        const Plan before = planOf({ "A", "B", "C" });
        ComparisonChoice chosen;
        chosen.offers = { 2, 0 };
        chosen.baseline = 2;
        chosen.order = ComparisonChoice::Order::ByHeadroom;
        choice.set(before, chosen);
        const Plan after = planOf({ "A", "B", "Better" });
        choice.follow(before, after);
        QCOMPARE(choice.of(after), chosen);
        // Offers that only changed places are no renames.
        const Plan moved = planOf({ "Better", "A", "B" });
        choice.follow(after, moved);
        QCOMPARE(choice.of(moved).offers, (Offers { 0, 1 }));
    }
};

QTEST_GUILESS_MAIN(TestCompareChoice)
#include "test_compare_choice.moc"
