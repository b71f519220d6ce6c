// What choosing Megatron-LM as the framework means for a plan: everything is derived where the plan
// says what the framework does, and nothing where it says something else.

#include "base/size_text.h"
#include "plan_texts.h"

#include <algorithm>
#include <cmath>

using namespace shardrack;

class TestFramework : public QObject {
    Q_OBJECT

private slots:
    void derivedOrOpen_data();
    void derivedOrOpen();
    void aWarningAddsUp();
    void bytesThatAreGivenCount_data();
    void bytesThatAreGivenCount();
    void torchByLayout_data();
    void torchByLayout();
    void aPipelineNeedsItsMicroBatches_data();
    void aPipelineNeedsItsMicroBatches();
    void whatAFrameworkHasNot_data();
    void whatAFrameworkHasNot();
    void normsAreOnEveryTensorRank();
    void aStageSaysWhatItHas();
    void whatIsKeptForNobodyIsTold();
    void ranksThatShareAGpuAreTold();
    void tensorGroupsThatLeaveAServer_data();
    void tensorGroupsThatLeaveAServer();
    void anAssumedStepIsTold_data();
    void anAssumedStepIsTold();
};

namespace {

/// Llama-2-7B, one sequence of 4,096 tokens a rank, on eight H100.
std::string planOf(const std::string& layout, const std::string& optimizer)
{
    return R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-2-7b"},
  "recipe": {"framework": "megatron", "micro_batch": 1, "sequence": 4096, "recompute": "none",
             "optimizer": ")"
        + optimizer + R"(", "megatron": {"distributed_optimizer": true}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1", "height": 8,
   "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}, "layout": )"
        + layout + "}]}";
}

} // namespace

void TestFramework::derivedOrOpen_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("optimizer");
    QTest::addColumn<bool>("derived");
    QTest::addColumn<bool>("legal");
    const auto row = [](const char* name, const char* layout, const char* optimizer, bool derived,
                         bool legal) {
        QTest::newRow(name) << QByteArray(layout) << QByteArray(optimizer) << derived << legal;
    };
    row("its own layout", R"({"preset": "megatron", "tp": 2})", "adamw", true, true);
    row("replicas", R"({"preset": "ddp"})", "adamw", true, true);
    // Megatron-LM divides the optimizer state by its own switch and has no such shard groups: the
    // account must not call them shards and count them whole.
    for (const char* preset : { "zero1", "zero2", "fsdp", "hsdp" }) {
        const QByteArray layout = QByteArray(R"({"preset": ")") + preset + "\"}";
        QTest::newRow(preset) << layout << QByteArray("adamw") << false << false;
    }
    // Another optimizer keeps something else than Adam's two moments.
    row("sgd", R"({"preset": "megatron"})", "sgd", false, true);
    row("nonsense", R"({"preset": "megatron"})", "addam", false, true);
}

void TestFramework::derivedOrOpen()
{
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, optimizer);
    QFETCH(bool, derived);
    QFETCH(bool, legal);
    const auto reading = readPlan(planOf(layout.toStdString(), optimizer.toStdString()));
    QVERIFY2(reading.ok(), reading.ok() ? "" : reading.error().text().c_str());
    const auto assessment = assess(reading->plan, 0);
    QVERIFY(!assessment->error);
    QCOMPARE(assessment->account.strategy, derived);
    QCOMPARE(assessment->findings.legality.legal(), legal);
    const RankClass& ranks = assessment->account.rankClasses.front();
    QCOMPARE(ranks.need.atLeast, !derived);
    if (derived)
        return;
    QCOMPARE(assessment->findings.capacity, Capacity::Open);
    bool told = false;
    for (const Term& term : ranks.terms)
        told = told || term.note.find("Megatron-LM") != std::string::npos;
    QVERIFY(told);
}

/// The excess that a warning prints is the difference of the two figures before it, and says how
/// much of it is the allocator's slack.
void TestFramework::aWarningAddsUp()
{
    std::string text = planOf(R"({"preset": "megatron"})", "adamw");
    const std::string small = "\"micro_batch\": 1";
    text.replace(text.find(small), small.size(), "\"micro_batch\": 8");
    const auto reading = readPlan(text);
    const auto assessment = assess(reading->plan, 0);
    QCOMPARE(assessment->findings.capacity, Capacity::Over);
    const DeviceClass& device = assessment->account.deviceClasses.front();
    const Bytes excess = device.need.established - device.usable.bytes;
    const Bytes slack = device.atPeak[index(Category::Slack)].established;
    QVERIFY(slack > Bytes(0));
    const std::string& said = assessment->findings.warnings.front().text;
    QVERIFY2(said.find("Needs " + gibText(device.need.established)) == 0, said.c_str());
    QVERIFY2(said.find(
                 ": over by " + gibText(excess) + ", " + gibText(slack) + " of it allocator slack.")
            != std::string::npos,
        said.c_str());
}

