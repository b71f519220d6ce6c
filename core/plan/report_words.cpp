#include "plan/report_words.h"

#include "plan/account_parts.h"

#include "base/size_text.h"

namespace shardrack {

std::string needText(const Sum& sum)
{
    if (sum.atLeast && sum.established == Bytes(0))
        return "an amount that is not established";
    return (sum.atLeast ? "at least " : "") + gibText(sum.established);
}

std::string countedText(std::int64_t number, const char* one, const char* many)
{
    return grouped(number) + ' ' + (number == 1 ? one : many);
}

std::string usableText(const UsableAllocation& usable)
{
    if (usable.provenance == Provenance::Derived)
        return gibText(usable.bytes) + " (catalogue)";
    if (usable.provenance != Provenance::NotEstablished)
        return gibText(usable.bytes) + " (" + name(usable.provenance) + ")";
    return usable.bytes > Bytes(0) ? gibText(usable.bytes) + " (not confirmed)" : "not established";
}

std::string headroomText(const DeviceClass& device)
{
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    if (!confirmed && device.usable.bytes == Bytes(0))
        return "not compared";
    const Bytes headroom = device.headroom();
    if (headroom < Bytes(0))
        return std::string("over by ") + (device.headroomAtMost() ? "at least " : "")
            + gibText(Bytes(0) - headroom);
    if (device.need.atLeast)
        return gibText(headroom) + " for everything that is not established";
    return confirmed ? gibText(headroom) + " below usable"
                     : "at most " + gibText(headroom) + ", once it is confirmed";
}

std::string marginText(const RequiredMargin& margin)
{
    if (!margin.bytes)
        return "not stated";
    return gibText(*margin.bytes) + (margin.basis.empty() ? "" : " (" + margin.basis + ")");
}

std::string arithmeticText(const Term& term)
{
    if (!term.amount.established())
        return term.note;
    std::string line = text(term.formula);
    // An amount that is assumed, not computed, has words where others have arithmetic.
    const bool assumed = term.formula.kind == Formula::Kind::Given
        && term.amount.provenance() == Provenance::Derived;
    if (term.formula.kind == Formula::Kind::Nothing || assumed)
        return term.note.empty() ? line : term.note;
    return line + sharingText(term);
}

std::string sharingText(const Term& term)
{
    if (!isState(term.category))
        return {};
    std::string text = std::string(", ") + name(term.sharing);
    for (const std::string& axis : term.dividedBy)
        text += " over a " + axis;
    return text;
}

std::string copiesText(const Account& account, const std::optional<Bytes>& oneCopy)
{
    if (!oneCopy || *oneCopy == Bytes(0) || account.stateTotal.count() % oneCopy->count() != 0)
        return {};
    return " in " + countedText(account.stateTotal.count() / oneCopy->count(), "copy", "copies");
}

std::string deviceText(
    const Site& site, const SiteIndex& index, const ResolvedLayout& layout, std::int32_t gpu)
{
    RankSet only;
    only.insert(gpu);
    const RankSet ranks = ranksOn(layout, only);
    return index.deviceName(site, gpu) + " with " + (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.text();
}

} // namespace shardrack
