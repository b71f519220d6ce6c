#include "document/plan_document.h"

#include "document/plan_file.h"

#include <QElapsedTimer>
#include <QScopedValueRollback>
#include <QUuid>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kUndoLimit = 500;
/// Assessments kept beyond those of the plan's offers: what-ifs and neighbours in the undo stack.
constexpr std::size_t kSpareAssessments = 8;

/// Where the offer in front is after a change of the list of offers.
int followOffer(const Plan& before, const Plan& after, int current)
{
    const auto find = [](const Plan& plan, const auto& matches) {
        const auto found = std::find_if(plan.offers.begin(), plan.offers.end(), matches);
        return found == plan.offers.end() ? -1 : static_cast<int>(found - plan.offers.begin());
    };
    const auto named = [](const std::string& name) {
        return [&name](const auto& offer) { return offer->name == name; };
    };
    if (after.offers.size() > before.offers.size()) {
        const int arrived
            = find(after, [&](const auto& offer) { return find(before, named(offer->name)) < 0; });
        if (arrived >= 0)
            return arrived;
    }
    if (current >= 0) {
        const auto& offer = before.offers[static_cast<std::size_t>(current)];
        if (const int same = find(after, [&](const auto& other) { return other == offer; });
            same >= 0)
            return same;
        if (const int alike = find(after, named(offer->name)); alike >= 0)
            return alike;
    }
    return std::min(std::max(current, 0), static_cast<int>(after.offers.size()) - 1);
}

/// The workload that an offer answers, as a block to compare with.
std::shared_ptr<const Workload> workloadBlock(const Plan& plan, std::size_t offer)
{
    return plan.offers[offer]->workload ? plan.offers[offer]->workload : plan.workload;
}

} // namespace

PlanDocument::PlanDocument(QObject* parent)
    : QObject(parent)
    , m_plan(std::make_shared<const Plan>(emptyPlan()))
    , m_id(QUuid::createUuid().toString(QUuid::WithoutBraces))
    , m_reported(m_plan)
{
    m_undoStack.setUndoLimit(kUndoLimit);
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setInterval(0);
    connect(&m_flushTimer, &QTimer::timeout, this, &PlanDocument::flush);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, &PlanDocument::fileStateChanged);
}

PlanDocument::~PlanDocument()
{
    // The stack dies before this object's slots would be disconnected.
    m_undoStack.disconnect(this);
}

void PlanDocument::setCurrentOffer(int offer)
{
    deliverBefore();
    if (offer < 0 || offer >= static_cast<int>(m_plan->offers.size()) || offer == m_currentOffer)
        return;
    const bool tried = m_tried != nullptr;
    m_tried.reset();
    m_currentOffer = offer;
    m_reportedOffer = offer;
    emit currentOfferChanged(offer);
    if (tried)
        emit whatIfChanged();
}

std::shared_ptr<const Assessment> PlanDocument::assessment(std::size_t offer) const
{
    return assessmentOf(*m_plan, offer);
}

std::optional<ShownOffer> PlanDocument::shownOf(
    const std::shared_ptr<const Plan>& plan, int offer) const
{
    if (!plan || offer < 0 || offer >= static_cast<int>(plan->offers.size()))
        return std::nullopt;
    const auto index = static_cast<std::size_t>(offer);
    return ShownOffer { plan, index, assessmentOf(*plan, index) };
}

std::optional<ShownOffer> PlanDocument::current() const { return shownOf(m_plan, m_currentOffer); }

std::optional<ShownOffer> PlanDocument::whatIf() const
{
    if (!m_tried)
        return std::nullopt;
    return shownOf(m_tried, followOffer(*m_plan, *m_tried, m_currentOffer));
}

std::optional<ShownOffer> PlanDocument::shown() const { return m_tried ? whatIf() : current(); }

std::optional<Error> PlanDocument::tryEdit(const Edit& edit)
{
    deliverBefore();
    Result<Applied> applied = apply(*m_plan, edit);
    if (!applied.ok()) {
        clearTry();
        return applied.error();
    }
    m_tried = std::make_shared<const Plan>(std::move(applied).value().plan);
    whatIf(); // computed before anybody paints
    emit whatIfChanged();
    return std::nullopt;
}

void PlanDocument::clearTry()
{
    deliverBefore();
    if (!m_tried)
        return;
    m_tried.reset();
    emit whatIfChanged();
}

