#pragma once

#include <string>
#include <string_view>

namespace shardrack {

/// Bytes of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t utf8Length(std::string_view text);
/// Appends the character `code` (below 0x110000, no surrogate).
void appendUtf8(std::string& out, unsigned code);
/// Whether `byte` continues a sequence.
constexpr bool isUtf8Tail(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }
/// At most `bytes` bytes of `text`, cut between characters; "…" stands for what was cut off.
std::string shortened(std::string_view text, std::size_t bytes = 60);

} // namespace shardrack
