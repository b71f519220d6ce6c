// The plan file as a whole: its fields and defaults, what survives, versions, other files.

#include "plan_texts.h"

using namespace shardrack;
using namespace plantexts;

class TestPlanJson : public QObject {
    Q_OBJECT

private slots:
    void readsTheSkeleton();
    void readsEveryField();
    void examplesAreWrittenAsTheyAre_data();
    void examplesAreWrittenAsTheyAre();
    void leavesDefaultsOut();
    void basis_data();
    void basis();
    void margin_data();
    void margin();
    void unknownFieldsSurvive();
    void unknownFieldsAreNamed();
    void laterChangesKeepUnknownFields();
    void sameHardwareIsWrittenOnce();
    void modelConfigs();
    void newerVersion();
    void notAPlan_data();
    void notAPlan();
    void refusals_data();
    void refusals();
    void aReasonWithoutAChangeIsTold();
};

void TestPlanJson::readsTheSkeleton()
{
    const Plan plan = planFrom(R"(
{"format": "shardrack-plan", "version": 1, "title": "TS-24", "required_margin": {"bytes": 0, "basis": "not stated"},
 "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}},
 "offers": [
  {"name": "Offer R", "site": {"racks": [{"name": "A", "units": 42, "servers": [{"name": "A1", "unit": 1, "height": 4, "gpus": {"type": "generic-16gib", "count": 4, "usable_confirmed": false}}]}]},
   "layout": {"preset": "ddp"}},
  {"name": "Offer S", "site": "same as Offer R", "layout": {"preset": "fsdp"}}]})");
    QCOMPARE(plan.title, std::string("TS-24"));
    QVERIFY(!plan.fictional);
    QVERIFY(!plan.margin.bytes);
    QVERIFY(plan.workload->basis == Workload::StateBasis::Stipulated);
    QCOMPARE(plan.workload->stipulated.total->count(), 25769803776);
    QCOMPARE(plan.offers.size(), std::size_t(2));
    const Offer& first = *plan.offers[0];
    const Offer& second = *plan.offers[1];
    QCOMPARE(first.name, std::string("Offer R"));
    QVERIFY(first.layout.preset == LayoutPreset::Ddp);
    QVERIFY(second.layout.preset == LayoutPreset::Fsdp);
    const Rack& rack = *first.site.racks.at(0);
    QCOMPARE(rack.units, 42);
    const Server& server = rack.servers.at(0);
    QCOMPARE(server.id, 1);
    QCOMPARE(server.unit, 1);
    QCOMPARE(server.height, 4);
    QCOMPARE(server.gpuCount(), 4);
    QCOMPARE(server.gpuSlots, 4);
    QVERIFY(!server.gpus.at(0).confirmed);
    QVERIFY(!server.gpus.at(0).usable);
    QVERIFY(second.site == first.site);
    // A shorthand for an equal site, sharing its blocks.
    QVERIFY(second.site.racks.at(0) == first.site.racks.at(0));
}

