#include "evidence/coverage.h"

#include "base/size_text.h"

#include <array>
#include <unordered_set>

namespace shardrack {

const char* id(Demonstrated demonstrated)
{
    static constexpr std::array<const char*, 4> ids { "none", "partial", "demonstrated",
        "contradicted" };
    return ids[static_cast<std::size_t>(demonstrated)];
}

const char* title(Demonstrated demonstrated)
{
    static constexpr std::array<const char*, 4> titles { "None", "Partial coverage", "Demonstrated",
        "Contradicted" };
    return titles[static_cast<std::size_t>(demonstrated)];
}

namespace {

std::string devices(std::int64_t count)
{
    return grouped(count) + (count == 1 ? " device" : " devices");
}

/// Why a reading, by itself, cannot show that a device fits; empty when it can.
std::string shortfallOf(const Measurement& measurement)
{
    if (measurement.average)
        return "is an average: it hides the most loaded device";
    if (measurement.scope == MemoryScope::Allocated)
        return "counts tensors only: what the allocator reserves and what lies outside it is not "
               "seen";
    if (!measurement.phases.has(RunPhase::Init))
        return "does not cover initialization";
    if (measurement.completeSteps == 0)
        return "covers no complete step";
    if (measurement.completeSteps < kCompleteSteps)
        return "covers one complete step: the first lacks state that the second holds";
    return {};
}

const Sum& outsideOf(const DeviceClass& device)
{
    return device.atPeak[static_cast<std::size_t>(Category::Outside)];
}

/// What the device holds whenever it trains: parameters and optimizer state, or all of a state that
/// nobody split, as far as they are established. Gradients come and go.
Bytes heldThroughout(const DeviceClass& device)
{
    Bytes held;
    for (const Category category : { Category::Parameters, Category::Optimizer, Category::State })
        held += device.atPeak[static_cast<std::size_t>(category)].established;
    return held;
}

/// Why this device's reading is not reconciled with what the device holds and may use; empty when
/// it is.
std::string unreconciled(const Measurement& measurement, const DeviceClass& device)
{
    if (const Bytes held = heldThroughout(device); *measurement.peak < held)
        return "it is below the " + gibText(held)
            + " of state that a device holds throughout; another job was measured, or the state is "
              "not this one";
    if (device.usable.provenance == Provenance::NotEstablished)
        return "the usable allocation is not confirmed";
    if (measurement.scope != MemoryScope::Reserved)
        return {};
    const Sum& outside = outsideOf(device);
    if (outside.atLeast)
        return "reserved memory was read, and what lies outside the allocator is not established";
    // No overflow was measured: what lies outside is an estimate.
    if (outside.established > device.usable.bytes - *measurement.peak)
        return "with the " + gibText(outside.established)
            + " outside the allocator it would be above the usable " + gibText(device.usable.bytes);
    return {};
}

/// A stand-in of zero is no figure at all: nothing is above what nobody knows.
bool comparable(const DeviceClass& device)
{
    return device.usable.provenance != Provenance::NotEstablished || device.usable.bytes > Bytes(0);
}

/// "all devices", "A1·0-3".
std::string named(const Measurement& measurement)
{
    return measurement.devices == "all" ? "all devices" : measurement.devices;
}

class Judge {
public:
    Judge(const Account& account, const Evidence& evidence)
        : m_account(account)
        , m_evidence(evidence)
    {
        for (const DeviceClass& device : account.deviceClasses)
            if (!device.idle())
                m_participating.unite(device.gpus);
        m_result.participating = m_participating.size();
    }

    Demonstration result() &&
    {
        m_result.readings.resize(m_evidence.measurements.size());
        for (std::size_t i = 0; i < m_evidence.measurements.size(); ++i)
            weigh(m_evidence.measurements[i], m_result.readings[i]);
        m_result.measured = m_measured.size();
        m_result.covered = m_covered.size();
        conclude();
        return std::move(m_result);
    }

private:
    void weigh(const AppliedMeasurement& applied, ReadingVerdict& verdict)
    {
        const Measurement& measurement = *applied.measurement;
        verdict.otherState = applied.otherState;
        if (!applied.excluded.empty())
            return shortfall(measurement, verdict, applied.excluded);
        verdict.gpus = applied.gpus.intersected(m_participating);
        if (verdict.gpus.empty())
            return shortfall(measurement, verdict, "is about no device with a rank");
        m_any = true;
        if (!measurement.average)
            m_measured.unite(verdict.gpus);
        if (measurement.outOfMemory)
            contradict(verdict, "A run ran out of memory on " + named(measurement) + ".");
        if (!measurement.peak)
            return;
        const std::string own = shortfallOf(measurement);
        if (!own.empty())
            shortfall(measurement, verdict, own);
        if (measurement.average)
            return weighAverage(measurement, verdict);
        noteHighest(measurement, verdict.gpus.front());
        for (const DeviceClass& device : m_account.deviceClasses)
            if (const RankSet here = verdict.gpus.intersected(device.gpus); !here.empty())
                weigh(measurement, verdict, device, here, own.empty());
    }

