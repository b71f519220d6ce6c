#include "models/findings_text.h"

#include "document/rank_text.h"
#include "models/number_text.h"
#include "plan/basis.h"

namespace shardrack {

namespace {

struct FindingsText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::FindingsText)
};

const DeviceClass& classOf(const Assessment& assessment, std::int32_t gpu)
{
    const Account& account = assessment.account;
    return account.deviceClasses[account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

/// "needs at least 24.00 GiB, usable 16.00 GiB, not confirmed: over by at least 8.00 GiB".
QString needText(const DeviceClass& device)
{
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    const bool known = device.need.established != Bytes(0) || !device.need.atLeast;
    QString text = known ? FindingsText::tr("needs %1 GiB, usable %2")
                               .arg(sumText(device.need), sizeText(device.usable.bytes))
                         : FindingsText::tr("needs what is not established, usable %1")
                               .arg(sizeText(device.usable.bytes));
    if (!confirmed)
        text += FindingsText::tr(", not confirmed");
    if (device.headroom() < Bytes(0)) {
        const Sum over { Bytes(0) - device.headroom(), device.need.atLeast };
        text += FindingsText::tr(": over by %1 GiB").arg(sumText(over));
    }
    return text;
}

QString overText(const Findings& findings)
{
    const qint64 over = findings.devicesOver;
    const qint64 all = findings.devicesJudged;
    if (all == 1)
        return FindingsText::tr("The only device with a rank is over.");
    if (over == all)
        return FindingsText::tr("All %1 devices are over.").arg(countText(all));
    return (over == 1 ? FindingsText::tr("%1 of %2 devices is over.")
                      : FindingsText::tr("%1 of %2 devices are over."))
        .arg(countText(over), countText(all));
}

} // namespace

QString deviceText(const ShownOffer& shown, std::int32_t gpu)
{
    const Assessment& assessment = *shown.assessment;
    const QString device
        = QString::fromStdString(assessment.index.deviceName(shown.get().site, gpu));
    RankSet ranks;
    for (const std::int32_t rank : assessment.layout.ranksOn(gpu))
        ranks.insert(rank);
    if (ranks.empty())
        return FindingsText::tr("GPU %1").arg(device);
    return FindingsText::tr("%1 on %2").arg(ranksText(ranks), device);
}

QString capacityTitle(const ShownOffer& shown)
{
    if (shown.assessment->error)
        return FindingsText::tr("Not computed");
    if (shown.assessment->findings.devicesJudged == 0)
        return FindingsText::tr("Nothing to judge");
    return coreWord(title(shown.assessment->findings.capacity));
}

QString capacityText(const ShownOffer& shown)
{
    const Assessment& assessment = *shown.assessment;
    const Findings& findings = assessment.findings;
    if (assessment.error)
        return QString::fromStdString(assessment.error->text());
    if (findings.mostLoadedGpu < 0)
        return FindingsText::tr("No GPU has a rank yet.");
    QStringList sentences;
    if (findings.capacity == Capacity::Over)
        sentences += overText(findings);
    sentences += FindingsText::tr("Most loaded: %1 %2.")
                     .arg(deviceText(shown, findings.mostLoadedGpu),
                         needText(classOf(assessment, findings.mostLoadedGpu)));
    if (findings.decidingGpu != findings.mostLoadedGpu)
        sentences += FindingsText::tr("The verdict comes from %1, which %2.")
                         .arg(deviceText(shown, findings.decidingGpu),
                             needText(classOf(assessment, findings.decidingGpu)));
    if (findings.capacity == Capacity::Open && !findings.openTerms.empty()) {
        QStringList names;
        for (const std::string& name : findings.openTerms)
            names += QString::fromStdString(name);
        sentences += FindingsText::tr("Not established: %1.").arg(names.join(QStringLiteral(", ")));
    }
    const RequiredMargin& margin = shown.plan->margin;
    if (findings.capacity == Capacity::Tight && margin.bytes)
        sentences += FindingsText::tr("The required margin is %1.").arg(sizeText(*margin.bytes));
    return sentences.join(u' ');
}

QString demonstratedTitle(const Findings& findings)
{
    const QString word = coreWord(title(findings.demonstrated));
    if (findings.demonstrated != Demonstrated::Partial)
        return word;
    return FindingsText::tr("%1, %2 of %3")
        .arg(word, countText(findings.demonstration.covered),
            countText(findings.demonstration.participating));
}

QString demonstratedText(const Findings& findings)
{
    return QString::fromStdString(findings.demonstration.rule);
}

QString trainingText(const ShownOffer& shown)
{
    const std::optional<TrainingOutcome>& outcome = shown.get().outcome;
    if (shown.assessment->findings.result == TrainingResult::NotEvaluated)
        return outcome && outcome->result != TrainingResult::NotEvaluated
            ? FindingsText::tr("The recorded result is about another state of this offer.")
            : FindingsText::tr("No loss curve or acceptance record.");
    QStringList sentences { FindingsText::tr("By: %1.").arg(
        QString::fromStdString(outcome->criterion)) };
    const auto say = [&](const QString& text, const std::string& value) {
        if (!value.empty())
            sentences += text.arg(QString::fromStdString(value));
    };
    say(FindingsText::tr("Reached: %1."), outcome->value);
    say(FindingsText::tr("Throughput: %1."), outcome->throughput);
    say(FindingsText::tr("Software: %1."), outcome->software);
    say(FindingsText::tr("Interconnect: %1."), outcome->interconnect);
    return sentences.join(u' ');
}

QString findingsToolTip(const ShownOffer& shown)
{
    const Findings& findings = shown.assessment->findings;
    QStringList lines { FindingsText::tr("Capacity estimate: %1").arg(capacityTitle(shown)),
        FindingsText::tr("Demonstrated fit: %1").arg(demonstratedTitle(findings)),
        FindingsText::tr("Training result: %1").arg(coreWord(title(findings.result))) };
    for (const BrokenRule& rule : findings.legality.broken)
        lines += FindingsText::tr("Layout not legal: %1").arg(QString::fromStdString(rule.text));
    for (const BasisChange& change : changedBasis(*shown.plan, shown.offer))
        lines += FindingsText::tr("Changed basis: %1").arg(QString::fromStdString(text(change)));
    return lines.join(u'\n');
}

} // namespace shardrack