void TestPlanJson::readsEveryField()
{
    const Plan plan = planFrom(everyField());
    QVERIFY(plan.fictional);
    QCOMPARE(plan.note, std::string("Names and figures are made up."));
    QCOMPARE(plan.margin.bytes->count(), 4294967296);
    QCOMPARE(plan.margin.basis, std::string("policy"));
    const Workload& workload = *plan.workload;
    QVERIFY(workload.basis == Workload::StateBasis::Derived);
    QCOMPARE(workload.stipulated.parameters->count(), 1);
    QCOMPARE(workload.stipulated.gradients->count(), 2);
    QCOMPARE(workload.stipulated.optimizer->count(), 3);
    QCOMPARE(workload.model->preset, std::string("llama-3-8b"));
    QCOMPARE(workload.model->architecture.layers, 32);
    QCOMPARE(workload.recipe.framework, std::string("torchtitan"));
    QVERIFY(workload.recipe.bytesPerParameter == (BytesPerParameter { 2, 2, 8, 4 }));
    QCOMPARE(*workload.recipe.microBatch, 2);
    QCOMPARE(*workload.recipe.accumulation, 3);
    QCOMPARE(*workload.recipe.globalBatch, 48);
    QCOMPARE(*workload.recipe.sequence, 8192);
    QCOMPARE(workload.recipe.recompute, std::string("selective"));
    QCOMPARE(workload.terms.gathered->count(), 10);
    QCOMPARE(workload.terms.activations->count(), 20);
    QCOMPARE(workload.terms.temporary->count(), 30);
    QCOMPARE(workload.terms.slack->count(), 40);
    QCOMPARE(workload.terms.outside->count(), 50);
    QCOMPARE(workload.weightsOnly->count(), 16060522496);

    const Offer& offer = *plan.offers.at(0);
    QCOMPARE(offer.assumptions.size(), std::size_t(2));
    QCOMPARE(
        serverNames(offer.site), QStringList({ "R1-S1", "R1-S2", "R2-S1", "R2-S2", "One GPU" }));
    QCOMPARE(offer.site.racks.at(0)->type, std::string("eia-42u-600x1070"));
    const Server& server = offer.site.racks.at(1)->servers.at(1);
    QCOMPARE(server.id, 4);
    QCOMPARE(server.unit, 9);
    QCOMPARE(server.gpuSlots, 10);
    QCOMPARE(server.gpus.at(0).usable->count(), 84934656000);
    QVERIFY(!server.gpus.at(0).confirmed);
    const Layout& layout = offer.layout;
    QCOMPARE(*layout.dpReplicate, 2);
    QCOMPARE(*layout.dpShard, 8);
    QCOMPARE(layout.order, std::string("tp-cp-ep-dp-pp"));
    QVERIFY(!layout.ranksFollowHardware);
    QCOMPARE(layout.groups.size(), std::size_t(3));
    QCOMPARE(layout.groups.at(1).name, std::string("S1"));
    QCOMPARE(layout.groups.at(1).ranks.text(), std::string("4-7"));
    QVERIFY(layout.groups.at(2).distributes == (PartSet { false, true, true }));
    const Placement& placement = *layout.placement;
    QCOMPARE(placement.size(), std::size_t(12));
    QVERIFY(placement.at(5).gpus == (std::vector<GpuRef> { { 2, 2 }, { 2, 3 } }));
    QVERIFY(placement.at(5).weights == (std::vector<std::int64_t> { 1, 1 }));
    QVERIFY(placement.at(8).gpus == (std::vector<GpuRef> { { 3, 0 }, { 4, 0 } }));
    QVERIFY(placement.at(9).gpus == (std::vector<GpuRef> { { 5, 0 } }));
    QVERIFY(placement.at(10).gpus == placement.at(9).gpus);
    QVERIFY(placement.at(11).gpus.empty());
    QVERIFY(offer.workload->recipe.bytesPerParameter == (BytesPerParameter { 4, 4, 8, 0 }));
    QCOMPARE(offer.workload->recipe.optimizer, std::string("adamw"));
    verifyRoundTrip(plan);
}

void TestPlanJson::examplesAreWrittenAsTheyAre_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("ts-24") << "resources/examples/ts-24.shardrack";
    QTest::newRow("llama") << "resources/examples/llama-3-8b-32-gpus.shardrack";
}

void TestPlanJson::examplesAreWrittenAsTheyAre()
{
    QFETCH(QString, path);
    const std::string text = sourceFile(path.toStdString());
    const auto reading = readPlan(text);
    QVERIFY(reading.ok());
    QVERIFY(!reading->readOnly);
    QVERIFY(reading->remarks.empty());
    QCOMPARE(q(writePlan(reading->plan)), q(text));
    verifyRoundTrip(reading->plan);
}

