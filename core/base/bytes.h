#pragma once

#include "base/result.h"

#include <compare>
#include <cstdint>

namespace shardrack {

/// An exact number of bytes: signed 64 bits, every operation checked, never a floating-point value.
/// Overflow throws Failure naming the operation; it is turned into words where the computation
/// began.
class Bytes {
public:
    constexpr Bytes() = default;
    constexpr explicit Bytes(std::int64_t count)
        : m_count(count)
    {
    }
    constexpr std::int64_t count() const { return m_count; }

    friend Bytes operator+(Bytes a, Bytes b)
    {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(a.m_count, b.m_count, &sum))
            overflow("sum");
        return Bytes(sum);
    }
    friend Bytes operator-(Bytes a, Bytes b)
    {
        std::int64_t difference = 0;
        if (__builtin_sub_overflow(a.m_count, b.m_count, &difference))
            overflow("difference");
        return Bytes(difference);
    }
    friend Bytes operator*(Bytes a, std::int64_t factor)
    {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(a.m_count, factor, &product))
            overflow("product");
        return Bytes(product);
    }
    Bytes& operator+=(Bytes other) { return *this = *this + other; }
    Bytes& operator-=(Bytes other) { return *this = *this - other; }
    friend constexpr auto operator<=>(Bytes, Bytes) = default;

private:
    [[noreturn]] static void overflow(const char* operation)
    {
        throw Failure({ "", std::string("a ") + operation + " of bytes leaves the 64-bit range",
            "less than 9,223,372,036,854,775,808 bytes (8 EiB)" });
    }
    std::int64_t m_count = 0;
};

constexpr std::int64_t kMiB = std::int64_t(1) << 20;
constexpr std::int64_t kGiB = std::int64_t(1) << 30;
constexpr std::int64_t kGB = 1'000'000'000;

/// count × each, checked; for parameter counts (throws Failure on overflow).
inline Bytes bytesOf(std::int64_t count, std::int64_t each) { return Bytes(count) * each; }

} // namespace shardrack
