#pragma once

#include "site/catalogue.h"

#include <QString>

namespace shardrack {

// What catalogue entries are called on screen: a short name, and a second line with what matters
// when choosing.

/// "H100-80GB" and "SXM5, reports 79.65 GiB".
QString nameOf(const GpuType& gpu);
QString detailOf(const GpuType& gpu);
/// "8 × H100-80GB" and "NVIDIA DGX H100, 8 U"; made-up hardware has its fabric: "PCIe only, 4 U".
QString nameOf(const ServerType& server, const Catalogue& catalogue = Catalogue::builtIn());
QString detailOf(const ServerType& server, const Catalogue& catalogue = Catalogue::builtIn());
/// "Rack, 42 U" and "up to 10 servers of 4 U".
QString nameOf(const RackType& rack);
QString detailOf(const RackType& rack);

/// The short name of a GPU type on screen; the id itself where the catalogue does not know it.
QString gpuTypeName(const std::string& id, const Catalogue& catalogue = Catalogue::builtIn());
/// A board of no maker, for teaching: what a job can have on it is for a person to say.
bool isMadeUp(const GpuType& gpu);

} // namespace shardrack
