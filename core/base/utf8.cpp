#include "base/utf8.h"

namespace shardrack {

std::size_t utf8Length(std::string_view text)
{
    const auto byte = [text](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned lead = byte(0);
    std::size_t length = 0;
    if (lead < 0x80)
        length = text.empty() ? 0 : 1;
    else if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if ((lead & 0xF0) == 0xE0)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    for (std::size_t at = 1; at < length; ++at)
        if (at >= text.size() || !isUtf8Tail(text[at]))
            return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
    const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

void appendUtf8(std::string& out, unsigned code)
{
    const auto tail = [&out](unsigned bits) { out += static_cast<char>(0x80 | (bits & 0x3F)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        tail(code);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        tail(code >> 6);
        tail(code);
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        tail(code >> 12);
        tail(code >> 6);
        tail(code);
    }
}

std::string shortened(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return std::string(text);
    while (bytes > 0 && isUtf8Tail(text[bytes]))
        --bytes;
    return std::string(text.substr(0, bytes)) + "…";
}

} // namespace shardrack
