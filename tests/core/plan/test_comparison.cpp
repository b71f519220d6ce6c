// Offers side by side: what each row says, what is flagged, in which order they stand.

#include "plan_texts.h"

#include "plan/comparison.h"
#include "workload/workload_fields.h"

#include <QSet>

#include <algorithm>

using namespace shardrack;
using namespace plantexts;

namespace {

using Section = ComparisonRow::Section;

Comparison compared(const std::string& text, const ComparisonChoice& choice = {})
{
    return compare(std::make_shared<const Plan>(planFrom(text)), choice);
}

/// TS-24 with a third offer: 1,610,612,736 parameters × (2 + 2 + 12) B = 24 GiB, over four ranks,
/// and 1.10 + 3.40 + 0.90 + 0.60 + 0.70 GiB given; usable 16 GiB, confirmed.
std::string withExample(const std::string& more = {})
{
    Json plan = Json::parse(ts24());
    Json third = plan["offers"][0];
    third["name"] = "Offer S′";
    third.erase("assumptions");
    third["layout"] = { { "preset", "fsdp" } };
    Json& gpus = third["site"]["racks"][0]["servers"][0]["gpus"];
    gpus["usable_confirmed"] = true;
    gpus["usable_bytes"] = 17179869184;
    third["workload"] = Json::parse(R"({
        "model": {"parameters": 1610612736, "name": "example"},
        "recipe": {"bytes_per_parameter": {"parameters": 2, "gradients": 2, "optimizer": 8, "master": 4},
                   "micro_batch": 1, "sequence": 2048},
        "terms": {"gathered_bytes": 1181116006, "activations_bytes": 3650722202,
                  "temporary_bytes": 966367642, "slack_bytes": 644245094, "outside_bytes": 751619277}})");
    if (!more.empty()) {
        const Json members = Json::parse(more);
        for (const auto& item : members.items())
            third[item.key()] = item.value();
    }
    plan["offers"].push_back(third);
    return plan.dump();
}

const ComparisonCell& cell(const Comparison& comparison, const char* field, std::size_t column)
{
    const ComparisonRow* row = comparison.row(field);
    if (!row)
        qFatal("no row %s", field);
    return row->cells[column];
}

QString say(const Comparison& comparison, const char* field, std::size_t column)
{
    return q(cell(comparison, field, column).text);
}

QStringList names(const Comparison& comparison)
{
    QStringList all;
    for (std::size_t i = 0; i < comparison.offers.size(); ++i)
        all << q(comparison.offer(i).name);
    return all;
}

/// An offer of one GPU of 16 GiB whose state is this many GiB; every term given as 0 where closed.
std::string offerOf(const char* name, int gib, bool closed, const std::string& more = {})
{
    const std::string terms = R"("gathered_bytes": 0, "activations_bytes": 0, "temporary_bytes": 0,
        "slack_bytes": 0, "outside_bytes": 0)";
    return std::string(R"({"name": ")") + name + R"(", "site": {"racks": [)" + oneServer(1)
        + R"(]}, "workload": {"state": {"stipulated": {"total_bytes": )"
        + std::to_string(std::int64_t(gib) << 30) + "}}, \"terms\": {" + (closed ? terms : "") + "}"
        + more + "}}";
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    void ts24States_data();
    void ts24States();
    void ts24Rows();
    void sectionsOfEveryComparison();
    void exampleTerms();
    void changedBasisIsFlagged_data();
    void changedBasisIsFlagged();
    void declaredChange();
    void orderByHeadroom();
    void changedBasisNeverOnTop();
    void openBelowEstablished();
    void baseline();
    void choiceIsCleaned();
    void averageBesideTheWorst();
    void requiredMargin();
    void batchOfAStep();
    void factsAsGiven();
    void measured();
    void nothingPlaced();
    void llama();
    void assessmentsAreUsed();
    void largePlan();
};

