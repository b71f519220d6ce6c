#pragma once

#include "plan/edit.h"

#include <string>

namespace shardrack {

// What each edit does to a plan: changes `plan` in place and returns the edit's name for people, or
// refuses by throwing a Failure. `plan` is a copy that apply() throws away on refusal, so nothing
// is half-applied.

std::string perform(Plan& plan, const edit::SetTitle& edit);
std::string perform(Plan& plan, const edit::SetMargin& edit);
std::string perform(Plan& plan, const edit::SetWorkload& edit);
std::string perform(Plan& plan, const edit::SetOfferWorkload& edit);
std::string perform(Plan& plan, const edit::MakeWorkloadCommon& edit);
std::string perform(Plan& plan, const edit::SetBasis& edit);
std::string perform(Plan& plan, const edit::SetAssumptions& edit);
std::string perform(Plan& plan, const edit::SetInterconnect& edit);
std::string perform(Plan& plan, const edit::SetPrice& edit);
std::string perform(Plan& plan, const edit::SetMeasurements& edit);
std::string perform(Plan& plan, const edit::SetOutcome& edit);
std::string perform(Plan& plan, const edit::AddOffer& edit);
std::string perform(Plan& plan, const edit::RemoveOffer& edit);
std::string perform(Plan& plan, const edit::RenameOffer& edit);
std::string perform(Plan& plan, const edit::MoveOffer& edit);

std::string perform(Plan& plan, const edit::AddRack& edit);
std::string perform(Plan& plan, const edit::RemoveRack& edit);
std::string perform(Plan& plan, const edit::MoveRack& edit);
std::string perform(Plan& plan, const edit::RenameRack& edit);
std::string perform(Plan& plan, const edit::AddServer& edit);
std::string perform(Plan& plan, const edit::RemoveServer& edit);
std::string perform(Plan& plan, const edit::MoveServer& edit);
std::string perform(Plan& plan, const edit::RenameServer& edit);

std::string perform(Plan& plan, const edit::AddGpu& edit);
std::string perform(Plan& plan, const edit::RemoveGpu& edit);
std::string perform(Plan& plan, const edit::MoveGpu& edit);
std::string perform(Plan& plan, const edit::MoveGpuToRack& edit);
std::string perform(Plan& plan, const edit::SetUsable& edit);

std::string perform(Plan& plan, const edit::SetLayout& edit);
std::string perform(Plan& plan, const edit::AddRank& edit);
std::string perform(Plan& plan, const edit::RemoveRank& edit);
std::string perform(Plan& plan, const edit::MoveRank& edit);
std::string perform(Plan& plan, const edit::JoinGroup& edit);
std::string perform(Plan& plan, const edit::LeaveGroups& edit);

std::string perform(Plan& plan, const edit::Restore& edit);

} // namespace shardrack
