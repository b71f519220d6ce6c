#include "input.h"
#include "output.h"
#include "verb.h"

#include "plan/account_report.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace shardrack::cli {

namespace {

ExitStatus account(const Arguments& arguments)
{
    const std::string& path = onlyFile(arguments);
    const PlanReading reading = from(path, readPlan(readInput(path)));
    for (const std::string& remark : reading.remarks)
        printNote(inputName(path) + ": " + remark);
    if (const auto error = missingAccount(reading.plan))
        throw Failure({ inputName(path) + ": " + error->where, error->what, error->expected });
    if (arguments.json)
        printJson(accountJson(reading.plan));
    else
        printText(accountText(reading.plan));
    return anyOver(reading.plan) ? OverCapacity : Done;
}

} // namespace

const Verb kAccount { "account", "PLAN", "the memory account of every offer of a plan",
    "Reads a plan (*.shardrack) and prints, for each of its offers, the three findings, the most\n"
    "loaded device, and what every kind of rank and device needs, term by term. A term that "
    "nobody\n"
    "has established is shown as such and makes every sum that it belongs to an \"at least\".\n"
    "Ends with 1 when a device is over capacity or a run contradicts the estimate.\n",
    account };

} // namespace shardrack::cli