void TestComparison::ts24States_data()
{
    // DOMAIN.md, section 3.
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("replicas");
    QTest::addColumn<QString>("shards");
    const auto row = [](const char* field, const char* r, const char* s) {
        QTest::newRow(field) << QString::fromUtf8(field) << QString::fromUtf8(r)
                             << QString::fromUtf8(s);
    };
    row("capacity", "Over capacity, 4 of 4", "Open: five terms, and usable not confirmed");
    row("demonstrated", "None", "None");
    row("result", "Not evaluated", "Not evaluated");
    row("most_loaded", "A1·0 with rank 0", "A1·0 with rank 0");
    row("need", "at least 24.00 GiB", "at least 6.00 GiB");
    row("headroom", "over by at least 8.00 GiB",
        "10.00 GiB for everything that is not established");
    row("average_need", "at least 24.00 GiB", "at least 6.00 GiB");
    row("basis", "common", "common");
    row("state", "24 GiB, stipulated", "24 GiB, stipulated");
    row("micro_batch", "not given", "not given");
    row("gpus", "4 × 16 GiB GPU", "4 × 16 GiB GPU");
    row("usable", "16.00 GiB (not confirmed)", "16.00 GiB (not confirmed)");
    row("layout", "4 replicas", "4 shards");
    row("divided", "nothing", "parameters, gradients, optimizer state over 4 ranks");
    row("legality", "legal", "legal");
    row("assumptions", "Ordinary local optimizer state, no additional sharding or offload.",
        "nothing stated");
    row("term_state", "24.00 GiB", "6.00 GiB");
    row("term_gathered", "0.00 GiB", "not established");
    row("term_activations", "not established", "not established");
    row("term_temporary", "not established", "not established");
    row("term_slack", "not established", "not established");
    row("term_outside", "not established", "not established");
    row("sum", "at least 24.00 GiB", "at least 6.00 GiB");
    row("required_margin", "not stated", "not stated");
    row("state_total", "96.00 GiB", "24.00 GiB");
    row("redundant", "72.00 GiB", "0.00 GiB");
    row("copies", "4", "1");
    row("moves", "gradients all-reduced, once a step",
        "parameters gathered in forward and again in backward, gradients reduce-scattered, every "
        "block");
    row("volume", "not established", "not established");
    row("transfer_time", "not established", "not established");
    row("step_time", "not established", "not established");
    row("devices_measured", "0 of 4", "0 of 4");
    row("highest_measured", "not established", "not established");
    row("price", "not given", "not given");
}

void TestComparison::ts24States()
{
    QFETCH(QString, field);
    QFETCH(QString, replicas);
    QFETCH(QString, shards);
    const Comparison comparison = compared(ts24());
    const QByteArray id = field.toUtf8();
    QVERIFY2(comparison.row(id.constData()), id.constData());
    QCOMPARE(say(comparison, id.constData(), 0), replicas);
    QCOMPARE(say(comparison, id.constData(), 1), shards);
    QCOMPARE(comparison.row(id.constData())->equal, replicas == shards);
    QCOMPARE(cell(comparison, id.constData(), 1).differs, replicas != shards);
    QVERIFY(!cell(comparison, id.constData(), 0).differs);
}

void TestComparison::ts24Rows()
{
    const Comparison comparison = compared(ts24());
    QCOMPARE(names(comparison), (QStringList { "Offer R", "Offer S" }));
    QCOMPARE(q(comparison.offers[1].phrase), QStringLiteral("4 shards"));
    QCOMPARE(cell(comparison, "need", 0).bytes, std::optional(Bytes(25769803776)));
    QVERIFY(cell(comparison, "need", 0).atLeast);
    QCOMPARE(cell(comparison, "headroom", 1).bytes, std::optional(Bytes(10737418240)));
    // 6 − 24 = −18 GiB a device; 24 − 96 = −72 GiB over the job.
    QCOMPARE(cell(comparison, "term_state", 1).change, std::optional(Bytes(-18 * kGiB)));
    QCOMPARE(cell(comparison, "redundant", 1).change, std::optional(Bytes(-72 * kGiB)));
    QVERIFY(!cell(comparison, "term_state", 0).change);
    // Of two lower bounds there is no difference, and of an unknown there is none.
    QVERIFY(!cell(comparison, "sum", 1).change);
    QVERIFY(!cell(comparison, "term_gathered", 1).change);
    QVERIFY(!cell(comparison, "term_gathered", 1).bytes);
    QCOMPARE(q(cell(comparison, "term_state", 0).detail), QStringLiteral("24 GiB ÷ 1, replicated"));
    QVERIFY(q(cell(comparison, "term_state", 1).detail).startsWith("24 GiB ÷ 4, sharded"));
    QVERIFY(q(cell(comparison, "gpus", 0).detail).contains("together 64.00 GiB"));
    QVERIFY(q(cell(comparison, "gpus", 0).detail).contains("not one allocation"));
    for (const ComparisonRow& row : comparison.rows)
        for (const ComparisonCell& each : row.cells) {
            QVERIFY2(!each.changedBasis, row.field.c_str());
            // The difference between usable and the retained share is no margin.
            if (row.field != "required_margin")
                QVERIFY2(!q(each.text + each.detail).contains("margin"), row.field.c_str());
        }
    const QString text = q(comparisonText(comparison));
    QVERIFY(text.contains("A fictional example"));
    QVERIFY(text.contains("10.00 GiB for everything that is not established"));
}

