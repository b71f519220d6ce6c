#include "../document/plans.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/offer_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace shardrack;

namespace {
const std::vector<int> kRoles { Qt::DisplayRole, OfferModel::PhraseRole, OfferModel::CapacityRole,
    OfferModel::LegalRole, OfferModel::ComputedRole, Qt::ToolTipRole };
}

class TestOfferModel : public QObject {
    Q_OBJECT
private slots:
    void rows();
    void tellsWhatChanged();
    void notLegal();
    void overflow();
};

void TestOfferModel::rows()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    OfferModel model(document);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(tableText(model), (QStringList { "Offer R", "Offer S" }));
    QCOMPARE(model.index(0, 0).data(OfferModel::CapacityRole).toInt(), int(Capacity::Over));
    QCOMPARE(model.index(1, 0).data(OfferModel::CapacityRole).toInt(), int(Capacity::Open));
    QVERIFY(!model.index(0, 0).data(OfferModel::PhraseRole).toString().isEmpty());
    QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(),
        QString("Capacity estimate: Over capacity\nDemonstrated fit: None\n"
                "Training result: Not evaluated"));
}

void TestOfferModel::tellsWhatChanged()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    OfferModel model(document);
    Mirror mirror(model, kRoles);
    // Three replicas instead of four: the phrase of one offer.
    perform(document, edit::RemoveGpu { 0, { 1, 3 } });
    document.flush();
    QCOMPARE(mirror.changed, 1);
    perform(document, edit::AddOffer { emptyOffer("Offer Q"), 1 });
    document.flush();
    QCOMPARE(mirror.inserted, 1);
    QCOMPARE(tableText(model), (QStringList { "Offer R", "Offer Q", "Offer S" }));
    perform(document, edit::RemoveOffer { 0 });
    document.flush();
    QCOMPARE(mirror.removed, 1);
    document.undoStack().undo();
    document.undoStack().undo();
    document.flush();
    QCOMPARE(mirror.difference(), QString());
    mirror.forget();
    QVERIFY(!document.tryEdit(edit::RemoveGpu { 1, { 1, 3 } }));
    QCOMPARE(mirror.changed, 0);
    QCOMPARE(mirror.resets, 0);
    document.reset(emptyPlan(), {}, false);
    QCOMPARE(mirror.resets, 1);
    QCOMPARE(model.rowCount(), 0);
}

void TestOfferModel::notLegal()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    const OfferModel model(document);
    QVERIFY(model.index(1, 0).data(OfferModel::LegalRole).toBool());
    Layout layout = document.plan()->offers[1]->layout;
    layout.dpShard = 3; // four ranks are no whole number of groups of three
    QVERIFY(!perform(document, edit::SetLayout { 1, layout }));
    document.flush();
    QVERIFY(!model.index(1, 0).data(OfferModel::LegalRole).toBool());
    QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("not legal"));
}

void TestOfferModel::overflow()
{
    Plan plan = fourGpuPlan();
    Workload workload = *plan.workload;
    workload.stipulated.total = Bytes(std::numeric_limits<std::int64_t>::max());
    workload.terms.activations = Bytes(1);
    plan.workload = std::make_shared<const Workload>(workload);
    PlanDocument document;
    document.reset(plan, {}, false);
    OfferModel model(document);
    const QAbstractItemModelTester tester(&model);
    QVERIFY(!model.index(0, 0).data(OfferModel::ComputedRole).toBool());
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("Not computed"));
}

QTEST_GUILESS_MAIN(TestOfferModel)
#include "test_offer_model.moc"
