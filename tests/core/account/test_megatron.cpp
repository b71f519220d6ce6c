#include "account/account.h"
#include "account/megatron/rank_account.h"
#include "account/megatron/replay.h"
#include "base/size_text.h"

#include <QTest>

#include <random>

using namespace shardrack;

namespace {

/// A small GPT of Megatron-LM's own tests: 12 layers, hidden 512, 8 heads, 50,257 tokens.
TransformerShape smallGpt()
{
    TransformerShape shape;
    shape.layers = 12;
    shape.hidden = 512;
    shape.heads = shape.kvHeads = 8;
    shape.headDim = 64;
    shape.ffn = 2048;
    shape.vocabulary = 50257;
    shape.positions = 1024;
    shape.queryBias = shape.outputBias = shape.mlpBias = true;
    shape.tied = true;
    return shape;
}

MegatronRun runOf(TransformerShape shape, const MegatronSwitches& switches, int architecture,
    MegatronDegrees degrees, std::int64_t microBatches)
{
    MegatronRun run;
    run.shape = shape;
    run.architecture = architecture;
    run.settings = resolveSwitches(switches, architecture);
    run.degrees = degrees;
    run.microBatch = 4;
    run.sequence = 1024;
    run.microBatches = microBatches;
    run.recompute = "none";
    return run;
}

std::int64_t peakOf(const StageMemory& memory) { return total(memory.peaks.peak.held).count(); }
std::int64_t restOf(const StageMemory& memory) { return total(memory.rest).count(); }

/// Something that a training script would take.
MegatronRun randomRun(std::mt19937& random)
{
    const auto pick = [&](std::initializer_list<std::int64_t> values) {
        return *(values.begin() + std::ptrdiff_t(random() % values.size()));
    };
    TransformerShape shape = smallGpt();
    shape.kvHeads = pick({ 4, 8 });
    shape.gated = random() % 2 == 0;
    shape.rotary = random() % 2 == 0;
    shape.rmsNorm = random() % 2 == 0;
    shape.tied = random() % 2 == 0;
    shape.encoder = random() % 8 == 0;
    if (random() % 6 == 0)
        shape.latent = { pick({ 0, 192 }), 64, 16, 8, 16 };
    MegatronSwitches switches;
    for (const Switch which : { Switch::Implementation, Switch::DistributedOptimizer,
             Switch::GradientFusion, Switch::Deterministic, Switch::MaskedSoftmaxFusion,
             Switch::SequenceParallel, Switch::AttentionMask, Switch::RecomputeMethod,
             Switch::DistributeSaved, Switch::DeferredHeadGradients })
        switches.set(which, std::int64_t(random() % 2));
    switches.set(Switch::Attention, std::int64_t(random() % 4));
    switches.set(Switch::Precision, std::int64_t(random() % 3));
    switches.set(Switch::CrossEntropy, std::int64_t(random() % 3));
    switches.set(Switch::ContextCommunication, std::int64_t(random() % 4));
    switches.set(Switch::AttentionDropout, pick({ 0, 100'000 }));
    switches.set(Switch::HiddenDropout, pick({ 0, 100'000 }));
    switches.set(Switch::RecomputeModules, std::int64_t(random() % 16));
    switches.set(Switch::RecomputeLayers, pick({ 0, 1, 2, 3 }));
    switches.set(Switch::DeferralLimit, pick({ 0, 2 }));
    const std::int64_t pipeline = pick({ 1, 2, 4 });
    const std::int64_t chunks = pipeline > 1 ? pick({ 1, 1, 2, 3 }) : 1;
    switches.set(Switch::VirtualStages, chunks);
    shape.layers = pipeline * chunks * pick({ 1, 2 });
    MegatronRun run = runOf(shape, switches, int(pick({ 80, 90, 100 })),
        { pick({ 1, 2, 4 }), pick({ 1, 2 }), pipeline, pick({ 1, 2, 8 }) },
        pick({ 1, 2, 3, 5, 8, 13 }));
    run.microBatch = pick({ 1, 2, 4 });
    run.sequence = pick({ 128, 512 });
    run.recompute = std::array { "none", "selective", "full" }[random() % 3];
    return run;
}

} // namespace

class TestMegatron : public QObject {
    Q_OBJECT
private slots:
    void transformerEngineLayers();
    void localLayersInFp16();
    void interleavedLastStage();
    void fifteenBillion();
    void publishedStateFormulas_data();
    void publishedStateFormulas();
    void reductionEqualsExpansion();
    void neverLessForMore();
    void moreShardsNeverRaiseTheOptimizer();
    void partitions();
    void refusalsHaveWords_data();
    void refusalsHaveWords();
    void sizesBeyond64BitsAreRefused();
    void accountOfAPlan();
    void givenTermsReplaceDerivedOnes();
    void theFirstStepHoldsNoMoreThanASteadyOne();
};

// reference: exact bytes of Megatron-LM's tests; every line of the sums is a tensor's shape.
void TestMegatron::transformerEngineLayers()
{
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    switches.set(Switch::Deterministic, 1);
    switches.set(Switch::GradientFusion, 0);
    switches.set(Switch::Attention, std::int64_t(AttentionKernel::Unfused));
    const MegatronRun run = runOf(smallGpt(), switches, 80, { 1, 1, 1, 8 }, 1);
    MegatronMemory memory(run);
    const StageMemory stage = memory.memory(0);
    QCOMPARE(stage.parameters, 64'109'568);
    QCOMPARE(
        restOf(stage), 128'219'136 + 256'438'272 + 96'164'352 + 67'108'864 + 4'194'304 + 3'584);
    QCOMPARE(restOf(stage), 552'128'512);
    QCOMPARE(peakOf(stage), 4'673'069'568);
    QCOMPARE(stage.peaks.peak.phase, Phase::Forward);
    // The first step lacks the moments and the backward thread's workspace; the allocator adds the
    // unsplit tail of the logits' segment.
    const ReplayedMemory replayed = replay(run, memory.stage(0), 7);
    QCOMPARE(replayed.rest.count(), 552'128'512);
    QVERIFY(std::abs(replayed.allocated.count() - 4'673'069'568) <= kMiB);
}

void TestMegatron::localLayersInFp16()
{
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    switches.set(Switch::Deterministic, 1);
    switches.set(Switch::GradientFusion, 0);
    switches.set(Switch::Implementation, std::int64_t(Implementation::Local));
    switches.set(Switch::Precision, std::int64_t(Precision::Fp16));
    MegatronMemory memory(runOf(smallGpt(), switches, 80, { 1, 1, 1, 8 }, 1));
    const StageMemory stage = memory.memory(0);
    QCOMPARE(restOf(stage), 518'880'768);
    QCOMPARE(peakOf(stage), 4'607'767'040);
}

void TestMegatron::interleavedLastStage()
{
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    switches.set(Switch::Deterministic, 1);
    switches.set(Switch::GradientFusion, 0);
    switches.set(Switch::VirtualStages, 3);
    TransformerShape shape = smallGpt();
    shape.tied = false;
    MegatronMemory memory(runOf(shape, switches, 100, { 1, 1, 4, 2 }, 4));
    const StageMemory stage = memory.memory(3);
    QCOMPARE(stage.parameters, 35'213'824);
    QCOMPARE(restOf(stage), 548'399'616);
    QCOMPARE(peakOf(stage), 2'466'216'960);
}

void TestMegatron::fifteenBillion()
{
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    switches.set(Switch::AttentionDropout, 0);
    switches.set(Switch::HiddenDropout, 0);
    switches.set(Switch::SequenceParallel, 1);
    TransformerShape shape;
    shape.layers = 32;
    shape.hidden = 6144;
    shape.heads = 48;
    shape.kvHeads = 8;
    shape.headDim = 128;
    shape.ffn = 24576;
    shape.vocabulary = 256000;
    shape.rotary = true;
    shape.activation = TransformerShape::Activation::SquaredRelu;
    MegatronRun run = runOf(shape, switches, 90, { 8, 1, 1, 32 }, 1);
    run.sequence = 4096;
    MegatronMemory memory(run);
    const StageMemory stage = memory.memory(0);
    QCOMPARE(stage.parameters, 1'954'295'808);
    // The published sums leave out the rotary table, 4 bytes × 4,096 × 128. Deterministic mode is
    // off in this run, and an H100 has the same workspace without it.
    const std::int64_t rotary = 4 * 4096 * 128;
    QCOMPARE(restOf(stage), 13'251'363'840 + rotary);
    QCOMPARE(peakOf(stage), 28'071'970'304 + rotary);
}

void TestMegatron::publishedStateFormulas_data()
{
    QTest::addColumn<int>("precision");
    QTest::addColumn<bool>("divided");
    QTest::addColumn<double>("fixedBytes");
    QTest::addColumn<double>("dividedBytes");
    // docs/user-guide/features/dist_optimizer.md: bytes a parameter; the fp32 gradients of fp16 (4)
    // live from the optimizer to the next step.
    QTest::newRow("bf16") << 0 << false << 18.0 << 0.0;
    QTest::newRow("bf16, distributed") << 0 << true << 6.0 << 12.0;
    QTest::newRow("fp16") << 1 << false << 20.0 << 0.0;
    QTest::newRow("fp16, distributed") << 1 << true << 4.0 << 16.0;
    QTest::newRow("fp32") << 2 << false << 16.0 << 0.0;
    QTest::newRow("fp32, distributed") << 2 << true << 8.0 << 8.0;
}

void TestMegatron::publishedStateFormulas()
{
    QFETCH(int, precision);
    QFETCH(bool, divided);
    QFETCH(double, fixedBytes);
    QFETCH(double, dividedBytes);
    for (const std::int64_t ranks : { 1, 4, 64 }) {
        MegatronSwitches switches;
        switches.set(Switch::Precision, precision);
        switches.set(Switch::DistributedOptimizer, divided ? 1 : 0);
        MegatronMemory memory(runOf(smallGpt(), switches, 90, { 1, 1, 1, ranks }, 1));
        const StageMemory stage = memory.memory(0);
        std::int64_t state = 0;
        for (const Category category : kCategories)
            if (isState(category))
                state += stage.rest[index(category)].count();
        const double expected
            = double(stage.parameters) * (fixedBytes + dividedBytes / double(ranks));
        QVERIFY2(std::abs(double(state) - expected) < 65536,
            qPrintable(QString::number(double(state) - expected)));
    }
}

void TestMegatron::reductionEqualsExpansion()
{
    std::mt19937 random(4);
    int tried = 0;
    while (tried < 10'000) {
        const MegatronRun run = randomRun(random);
        const auto list = refusals(run);
        if (std::any_of(list.begin(), list.end(), [](const Refusal& r) { return !r.computable; }))
            continue;
        MegatronMemory memory(run);
        const std::int64_t number = std::int64_t(random() % std::uint64_t(memory.stages()));
        const StageMemory stage = memory.memory(number);
        const MegatronStage described = memory.stage(number);
        const NamedTrace named = namedTrace(described);
        QCOMPARE(peaksByExpansion(named.trace), stage.peaks);
        QCOMPARE(peaks(named.trace), stage.peaks);
        QCOMPARE(heldAtEnd(named.trace), stage.rest);
        QCOMPARE(total(memory.steadyPeak(number).held), total(stage.peaks.peak.held));
        // It ends where it began: what lasts, what the pipeline hands on, and fp32 gradients.
        Bytes lasting
            = described.received.bytes * described.receivedCount + described.mainGradients.bytes;
        for (std::size_t i = 0; i < described.lastingCount; ++i)
            lasting += described.lasting[i].piece.bytes;
        QCOMPARE(total(stage.rest), lasting);
        // What is held at the peak adds up to it.
        const auto held = contents(named.trace, stage.peaks.peak.phase);
        Bytes sum;
        for (std::size_t i = 0; i < held.size(); ++i) {
            QVERIFY2(held[i] >= 0, named.pieces[i]->name);
            sum += named.pieces[i]->bytes * held[i];
        }
        QCOMPARE(sum, total(stage.peaks.peak.held));
        ++tried;
    }
}

void TestMegatron::neverLessForMore()
{
    std::mt19937 random(5);
    for (int i = 0; i < 400; ++i) {
        MegatronRun run = randomRun(random);
        const auto legal = [](const MegatronRun& one) {
            const auto list = refusals(one);
            return std::none_of(
                list.begin(), list.end(), [](const Refusal& r) { return !r.computable; });
        };
        if (!legal(run))
            continue;
        const auto peak = [](const MegatronRun& one) {
            MegatronMemory memory(one);
            return peakOf(memory.memory(memory.stages() - 1));
        };
        const std::int64_t before = peak(run);
        MegatronRun more = run;
        more.microBatch *= 2;
        QVERIFY(peak(more) >= before);
        more = run;
        more.sequence *= 2;
        QVERIFY(peak(more) >= before);
        more = run;
        more.shape.layers *= 2;
        QVERIFY(peak(more) >= before);
    }
}

void TestMegatron::moreShardsNeverRaiseTheOptimizer()
{
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    std::int64_t before = INT64_MAX;
    for (const std::int64_t ranks : { 1, 2, 3, 5, 8, 64, 1000 }) {
        MegatronMemory memory(runOf(smallGpt(), switches, 90, { 1, 1, 1, ranks }, 1));
        const std::int64_t optimizer = memory.memory(0).rest[index(Category::Optimizer)].count();
        QVERIFY(optimizer <= before);
        before = optimizer;
    }
}

void TestMegatron::partitions()
{
    MegatronSwitches switches;
    switches.set(Switch::PipelineLayout, 1);
    switches.words = "Ett|(tt|)*4tt|L";
    TransformerShape shape = smallGpt();
    MegatronRun run = runOf(shape, switches, 90, { 1, 1, 7, 1 }, 8);
    const Partition byText = partitionOf(run);
    QCOMPARE(byText.chunksPerStage, 1);
    QCOMPARE(byText.at(0, 0), (Chunk { 2, true, false }));
    QCOMPARE(byText.at(3, 0), (Chunk { 2, false, false }));
    QCOMPARE(byText.at(6, 0), (Chunk { 0, false, true }));

    switches = {};
    switches.set(Switch::FirstStageLayers, 2);
    switches.set(Switch::LastStageLayers, 2);
    const Partition uneven = partitionOf(runOf(shape, switches, 90, { 1, 1, 4, 1 }, 8));
    QCOMPARE(uneven.at(0, 0).layers, 2);
    QCOMPARE(uneven.at(1, 0).layers, 4);
    QCOMPARE(uneven.at(3, 0), (Chunk { 2, false, true }));

    // Six layers, embedding and loss counted: one a chunk of 4 × 2, none beside the two.
    switches = {};
    switches.set(Switch::VirtualStages, 2);
    switches.set(Switch::CountEmbedding, 1);
    switches.set(Switch::CountLoss, 1);
    shape.layers = 6;
    const Partition counted = partitionOf(runOf(shape, switches, 90, { 1, 1, 4, 1 }, 8));
    QCOMPARE(counted.at(0, 0), (Chunk { 0, true, false }));
    QCOMPARE(counted.at(0, 1), (Chunk { 1, false, false }));
    QCOMPARE(counted.at(3, 1), (Chunk { 0, false, true }));
}

void TestMegatron::refusalsHaveWords_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("words");
    QTest::newRow("heads") << "tensor 3"
                           << "heads do not divide by 3";
    QTest::newRow("more tensor ranks than heads") << "tensor 16"
                                                  << "heads do not divide by 16";
    QTest::newRow("stages") << "pipeline 64"
                            << "pipeline stages";
    QTest::newRow("uneven stages") << "pipeline 5"
                                   << "do not divide evenly over 5";
    QTest::newRow("no tokens") << "sequence 0"
                               << "the sequence is 0";
    QTest::newRow("huge micro-batch") << "microbatch 1099511627777"
                                      << "the micro-batch is";
}

void TestMegatron::refusalsHaveWords()
{
    QFETCH(QString, what);
    QFETCH(QString, words);
    MegatronRun run = runOf(smallGpt(), {}, 90, { 1, 1, 1, 1 }, 4);
    const QStringList parts = what.split(' ');
    const std::int64_t value = parts[1].toLongLong();
    (parts[0] == "tensor"            ? run.degrees.tensor
            : parts[0] == "pipeline" ? run.degrees.pipeline
            : parts[0] == "sequence" ? run.sequence
                                     : run.microBatch)
        = value;
    const auto made = attempt([&] {
        refuse(run);
        MegatronMemory memory(run);
        return memory.stages();
    });
    QVERIFY(!made);
    QVERIFY2(
        QString::fromStdString(made.error().text()).contains(words), made.error().text().c_str());
}

void TestMegatron::sizesBeyond64BitsAreRefused()
{
    MegatronRun run = runOf(smallGpt(), {}, 90, { 1, 1, 1, 1 }, 4);
    run.microBatch = std::int64_t(1) << 39;
    run.sequence = std::int64_t(1) << 39;
    const auto made = attempt([&] {
        MegatronMemory memory(run);
        return peakOf(memory.memory(0));
    });
    QVERIFY(!made);
    QVERIFY(QString::fromStdString(made.error().text()).contains("64-bit"));
}

namespace {

Site siteOf(const char* type, int gpus)
{
    auto rack = std::make_shared<Rack>();
    rack->name = "A";
    rack->units = 1000;
    for (int placed = 0, number = 1; placed < gpus; placed += 8, ++number) {
        Server server;
        server.id = number;
        server.name = "A" + std::to_string(number);
        server.unit = number;
        server.gpuSlots = 8;
        server.gpus = { GpuRun { type, std::min(8, gpus - placed), {}, true, nullptr } };
        rack->servers.push_back(server);
    }
    Site site;
    site.racks.push_back(rack);
    return site;
}

Workload megatronWorkload()
{
    Workload workload;
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->architecture = describedModel(smallGpt(), "small");
    workload.recipe.framework = "megatron";
    workload.recipe.microBatch = 4;
    workload.recipe.globalBatch = 32;
    workload.recipe.sequence = 1024;
    workload.recipe.megatron.set(Switch::DistributedOptimizer, 1);
    return workload;
}

struct Made {
    Site site;
    SiteIndex index;
    ResolvedLayout layout;
    Account account;
};

Made make(const Workload& workload, std::int32_t tensor, std::int32_t pipeline)
{
    Made made;
    made.site = siteOf("h100-sxm5-80", 8);
    made.index = SiteIndex(made.site, Catalogue::builtIn());
    Layout layout;
    layout.preset = LayoutPreset::Megatron;
    layout.tensor = tensor;
    layout.pipeline = pipeline;
    made.layout = ResolvedLayout(layout, made.index);
    made.account = account(workload, made.layout, made.index).value();
    return made;
}

} // namespace

void TestMegatron::accountOfAPlan()
{
    const Made made = make(megatronWorkload(), 2, 2);
    QVERIFY(made.account.strategy);
    QCOMPARE(made.account.rankClasses.size(), std::size_t(2));
    QCOMPARE(made.account.rankClasses[0].ranks.text(), std::string("0-3"));
    QCOMPARE(made.account.rankClasses[1].ranks.text(), std::string("4-7"));
    for (const RankClass& ranks : made.account.rankClasses) {
        QVERIFY(!ranks.need.atLeast);
        std::array<Bytes, kCategoryCount> sums {};
        for (const Term& term : ranks.terms) {
            QVERIFY(term.amount.established());
            QVERIFY(!text(term.formula).empty());
            sums[index(term.category)] += *term.amount.bytes();
        }
        for (const Category category : kCategories)
            QCOMPARE(sums[index(category)], ranks.atPeak[index(category)].established);
        QVERIFY(*ranks.least < ranks.need.established);
        QVERIFY(ranks.need.established < *ranks.most);
        QCOMPARE(
            ranks.phases.size(), std::size_t(7)); // init, three of the first step, three steady
    }
    QVERIFY(made.account.stateEstablished);
    const RankTrace trace = rankTrace(megatronWorkload(), made.layout, made.index, 7).value();
    QCOMPARE(trace.names.size(), trace.trace.tensorCount());
    // The bar without slack and outside memory is the trace's maximum.
    const RankClass& last = made.account.rankClasses[1];
    Bytes tensors;
    for (const Category category : kCategories)
        if (category != Category::Slack && category != Category::Outside)
            tensors += last.atPeak[index(category)].established;
    QCOMPARE(total(peaksByExpansion(trace.trace).peak.held), tensors);
}

void TestMegatron::givenTermsReplaceDerivedOnes()
{
    Workload workload = megatronWorkload();
    workload.terms.activations = Bytes(3 * kGiB);
    workload.terms.outside = Bytes(kGiB);
    const Made made = make(workload, 1, 1);
    const RankClass& ranks = made.account.rankClasses.front();
    QCOMPARE(ranks.atPeak[index(Category::Activations)].established, Bytes(3 * kGiB));
    QCOMPARE(ranks.atPeak[index(Category::Outside)].established, Bytes(kGiB));
    int activations = 0;
    for (const Term& term : ranks.terms)
        activations += term.category == Category::Activations ? 1 : 0;
    QCOMPARE(activations, 1);
}

void TestMegatron::theFirstStepHoldsNoMoreThanASteadyOne()
{
    std::mt19937 random(6);
    for (int i = 0; i < 300; ++i) {
        const MegatronRun run = randomRun(random);
        const auto list = refusals(run);
        if (std::any_of(list.begin(), list.end(), [](const Refusal& r) { return !r.computable; }))
            continue;
        MegatronMemory memory(run);
        for (const Peak& peak : memory.memory(0).byPhase)
            QVERIFY(total(peak.held) <= total(memory.steadyPeak(0).held));
    }
}

QTEST_APPLESS_MAIN(TestMegatron)
#include "test_megatron.moc"