void TestComparison::sectionsOfEveryComparison()
{
    for (const std::string& text : { ts24(), withExample(), everyField() }) {
        const Comparison comparison = compared(text);
        QVERIFY(std::is_sorted(comparison.rows.begin(), comparison.rows.end(),
            [](const ComparisonRow& a, const ComparisonRow& b) { return a.section < b.section; }));
        for (int section = 0; section <= int(Section::Price); ++section)
            QVERIFY2(std::any_of(comparison.rows.begin(), comparison.rows.end(),
                         [&](const ComparisonRow& row) { return int(row.section) == section; }),
                title(Section(section)));
        for (const WorkloadField& field : workloadFields())
            QVERIFY2(comparison.row(field.id), field.id);
        QSet<QString> seen;
        for (const ComparisonRow& row : comparison.rows) {
            QCOMPARE(row.cells.size(), comparison.offers.size());
            QVERIFY2(!seen.contains(q(row.field)), row.field.c_str());
            seen.insert(q(row.field));
            QVERIFY(!row.title.empty());
            for (const ComparisonCell& each : row.cells)
                QVERIFY2(!each.text.empty(), row.field.c_str());
        }
    }
}

void TestComparison::exampleTerms()
{
    const Comparison comparison = compared(withExample());
    const auto bytes = [&](const char* field) { return cell(comparison, field, 2).bytes; };
    // 1,610,612,736 × 2 ÷ 4, × 2 ÷ 4, × 12 ÷ 4 bytes.
    QCOMPARE(bytes("term_parameters"), std::optional(Bytes(805306368)));
    QCOMPARE(bytes("term_gradients"), std::optional(Bytes(805306368)));
    QCOMPARE(bytes("term_optimizer"), std::optional(Bytes(4831838208)));
    QCOMPARE(q(cell(comparison, "term_optimizer", 2).detail),
        QStringLiteral("1,610,612,736 × 8 B ÷ 4 + 1,610,612,736 × 4 B ÷ 4, sharded over a shard "
                       "group of 4"));
    QCOMPARE(say(comparison, "term_gathered", 2), QStringLiteral("1.10 GiB"));
    QCOMPARE(say(comparison, "term_activations", 2), QStringLiteral("3.40 GiB"));
    QCOMPARE(say(comparison, "term_temporary", 2), QStringLiteral("0.90 GiB"));
    QCOMPARE(say(comparison, "term_slack", 2), QStringLiteral("0.60 GiB"));
    QCOMPARE(say(comparison, "term_outside", 2), QStringLiteral("0.70 GiB"));
    QCOMPARE(say(comparison, "sum", 2), QStringLiteral("12.70 GiB"));
    QCOMPARE(say(comparison, "against_usable", 2), QStringLiteral("3.30 GiB below usable"));
    QCOMPARE(say(comparison, "usable_of_device", 2), QStringLiteral("16.00 GiB (stipulated)"));
    QCOMPARE(say(comparison, "capacity", 2), QStringLiteral("Estimated fit"));
    QVERIFY(!cell(comparison, "sum", 2).open);
    // Where one offer's total is undivided and another's is not, each line says so.
    QCOMPARE(say(comparison, "term_parameters", 0), QStringLiteral("part of the undivided state"));
    QCOMPARE(say(comparison, "term_state", 2), QStringLiteral("divided into its parts"));
    QVERIFY(q(cell(comparison, "state", 2).detail).contains("1,610,612,736 × 16 B = 24.00 GiB"));
}

