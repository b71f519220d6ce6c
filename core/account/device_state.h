#pragma once

#include "account/account.h"

namespace shardrack {

/// A device's share of so much of a rank: proportional to its weight, in whole bytes, so that the
/// shares of a rank's GPUs add up. The holding's weights are established.
Bytes portion(Bytes whole, const DeviceClass::Holding& holding);

/// The persistent state of the ranks on a device, whatever the moment and padding excluded (see
/// RankClass::state); at least that where a piece of it is not established.
Sum stateOf(const Account& account, const DeviceClass& device);

} // namespace shardrack
