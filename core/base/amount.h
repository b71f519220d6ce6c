#pragma once

#include "base/bytes.h"

#include <optional>

namespace shardrack {

/// Where a number comes from.
enum class Provenance {
    Stipulated, ///< given by a person
    Derived, ///< computed here, or a catalogue figure
    Measured, ///< evidence
    NotEstablished ///< nobody has supplied it; never zero
};

/// "stipulated", "derived", "measured", "not established".
const char* name(Provenance provenance);

/// An amount of memory that may be not established.
class Amount {
public:
    Amount() = default; ///< not established
    Amount(Bytes bytes, Provenance provenance)
        : m_bytes(bytes)
        , m_provenance(provenance)
    {
    }
    bool established() const { return m_provenance != Provenance::NotEstablished; }
    /// The bytes, if established.
    std::optional<Bytes> bytes() const
    {
        return established() ? std::optional<Bytes>(m_bytes) : std::nullopt;
    }
    Provenance provenance() const { return m_provenance; }
    bool operator==(const Amount&) const = default;

private:
    Bytes m_bytes;
    Provenance m_provenance = Provenance::NotEstablished;
};

/// A sum that stays honest: adding an amount that is not established makes it "at least".
struct Sum {
    Bytes established; ///< of what is known
    bool atLeast = false; ///< something that belongs in the sum is not established

    Sum& operator+=(const Amount& amount)
    {
        if (const auto bytes = amount.bytes())
            established += *bytes;
        else
            atLeast = true;
        return *this;
    }
    Sum& operator+=(const Sum& other)
    {
        established += other.established;
        atLeast = atLeast || other.atLeast;
        return *this;
    }
    bool operator==(const Sum&) const = default;
};

} // namespace shardrack