void TestComparison::changedBasisIsFlagged_data()
{
    QTest::addColumn<QString>("workload");
    QTest::addColumn<QString>("field");
    QTest::newRow("batch") << R"({"micro_batch": 1})"
                           << "micro_batch";
    QTest::newRow("precision") << R"({"formats": "fp8"})"
                               << "formats";
    QTest::newRow("placement") << R"({"offload": "optimizer state in host memory"})"
                               << "offload";
    QTest::newRow("sequence") << R"({"sequence": 2048})"
                              << "sequence";
    QTest::newRow("optimizer") << R"({"optimizer": "sgd"})"
                               << "optimizer";
}

void TestComparison::changedBasisIsFlagged()
{
    QFETCH(QString, workload);
    QFETCH(QString, field);
    Json plan = Json::parse(ts24());
    Json& changed = plan["offers"][1];
    changed["workload"] = plan["workload"];
    changed["workload"]["recipe"] = Json::parse(workload.toStdString());
    changed["changed_basis"] = Json::array(
        { { { "field", field.toStdString() }, { "reason", "to fit, it was said" } } });
    const Comparison comparison = compared(plan.dump());
    QCOMPARE(comparison.offers[1].changes.size(), std::size_t(1));
    const QByteArray id = field.toUtf8();
    QVERIFY(cell(comparison, id.constData(), 1).changedBasis);
    QVERIFY(!cell(comparison, id.constData(), 0).changedBasis);
    QVERIFY(q(cell(comparison, id.constData(), 1).detail).contains("to fit, it was said"));
    QVERIFY(cell(comparison, "basis", 1).changedBasis);
    QCOMPARE(say(comparison, "basis", 0), QStringLiteral("common"));
    for (const ComparisonRow& row : comparison.rows)
        QCOMPARE(
            row.cells[1].changedBasis, row.field == field.toStdString() || row.field == "basis");
    // Sizes that answer different questions have no difference.
    for (const ComparisonRow& row : comparison.rows)
        QVERIFY2(!row.cells[1].change, row.field.c_str());
    // Every form carries the flag with the offer's name.
    for (const std::string& text : { comparisonCsv(comparison), comparisonTsv(comparison),
             comparisonMarkdown(comparison), comparisonHtml(comparison) }) {
        QVERIFY(q(text).contains(QStringLiteral("Offer S ≠ changed basis")));
        QVERIFY(q(text).contains(QStringLiteral("to fit, it was said")));
    }
    QVERIFY(q(comparisonText(comparison)).contains(QStringLiteral("≠ changed basis")));
    const Json json = toJson(comparison);
    QCOMPARE(q(json.at("offers").at(1).at("changed_basis").at(0).at("field")), field);
    QVERIFY(json.at("offers").at(0).at("changed_basis").empty());
}

void TestComparison::declaredChange()
{
    const Comparison comparison = compared(withExample(R"({"changed_basis": [
        {"field": "Seed of the run", "common": "42", "offer": "any"},
        {"field": "Data order", "offer": "shuffled"}]})"));
    QCOMPARE(say(comparison, "Seed of the run", 0), QStringLiteral("42"));
    QCOMPARE(say(comparison, "Seed of the run", 2), QStringLiteral("any"));
    QVERIFY(cell(comparison, "Seed of the run", 2).changedBasis);
    QVERIFY(!cell(comparison, "Seed of the run", 0).changedBasis);
    QCOMPARE(say(comparison, "Data order", 1), QStringLiteral("not given"));
    QVERIFY(cell(comparison, "Data order", 2).changedBasis);
    QVERIFY(q(cell(comparison, "basis", 2).detail).contains("without a reason"));
    QVERIFY(comparison.row("Data order")->section == Section::Workload);
}

void TestComparison::orderByHeadroom()
{
    ComparisonChoice choice;
    choice.order = ComparisonChoice::Order::ByHeadroom;
    // R is over by 8, S has 10 before what is open: S first.
    QCOMPARE(names(compared(ts24(), choice)), (QStringList { "Offer S", "Offer R" }));
    const Comparison comparison = compared(ts24(), choice);
    QCOMPARE(comparison.baseline, std::size_t(1)); // Offer R, wherever it stands
    QCOMPARE(cell(comparison, "term_state", 0).change, std::optional(Bytes(-18 * kGiB)));
}

