#pragma once

#include "plan/edit.h"

namespace shardrack {

// The values inside edits in the form of a journal: toValue() writes one, fromValue() reads it back
// and throws a Failure on bad input. GPUs are given as the server's number and the index.

Json toValue(bool value);
Json toValue(std::int32_t value);
Json toValue(std::size_t value);
Json toValue(const std::string& value);
Json toValue(Bytes value);
Json toValue(GpuRef gpu);
Json toValue(const std::vector<GpuRef>& gpus);
Json toValue(NewRanks ranks);
Json toValue(const RankSet& ranks);
Json toValue(const PartSet& parts);
Json toValue(const RequiredMargin& margin);
Json toValue(const Workload& workload);
Json toValue(const BasisStatement& statement);
Json toValue(const Price& price);
Json toValue(const Measurement& measurement);
Json toValue(const TrainingOutcome& outcome);
Json toValue(const Rack& rack);
Json toValue(const Server& server);
Json toValue(const Layout& layout);
Json toValue(const Offer& offer);
Json toValue(const Plan& plan);

void fromValue(const JsonView& view, bool& value);
void fromValue(const JsonView& view, std::int32_t& value);
void fromValue(const JsonView& view, std::size_t& value);
void fromValue(const JsonView& view, std::string& value);
void fromValue(const JsonView& view, Bytes& value);
void fromValue(const JsonView& view, GpuRef& gpu);
void fromValue(const JsonView& view, std::vector<GpuRef>& gpus);
void fromValue(const JsonView& view, NewRanks& ranks);
void fromValue(const JsonView& view, RankSet& ranks);
void fromValue(const JsonView& view, PartSet& parts);
void fromValue(const JsonView& view, RequiredMargin& margin);
void fromValue(const JsonView& view, Workload& workload);
void fromValue(const JsonView& view, BasisStatement& statement);
void fromValue(const JsonView& view, Price& price);
void fromValue(const JsonView& view, Measurement& measurement);
void fromValue(const JsonView& view, TrainingOutcome& outcome);
void fromValue(const JsonView& view, Rack& rack);
void fromValue(const JsonView& view, Server& server);
void fromValue(const JsonView& view, Layout& layout);
void fromValue(const JsonView& view, Offer& offer);
void fromValue(const JsonView& view, Plan& plan);

} // namespace shardrack
