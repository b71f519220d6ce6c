#pragma once

#include "plan/plan.h"

#include <string>

namespace shardrack {

/// Ranks that run on these GPUs.
RankSet ranksOn(const ResolvedLayout& layout, const RankSet& gpus);
/// "A1·0-3,A2·0-7".
std::string namesOf(const Site& site, const SiteIndex& index, const RankSet& gpus);
/// GPUs of the site without a rank.
RankSet idleGpus(const Account& account);
/// The device with the least headroom, as the command line shows it; null when no GPU has a rank.
Json mostLoadedJson(const Offer& offer, const Assessment& assessment);
/// The ids of the three findings.
Json findingsJson(const Findings& findings);

} // namespace shardrack