void TestComparison::changedBasisNeverOnTop()
{
    // S′ is the only one that fits, and stands last all the same.
    ComparisonChoice choice;
    choice.order = ComparisonChoice::Order::ByHeadroom;
    const Comparison comparison = compared(withExample(), choice);
    QCOMPARE(names(comparison), (QStringList { "Offer S", "Offer R", "Offer S′" }));
    QVERIFY(!comparison.offers[2].changes.empty());
    bool changed = false;
    for (const ComparedOffer& offer : comparison.offers) {
        QVERIFY(!changed || !offer.changes.empty());
        changed = changed || !offer.changes.empty();
    }
    // Placed first by hand, it keeps its flag.
    choice = {};
    choice.offers = { 2, 0, 1 };
    const Comparison byHand = compared(withExample(), choice);
    QCOMPARE(names(byHand).front(), QStringLiteral("Offer S′"));
    QVERIFY(cell(byHand, "basis", 0).changedBasis);
    QVERIFY(q(comparisonCsv(byHand)).contains(QStringLiteral("Offer S′ ≠ changed basis")));
}

void TestComparison::openBelowEstablished()
{
    // All answer another question than the common one (nothing given), so all are on one footing.
    const std::string text = planText(R"("offers": [)" + offerOf("open 1", 1, false) + ", "
        + offerOf("over", 20, false) + ", " + offerOf("fits 8", 8, true) + ", "
        + offerOf("fits 4", 4, true) + R"(, {"name": "nothing", "workload": {"revision": "x"}}])");
    Json plan = Json::parse(text);
    for (Json& offer : plan["offers"])
        offer["workload"]["revision"] = "x";
    ComparisonChoice choice;
    choice.order = ComparisonChoice::Order::ByHeadroom;
    QCOMPARE(names(compared(plan.dump(), choice)),
        (QStringList { "fits 4", "fits 8", "open 1", "over", "nothing" }));
}

void TestComparison::baseline()
{
    ComparisonChoice choice;
    choice.baseline = 1;
    const Comparison comparison = compared(ts24(), choice);
    QCOMPARE(comparison.baseline, std::size_t(1));
    QCOMPARE(cell(comparison, "term_state", 0).change, std::optional(Bytes(18 * kGiB)));
    QVERIFY(cell(comparison, "layout", 0).differs);
    QVERIFY(!cell(comparison, "layout", 1).differs);
    QCOMPARE(q(toJson(comparison).at("baseline")), QStringLiteral("Offer S"));
}

void TestComparison::choiceIsCleaned()
{
    ComparisonChoice choice;
    choice.offers = { 1, 7, 1, 0 };
    choice.baseline = 9;
    const Comparison comparison = compared(ts24(), choice);
    QCOMPARE(names(comparison), (QStringList { "Offer S", "Offer R" }));
    QCOMPARE(comparison.baseline, std::size_t(0));
    choice.offers = { 8 };
    QVERIFY(compared(ts24(), choice).rows.empty());
    QVERIFY(compared(planText("")).rows.empty());
    QVERIFY(toJson(compared(planText(""))).at("baseline").is_null());
    QVERIFY(!comparisonText(compared(planText("\"title\": \"T\""))).empty());
}

void TestComparison::averageBesideTheWorst()
{
    // Four GPUs of which one alone holds all 24 GiB: (24 + 3 × 8) ÷ 4 = 12 GiB on average.
    Json plan = Json::parse(ts24());
    plan["offers"].erase(1);
    plan["offers"][0]["layout"] = Json::parse(R"({"preset": "custom",
        "groups": [{"name": "S", "ranks": "1-3", "distributes": ["state"]}]})");
    const Comparison comparison = compared(plan.dump());
    QCOMPARE(say(comparison, "need", 0), QStringLiteral("at least 24.00 GiB"));
    QCOMPARE(say(comparison, "average_need", 0), QStringLiteral("at least 12.00 GiB"));
    QCOMPARE(q(cell(comparison, "average_need", 0).detail), QStringLiteral("over 4 devices"));
    QCOMPARE(q(cell(comparison, "most_loaded", 0).detail), QString());
}

