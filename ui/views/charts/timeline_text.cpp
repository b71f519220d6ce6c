#include "charts/timeline_text.h"

#include "models/number_text.h"
#include "paint/paint_style.h"

#include <algorithm>

namespace shardrack {

namespace {

struct TimelineText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::TimelineText)
};

QString tensorName(const RankTimeline& rank, std::uint32_t tensor)
{
    return tensor < rank.trace.names.size()
        ? QString::fromStdString(rank.trace.names[tensor])
        : categoryTitle(rank.trace.trace.tensor(tensor).category);
}

/// The name of the moment that a step's forward pass ends with.
QString lossName(int step) { return TimelineText::tr("End of forward (loss), step %1").arg(step); }

} // namespace

QString phaseName(Phase phase, bool brief)
{
    switch (phase) {
    case Phase::Load:
        return TimelineText::tr("load");
    case Phase::Init:
        return TimelineText::tr("init");
    case Phase::FirstForward:
    case Phase::Forward:
        return brief ? TimelineText::tr("fwd") : TimelineText::tr("forward");
    case Phase::FirstBackward:
    case Phase::Backward:
        return brief ? TimelineText::tr("bwd") : TimelineText::tr("backward");
    case Phase::FirstOptimizer:
    case Phase::Optimizer:
        return brief ? TimelineText::tr("opt.") : TimelineText::tr("optimizer");
    case Phase::Save:
        return TimelineText::tr("save");
    case Phase::Evaluate:
        return TimelineText::tr("evaluate");
    }
    return {};
}

QString momentPlace(const Timeline& timeline, std::size_t moment)
{
    const QString phase = phaseName(timeline.moments[moment].phase);
    if (timeline.inFirstStep(moment))
        return TimelineText::tr("%1 of step 1").arg(phase);
    if (timeline.inSteadyStep(moment))
        return TimelineText::tr("%1 of step 2").arg(phase);
    return phase;
}

QString tensorSize(Bytes bytes)
{
    const auto number = [&](std::int64_t unit) {
        return numberText(bytes * (kGiB / unit), bytes.count() % unit == 0 ? 0 : 2);
    };
    if (bytes.count() >= kGiB)
        return TimelineText::tr("%1 GiB").arg(number(kGiB));
    if (bytes.count() >= kMiB)
        return TimelineText::tr("%1 MiB").arg(number(kMiB));
    if (bytes.count() >= 1024)
        return TimelineText::tr("%1 KiB").arg(number(1024));
    return TimelineText::tr("%1 B").arg(countText(bytes.count()));
}

QString momentEvent(const RankTimeline& rank, std::size_t moment)
{
    const Timeline::Moment& at = rank.timeline.moments[moment];
    const auto named = [&](const QString& what) {
        return what.arg(
            tensorName(rank, at.tensor), tensorSize(rank.trace.trace.tensor(at.tensor).bytes));
    };
    switch (at.kind) {
    case Timeline::Moment::Kind::Start:
        return TimelineText::tr("%1 begins").arg(phaseName(at.phase));
    case Timeline::Moment::Kind::Born:
        return named(TimelineText::tr("allocated: %1, %2"));
    case Timeline::Moment::Kind::Dies:
        return named(TimelineText::tr("freed: %1, %2"));
    case Timeline::Moment::Kind::Skipped:
        return TimelineText::tr("%1 passes like the one before, not drawn")
            .arg(countText(at.times));
    }
    return {};
}

QString momentText(const RankTimeline& rank, std::size_t moment)
{
    const Timeline& timeline = rank.timeline;
    QString text = TimelineText::tr("Event %1 of %2, %3, %4. Tensors %5 GiB")
                       .arg(countText(static_cast<qint64>(moment) + 1),
                           countText(static_cast<qint64>(timeline.moments.size())),
                           momentPlace(timeline, moment), momentEvent(rank, moment),
                           numberText(rank.tensors(moment)));
    const bool around = !rank.isOpen(Category::Slack) && !rank.isOpen(Category::Outside);
    if (around)
        text += TimelineText::tr(", with slack and outside memory %1")
                    .arg(numberText(rank.held(moment)));
    else
        text += TimelineText::tr(", more is not established");
    const Bytes less = rank.tensors(timeline.peak) - rank.tensors(moment);
    if (moment == timeline.peak)
        text += TimelineText::tr(". This is the peak.");
    else
        text += TimelineText::tr(". %1 less than the peak.").arg(numberText(less));
    return text;
}

