#include "../document/plans.h"
#include "commands/drop.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/account_model.h"
#include "models/device_model.h"
#include "models/findings_model.h"
#include "models/offer_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <random>

using namespace shardrack;

namespace {

/// Edits as they come from mouse and keyboard, sensible or not.
class RandomEdits {
public:
    explicit RandomEdits(unsigned seed)
        : m_random(seed)
    {
    }

    int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(m_random); }
    bool chance(int percent) { return below(100) < percent; }

    Edit next(const PlanDocument& document)
    {
        const std::size_t offers = document.plan()->offers.size();
        if (offers == 0 || document.currentOffer() < 0)
            return edit::AddOffer { *fourGpuPlan().offers[0], offers };
        const auto offer = static_cast<std::size_t>(document.currentOffer());
        const Offer& current = *document.plan()->offers[offer];
        switch (below(14)) {
        case 0:
            return margin();
        case 1:
            return workload(document);
        case 2:
            return edit::SetUsable { offer, { gpu(current), gpu(current) },
                chance(80) ? std::optional<Bytes>(Bytes(below(40) * kGiB)) : std::nullopt,
                chance(70) };
        case 3:
            return edit::SetLayout { offer, layout(current) };
        case 4:
            return edit::AddRank { offer, gpu(current) };
        case 5:
            return offerEdit(document);
        case 6:
            return edit::RemoveServer { offer, server(current) };
        case 7:
            return edit::RenameServer { offer, server(current), "N" + std::to_string(below(9)) };
        case 8:
            return edit::RemoveGpu { offer, gpu(current) };
        default: {
            const Result<Edit> drop
                = editForDrop(document, carried(current), target(current), chance(20));
            return drop.ok() ? *drop : Edit(margin());
        }
        }
    }

private:
    ServerId server(const Offer& offer)
    {
        std::vector<ServerId> ids { 99 };
        for (const auto& rack : offer.site.racks)
            for (const Server& placed : rack->servers)
                ids.push_back(placed.id);
        return ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))];
    }
    GpuRef gpu(const Offer& offer) { return { server(offer), below(4) }; }

    edit::SetMargin margin()
    {
        RequiredMargin required;
        if (chance(80))
            required.bytes = Bytes(below(6) * kGiB);
        return { required };
    }

    edit::SetWorkload workload(const PlanDocument& document)
    {
        Workload changed = *document.plan()->workload;
        changed.stipulated.total = Bytes(below(50) * kGiB);
        for (auto* term : { &changed.terms.gathered, &changed.terms.activations,
                 &changed.terms.temporary, &changed.terms.slack, &changed.terms.outside })
            if (chance(30))
                *term = chance(70) ? std::optional<Bytes>(Bytes(below(4) * kGiB)) : std::nullopt;
        return { changed };
    }

    Layout layout(const Offer& offer)
    {
        Layout changed = offer.layout;
        changed.preset = static_cast<LayoutPreset>(below(7));
        changed.dpShard.reset();
        if (chance(40))
            changed.dpShard = 1 + below(5);
        if (chance(30))
            changed.placement.reset();
        changed.ranksFollowHardware = chance(60);
        return changed;
    }

    Edit offerEdit(const PlanDocument& document)
    {
        const std::size_t count = document.plan()->offers.size();
        const auto which = [&] { return static_cast<std::size_t>(below(static_cast<int>(count))); };
        if (count < 4 && chance(50)) {
            Offer copy = *document.plan()->offers[which()];
            copy.name = freeOfferName(*document.plan(), copy.name);
            return edit::AddOffer { copy, which() };
        }
        if (chance(30))
            return edit::RemoveOffer { which() };
        if (chance(50))
            return edit::MoveOffer { which(), which() };
        return edit::RenameOffer { which(), "Offer " + std::to_string(below(5)) };
    }

    Carried carried(const Offer& offer)
    {
        Carried what;
        what.kind = static_cast<Carried::Kind>(below(6));
        static constexpr std::array<const char*, 3> types { "rack-24u", "pcie-4gpu-16gib",
            "generic-16gib" };
        if (what.isNew())
            what.type = types[static_cast<std::size_t>(what.kind)];
        what.server = server(offer);
        what.gpu = gpu(offer);
        const int first = below(8);
        what.ranks = RankSet::range(first, first + (chance(60) ? 0 : below(3)));
        return what;
    }

    DropTarget target(const Offer& offer)
    {
        DropTarget where;
        where.kind
            = static_cast<DropTarget::Kind>(below(static_cast<int>(DropTarget::Kind::NoRank) + 1));
        where.rack = static_cast<std::size_t>(below(2));
        where.unit = 1 + below(30);
        where.server = server(offer);
        where.gpu = gpu(offer);
        where.group = "S";
        return where;
    }

    std::mt19937 m_random;
};

