#include "../document/plans.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/account_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace shardrack;

namespace {

/// Every term given, in GiB: 1 + 2 + 3 + 0.5 + 0.5.
void giveTerms(PlanDocument& document)
{
    Workload workload = *document.plan()->workload;
    workload.terms.gathered = Bytes(kGiB);
    workload.terms.activations = Bytes(2 * kGiB);
    workload.terms.temporary = Bytes(3 * kGiB);
    workload.terms.slack = Bytes(kGiB / 2);
    workload.terms.outside = Bytes(kGiB / 2);
    QVERIFY(!perform(document, edit::SetWorkload { workload }));
    document.flush();
}

} // namespace

class TestAccountModel : public QObject {
    Q_OBJECT
private slots:
    void init();
    void replica();
    void shard();
    void everythingGiven();
    void bases();
    void arithmetic();
    void padding();
    void severalRanks();
    void splitRank();
    void idle();
    void whatIf();
    void whatIfOfMovedHardware();
    void whatIfWithoutTheDevice();
    void whatIfOnly();
    void mostLoadedOfSelection();
    void empty();
    void overflow();
    void accessible();

private:
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<AccountModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    std::unique_ptr<Mirror> m_mirror;
    void show(const Plan& plan, int offer = 0);
    QModelIndex line(const QString& name, int column = 0) const;
};

void TestAccountModel::init() { show(fourGpuPlan()); }

void TestAccountModel::show(const Plan& plan, int offer)
{
    m_mirror.reset();
    m_tester.reset();
    m_model.reset();
    m_document = std::make_unique<PlanDocument>();
    m_document->reset(plan, {}, false);
    m_document->setCurrentOffer(offer);
    m_selection = std::make_unique<Selection>();
    m_model = std::make_unique<AccountModel>(*m_document, *m_selection);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get());
    m_mirror = std::make_unique<Mirror>(*m_model,
        std::vector<int> { Qt::DisplayRole, AccountModel::DetailRole, AccountModel::NoteRole,
            AccountModel::ProvenanceRole, AccountModel::ToneRole });
}

QModelIndex TestAccountModel::line(const QString& name, int column) const
{
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->index(row, 0).data().toString() == name)
            return m_model->index(row, column);
    return {};
}

void TestAccountModel::replica()
{
    QCOMPARE(tableText(*m_model),
        (QStringList { "Persistent training state", "Persistent state, undivided | 24.00",
            "Working set at the peak", "Gathered parameters | none", "Activations | ?",
            "Temporary buffers | ?", "Around the tensors", "Allocator slack | ?",
            "Outside allocator | ?", "Sum of established terms | at least 24.00",
            "Usable allocation, not confirmed | 16.00", "Over by | at least 8.00",
            "Required margin | not stated" }));
    QCOMPARE(m_model->title(), QString("most loaded: rank 0 on A1·0"));
    QCOMPARE(m_model->gpu(), (GpuRef { 1, 0 }));
    QVERIFY(line("Over by", 1).data(AccountModel::OverRole).toBool());
    QVERIFY(!line("Activations", 1).data(AccountModel::EstablishedRole).toBool());
    QCOMPARE(line("Gathered parameters").data(AccountModel::DetailRole).toString(),
        QString("A replica never gathers: its copy is whole."));
}