std::vector<SampleMoment> sampleMoments(const RankTimeline& rank)
{
    const Timeline& timeline = rank.timeline;
    std::vector<SampleMoment> samples;
    const auto add = [&](const QString& name, const std::optional<std::size_t>& moment) {
        if (!moment)
            return;
        const bool known = std::any_of(samples.begin(), samples.end(),
            [&](const SampleMoment& sample) { return sample.moment == *moment; });
        if (!known)
            samples.push_back({ name, *moment, *moment == timeline.peak });
    };
    const auto largest = [&](Phase phase, int step) {
        const auto moment = timeline.largest[static_cast<std::size_t>(phase)];
        add(TimelineText::tr("Largest in %1, step %2").arg(phaseName(phase)).arg(step), moment);
    };
    add(TimelineText::tr("After init"), timeline.built);
    if (rank.workingSetDerived())
        add(lossName(1), timeline.firstLoss);
    add(TimelineText::tr("Peak of step 1"), timeline.firstPeak);
    add(TimelineText::tr("Quiet, after step 1"), timeline.firstQuiet);
    if (rank.workingSetDerived())
        add(lossName(2), timeline.steadyLoss);
    add(TimelineText::tr("Quiet, after step 2"), timeline.quiet);
    for (const Phase phase : { Phase::Forward, Phase::Backward, Phase::Optimizer })
        largest(phase, 2);
    add(TimelineText::tr("Peak"), timeline.peak); // of another phase than those
    std::sort(samples.begin(), samples.end(),
        [](const SampleMoment& a, const SampleMoment& b) { return a.moment < b.moment; });
    return samples;
}

QString whatIsMissing(const Workload& workload, const RankTimeline& rank)
{
    const auto namesOf = [](const std::vector<Category>& categories) {
        QStringList names;
        for (const Category category : categories)
            names << categoryTitle(category);
        return names.join(TimelineText::tr(", "));
    };
    const QString given = rank.given.empty()
        ? QString()
        : TimelineText::tr("Given as a size, and so drawn all the time, because when it comes and "
                           "goes is not known: %1.")
              .arg(namesOf(rank.given));
    if (rank.open.empty())
        return given;
    const QString open = (given.isEmpty() ? given : given + u' ')
        + TimelineText::tr("Not established, and so not drawn: %1.").arg(namesOf(rank.open));
    if (workload.basis == Workload::StateBasis::Stipulated)
        return open + u' '
            + TimelineText::tr("The state is stipulated as a size: when its parts come and go does "
                               "not follow from it. With a model's dimensions, a framework, "
                               "micro-batch and sequence every moment of a step is derived.");
    return open + u' '
        + TimelineText::tr("With a model's dimensions, a framework that fits the layout, "
                           "micro-batch and sequence every moment of a step is derived; or state "
                           "these terms as sizes.");
}

QString firstStepDifference(const RankTimeline& rank)
{
    const Timeline& timeline = rank.timeline;
    if (!timeline.firstPeak || !timeline.steadyPeak)
        return {};
    const Bytes less = rank.tensors(*timeline.steadyPeak) - rank.tensors(*timeline.firstPeak);
    if (less <= Bytes(0))
        return TimelineText::tr("as high as step 2");
    const auto optimizerAt = [&](std::size_t moment) {
        return timeline.moments[moment].held[index(Category::Optimizer)];
    };
    const bool lacks = optimizerAt(*timeline.firstPeak) < optimizerAt(*timeline.steadyPeak);
    return lacks ? TimelineText::tr("%1 under step 2: no moments yet").arg(numberText(less))
                 : TimelineText::tr("%1 under step 2").arg(numberText(less));
}

} // namespace shardrack