void TestPlanJson::leavesDefaultsOut()
{
    Plan plan = emptyPlan();
    QCOMPARE(q(writePlan(plan)),
        QStringLiteral(
            "{\n  \"format\": \"shardrack-plan\",\n  \"version\": 1,\n  \"title\": \"\",\n"
            "  \"offers\": []\n}\n"));
    verifyRoundTrip(plan);
    plan.offers.push_back(std::make_shared<const Offer>(emptyOffer("Only")));
    const std::string text = writePlan(plan);
    QVERIFY2(text.find(R"({"name": "Only", "site": {"racks": []}, "layout": {"preset": "ddp"}})")
            != std::string::npos,
        text.c_str());
    verifyRoundTrip(plan);
}

void TestPlanJson::basis_data()
{
    using Basis = Workload::StateBasis;
    QTest::addColumn<QString>("workload");
    QTest::addColumn<int>("basis");
    QTest::newRow("nothing") << "{}" << int(Basis::NotGiven);
    QTest::newRow("recipe only") << R"({"recipe": {"preset": "mixed-adam"}})"
                                 << int(Basis::NotGiven);
    QTest::newRow("weights-only fills nothing")
        << R"({"weights_only_bytes": 16060522496})" << int(Basis::NotGiven);
    QTest::newRow("state") << R"({"state": {"stipulated": {"total_bytes": 1}}})"
                           << int(Basis::Stipulated);
    QTest::newRow("one part") << R"({"state": {"stipulated": {"gradients_bytes": 0}}})"
                              << int(Basis::Stipulated);
    QTest::newRow("model") << R"({"model": {"preset": "gpt2"}})" << int(Basis::Derived);
    const QString both
        = R"("state": {"stipulated": {"total_bytes": 1}}, "model": {"preset": "gpt2"})";
    QTest::newRow("both") << "{" + both + "}" << int(Basis::Stipulated);
    QTest::newRow("both, derived")
        << "{\"basis\": \"derived\", " + both + "}" << int(Basis::Derived);
    QTest::newRow("both, not given")
        << "{\"basis\": \"not given\", " + both + "}" << int(Basis::NotGiven);
    QTest::newRow("stipulated, nothing yet")
        << R"({"basis": "stipulated"})" << int(Basis::Stipulated);
    QTest::newRow("derived, no model yet") << R"({"basis": "derived"})" << int(Basis::Derived);
}

void TestPlanJson::basis()
{
    QFETCH(QString, workload);
    QFETCH(int, basis);
    const Plan plan = planFrom(planText("\"workload\": " + workload.toStdString()));
    QCOMPARE(int(plan.workload->basis), basis);
    verifyRoundTrip(plan);
}

void TestPlanJson::margin_data()
{
    QTest::addColumn<QString>("margin");
    QTest::addColumn<qint64>("bytes"); // -1: not stated
    QTest::addColumn<QString>("basis");
    QTest::newRow("skeleton") << R"({"bytes": 0, "basis": "not stated"})" << qint64(-1) << "";
    QTest::newRow("empty") << "{}" << qint64(-1) << "";
    QTest::newRow("stated") << R"({"bytes": 4294967296, "basis": "policy"})" << qint64(4294967296)
                            << "policy";
    QTest::newRow("a stated zero") << R"({"bytes": 0, "basis": "policy"})" << qint64(0) << "policy";
    QTest::newRow("zero without a basis") << R"({"bytes": 0})" << qint64(0) << "";
    QTest::newRow("bytes whose basis nobody stated")
        << R"({"bytes": 5, "basis": "not stated"})" << qint64(5) << "";
}

void TestPlanJson::margin()
{
    QFETCH(QString, margin);
    QFETCH(qint64, bytes);
    QFETCH(QString, basis);
    const Plan plan = planFrom(planText("\"required_margin\": " + margin.toStdString()));
    QCOMPARE(plan.margin.bytes ? plan.margin.bytes->count() : -1, bytes);
    QCOMPARE(q(plan.margin.basis), basis);
    verifyRoundTrip(plan);
}

