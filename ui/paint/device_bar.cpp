#include "paint/device_bar.h"

#include "plan/account_parts.h"
#include "plan/summary_words.h"

#include <QCoreApplication>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ComparisonBars)
};

/// "rank 0 and 3 equal".
QString deviceWords(const ComparedOffer& offer, const DeviceClass& device)
{
    RankSet only;
    only.insert(offer.assessment->findings.mostLoadedGpu);
    const RankSet ranks = ranksOn(offer.assessment->layout, only);
    const QString names = (ranks.size() == 1 ? Words::tr("rank %1") : Words::tr("ranks %1"))
                              .arg(QString::fromStdString(ranks.text()));
    const std::int64_t equal = device.gpus.size() - 1;
    return equal == 0 ? names : Words::tr("%1 and %2 equal").arg(names, groupedNumber(equal));
}

QString needWords(const DeviceClass& device, std::size_t openTerms)
{
    const auto open = static_cast<std::int64_t>(openTerms);
    const QString terms = (open == 1 ? Words::tr("%1 term open") : Words::tr("%1 terms open"))
                              .arg(QString::fromStdString(numberWord(open)));
    if (!device.need.atLeast)
        return Words::tr("need %1").arg(gib(device.need.established));
    if (device.need.established == Bytes(0))
        return Words::tr("need not established, %1").arg(terms);
    const QString need = Words::tr("need at least %1").arg(gib(device.need.established));
    return device.headroom() < Bytes(0) ? need : Words::tr("%1, %2").arg(need, terms);
}

/// What lies between need and usable; a margin is never made of what is not known.
QString againstUsable(const DeviceClass& device)
{
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    if (!confirmed && device.usable.bytes == Bytes(0))
        return Words::tr("usable not established");
    const QString usable = gib(device.usable.bytes);
    const Bytes headroom = device.headroom();
    if (headroom < Bytes(0)) {
        const QString over = gib(Bytes(0) - headroom);
        return device.headroomAtMost()
            ? Words::tr("usable %1, over by at least %2").arg(usable, over)
            : Words::tr("usable %1, over by %2").arg(usable, over);
    }
    if (device.need.atLeast)
        return Words::tr("%1 to usable %2 is not a margin").arg(gib(headroom), usable);
    return confirmed
        ? Words::tr("%1 below usable %2").arg(gib(headroom), usable)
        : Words::tr("at most %1 below usable %2, once confirmed").arg(gib(headroom), usable);
}

ComparisonBar::Tone toneOf(Capacity capacity)
{
    switch (capacity) {
    case Capacity::Over:
        return ComparisonBar::Tone::Over;
    case Capacity::Tight:
        return ComparisonBar::Tone::Tight;
    case Capacity::Fit:
        return ComparisonBar::Tone::Fit;
    case Capacity::Open:
        break;
    }
    return ComparisonBar::Tone::Open;
}

/// The mean over the devices, where they are not all equal.
std::optional<Bytes> averageOf(const Comparison& comparison, std::size_t column)
{
    const ComparisonRow* row = comparison.row("average_need");
    if (!row || comparison.offers[column].assessment->findings.devicesJudged < 2)
        return std::nullopt;
    const std::optional<Bytes> average = row->cells[column].bytes;
    const DeviceClass* worst = comparison.offers[column].mostLoaded();
    return average && worst && *average != worst->need.established ? average : std::nullopt;
}

} // namespace

StackedBar barOf(const DeviceClass& device, const RequiredMargin& margin)
{
    StackedBar bar;
    for (const Category category : kCategories) {
        const Sum& held = device.atPeak[index(category)];
        if (held.established > Bytes(0) || held.atLeast)
            bar.segments.push_back({ category, held.established, held.atLeast });
    }
    bar.usableConfirmed = device.usable.provenance != Provenance::NotEstablished;
    if (bar.usableConfirmed || device.usable.bytes > Bytes(0))
        bar.usable = device.usable.bytes;
    if (device.installedKnown)
        bar.installed = device.installed;
    bar.margin = margin.bytes;
    bar.idle = device.idle();
    return bar;
}

ComparisonBarsInput comparisonBars(const Comparison& comparison)
{
    ComparisonBarsInput input;
    for (std::size_t i = 0; i < comparison.offers.size(); ++i) {
        const ComparedOffer& offer = comparison.offers[i];
        const Findings& findings = offer.assessment->findings;
        ComparisonBar& bar = input.bars.emplace_back();
        bar.name = QString::fromStdString(comparison.offer(i).name);
        bar.changedBasis = !offer.changes.empty();
        const DeviceClass* device = offer.mostLoaded();
        if (offer.assessment->error) {
            bar.headline = Words::tr("not computed");
            bar.detail = QString::fromStdString(offer.assessment->error->what);
            continue;
        }
        if (!device) {
            bar.headline = Words::tr("no GPU has a rank");
            continue;
        }
        bar.device = deviceWords(offer, *device);
        bar.bar = barOf(*device, comparison.plan->margin);
        bar.tone
            = toneOf(findings.ofDeviceClass[static_cast<std::size_t>(findings.mostLoadedClass)]);
        bar.headline = needWords(*device, findings.openTerms.size());
        bar.detail = againstUsable(*device);
        bar.average = averageOf(comparison, i);
        QStringList notes;
        if (bar.average)
            notes << Words::tr("average %1").arg(gib(*bar.average));
        if (const auto& measured = findings.demonstration.highest) {
            bar.measured = measured;
            notes << Words::tr("highest measured %1, %2")
                         .arg(gib(*measured),
                             QString::fromUtf8(title(findings.demonstration.highestScope)));
        }
        bar.note = notes.join(QStringLiteral(" · "));
    }
    return input;
}

} // namespace shardrack