void TestFramework::torchByLayout_data()
{
    QTest::addColumn<QByteArray>("framework");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<bool>("derived");
    QTest::addColumn<qint64>("divisor"); ///< of 16 bytes a parameter
    const auto row = [](const char* name, const char* framework, const char* layout, bool derived,
                         qint64 divisor) {
        QTest::newRow(name) << QByteArray(framework) << QByteArray(layout) << derived << divisor;
    };
    row("FSDP over all", "torchtitan", R"({"preset": "fsdp"})", true, 8);
    row("HSDP", "pytorch-fsdp2", R"({"preset": "hsdp", "dp_shard": 4, "dp_replicate": 2})", true,
        4);
    row("FSDP and tensor ranks", "torchtitan", R"({"preset": "fsdp", "tp": 2})", true, 8);
    row("FSDP and context ranks", "torchtitan", R"({"preset": "fsdp", "cp": 2})", true, 8);
    row("replicas", "pytorch-ddp", R"({"preset": "ddp"})", true, 1);
    row("ZeRO-1", "torchtitan", R"({"preset": "zero1"})", false, 1);
    row("a pipeline without stages enough", "torchtitan", R"({"preset": "fsdp", "pp": 64})", false,
        1);
}

/// Llama-2-7B: 6,738,415,616 parameters, 16 bytes each in fp32 with AdamW, divided by the layout.
void TestFramework::torchByLayout()
{
    QFETCH(QByteArray, framework);
    QFETCH(QByteArray, layout);
    QFETCH(bool, derived);
    QFETCH(qint64, divisor);
    const auto reading = readPlan(R"({"format": "shardrack-plan", "version": 1, "title": "t",
 "workload": {"model": {"preset": "llama-2-7b"},
  "recipe": {"framework": ")"
        + framework.toStdString() + R"(", "micro_batch": 1, "sequence": 4096, "recompute": "full",
             "optimizer": "adamw", "pytorch": {"compile": "each block"}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1", "height": 8,
   "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}, "layout": )"
        + layout.toStdString() + "}]}");
    QVERIFY2(reading.ok(), reading.ok() ? "" : reading.error().text().c_str());
    const auto assessment = assess(reading->plan, 0);
    QVERIFY(!assessment->error);
    QCOMPARE(assessment->account.strategy, derived);
    const Account& account = assessment->account;
    const RankClass& ranks = account.rankClasses.front();
    QCOMPARE(ranks.need.atLeast, !derived);
    if (!derived)
        return;
    const double whole = 16.0 * 6'738'415'616;
    QVERIFY(std::abs(double(ranks.state.count()) / (whole / double(divisor)) - 1) < 0.001);
    QVERIFY(std::abs(double(account.oneCopy->count()) / whole - 1) < 0.001);
    QCOMPARE(account.rankClasses.size(), std::size_t(1));
    // The file says what was given, and nothing else.
    QVERIFY(writePlan(reading->plan).find("\"compile\": \"each block\"") != std::string::npos);
    const auto named = rankTrace(*reading->plan.workload, assessment->layout, assessment->index, 0);
    QVERIFY(named.ok());
    QCOMPARE(total(peaks(named->trace).peak.held) + ranks.atPeak[index(Category::Slack)].established
            + ranks.atPeak[index(Category::Outside)].established,
        ranks.need.established);
}

namespace {

/// Llama-3-8B, whose batch and layout are given, on eight H100.
PlanReading llama8b(const char* framework, const char* batch, const char* layout)
{
    return readPlan(std::string(R"({"format": "shardrack-plan", "version": 1, "title": "t",
  "workload": {"model": {"preset": "llama-3-8b"}, "recipe": {"framework": ")")
        + framework + R"(", "sequence": 8192, "recompute": "full", "optimizer": "adamw", )" + batch
        + R"(}}, "offers": [{"name": "O", "layout": )" + layout
        + R"(, "site": {"racks": [{"name": "A", "servers": [{"name": "A1", "height": 8,
            "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}}]})")
        .value();
}

} // namespace

/// How much a pipeline holds hangs on how many micro-batches go through it: nobody may assume one.
void TestFramework::aPipelineNeedsItsMicroBatches_data()
{
    QTest::addColumn<QByteArray>("framework");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("batch");
    QTest::addColumn<bool>("derived");
    const auto row = [](const char* name, const char* framework, const char* layout,
                         const char* batch, bool derived) {
        QTest::newRow(name) << QByteArray(framework) << QByteArray(layout) << QByteArray(batch)
                            << derived;
    };
    const char* torch = R"({"preset": "fsdp", "pp": 4})";
    const char* megatron = R"({"preset": "megatron", "pp": 4})";
    row("torch, not given", "torchtitan", torch, R"("micro_batch": 1)", false);
    row("torch, accumulation", "torchtitan", torch, R"("micro_batch": 1, "accumulation": 4)", true);
    row("torch, global batch", "torchtitan", torch, R"("micro_batch": 1, "global_batch": 8)", true);
    row("torch, micro-batch follows", "torchtitan", torch,
        R"("accumulation": 4, "global_batch": 16)", true);
    row("torch, no whole number", "torchtitan", torch, R"("micro_batch": 1, "global_batch": 7)",
        false);
    row("torch, no pipeline", "torchtitan", R"({"preset": "fsdp"})", R"("micro_batch": 1)", true);
    row("Megatron, not given", "megatron", megatron, R"("micro_batch": 1)", false);
    row("Megatron, accumulation", "megatron", megatron, R"("micro_batch": 1, "accumulation": 4)",
        true);
}

void TestFramework::aPipelineNeedsItsMicroBatches()
{
    QFETCH(QByteArray, framework);
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, batch);
    QFETCH(bool, derived);
    const Plan plan = llama8b(framework, batch, layout).plan;
    const auto assessment = assess(plan, 0);
    QCOMPARE(assessment->account.strategy, derived);
    const RankClass& ranks = assessment->account.rankClasses.front();
    QCOMPARE(ranks.need.atLeast, !derived);
    const bool told = std::any_of(ranks.terms.begin(), ranks.terms.end(), [](const Term& term) {
        return term.note.find("how many micro-batches") != std::string::npos;
    });
    QCOMPARE(told, !derived);
}

/// Rules that a framework has: they are broken, and the account is made all the same.
void TestFramework::whatAFrameworkHasNot_data()
{
    QTest::addColumn<QByteArray>("framework");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("rule"); ///< empty: legal
    const auto row = [](const char* name, const char* framework, const char* layout,
                         const char* rule) {
        QTest::newRow(name) << QByteArray(framework) << QByteArray(layout) << QByteArray(rule);
    };
    row("torchtitan, FSDP beside TP", "torchtitan", R"({"preset": "fsdp", "tp": 2})", "");
    row("torchtitan, DDP beside TP", "torchtitan", R"({"preset": "ddp", "tp": 2})",
        "replicates by DDP alone");
    row("torchtitan, DDP beside PP", "torchtitan", R"({"preset": "ddp", "pp": 2})",
        "replicates by DDP alone");
    row("torchtitan, DDP alone", "torchtitan", R"({"preset": "ddp"})", "");
    row("plain DDP beside TP", "pytorch-ddp", R"({"preset": "ddp", "tp": 2})", "");
    row("torchtune, a pipeline", "torchtune", R"({"preset": "fsdp", "pp": 2})", "has no pipeline");
    row("torchtitan, ZeRO-1", "torchtitan", R"({"preset": "zero1"})", "DDP or FSDP");
    row("a framework that has ZeRO-1 elsewhere", "hf-trainer", R"({"preset": "zero1"})", "");
}

void TestFramework::whatAFrameworkHasNot()
{
    QFETCH(QByteArray, framework);
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, rule);
    const Plan plan = llama8b(framework, R"("micro_batch": 1, "accumulation": 2)", layout).plan;
    const auto assessment = assess(plan, 0);
    const Legality& legality = assessment->findings.legality;
    QCOMPARE(legality.legal(), rule.isEmpty());
    const bool named
        = std::any_of(legality.broken.begin(), legality.broken.end(), [&](const BrokenRule& each) {
              return each.rule.find(rule.toStdString()) != std::string::npos;
          });
    QCOMPARE(named, !rule.isEmpty());
}

/// Two norms of 4,096 a layer and one at the end, 266,240 weights of 16 B, on each of 8 tensor
/// ranks: seven copies beyond the one.
void TestFramework::normsAreOnEveryTensorRank()
{
    const Plan plan
        = llama8b("torchtitan", R"("micro_batch": 1)", R"({"preset": "fsdp", "tp": 8})").plan;
    const auto assessment = assess(plan, 0);
    const Account& account = assessment->account;
    QCOMPARE(account.oneCopy->count(), 16 * std::int64_t(8'030'261'248));
    QCOMPARE(account.redundantTotal.count(), std::int64_t(29'818'880));
}

/// 32 layers on four stages of 2026: 8, 9, 8 and 7, of which the last has the norm and the head.
void TestFramework::aStageSaysWhatItHas()
{
    const Plan plan = llama8b(
        "torchtitan", R"("micro_batch": 1, "accumulation": 4)", R"({"preset": "fsdp", "pp": 4})")
                          .plan;
    const auto assessment = assess(plan, 0);
    const RankClass& last = assessment->account.rankClasses.back();
    const auto parameters = std::find_if(last.terms.begin(), last.terms.end(),
        [](const Term& term) { return term.category == Category::Parameters; });
    QVERIFY(parameters != last.terms.end());
    QCOMPARE(parameters->note,
        std::string("Stage 3 (0 to 3): 7 of 32 layers, the last norm and the head."));
}

/// 16 micro-batches × 8,192 tokens × 128,256 words × 2 B = 31.31 GiB of logits, which torchtitan
/// kept until it could ask for none.
void TestFramework::whatIsKeptForNobodyIsTold()
{
    const auto told = [](const char* era) {
        const std::string batch = std::string(R"("micro_batch": 1, "accumulation": 16, )")
            + R"("pytorch": {"era": ")" + era + "\"}";
        const Plan plan
            = llama8b("torchtitan", batch.c_str(), R"({"preset": "fsdp", "pp": 4})").plan;
        const auto assessment = assess(plan, 0);
        for (const Warning& warning : assessment->findings.warnings)
            if (warning.subject.rfind("Kept to the end of the step", 0) == 0)
                return warning.text;
        return std::string();
    };
    QVERIFY(told("2025-02").rfind("31.31 GiB are the last stage's outputs of all 16", 0) == 0);
    QCOMPARE(told("2025-11"), std::string());
}

void TestFramework::ranksThatShareAGpuAreTold()
{
    const auto told = [](const Plan& plan) {
        const auto assessment = assess(plan, 0);
        const auto& warnings = assessment->findings.warnings;
        return std::any_of(warnings.begin(), warnings.end(), [](const Warning& warning) {
            return warning.subject.rfind("Several ranks on one GPU", 0) == 0;
        });
    };
    Plan plan = llama8b("torchtitan", R"("micro_batch": 1)", R"({"preset": "fsdp"})").plan;
    QVERIFY(!told(plan));
    Offer offer = *plan.offers.front();
    Placement places(8);
    for (std::int32_t rank = 0; rank < 8; ++rank)
        places[std::size_t(rank)].gpus
            = { GpuRef { offer.site.racks.front()->servers.front().id, rank / 2 } };
    offer.layout.placement = std::make_shared<const Placement>(places);
    offer.layout.ranksFollowHardware = false;
    plan.offers.front() = std::make_shared<const Offer>(offer);
    QVERIFY(told(plan));
}

/// Llama-3-8B, 8,030,261,248 parameters, on 32 ranks of FSDP: the state is what the bytes a
/// parameter say, whatever the framework would choose, and what the framework does not keep leaves
/// the rest open without making the layout illegal.
void TestFramework::bytesThatAreGivenCount_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("derived");
    QTest::addColumn<qint64>("total"); ///< of the job: bytes a parameter × parameters
    const qint64 parameters = 8'030'261'248;
    const auto row = [&](const char* name, const char* bytes, bool derived, qint64 each) {
        QTest::newRow(name) << QByteArray(bytes) << derived << each * parameters;
    };
    row("fp32 shards", R"({"parameters": 4, "gradients": 4, "optimizer": 8, "master": 0})", true,
        16);
    row("all in 16 bits", R"({"parameters": 2, "gradients": 2, "optimizer": 4, "master": 0})", true,
        8);
    row("16 bits, moments in 32",
        R"({"parameters": 2, "gradients": 2, "optimizer": 8, "master": 0})", true, 12);
    row("a master copy", R"({"parameters": 2, "gradients": 2, "optimizer": 8, "master": 4})", false,
        16);
    row("other gradients", R"({"parameters": 4, "gradients": 2, "optimizer": 8, "master": 0})",
        false, 14);
}

void TestFramework::bytesThatAreGivenCount()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, derived);
    QFETCH(qint64, total);
    const auto reading = readPlan(R"({"format": "shardrack-plan", "version": 1, "title": "t",
  "workload": {"model": {"preset": "llama-3-8b"},
   "recipe": {"framework": "torchtitan", "micro_batch": 1, "sequence": 8192, "recompute": "none",
              "optimizer": "adamw", "bytes_per_parameter": )"
        + bytes.toStdString() + R"(}},
  "offers": [{"name": "O", "layout": {"preset": "fsdp"}, "site": {"racks": [{"name": "A",
    "servers": [{"name": "A{1..4}", "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}}]})");
    QVERIFY2(reading.ok(), reading.ok() ? "" : reading.error().text().c_str());
    const auto assessment = assess(reading->plan, 0);
    QCOMPARE(assessment->account.strategy, derived);
    QVERIFY(assessment->findings.legality.legal());
    QCOMPARE(assessment->account.stateTotal.count(), total);
    QCOMPARE(assessment->account.rankClasses.front().need.atLeast, !derived);
}

void TestFramework::tensorGroupsThatLeaveAServer_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("servers");
    QTest::addColumn<QByteArray>("told");
    const auto row
        = [](const char* name, const char* layout, const char* servers, const char* told) {
              QTest::newRow(name) << QByteArray(layout) << QByteArray(servers) << QByteArray(told);
          };
    // Two servers of eight GPUs.
    row("within", R"({"preset": "megatron", "tp": 8})", R"("A{1..2}")", "");
    row("sixteen", R"({"preset": "megatron", "tp": 16})", R"("A{1..2}")",
        "1 of 1 tensor group has");
    // Ranks 0, 4, 8 and 12 are a group: stages of four ranks, data ranks before tensor ranks.
    row("data first", R"({"preset": "megatron", "tp": 4, "order": "dp-tp-cp-ep-pp"})",
        R"("A{1..2}")", "4 of 4 tensor groups have");
    // Ranks 0 and 8 are a group of two whose first and last are apart; with stages outside, the
    // first eight ranks hold both of a pair.
    row("pairs", R"({"preset": "megatron", "tp": 2, "order": "dp-tp-cp-ep-pp"})", R"("A{1..2}")",
        "8 of 8 tensor groups have");
    row("pairs in a stage", R"({"preset": "megatron", "tp": 2, "pp": 2,
        "order": "dp-tp-cp-ep-pp"})",
        R"("A{1..2}")", "");
    // Rank 3 sits in the second server, between ranks of the first, and rank 8 in the first.
    row("two ranks exchanged by hand", R"({"preset": "megatron", "tp": 8, "ranks": [
        {"ranks": "0-2", "gpus": "A1·0-2"}, {"ranks": "3", "gpus": "A2·0"},
        {"ranks": "4-7", "gpus": "A1·4-7"}, {"ranks": "8", "gpus": "A1·3"},
        {"ranks": "9-15", "gpus": "A2·1-7"}]})",
        R"("A{1..2}")", "2 of 2 tensor groups have");
}

void TestFramework::tensorGroupsThatLeaveAServer()
{
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, servers);
    std::string text = planOf(layout.toStdString(), "adamw");
    const std::string one = R"("A1")";
    text.replace(text.find(one), one.size(), servers.toStdString());
    const Plan plan = readPlan(text).value().plan;
    const auto assessment = assess(plan, 0);
    QByteArray said;
    for (const Warning& warning : assessment->findings.warnings)
        if (warning.subject == "Tensor groups that leave their server")
            said = QByteArray::fromStdString(warning.text);
    QFETCH(QByteArray, told);
    QVERIFY2(told.isEmpty() ? said.isEmpty() : said.startsWith(told), said.constData());
}