void TestPlanJson::unknownFieldsSurvive()
{
    const Json original = Json::parse(everyField());
    const Json saved = Json::parse(writePlan(planFrom(everyField())));
    // Every key that begins with x_, at its place and with its value.
    int found = 0;
    const auto compare = [&](auto&& self, const Json& from, const Json& to) -> void {
        for (const auto& item : from.items()) {
            if (from.is_object() && item.key().rfind("x_", 0) == 0) {
                QVERIFY2(to.is_object() && to.contains(item.key()), item.key().c_str());
                QVERIFY(to.at(item.key()) == item.value());
                ++found;
            } else if (item.value().is_structured() && item.key() != "ranks") {
                const bool present = from.is_object() ? to.contains(item.key())
                                                      : std::stoul(item.key()) < to.size();
                QVERIFY2(present, item.key().c_str());
                self(self, item.value(),
                    from.is_object() ? to.at(item.key()) : to.at(std::stoul(item.key())));
            }
        }
    };
    compare(compare, original, saved);
    QCOMPARE(found, 20);
    // Placements are regrouped; what was said of ranks beyond their place stands at the end.
    const Json& ranks = saved.at("offers").at(0).at("layout").at("ranks");
    QCOMPARE(q(ranks.back().dump()), QStringLiteral(R"({"ranks":8,"x_ranks":"kept"})"));
}

