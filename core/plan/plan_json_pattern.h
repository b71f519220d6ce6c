#pragma once

#include "base/json.h"

#include <string>
#include <vector>

namespace shardrack {

/// How a file names hardware: literal text, "{1..4}" for a number that runs, "{rack}" for the name
/// of the server's rack, "{{" for a brace. docs/plan-format.md, "Repeated hardware".
class NamePattern {
public:
    /// Failure at the view's path when the text is no pattern.
    static NamePattern parse(const JsonView& view);

    /// How many names it stands for; 1 without a running number.
    std::int64_t count() const { return m_last - m_first + 1; }
    bool usesRack() const;
    /// Name number `index` (from 0) in rack number `rackIndex` of a repeated rack.
    std::string name(
        std::int64_t index, std::int64_t rackIndex = 0, const std::string& rackName = {}) const;

private:
    enum class Kind { Text, Number, Rack };
    struct Piece {
        Kind kind = Kind::Text;
        std::string text;
    };
    void addText(char c);
    void addSpecial(const JsonView& view, const std::string& text);

    std::vector<Piece> m_pieces;
    std::int64_t m_first = 1;
    std::int64_t m_last = 1;
    std::int64_t m_perRack = 0; ///< what the next rack's numbers are larger by
    std::size_t m_width = 0; ///< numbers are padded with zeros to this many digits
};

/// `number` padded with zeros to `width` digits.
std::string padded(std::int64_t number, std::size_t width);
/// Literal text as it is written in a pattern.
std::string escapedName(const std::string& text);

/// A name split at its last number: "R01-node7" → "R01-node", 7, "".
struct NumberedName {
    std::string before;
    std::int64_t number = -1; ///< -1: no number of at most nine digits
    std::string digits; ///< the number as written
    std::string after;

    explicit NumberedName(const std::string& name);
    bool numbered() const { return number >= 0; }
    /// Digits to which its successors are padded.
    std::size_t width() const;
    /// Whether `other` is what follows after `steps`, in the notation of this one.
    bool isFollowedBy(const NumberedName& other, std::int64_t steps) const;
    /// "{1..4}" for this and the following names; "{1..4+8}" where the numbers grow from rack to
    /// rack.
    std::string range(std::int64_t count, std::int64_t perRack = 0) const;
    /// The pattern that stands for this name and those that follow it.
    std::string pattern(std::int64_t count) const;
};

} // namespace shardrack