void TestFramework::anAssumedStepIsTold_data()
{
    QTest::addColumn<QByteArray>("batch");
    QTest::addColumn<bool>("told");
    QTest::newRow("nothing given") << QByteArray("") << true;
    QTest::newRow("accumulation") << QByteArray(R"("accumulation": 1, )") << false;
    // 32 sequences on eight replicas of one sequence: four micro-batches.
    QTest::newRow("global batch") << QByteArray(R"("global_batch": 32, )") << false;
    // 30 do not divide into eights.
    QTest::newRow("a broken batch") << QByteArray(R"("global_batch": 30, )") << true;
}

void TestFramework::anAssumedStepIsTold()
{
    QFETCH(QByteArray, batch);
    std::string text = planOf(R"({"preset": "megatron"})", "adamw");
    const std::string recipe = R"("micro_batch": 1, )";
    text.insert(text.find(recipe), batch.toStdString());
    const Plan plan = readPlan(text).value().plan;
    const auto assessment = assess(plan, 0);
    const auto& warnings = assessment->findings.warnings;
    QTEST(std::any_of(warnings.begin(), warnings.end(),
              [](const Warning& warning) {
                  return warning.subject == "One micro-batch a step is assumed";
              }),
        "told");
}

QTEST_GUILESS_MAIN(TestFramework)
#include "test_framework.moc"