void TestComparison::requiredMargin()
{
    Json plan = Json::parse(withExample());
    plan["required_margin"] = { { "bytes", 4 * kGiB }, { "basis", "policy" } };
    const Comparison comparison = compared(plan.dump());
    QCOMPARE(say(comparison, "required_margin", 2), QStringLiteral("4.00 GiB (policy)"));
    // 3.30 − 4.00 = −0.70.
    QCOMPARE(say(comparison, "after_margin", 2), QStringLiteral("short of it by 0.70 GiB"));
    // S: at most 10 − 4 = 6. R: over by 8, and 4 more: at least 12.
    QCOMPARE(say(comparison, "after_margin", 1), QStringLiteral("at most 6.00 GiB left"));
    QCOMPARE(
        say(comparison, "after_margin", 0), QStringLiteral("short of it by at least 12.00 GiB"));
    QVERIFY(!compared(ts24()).row("after_margin"));
}

void TestComparison::batchOfAStep()
{
    Json plan = Json::parse(ts24());
    Json& recipe = plan["workload"]["recipe"];
    recipe = { { "micro_batch", 2 }, { "accumulation", 3 } };
    QCOMPARE(say(compared(plan.dump()), "batch", 0), QStringLiteral("24 = 2 × 3 × 4 sequences"));
    QVERIFY(q(cell(compared(plan.dump()), "batch", 0).detail).contains("global batch follows"));
    recipe["global_batch"] = 30;
    const Comparison broken = compared(plan.dump());
    QCOMPARE(say(broken, "batch", 0), QStringLiteral("30 ≠ 2 × 3 × 4 sequences"));
    QCOMPARE(say(broken, "legality", 0), QStringLiteral("not legal"));
    QVERIFY(q(cell(broken, "legality", 0).detail).contains("30 is not 2 × 3 × 4"));
    recipe = { { "micro_batch", 2 } };
    const Comparison open = compared(plan.dump());
    QCOMPARE(say(open, "batch", 0), QStringLiteral("? = 2 × ? × 4 sequences"));
    QVERIFY(cell(open, "batch", 0).open);
}

void TestComparison::factsAsGiven()
{
    const Comparison comparison = compared(withExample(R"({
        "price": {"amount": "120000.50", "currency": "EUR", "per": "offer", "note": "three years"},
        "interconnect": "400 Gb/s InfiniBand",
        "training_result": {"result": "accepted", "criterion": "validation loss ≤ 2.10", "value": "2.08"}})"));
    QCOMPARE(say(comparison, "price", 2), QStringLiteral("120,000.50 EUR for the offer"));
    QCOMPARE(q(cell(comparison, "price", 2).detail), QStringLiteral("three years"));
    QCOMPARE(say(comparison, "interconnect", 2), QStringLiteral("400 Gb/s InfiniBand"));
    QCOMPARE(say(comparison, "interconnect", 0),
        QStringLiteral("inside a server: PCIe only (catalogue)"));
    QCOMPARE(say(comparison, "result", 2), QStringLiteral("Accepted"));
    QCOMPARE(q(cell(comparison, "result", 2).detail), QStringLiteral("validation loss ≤ 2.10"));
    QCOMPARE(say(comparison, "criterion", 2), QStringLiteral("validation loss ≤ 2.10"));
    QCOMPARE(q(cell(comparison, "criterion", 2).detail), QStringLiteral("reached 2.08"));
    const Json json = toJson(comparison).at("offers").at(2).at("price");
    QCOMPARE(q(json.at("amount")), QStringLiteral("120000.50"));
    QCOMPARE(q(json.at("per")), QStringLiteral("offer"));
}

void TestComparison::measured()
{
    // 12.31 GiB = 13,217,761,853 B; 12.70 − 12.31 = 0.39.
    const Comparison comparison = compared(withExample(R"({"measurements": [
        {"devices": "A1·0-1", "scope": "device", "peak_bytes": 13217761853,
         "phases": ["init"], "complete_steps": 3}]})"));
    QCOMPARE(say(comparison, "devices_measured", 2), QStringLiteral("2 of 4"));
    QCOMPARE(say(comparison, "demonstrated", 2),
        QStringLiteral("Partial coverage, 2 of 4 devices measured"));
    // A reading of one step was measured, and covers nothing.
    const Comparison brief = compared(withExample(R"({"measurements": [
        {"devices": "A1·0-1", "scope": "device", "peak_bytes": 13217761853,
         "phases": ["init"], "complete_steps": 1}]})"));
    QCOMPARE(say(brief, "demonstrated", 2),
        QStringLiteral("Partial coverage, 2 of 4 devices measured, 0 count in full"));
    QCOMPARE(say(comparison, "highest_measured", 2), QStringLiteral("12.31 GiB"));
    const QString detail = q(cell(comparison, "highest_measured", 2).detail);
    QVERIFY2(detail.contains("device memory in use, A1·0"), qPrintable(detail));
    QVERIFY2(detail.contains("0.39 GiB below its estimate"), qPrintable(detail));
    QVERIFY(cell(comparison, "highest_measured", 2).provenance == Provenance::Measured);
    // The reading stands beside the estimate and does not replace it.
    QCOMPARE(say(comparison, "need", 2), QStringLiteral("12.70 GiB"));
}

