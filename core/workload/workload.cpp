#include "workload/workload.h"

namespace shardrack {

bool operator==(const ModelChoice& a, const ModelChoice& b)
{
    return a.preset == b.preset && sameExtra(a.config, b.config) && a.architecture == b.architecture
        && a.parametersGiven == b.parametersGiven;
}

Result<std::int64_t> ModelChoice::parameters() const
{
    if (parametersGiven)
        return *parametersGiven;
    return attempt([&] { return countParameters(architecture).value().total; });
}

bool operator==(const Workload& a, const Workload& b)
{
    return a.basis == b.basis && a.stipulated == b.stipulated && a.model == b.model
        && a.revision == b.revision && a.recipe == b.recipe && a.requirement == b.requirement
        && a.terms == b.terms && a.weightsOnly == b.weightsOnly && sameExtra(a.extra, b.extra)
        && sameExtra(a.stateExtra, b.stateExtra);
}

} // namespace shardrack