/// A model under test: Qt's tester, the copy made from signals, and a fresh model to compare with.
template <class Model> struct Watched {
    Watched(std::unique_ptr<Model> made, std::vector<int> roles)
        : model(std::move(made))
        , tester(model.get())
        , mirror(*model, std::move(roles))
    {
    }
    void check(const Model& fresh) const
    {
        QCOMPARE(mirror.difference(), QString());
        QCOMPARE(tableText(*model), tableText(fresh));
    }
    std::unique_ptr<Model> model;
    QAbstractItemModelTester tester;
    Mirror mirror;
};

} // namespace

class TestRandomEdits : public QObject {
    Q_OBJECT
private slots:
    void modelsFollow_data();
    void modelsFollow();
};

void TestRandomEdits::modelsFollow_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 6; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestRandomEdits::modelsFollow()
{
    QFETCH(const unsigned, seed);
    RandomEdits random(seed);
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    Selection selection;
    const Watched<AccountModel> account(std::make_unique<AccountModel>(document, selection),
        { Qt::DisplayRole, AccountModel::DetailRole, AccountModel::NoteRole, AccountModel::KindRole,
            AccountModel::ProvenanceRole, AccountModel::ToneRole, AccountModel::OverRole,
            AccountModel::EstablishedRole });
    const Watched<FindingsModel> findings(std::make_unique<FindingsModel>(document),
        { Qt::DisplayRole, FindingsModel::TextRole, FindingsModel::ValueRole,
            FindingsModel::ValueBeforeRole, FindingsModel::ActionRole,
            FindingsModel::GpuServerRole });
    const Watched<OfferModel> offers(std::make_unique<OfferModel>(document),
        { Qt::DisplayRole, OfferModel::PhraseRole, OfferModel::CapacityRole, OfferModel::LegalRole,
            Qt::ToolTipRole });
    const Watched<DeviceModel> devices(std::make_unique<DeviceModel>(document),
        { Qt::DisplayRole, DeviceModel::SortRole, DeviceModel::CapacityRole,
            DeviceModel::IdleRole });

    const Plan start = *document.plan();
    int performed = 0;
    int tried = 0;
    for (int step = 0; step < 400; ++step) {
        const int what = random.below(10);
        if (what < 5) {
            performed += perform(document, random.next(document)) ? 0 : 1;
        } else if (what < 7) {
            tried += document.tryEdit(random.next(document)) ? 0 : 1;
        } else if (what == 7) {
            document.undoStack().undo();
        } else if (what == 8) {
            document.undoStack().redo();
        } else {
            document.setCurrentOffer(random.below(4));
            selection.toggleGpu({ 1 + random.below(3), random.below(4) });
        }
        if (random.chance(70))
            document.flush();
        if (random.chance(10))
            document.clearTry();
        if (step % 8 == 0) {
            document.flush();
            account.check(AccountModel(document, selection));
            findings.check(FindingsModel(document));
            offers.check(OfferModel(document));
            devices.check(DeviceModel(document));
            if (QTest::currentTestFailed())
                return;
        }
    }
    QVERIFY2(performed > 60, qPrintable(QString::number(performed)));
    QVERIFY2(tried > 20, qPrintable(QString::number(tried)));
    QCOMPARE(account.mirror.resets, 0);
    QCOMPARE(findings.mirror.resets, 0);
    QCOMPARE(offers.mirror.resets, 0);

    // All the way back: the plan and what is derived from it are those of the start.
    while (document.undoStack().canUndo())
        document.undoStack().undo();
    document.flush();
    QVERIFY(*document.plan() == start);
    PlanDocument fresh;
    fresh.reset(start, {}, false);
    QCOMPARE(tableText(*offers.model), tableText(OfferModel(fresh)));
    QCOMPARE(offers.mirror.difference(), QString());
}

QTEST_GUILESS_MAIN(TestRandomEdits)
#include "test_random_edits.moc"