void TestComparison::nothingPlaced()
{
    const Comparison comparison = compared(planText(R"("offers": [{"name": "A"}, {"name": "B"}])"));
    QCOMPARE(say(comparison, "capacity", 0), QStringLiteral("Nothing to judge"));
    QCOMPARE(say(comparison, "need", 0), QStringLiteral("no GPU has a rank"));
    QVERIFY(!comparison.offers[0].mostLoaded());
    QVERIFY(toJson(comparison).at("offers").at(0).at("most_loaded").is_null());
}

void TestComparison::llama()
{
    const Comparison comparison
        = compared(sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack"));
    QCOMPARE(comparison.offers.size(), std::size_t(5));
    // 8,030,261,248 × 2 B, and ÷ 32 where FSDP divides it.
    QCOMPARE(cell(comparison, "term_parameters", 0).bytes, std::optional(Bytes(16060522496)));
    QCOMPARE(cell(comparison, "term_parameters", 3).bytes, std::optional(Bytes(501891328)));
    QCOMPARE(cell(comparison, "redundant", 3).bytes, std::optional(Bytes(0)));
    // 31 redundant copies of 128,484,179,968 B; HSDP 4 × 8 holds 3.
    QCOMPARE(cell(comparison, "redundant", 0).bytes, std::optional(Bytes(3983009579008)));
    QCOMPARE(cell(comparison, "redundant", 4).bytes, std::optional(Bytes(385452539904)));
    QCOMPARE(say(comparison, "copies", 4), QStringLiteral("4"));
    QCOMPARE(say(comparison, "divided", 1), QStringLiteral("optimizer state over 32 ranks"));
    QCOMPARE(q(cell(comparison, "divided", 1).detail),
        QStringLiteral("keeps whole: parameters, gradients"));
    QCOMPARE(say(comparison, "servers", 0), QStringLiteral("4 servers in 2 racks"));
    QCOMPARE(say(comparison, "moves", 1),
        QStringLiteral("gradients reduce-scattered, parameters gathered, once a step"));
    QVERIFY(say(comparison, "moves", 4).contains("all-reduced between the copies"));
    QVERIFY(comparison.row("model")->equal);
    QVERIFY(say(comparison, "model", 0).contains("8,030,261,248 parameters"));
}

void TestComparison::assessmentsAreUsed()
{
    const auto plan = std::make_shared<const Plan>(planFrom(ts24()));
    const auto first = assess(*plan, 0);
    const Comparison comparison = compare(plan, {}, { first, nullptr });
    QCOMPARE(comparison.offers[0].assessment, first);
    QVERIFY(comparison.offers[1].assessment);
}

void TestComparison::largePlan()
{
    const std::string site = R"({"racks": [{"name": "R{1..256}", "units": 64, "servers": [
        {"name": "{rack}-{1..8}", "type": "dgx-h100", "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]})";
    const auto plan = std::make_shared<const Plan>(planFrom(planText(
        R"("workload": {"model": {"preset": "llama-3.1-405b"}, "recipe": {"preset": "mixed-adam"}},
           "offers": [{"name": "A", "layout": {"preset": "fsdp"}, "site": )"
        + site + R"(}, {"name": "B", "layout": {"preset": "hsdp"}, "site": "same as A"}])")));
    const std::vector<std::shared_ptr<const Assessment>> known { assess(*plan, 0),
        assess(*plan, 1) };
    const Comparison comparison = compare(plan, {}, known);
    QCOMPARE(say(comparison, "ranks", 0), QStringLiteral("16,384 ranks on 16,384 of 16,384 GPUs"));
    QCOMPARE(say(comparison, "servers", 0), QStringLiteral("2,048 servers in 256 racks"));
}

QTEST_GUILESS_MAIN(TestComparison)
#include "test_comparison.moc"