/// A slip of the pen must not pass in silence: "tensor" for "tp" would change every figure.
void TestPlanJson::unknownFieldsAreNamed()
{
    const auto remarks = [](const std::string& text) {
        QStringList list;
        const auto reading = readPlan(text);
        for (const std::string& remark : reading->remarks)
            list << q(remark);
        return list;
    };
    QCOMPARE(remarks(everyField()), QStringList()); // all of them begin with x_
    const QStringList found = remarks(R"({"format": "shardrack-plan", "version": 1, "titel": "t",
        "workload": {"recipe": {"microbatch": 1, "x_own": 2}, "terms": {"slack": 3}},
        "offers": [{"name": "O", "layout": {"preset": "megatron", "tensor": 2}, "site": {"racks":
            [{"name": "R{1..2}", "servers": [{"name": "{rack}-S", "colour": "red",
              "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}}]})");
    QCOMPARE(found,
        QStringList(QStringLiteral("Not understood, kept in the file and used for nothing: "
                                   "$.titel, $.workload.terms.slack, $.workload.recipe.microbatch, "
                                   "$.offers[0].site.racks[R1].servers[R1-S].colour, "
                                   "$.offers[0].layout.tensor.")));
}

void TestPlanJson::laterChangesKeepUnknownFields()
{
    Plan plan = planFrom(everyField());
    Workload workload = *plan.workload;
    workload.model.reset();
    workload.recipe.bytesPerParameter.reset();
    workload.stipulated = {};
    workload.terms = {};
    plan.workload = std::make_shared<const Workload>(workload);
    const Json saved = Json::parse(writePlan(plan)).at("workload");
    // What was said of a model that is gone goes with it: alone it would read as half a model.
    QVERIFY(!saved.contains("model"));
    QVERIFY(!saved.at("recipe").contains("bytes_per_parameter"));
    QCOMPARE(q(saved.at("state").dump()),
        QStringLiteral(R"({"x_state":"kept","stipulated":{"x_stipulated":[1,2]}})"));
    QCOMPARE(q(saved.at("terms").dump()), QStringLiteral(R"({"x_terms":null})"));
    QVERIFY(readPlan(writePlan(plan)).ok());
}

void TestPlanJson::sameHardwareIsWrittenOnce()
{
    Plan plan = planFrom(ts24());
    Offer copy = *plan.offers.at(1);
    copy.name = "Copy with servers numbered otherwise";
    Rack rack = *copy.site.racks.at(0);
    rack.servers.at(0).id = 9;
    copy.site.racks.at(0) = std::make_shared<const Rack>(rack);
    plan.offers.push_back(std::make_shared<const Offer>(copy));
    rack.servers.at(0).gpus.at(0).confirmed = true;
    copy.name = "Other hardware";
    copy.site.racks.at(0) = std::make_shared<const Rack>(rack);
    plan.offers.push_back(std::make_shared<const Offer>(copy));
    const Json offers = Json::parse(writePlan(plan)).at("offers");
    QVERIFY(offers.at(0).at("site").is_object());
    QCOMPARE(offers.at(1).at("site").get<std::string>(), std::string("same as Offer R"));
    QCOMPARE(offers.at(2).at("site").get<std::string>(), std::string("same as Offer R"));
    QVERIFY(offers.at(3).at("site").is_object());
}

void TestPlanJson::modelConfigs()
{
    // The published shape of GPT-2 small: 124,439,808 parameters.
    const std::string config = R"({"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12,
        "n_positions": 1024, "vocab_size": 50257, "torch_dtype": "bfloat16"})";
    const Plan plan = planFrom(
        planText(R"("workload": {"model": {"config": )" + config + R"(, "name": "small"}})"));
    QVERIFY(plan.workload->basis == Workload::StateBasis::Derived);
    QCOMPARE(plan.workload->model->architecture.name, std::string("small"));
    QCOMPARE(countParameters(plan.workload->model->architecture)->total, 124439808);
    const Json saved = Json::parse(writePlan(plan)).at("workload").at("model");
    QCOMPARE(saved.at("config").dump(), Json::parse(config).dump());
    verifyRoundTrip(plan);

    const auto broken = readPlan(planText(
        R"("workload": {"model": {"config": {"model_type": "llama", "num_hidden_layers": "many"}}})"));
    QVERIFY(!broken.ok());
    QCOMPARE(q(broken.error().where), QStringLiteral("$.workload.model.config.num_hidden_layers"));
}

void TestPlanJson::newerVersion()
{
    std::string text = ts24();
    text.replace(text.find("\"version\": 1"), 12, "\"version\": 7");
    const auto reading = readPlan(text);
    QVERIFY(reading.ok());
    QVERIFY(reading->readOnly);
    QCOMPARE(reading->remarks.size(), std::size_t(1));
    QVERIFY(reading->remarks[0].find("version 7") != std::string::npos);
    QVERIFY(reading->plan == planFrom(ts24()));

    // Not understood: the message says what is wrong and that the file is newer.
    text.replace(text.find("\"fsdp\""), 6, "\"fsdp9\"");
    const auto failed = readPlan(text);
    QVERIFY(!failed.ok());
    QCOMPARE(q(failed.error().where), QStringLiteral("$.offers[1].layout.preset"));
    QVERIFY(failed.error().what.find("version 7") != std::string::npos);
}

void TestPlanJson::notAPlan_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("config") << R"({"model_type": "llama", "hidden_size": 4096})"
                            << "config.json";
    QTest::newRow("index") << R"({"metadata": {}, "weight_map": {}})"
                           << "checkpoint";
    QTest::newRow("deepspeed") << R"({"zero_optimization": {"stage": 3}})"
                               << "DeepSpeed";
    QTest::newRow("list") << "[1, 2]"
                          << "not an object";
    QTest::newRow("anything") << R"({"a": 1})"
                              << "no \"format\"";
    QTest::newRow("another format") << R"({"format": "shardrack-catalogue"})"
                                    << "shardrack-catalogue";
    QTest::newRow("empty") << ""
                           << "empty";
    QTest::newRow("text") << "Llama"
                          << "Llama";
}

void TestPlanJson::notAPlan()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto reading = readPlan(text.toStdString());
    QVERIFY(!reading.ok());
    QVERIFY2(q(reading.error().text()).contains(says), reading.error().text().c_str());
}

void TestPlanJson::refusals_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QString& members, const QString& where,
                         const QString& says) { QTest::newRow(name) << members << where << says; };
    row("negative bytes", R"("required_margin": {"bytes": -1})", "$.required_margin.bytes", "-1");
    row("beyond 64 bits", R"("required_margin": {"bytes": 18446744073709551616})", "line 1",
        "18446744073709551616");
    row("fraction", R"("workload": {"state": {"stipulated": {"total_bytes": 1.5}}})",
        "$.workload.state.stipulated.total_bytes", "1.5");
    row("both sources of a model", R"("workload": {"model": {"preset": "gpt2", "config": {}}})",
        "$.workload.model", "more than one");
    row("no source of a model", R"("workload": {"model": {}})", "$.workload.model", "none of");
    row("model of no parameters", R"("workload": {"model": {"parameters": 0}})",
        "$.workload.model.parameters", "1");
    row("unknown model", R"("workload": {"model": {"preset": "llama-3-8bb"}})",
        "$.workload.model.preset", "\"llama-3-8b\"");
    row("unknown recipe", R"("workload": {"recipe": {"preset": "mixed-adm"}})",
        "$.workload.recipe.preset", "\"mixed-adam\"");
    row("preset and bytes",
        R"("workload": {"recipe": {"preset": "mixed-adam", "bytes_per_parameter": {}}})",
        "$.workload.recipe", "both");
    row("recompute", R"("workload": {"recipe": {"recompute": "some"}})",
        "$.workload.recipe.recompute", "selective");
    row("micro-batch", R"("workload": {"recipe": {"micro_batch": 0}})",
        "$.workload.recipe.micro_batch", "from 1");
    row("basis", R"("workload": {"basis": "guessed"})", "$.workload.basis", "guessed");
    row("offer without a name", R"("offers": [{}])", "$.offers[0].name", "missing");
    row("offer with an empty name", R"("offers": [{"name": ""}])", "$.offers[0].name", "empty");
    row("two offers of one name", R"("offers": [{"name": "A"}, {"name": "A"}])", "$.offers[1].name",
        "second");
    row("same as a later offer", R"("offers": [{"name": "A", "site": "same as B"}, {"name": "B"}])",
        "$.offers[0].site", "earlier");
    row("same as itself", R"("offers": [{"name": "A", "site": "same as A"}])", "$.offers[0].site",
        "earlier");
    row("a site in words", R"("offers": [{"name": "A", "site": "four GPUs"}])", "$.offers[0].site",
        "four GPUs");
    row("title", R"("title": 5)", "$.title", "text");
    row("fictional", R"("fictional": "yes")", "$.fictional", "true or false");
    row("version 0", R"("title": "t")", "", ""); // replaced below
    row("duplicate key", R"("title": "a", "title": "b")", "line 1", "title");
}

void TestPlanJson::refusals()
{
    QFETCH(QString, members);
    QFETCH(QString, where);
    QFETCH(QString, says);
    std::string text = planText(members.toStdString());
    if (where.isEmpty()) {
        text.replace(text.find("1"), 1, "0");
        where = QStringLiteral("$.version");
    }
    const auto reading = readPlan(text);
    QVERIFY(!reading.ok());
    QVERIFY2(q(reading.error().where).startsWith(where), reading.error().text().c_str());
    QVERIFY2(q(reading.error().text()).contains(says), reading.error().text().c_str());
}

void TestPlanJson::aReasonWithoutAChangeIsTold()
{
    const char* offers = R"("workload": {"recipe": {"micro_batch": 1}},
        "offers": [{"name": "A", "workload": {"recipe": {"micro_batch": %1}},
                    "changed_basis": [{"field": "micro_batch", "reason": "fits"}]}])";
    const auto reading = [&](const char* microBatch) {
        return readPlan(planText(QString(offers).arg(microBatch).toStdString())).value();
    };
    QVERIFY(reading("2").remarks.empty());
    QCOMPARE(reading("1").remarks.size(), std::size_t(1));
    QVERIFY(q(reading("1").remarks.front()).contains("micro_batch"));
}

QTEST_GUILESS_MAIN(TestPlanJson)
#include "test_plan_json.moc"