void PlanDocument::replacePlan(std::shared_ptr<const Plan> plan)
{
    requireNotDelivering();
    m_currentOffer = followOffer(*m_plan, *plan, m_currentOffer);
    m_plan = std::move(plan);
    ++m_revision;
    if (m_tried) {
        // It was made from the plan before.
        m_tried.reset();
        m_whatIfDropped = true;
    }
    m_flushTimer.start();
}

void PlanDocument::reset(const Plan& plan, const QString& path, bool readOnly)
{
    requireNotDelivering();
    m_flushTimer.stop();
    m_plan = std::make_shared<const Plan>(plan);
    m_tried.reset();
    m_whatIfDropped = false;
    m_reported = m_plan;
    ++m_revision;
    m_currentOffer = m_plan->offers.empty() ? -1 : 0;
    m_reportedOffer = m_currentOffer;
    m_path = path;
    m_readOnly = readOnly;
    m_cache.clear();
    m_undoStack.clear();
    const QScopedValueRollback<bool> delivering(m_delivering, true);
    emit resetDone();
    emit fileStateChanged();
}

void PlanDocument::restore(const Plan& plan, const QString& path)
{
    reset(plan, path, false);
    m_undoStack.resetClean();
}

std::optional<Error> PlanDocument::load(const QString& path, QStringList* remarks)
{
    const Result<PlanReading> reading = readPlanFile(path);
    if (!reading.ok())
        return reading.error();
    reset(reading->plan, path, reading->readOnly);
    if (remarks)
        for (const std::string& remark : reading->remarks)
            remarks->append(QString::fromStdString(remark));
    return std::nullopt;
}

std::optional<Error> PlanDocument::save(const QString& path)
{
    if (m_readOnly && isSameFile(path, m_path))
        return Error { path.toStdString(),
            tr("this file is read-only here: a newer version of Shardrack wrote it, and saving "
               "over it could lose what this version does not know")
                .toStdString(),
            tr("another file name").toStdString() };
    if (const auto error = writePlanFile(*m_plan, path))
        return error;
    m_path = path;
    m_readOnly = false;
    m_undoStack.setClean();
    emit fileStateChanged();
    return std::nullopt;
}

void PlanDocument::flush()
{
    if (m_delivering)
        return;
    m_flushTimer.stop();
    const QScopedValueRollback<bool> delivering(m_delivering, true);
    if (m_reported != m_plan) {
        const ChangeSet changes = difference(*m_reported, *m_plan);
        m_reported = m_plan;
        if (changes.any())
            emit changed(changes);
    }
    if (m_reportedOffer != m_currentOffer) {
        m_reportedOffer = m_currentOffer;
        emit currentOfferChanged(m_currentOffer);
    }
    if (m_whatIfDropped) {
        m_whatIfDropped = false;
        emit whatIfChanged();
    }
}

void PlanDocument::deliverBefore()
{
    if (m_flushTimer.isActive())
        flush();
}

void PlanDocument::requireNotDelivering() const
{
    Q_ASSERT_X(!m_delivering, "PlanDocument", "the plan must not change while its change is told");
}

std::shared_ptr<const Assessment> PlanDocument::assessmentOf(
    const Plan& plan, std::size_t offer) const
{
    const auto workload = workloadBlock(plan, offer);
    const auto kept = std::find_if(m_cache.begin(), m_cache.end(), [&](const Cached& entry) {
        return entry.offer == plan.offers[offer] && entry.workload == workload
            && entry.common == plan.workload && entry.margin == plan.margin;
    });
    ++m_clock;
    if (kept != m_cache.end()) {
        kept->used = m_clock;
        return kept->assessment;
    }
    QElapsedTimer timer;
    timer.start();
    auto assessment = assess(plan, offer);
    m_lastRecompute = timer.nsecsElapsed() / 1000;
    makeRoom();
    m_cache.push_back(
        { plan.offers[offer], workload, plan.workload, plan.margin, assessment, m_clock });
    return assessment;
}

void PlanDocument::makeRoom() const
{
    if (m_cache.size() < m_plan->offers.size() + kSpareAssessments)
        return;
    // What-ifs of a long drag must not push out what the plan's other offers are shown with.
    const auto inPlan = [&](const Cached& entry) {
        return std::find(m_plan->offers.begin(), m_plan->offers.end(), entry.offer)
            != m_plan->offers.end();
    };
    m_cache.erase(
        std::min_element(m_cache.begin(), m_cache.end(), [&](const Cached& a, const Cached& b) {
            return std::pair(inPlan(a), a.used) < std::pair(inPlan(b), b.used);
        }));
}

} // namespace shardrack