    void weigh(const Measurement& measurement, ReadingVerdict& verdict, const DeviceClass& device,
        const RankSet& gpus, bool sound)
    {
        if (comparable(device) && *measurement.peak > device.usable.bytes)
            return contradict(verdict, aboveUsable(measurement, device));
        if (!sound || measurement.outOfMemory)
            return;
        if (const std::string why = unreconciled(measurement, device); !why.empty())
            return shortfall(measurement, verdict, "is not reconciled: " + why);
        verdict.counted += gpus.size();
        m_covered.unite(gpus);
    }

    /// The mean of devices that all have no more than this says that one of them has more.
    void weighAverage(const Measurement& measurement, ReadingVerdict& verdict)
    {
        const DeviceClass* largest = nullptr;
        for (const DeviceClass& device : m_account.deviceClasses) {
            if (!verdict.gpus.intersects(device.gpus))
                continue;
            if (!comparable(device))
                return;
            if (!largest || device.usable.bytes > largest->usable.bytes)
                largest = &device;
        }
        if (largest && *measurement.peak > largest->usable.bytes)
            contradict(verdict, aboveUsable(measurement, *largest));
    }

    static std::string aboveUsable(const Measurement& measurement, const DeviceClass& device)
    {
        const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
        return std::string(measurement.average ? "The average of " : "The reading of ")
            + named(measurement) + ", " + gibText(*measurement.peak) + " ("
            + title(measurement.scope) + "), is above the usable " + gibText(device.usable.bytes)
            + (confirmed ? "." : ", which nobody confirmed.");
    }

    void noteHighest(const Measurement& measurement, std::int32_t gpu)
    {
        const bool wider = m_result.highest && measurement.scope > m_result.highestScope;
        const bool narrower = m_result.highest && measurement.scope < m_result.highestScope;
        if (!m_result.highest || wider || (!narrower && *measurement.peak > *m_result.highest)) {
            m_result.highest = measurement.peak;
            m_result.highestScope = measurement.scope;
            m_result.highestGpu = gpu;
        }
    }

    void shortfall(const Measurement& measurement, ReadingVerdict& verdict, const std::string& why)
    {
        const std::string text = "The reading of " + named(measurement) + " " + why + ".";
        if (verdict.shortfall.empty())
            verdict.shortfall = text;
        if (m_told.insert(text).second)
            m_result.shortfalls.push_back(text);
    }

    void contradict(ReadingVerdict& verdict, const std::string& rule)
    {
        if (!verdict.contradicts)
            verdict.shortfall = rule;
        verdict.contradicts = true;
        if (m_result.value != Demonstrated::Contradicted) {
            m_result.value = Demonstrated::Contradicted;
            m_result.rule = rule;
        }
    }

    void conclude()
    {
        if (m_result.value == Demonstrated::Contradicted)
            return;
        if (!m_any) {
            m_result.rule = m_evidence.measurements.empty() ? "No run was measured."
                                                            : m_result.shortfalls.front();
            return;
        }
        if (m_result.participating > 0 && m_result.covered == m_result.participating) {
            m_result.value = Demonstrated::Demonstrated;
            m_result.rule = "Every device with a rank was measured over initialization and "
                            "complete steps, within its usable allocation.";
            return;
        }
        m_result.value = Demonstrated::Partial;
        m_result.rule = m_result.measured < m_result.participating || m_result.shortfalls.empty()
            ? grouped(m_result.measured) + " of " + devices(m_result.participating)
                + " with a rank have a peak of their own."
            : m_result.shortfalls.front();
        if (m_result.measured < m_result.participating && !m_result.shortfalls.empty())
            m_result.rule += " " + m_result.shortfalls.front();
    }

    const Account& m_account;
    const Evidence& m_evidence;
    RankSet m_participating;
    RankSet m_measured;
    RankSet m_covered;
    bool m_any = false;
    std::unordered_set<std::string> m_told;
    Demonstration m_result;
};

} // namespace

Demonstration demonstrate(const Account& account, const Evidence& evidence)
{
    return Judge(account, evidence).result();
}

Sum estimateFor(MemoryScope scope, const DeviceClass& device)
{
    if (scope == MemoryScope::Device)
        return device.need;
    Sum sum;
    for (const Category category : kCategories) {
        const bool seen = category != Category::Outside
            && (category != Category::Slack || scope == MemoryScope::Reserved);
        if (seen)
            sum += device.atPeak[static_cast<std::size_t>(category)];
    }
    return sum;
}

std::optional<Sum> estimateFor(MemoryScope scope, const RankSet& gpus, const Account& account)
{
    std::optional<Sum> largest;
    for (const DeviceClass& device : account.deviceClasses) {
        if (device.idle() || !device.gpus.intersects(gpus))
            continue;
        const Sum sum = estimateFor(scope, device);
        if (!largest)
            largest = sum;
        largest->established = std::max(largest->established, sum.established);
        largest->atLeast = largest->atLeast || sum.atLeast;
    }
    return largest;
}

} // namespace shardrack
