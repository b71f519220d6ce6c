#include "base/amount.h"

namespace shardrack {

const char* name(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Stipulated:
        return "stipulated";
    case Provenance::Derived:
        return "derived";
    case Provenance::Measured:
        return "measured";
    case Provenance::NotEstablished:
        break;
    }
    return "not established";
}

} // namespace shardrack
