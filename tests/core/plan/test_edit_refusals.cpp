#include "test_edit_plans.h"

using namespace editplans;

Q_DECLARE_METATYPE(shardrack::Plan)
Q_DECLARE_METATYPE(shardrack::Edit)

/// Edits that make no sense are refused in one sentence and change nothing.
class TestEditRefusals : public QObject {
    Q_OBJECT

private slots:
    void refused_data();
    void refused();
};

void TestEditRefusals::refused_data()
{
    QTest::addColumn<Plan>("plan");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("words");
    const Plan two = ts24();
    const Plan seven = sevenGpus(R"({"preset": "fsdp"})");
    const auto row = [](const Plan& plan, const Edit& edit, const char* words) {
        static int number = 0;
        QTest::newRow(("refusal " + std::to_string(++number)).c_str())
            << plan << edit << QString::fromUtf8(words);
    };
    const auto set = [](int first, int last) { return RankSet::range(first, last); };
    const NewRanks automatic = NewRanks::Auto;

    row(two, edit::SetMargin { { Bytes(-1), "policy", nullptr } },
        "A required margin cannot be less than 0 bytes");

    row(two, edit::RemoveOffer { 2 }, "There is no offer number 3: the plan has 2 offers");
    row(two, edit::RenameOffer { 7, "X" }, "There is no offer number 8: the plan has 2 offers");
    row(two, edit::RenameOffer { 0, " " }, "An offer needs a name");
    row(two, edit::RenameOffer { 0, "Offer S" }, "There is an offer named Offer S already");
    row(two, edit::MoveOffer { 0, 2 }, "There is no offer number 3: the plan has 2 offers");
    row(two, edit::MoveOffer { 1, 1 }, "Offer Offer S is in this place already");
    row(two, edit::AddOffer { *two.offers[0], 0 }, "There is an offer named Offer R already");
    row(two, edit::AddOffer { emptyOffer("T"), 3 },
        "There is no place number 4: the plan has 2 offers");
    row(two, edit::AddOffer { emptyOffer(""), 0 }, "An offer needs a name");

    Rack rack;
    rack.name = "C";
    row(seven, edit::AddRack { 1, rack, 0, automatic },
        "There is no offer number 2: the plan has 1 offer");
    row(seven, edit::AddRack { 0, rack, 3, automatic },
        "There is no place number 4: O has 2 racks");
    rack.units = 0;
    row(seven, edit::AddRack { 0, rack, 0, automatic }, "Rack C cannot have 0 units");
    rack.units = 10;
    rack.servers = { server("a", 1, 4, 0, 0), server("b", 4, 2, 0, 0) };
    row(seven, edit::AddRack { 0, rack, 0, automatic }, "Unit 4 of rack C is occupied by a");
    rack.servers = { server("a", 8, 4, 0, 0) };
    row(seven, edit::AddRack { 0, rack, 0, automatic },
        "Rack C has 10 units: a server of 4 units does not fit at unit 8");
    rack.servers.clear();
    rack.name = "";
    row(seven, edit::AddRack { 0, rack, 0, automatic }, "A rack needs a name");
    row(seven, edit::RemoveRack { 0, 2 }, "There is no rack number 3: O has 2 racks");
    row(seven, edit::MoveRack { 0, 0, 2 }, "There is no rack number 3: O has 2 racks");
    row(seven, edit::MoveRack { 0, 0, 0 }, "Rack A is in this place already");
    row(seven, edit::RenameRack { 0, 0, "" }, "A rack needs a name");
    row(seven, edit::RenameRack { 0, 0, "B" }, "There is a rack named B already");

    const auto add = [&](const Server& made, std::size_t to = 0) {
        return edit::AddServer { 0, to, made, NewRanks::Auto };
    };
    row(seven, add(server("X", 1, 1, 1, 1), 2), "There is no rack number 3: O has 2 racks");
    row(seven, add(server("X", 2, 1, 1, 1)), "Unit 2 of rack A is occupied by A1");
    row(seven, add(server("X", 3, 8, 1, 1)), "Units 3–8 of rack A are occupied by A1 and A2");
    row(seven, add(server("X", 40, 8, 1, 1)),
        "Rack A has 42 units: a server of 8 units does not fit at unit 40");
    row(seven, add(server("X", 0, 1, 1, 1)),
        "Rack A has 42 units: a server of 1 unit does not fit at unit 0");
    row(seven, add(server("X", 2147483647, 1, 1, 1)),
        "Rack A has 42 units: a server of 1 unit does not fit at unit 2147483647");
    row(seven, add(server("X", 9, 0, 1, 1)), "Server X cannot be 0 units high");
    row(seven, add(server("X", 9, 2147483647, 1, 1)),
        "Server X cannot be 2,147,483,647 units high");
    row(seven, add(server("X", 9, 1, 4, 5)), "Server X has 4 GPU slots, too few for its GPUs");
    row(seven, add(server("X", 9, 1, -1, 0)), "Server X cannot have -1 GPU slots");
    row(seven, add(server("X", 9, 1, 1048577, 1)), "Server X cannot have 1,048,577 GPU slots");
    row(seven, add(server("X", 9, 1, 1048576, 1048576)),
        "O would have 1,048,583 GPUs, and can have 1,048,576");
    row(seven, add(server("X", 9, 1, 1, 1, "abacus")),
        "The GPU type abacus is not in the catalogue");
    Server odd = server("X", 9, 1, 1, 1);
    odd.gpus.front().count = -2147483647;
    row(seven, add(odd), "Server X cannot have -2,147,483,647 GPUs of type generic-16gib");
    odd = server("X", 9, 1, 1, 1);
    odd.gpus.front().usable = Bytes(-1);
    row(seven, add(odd), "Server X has a GPU with less than 0 bytes of usable memory");

    row(seven, edit::RemoveServer { 0, 9 }, "There is no server with the number 9 in O");
    row(seven, edit::MoveServer { 0, 0, 0, 1 }, "There is no server with the number 0 in O");
    row(seven, edit::MoveServer { 0, 3, 0, 5 }, "Units 5–6 of rack A are occupied by A2");
    row(seven, edit::MoveServer { 0, 3, 0, 4 }, "Units 4–5 of rack A are occupied by A1 and A2");
    row(seven, edit::MoveServer { 0, 1, 1, 8 },
        "Rack B has 10 units: a server of 4 units does not fit at unit 8");
    row(seven, edit::MoveServer { 0, 1, 2, 1 }, "There is no rack number 3: O has 2 racks");
    row(seven, edit::MoveServer { 0, 2, 0, 5 }, "Server A2 is at unit 5 of rack A already");
    row(seven, edit::RenameServer { 0, 1, "" }, "A server needs a name");
    row(seven, edit::RenameServer { 0, 1, "B1" }, "There is a server named B1 already");

    row(seven, edit::AddGpu { 0, 1, "generic-16gib", automatic, true },
        "Server A1 has no free GPU slot: 4 of 4 are used");
    row(seven, edit::AddGpu { 0, 2, "", automatic, true }, "A GPU needs a type");
    row(seven, edit::AddGpu { 0, 2, "abacus", automatic, true },
        "The GPU type abacus is not in the catalogue");
    row(seven, edit::RemoveGpu { 0, { 2, 2 } }, "There is no GPU A2·2: server A2 has 2 GPUs");
    row(seven, edit::RemoveGpu { 0, { 2, -1 } }, "There is no GPU A2·-1: server A2 has 2 GPUs");
    row(seven, edit::MoveGpu { 0, { 2, 0 }, 2 }, "GPU A2·0 is in server A2 already");
    row(seven, edit::MoveGpu { 0, { 2, 0 }, 1 }, "Server A1 has no free GPU slot: 4 of 4 are used");
    row(seven, edit::MoveGpu { 0, { 2, 0 }, 4 }, "There is no server with the number 4 in O");
    row(seven, edit::MoveGpuToRack { 0, { 3, 0 }, 1, 2 }, "Unit 2 of rack B is occupied by B1");
    row(seven, edit::MoveGpuToRack { 0, { 3, 0 }, 1, 11 },
        "Rack B has 10 units: a server of 1 unit does not fit at unit 11");
    row(seven, edit::SetUsable { 0, {}, Bytes(1), true }, "No GPU is selected");
    row(seven, edit::SetUsable { 0, { { 1, 0 }, { 1, 4 } }, Bytes(1), true },
        "There is no GPU A1·4: server A1 has 4 GPUs");
    row(seven, edit::SetUsable { 0, { { 1, 0 }, { 8, 0 } }, Bytes(1), true },
        "There is no server with the number 8 in O");
    row(seven, edit::SetUsable { 0, { { 1, 0 } }, Bytes(-1), true },
        "Usable memory cannot be less than 0 bytes");

    row(seven, edit::AddRank { 0, { 1, 4 } }, "There is no GPU A1·4: server A1 has 4 GPUs");
    row(seven, edit::RemoveRank { 0, {} }, "No rank is selected");
    row(seven, edit::RemoveRank { 0, set(5, 7) }, "There is no rank 7: O has ranks 0–6");
    row(seven, edit::RemoveRank { 0, set(-1, 1) }, "There is no rank -1: O has ranks 0–6");
    row(seven, edit::MoveRank { 0, 7, { 1, 0 } }, "There is no rank 7: O has ranks 0–6");
    row(seven, edit::MoveRank { 0, 4, { 2, 0 } }, "Rank 4 is on A2·0 already");
    row(seven, edit::JoinGroup { 0, set(0, 6), "S", PartSet::all() }, "Ranks 0–6 are in S already");
    row(seven, edit::JoinGroup { 0, set(6, 6), "S", PartSet::all() }, "Rank 6 is in S already");
    row(seven, edit::JoinGroup { 0, set(6, 7), "S", PartSet::all() },
        "There is no rank 7: O has ranks 0–6");
    row(seven, edit::JoinGroup { 0, set(6, 6), "", PartSet::all() }, "A shard group needs a name");
    row(seven, edit::JoinGroup { 0, set(6, 6), "N", {} },
        "Shard group N has to distribute parameters, gradients or optimizer state");
    row(seven, edit::LeaveGroups { 0, {} }, "No rank is selected");
    row(seven, edit::LeaveGroups { 0, set(7, 7) }, "There is no rank 7: O has ranks 0–6");
    row(two, edit::LeaveGroups { 0, set(1, 2) }, "Ranks 1–2 are in no shard group");
    Plan empty = emptyPlan();
    empty.offers.push_back(std::make_shared<const Offer>(emptyOffer("E")));
    row(empty, edit::RemoveRank { 0, set(0, 0) }, "There is no rank 0: E has no ranks");

    Measurement measured;
    row(two, edit::SetMeasurements { 5, {} }, "There is no offer number 6: the plan has 2 offers");
    row(two, edit::SetMeasurements { 0, { measured } },
        "measurement: has no \"peak_bytes\"; expected the peak in bytes, or \"out_of_memory\": "
        "true");
    measured.peak = Bytes(0);
    row(two, edit::SetMeasurements { 0, { measured } },
        "measurement.peak_bytes: is 0; expected the peak in bytes; a run holds something");
    measured.peak = Bytes(-1);
    row(two, edit::SetMeasurements { 0, { measured } },
        "measurement.peak_bytes: is -1; expected a whole number of bytes, 0 or more and below "
        "2^63");
    measured.peak = Bytes(1);
    measured.devices.clear();
    row(two, edit::SetMeasurements { 0, { measured } },
        "measurement.devices: is empty; expected \"all\" or names of GPUs, such as \"A1·0-3\"");
    measured.devices = "all";
    measured.completeSteps = -1;
    row(two, edit::SetMeasurements { 0, { measured } },
        "measurement.complete_steps: is -1; expected a whole number from 0 to 1,099,511,627,776");
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Rejected;
    row(two, edit::SetOutcome { 0, outcome },
        "training_result: is rejected and has no \"criterion\"; expected the quality and "
        "performance criterion that it was judged by");
    row(two, edit::SetOutcome { 2, {} }, "There is no offer number 3: the plan has 2 offers");
    for (const char* amount : { "", "1,5", "1.", ".5", "1.2.3", "-1", "1e3" })
        row(two, edit::SetPrice { 0, Price { amount, "USD", Price::Per::Offer, "", nullptr } },
            ("\"" + std::string(amount)
                + "\" is no price: digits with at most one \".\" between them, such as 2.49")
                .c_str());
    row(two, edit::SetBasis { 0, { { " ", "", "", "", nullptr } } },
        "A change of basis needs a name");
    row(two, edit::SetOfferWorkload { 0, {} }, "Offer R stands on the common basis already");
    row(two, edit::MakeWorkloadCommon { 0 },
        "Offer R has no workload of its own: it answers the common one");
    Workload impossible = *two.workload;
    impossible.recipe.microBatch = 0;
    row(two, edit::SetOfferWorkload { 0, impossible },
        "workload.recipe.micro_batch: is 0; expected a whole number from 1 to 1,099,511,627,776");

    Layout layout;
    layout.tensor = 0;
    row(seven, edit::SetLayout { 0, layout },
        "layout.tp: is 0; expected a whole number from 1 to 1,048,576");
    layout = {};
    layout.order = "tp-tp";
    row(seven, edit::SetLayout { 0, layout },
        "layout.order: is \"tp-tp\"; expected tp, cp, ep, dp and pp, each at most once, innermost "
        "first: "
        "\"tp-cp-ep-dp-pp\"");
    layout = {};
    layout.preset = LayoutPreset::Custom;
    layout.groups = { { "S", set(4, 9), PartSet::all(), nullptr } };
    row(seven, edit::SetLayout { 0, layout },
        "Shard group S has ranks 4–9, and there are ranks 0–6");
    layout.groups = { { "S", set(0, 1), PartSet::all(), nullptr },
        { "S", set(2, 3), PartSet::all(), nullptr } };
    row(seven, edit::SetLayout { 0, layout }, "Two shard groups are named S");
    layout.groups = { { "S", set(0, 1), PartSet { true, false, true }, nullptr },
        { "T", set(1, 3), PartSet { false, true, true }, nullptr } };
    row(seven, edit::SetLayout { 0, layout },
        "Shard group T divides for rank 1 what another group divides");
    layout.groups = { { "", set(0, 1), PartSet::all(), nullptr } };
    row(seven, edit::SetLayout { 0, layout }, "A shard group needs a name");
    const auto placed = [](Placement placement) {
        Layout made;
        made.placement = std::make_shared<const Placement>(std::move(placement));
        return edit::SetLayout { 0, made };
    };
    row(seven, placed({ { { { 1, 0 } }, {} }, { { { 9, 0 } }, {} } }),
        "Rank 1 is on server number 9, which does not exist");
    row(seven, placed({ { { { 2, 2 } }, {} } }), "Rank 0 is on GPU A2·2, which does not exist");
    row(seven, placed({ { { { 1, 0 }, { 1, 1 } }, { 1 } } }),
        "Rank 0 is on 2 GPUs and has 1 share");
    row(seven, placed({ { { { 1, 0 }, { 1, 1 } }, { 1, -1 } } }),
        "Rank 0 has the share -1, which is not between 0 and 2,147,483,647");
    row(seven, placed({ { { { 1, 0 }, { 1, 1 } }, { 0, 0 } } }),
        "Rank 0 has shares that add up to 0");
}

void TestEditRefusals::refused()
{
    QFETCH(Plan, plan);
    QFETCH(Edit, edit);
    QFETCH(QString, words);
    const Plan before = plan;
    const Result<Applied> result = shardrack::apply(plan, edit);
    QVERIFY(!result.ok());
    QCOMPARE(q(result.error().text()), words);
    QVERIFY(plan == before);
    QVERIFY(plan.offers == before.offers); // not even a block was replaced

    // A journal may hold it or refuse to; it never becomes an edit that is applied.
    const Result<Edit> journalled = throughJournal(edit);
    if (journalled.ok())
        QVERIFY(!shardrack::apply(plan, *journalled).ok());
}

QTEST_GUILESS_MAIN(TestEditRefusals)
#include "test_edit_refusals.moc"