void TestAccountModel::shard()
{
    m_document->setCurrentOffer(1);
    QCOMPARE(line("Persistent state, undivided", 1).data().toString(), QString("6.00"));
    // Who else holds it, and what divides it: to the eye and to a screen reader.
    const QModelIndex state = line("Persistent state, undivided");
    QCOMPARE(state.data(AccountModel::SharingRole).toString(), QString("sharded"));
    QCOMPARE(
        state.data(AccountModel::DividedRole).toString(), QString("divided by: shard group of 4"));
    QCOMPARE(state.data(Qt::AccessibleTextRole).toString(),
        QString("Persistent state, undivided: 6.00, sharded, divided by: shard group of 4"));
    QCOMPARE(line("Persistent state, undivided").data(AccountModel::DetailRole).toString(),
        QString("24 GiB ÷ 4"));
    QCOMPARE(line("Gathered parameters", 1).data().toString(), QString("?"));
    // The 10 GiB between are no margin.
    QCOMPARE(line("Headroom", 1).data().toString(), QString("at most 10.00"));
    QVERIFY(line("Headroom").data(AccountModel::DetailRole).toString().contains("not a margin"));
    QVERIFY(!line("Left after the margin").isValid());
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::everythingGiven()
{
    m_document->setCurrentOffer(1);
    giveTerms(*m_document);
    perform(*m_document,
        edit::SetUsable { 1, { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 } }, Bytes(16 * kGiB), true });
    RequiredMargin margin;
    margin.bytes = Bytes(4 * kGiB);
    margin.basis = "policy";
    perform(*m_document, edit::SetMargin { margin });
    m_document->flush();
    // 6 + 1 + 2 + 3 + 0.5 + 0.5 = 13 of 16; 3 left; 4 asked: 1 short.
    QCOMPARE(tableText(*m_model).mid(9),
        (QStringList { "Need at the peak | 13.00", "Usable allocation | 16.00", "Headroom | 3.00",
            "Required margin, policy | 4.00", "Left after the margin | \u22121.00" }));
    QVERIFY(line("Left after the margin", 1).data(AccountModel::OverRole).toBool());
    QVERIFY(!line("Headroom", 1).data(AccountModel::OverRole).toBool());
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::bases()
{
    const auto basis = [&](const QString& name) {
        return line(name, 1).data(AccountModel::ProvenanceRole).toInt();
    };
    QCOMPARE(basis("Persistent state, undivided"), int(Provenance::Stipulated));
    QCOMPARE(basis("Gathered parameters"), int(Provenance::Derived));
    QCOMPARE(basis("Activations"), int(Provenance::NotEstablished));
    QCOMPARE(basis("Usable allocation, not confirmed"), int(Provenance::NotEstablished));
    QCOMPARE(basis("Required margin"), int(Provenance::NotEstablished));
    QCOMPARE(basis("Sum of established terms"), -1);
    QCOMPARE(
        line("Activations").data(AccountModel::CategoryRole).toInt(), int(Category::Activations));
    QCOMPARE(line("Over by").data(AccountModel::CategoryRole).toInt(), -1);
    QCOMPARE(line("Over by").data(AccountModel::KindRole).toInt(), int(AccountRow::Kind::Headroom));
}

void TestAccountModel::arithmetic()
{
    giveTerms(*m_document);
    QCOMPARE(line("Activations").data(AccountModel::DetailRole).toString(), QString("2 GiB"));
    QCOMPARE(line("Activations").data(AccountModel::NoteRole).toString(),
        QString("Given for every rank."));
    QCOMPARE(
        line("Activations").data(Qt::ToolTipRole).toString(), QString("Given for every rank."));
}

void TestAccountModel::padding()
{
    Plan plan = fourGpuPlan();
    Workload workload;
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->preset = "llama-3-8b";
    workload.model->architecture = *modelPreset("llama-3-8b");
    BytesPerParameter bytes;
    bytes.parameters = 2;
    bytes.gradients = 2;
    bytes.optimizer = 12;
    workload.recipe.bytesPerParameter = bytes;
    plan.workload = std::make_shared<const Workload>(workload);
    Offer offer = *plan.offers[1];
    // 8,030,261,248 parameters do not divide by 3: the last rank holds padding.
    offer.site.racks = { testRack("A", { testServer(1, "A1", 1, 3) }) };
    plan.offers = { std::make_shared<const Offer>(offer) };
    show(plan);
    m_selection->selectGpu({ 1, 2 });
    const QStringList names = tableText(*m_model);
    QVERIFY2(line("Padding").isValid(), qPrintable(names.join('\n')));
    QCOMPARE(line("Padding").data(AccountModel::CategoryRole).toInt(), int(Category::Parameters));
    QVERIFY(!line("Padding").data(AccountModel::DetailRole).toString().isEmpty());
    m_selection->selectGpu({ 1, 0 });
    QVERIFY(!line("Padding").isValid());
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::severalRanks()
{
    m_document->setCurrentOffer(1);
    perform(*m_document, edit::MoveRank { 1, 3, { 1, 0 } });
    m_document->flush();
    const QStringList rows = tableText(*m_model);
    QCOMPARE(rows.mid(0, 2), (QStringList { "rank 0", "Persistent state, undivided | 6.00" }));
    QCOMPARE(rows.mid(7, 2), (QStringList { "rank 3", "Persistent state, undivided | 6.00" }));
    // Both together.
    QCOMPARE(line("Sum of established terms", 1).data().toString(), QString("at least 12.00"));
    QCOMPARE(m_model->title(), QString("most loaded: ranks 0, 3 on A1·0"));
    for (int i = 0; i < 12; ++i)
        perform(*m_document, edit::AddRank { 1, { 1, 0 } });
    m_document->flush();
    QVERIFY(tableText(*m_model).contains("6 more ranks"));
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::splitRank()
{
    Plan plan = fourGpuPlan();
    Offer offer = *plan.offers[0];
    Placement placement;
    placement.push_back({ { { 1, 0 }, { 1, 1 } }, { 1, 3 } });
    offer.layout.placement = std::make_shared<const Placement>(placement);
    plan.offers = { std::make_shared<const Offer>(offer) };
    show(plan);
    // 24 GiB, a quarter and three quarters: 6 and 18.
    QCOMPARE(m_model->title(), QString("most loaded: rank 0 on A1·1"));
    QCOMPARE(line("rank 0").data(AccountModel::DetailRole).toString(),
        QString("3 ÷ 4 of its state is here"));
    QVERIFY(line("On this GPU").isValid());
    QCOMPARE(line("Sum of established terms", 1).data().toString(), QString("at least 18.00"));
    m_selection->selectGpu({ 1, 0 });
    QCOMPARE(line("rank 0").data(AccountModel::DetailRole).toString(),
        QString("1 ÷ 4 of its state is here"));
    QCOMPARE(line("Sum of established terms", 1).data().toString(), QString("at least 6.00"));

    placement[0].weights.clear();
    Layout layout = offer.layout;
    layout.placement = std::make_shared<const Placement>(placement);
    QVERIFY(!perform(*m_document, edit::SetLayout { 0, layout }));
    m_document->flush();
    QCOMPARE(line("rank 0").data(AccountModel::DetailRole).toString(),
        QString("how much of it is here is not established"));
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::idle()
{
    perform(*m_document, edit::RemoveRank { 0, RankSet::range(3, 3) });
    m_document->flush();
    m_selection->selectGpu({ 1, 3 });
    QCOMPARE(m_model->title(), QString("GPU A1·3"));
    QCOMPARE(tableText(*m_model),
        (QStringList { "No rank is on this GPU: it holds nothing of the job",
            "Usable allocation, not confirmed | 16.00" }));
}

void TestAccountModel::whatIf()
{
    m_document->setCurrentOffer(1);
    QSignalSpy appeared(m_model.get(), &AccountModel::hasWhatIfChanged);
    QVERIFY(!m_document->tryEdit(edit::RemoveRank { 1, RankSet::range(3, 3) }));
    QVERIFY(m_model->hasWhatIf());
    QCOMPARE(appeared.count(), 1);
    // 24 / 4 = 6 becomes 24 / 3 = 8.
    const QStringList rows = tableText(*m_model);
    QVERIFY2(rows.contains("Persistent state, undivided | 6.00 | 8.00 | +2.00"),
        qPrintable(rows.join('\n')));
    QVERIFY(rows.contains("Sum of established terms | at least 6.00 | at least 8.00 | +2.00"));
    QVERIFY(rows.contains("Headroom | at most 10.00 | at most 8.00 | \u22122.00"));
    QVERIFY(rows.contains("Usable allocation, not confirmed | 16.00 | 16.00 | 0"));
    QVERIFY(rows.contains("Activations | ? | ?"));
    QCOMPARE(line("Persistent state, undivided").data(AccountModel::DetailRole).toString(),
        QString("24 GiB ÷ 4 → 24 GiB ÷ 3"));
    QCOMPARE(
        line("Headroom", 3).data(AccountModel::ToneRole).toInt(), int(AccountModel::Tone::Worse));
    QCOMPARE(line("Persistent state, undivided", 3).data(AccountModel::ToneRole).toInt(),
        int(AccountModel::Tone::Worse));
    QCOMPARE(m_model->headerData(1, Qt::Horizontal).toString(), QString("now"));
    QCOMPARE(m_mirror->difference(), QString());
    m_document->clearTry();
    QVERIFY(!m_model->hasWhatIf());
    QCOMPARE(m_mirror->difference(), QString());
    QCOMPARE(m_mirror->resets, 0);
}

void TestAccountModel::whatIfOfMovedHardware()
{
    // Rank 3 goes with its GPU to a new server; what it holds, 24 GiB, does not change.
    m_selection->selectGpu({ 1, 3 });
    QVERIFY(!m_document->tryEdit(edit::MoveGpuToRack { 0, { 1, 3 }, 0, 20 }));
    QVERIFY(m_model->hasWhatIf());
    const QStringList rows = tableText(*m_model);
    QVERIFY2(rows.contains("Persistent state, undivided | 24.00 | 24.00 | 0"),
        qPrintable(rows.join('\n')));
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::whatIfWithoutTheDevice()
{
    QVERIFY(!m_document->tryEdit(edit::RemoveGpu { 0, { 1, 3 } }));
    m_selection->selectGpu({ 1, 3 });
    QVERIFY(m_model->hasWhatIf());
    QVERIFY(tableText(*m_model).contains("Headroom | \u22128.00 | \u2013")
        || tableText(*m_model).contains("Headroom | at most \u22128.00 | \u2013"));
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::whatIfOnly()
{
    Plan plan = fourGpuPlan();
    Offer offer = emptyOffer("Offer E");
    offer.site.racks = { testRack("A", {}) };
    plan.offers = { std::make_shared<const Offer>(offer) };
    show(plan);
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(m_model->title().isEmpty());
    QVERIFY(!m_document->tryEdit(edit::AddServer { 0, 0, testServer(0, "", 1, 4) }));
    QVERIFY(tableText(*m_model).contains("Persistent state, undivided | \u2013 | 24.00 | +24.00"));
    m_document->clearTry();
    QCOMPARE(m_model->rowCount(), 0);
    QCOMPARE(m_mirror->difference(), QString());
}

void TestAccountModel::mostLoadedOfSelection()
{
    // Least headroom, not most bytes: A1·2 has the smallest usable allocation.
    perform(*m_document, edit::SetUsable { 0, { { 1, 2 } }, Bytes(10 * kGiB), true });
    m_document->flush();
    QCOMPARE(m_model->gpu(), (GpuRef { 1, 2 }));
    m_selection->selectGpus({ { 1, 0 }, { 1, 1 } }, { 1, 1 });
    QCOMPARE(m_model->title(), QString("most loaded of 2: rank 0 on A1·0"));
    m_selection->selectGpus({ { 1, 0 }, { 1, 2 }, { 1, 3 } }, { 1, 3 });
    QCOMPARE(m_model->title(), QString("most loaded of 3: rank 2 on A1·2"));
    m_selection->selectGpus({ { 1, 1 } }, { 1, 1 });
    QCOMPARE(m_model->title(), QString("rank 1 on A1·1"));
    // What does not exist does not count.
    m_selection->selectGpus({ { 7, 0 } }, { 7, 0 });
    QCOMPARE(m_model->title(), QString("most loaded: rank 2 on A1·2"));
    m_selection->clear();
    QCOMPARE(m_model->title(), QString("most loaded: rank 2 on A1·2"));
}

void TestAccountModel::empty()
{
    m_document->reset(emptyPlan(), {}, false);
    QCOMPARE(m_model->rowCount(), 0);
    QVERIFY(m_model->title().isEmpty());
    QCOMPARE(m_model->gpu(), GpuRef {});
}

void TestAccountModel::overflow()
{
    Plan plan = fourGpuPlan();
    Workload workload = *plan.workload;
    workload.stipulated.total = Bytes(std::numeric_limits<std::int64_t>::max());
    workload.terms.activations = Bytes(1);
    plan.workload = std::make_shared<const Workload>(workload);
    show(plan);
    m_selection->selectGpu({ 1, 0 });
    QVERIFY(m_model->index(0, 0).data().toString().contains("64-bit"));
}

void TestAccountModel::accessible()
{
    QCOMPARE(line("Activations").data(Qt::AccessibleTextRole).toString(),
        QString("Activations: not established"));
    QCOMPARE(
        line("Over by").data(Qt::AccessibleTextRole).toString(), QString("Over by: at least 8.00"));
}

QTEST_GUILESS_MAIN(TestAccountModel)
#include "test_account_model.moc"
