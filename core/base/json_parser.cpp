#include "base/json.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace shardrack {
namespace {

std::string hexadecimal(unsigned number, int digits)
{
    static constexpr const char* hex = "0123456789ABCDEF";
    std::string text;
    for (int digit = digits - 1; digit >= 0; --digit)
        text += hex[(number >> (4 * digit)) & 0xF];
    return text;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Reads one document without recursion; every check comes before the value it concerns exists.
class Parser {
public:
    Parser(std::string_view text, const JsonLimits& limits)
        : m_text(text)
        , m_limits(limits)
    {
    }

    Json run()
    {
        checkEncoding();
        skipSpace();
        if (atEnd())
            fail("the text is empty", "a JSON document");
        Json document;
        m_open.push_back({ &document, {}, {}, 0 });
        readValue(document);
        while (m_open.size() > 1)
            readNext();
        skipSpace();
        if (!atEnd())
            fail(peek() == '{' || peek() == '[' ? "a second document starts here"
                                                : "after the end of the document, " + found(),
                "one document and nothing after it");
        return document;
    }

private:
    /// An object or list that is not closed yet; the lowest entry stands for the document.
    struct Open {
        Json* json;
        std::unordered_set<std::string> keys;
        std::string key; ///< of the member being read
        std::size_t count; ///< members or elements read so far
    };

    // --- places ----------------------------------------------------------------------

    /// "line 3, column 7"; columns count characters, not bytes.
    std::string place(std::size_t at) const
    {
        std::size_t line = 1;
        std::size_t column = 1;
        for (std::size_t i = m_start; i < at; ++i) {
            const char c = m_text[i];
            const bool secondOfPair = c == '\n' && i > 0 && m_text[i - 1] == '\r';
            if (secondOfPair)
                continue;
            if (c == '\n' || c == '\r') {
                ++line;
                column = 1;
            } else if (!isUtf8Tail(c)) {
                ++column;
            }
        }
        return "line " + grouped(std::int64_t(line)) + ", column " + grouped(std::int64_t(column));
    }
    [[noreturn]] void failAt(std::size_t at, std::string what, std::string expected) const
    {
        throw Failure({ place(at), std::move(what), std::move(expected) });
    }
    [[noreturn]] void fail(std::string what, std::string expected) const
    {
        failAt(m_at, std::move(what), std::move(expected));
    }
    /// Path of the innermost open object or list.
    std::string path() const
    {
        std::string path = "$";
        for (std::size_t i = 1; i + 1 < m_open.size(); ++i)
            path = m_open[i].json->is_object() ? memberPath(path, m_open[i].key)
                                               : elementPath(path, m_open[i].count - 1);
        return path;
    }

    // --- characters ------------------------------------------------------------------

    bool atEnd() const { return m_at >= m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    bool startsWith(std::string_view prefix) const
    {
        return m_text.substr(m_at, prefix.size()) == prefix;
    }
    void skipSpace() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }
    std::string_view word() const
    {
        std::size_t end = m_at;
        while (end < m_text.size() && isWordCharacter(m_text[end]))
            ++end;
        return m_text.substr(m_at, end - m_at);
    }
    /// What stands at the current place, in words.
    std::string found() const
    {
        if (atEnd())
            return "the text ends here";
        const char c = peek();
        if (c == '#' || startsWith("//") || startsWith("/*"))
            return "a comment starts here, and JSON has none";
        if (startsWith("<<<<<<<") || startsWith("=======") || startsWith(">>>>>>>"))
            return "an unresolved merge conflict (" + std::string(m_text.substr(m_at, 7))
                + ") stands here";
        if (c == '"')
            return "text in quotes starts here";
        if (c == '\'')
            return "text in single quotes stands here";
        if (const auto unquoted = word(); !unquoted.empty()) {
            const bool isNumber = isDigit(unquoted.front());
            return (isNumber ? "the number " : "the unquoted word ") + shortened(unquoted)
                + " stands here";
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return "the control character U+" + hexadecimal(static_cast<unsigned char>(c), 4)
                + " stands here";
        return '"' + std::string(m_text.substr(m_at, utf8Length(m_text.substr(m_at))))
            + "\" stands here";
    }

    void checkEncoding()
    {
        static constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
        if (startsWith(byteOrderMark))
            m_start = m_at = byteOrderMark.size();
        const auto is = [this](std::size_t at, int byte) {
            return at < m_text.size() && static_cast<unsigned char>(m_text[at]) == byte;
        };
        const bool littleEndian = (is(0, 0xFF) && is(1, 0xFE)) || (!is(0, 0) && is(1, 0));
        const bool bigEndian
            = (is(0, 0xFE) && is(1, 0xFF)) || (is(0, 0) && m_text.size() > 1 && !is(1, 0));
        if (littleEndian || bigEndian)
            fail(std::string("the text is encoded in UTF-16 (") + (littleEndian ? "little" : "big")
                    + "-endian)",
                "UTF-8");
        for (std::size_t at = m_start; at < m_text.size();) {
            const std::size_t length = utf8Length(m_text.substr(at, 4));
            if (length == 0)
                failAt(at,
                    "the byte 0x" + hexadecimal(static_cast<unsigned char>(m_text[at]), 2)
                        + " is not valid UTF-8",
                    "text encoded in UTF-8");
            at += length;
        }
    }

    // --- structure -------------------------------------------------------------------

    /// Reads the next member or element of the innermost open value, or closes it.
    void readNext()
    {
        Open& open = m_open.back();
        const bool object = open.json->is_object();
        const char close = object ? '}' : ']';
        const std::string closeText = object ? "\"}\"" : "\"]\"";
        skipSpace();
        if (open.count > 0 && peek() != close) {
            if (peek() != ',')
                fail(found(), "\",\" or " + closeText);
            const std::size_t comma = m_at++;
            skipSpace();
            if (peek() == close)
                failAt(comma, "a comma before the closing " + closeText,
                    "no comma after the last one");
        } else if (peek() == close) {
            ++m_at;
            m_open.pop_back();
            return;
        }
        object ? readMember(open) : readElement(open);
    }

    void readElement(Open& open)
    {
        ++open.count;
        auto& list = open.json->get_ref<Json::array_t&>();
        list.emplace_back();
        readValue(list.back());
    }

    void readMember(Open& open)
    {
        const std::size_t start = m_at;
        if (peek() != '"')
            fail(found(),
                open.count == 0 ? "a key in double quotes or \"}\"" : "a key in double quotes");
        open.key = readString();
        if (!open.keys.insert(open.key).second) {
            std::string what
                = "the key " + memberPath(path(), open.key) + " is given a second time";
            failAt(start, std::move(what), "each key once");
        }
        skipSpace();
        if (peek() != ':')
            fail(found(), "\":\" after a key");
        ++m_at;
        skipSpace();
        ++open.count;
        // Straight to the end of the vector beneath: the key is known to be new, and the ordered
        // map's own insertion searches all members each time.
        auto& members = open.json->get_ref<Json::object_t&>();
        members.emplace_back(open.key, Json());
        readValue(members.back().second);
    }

    void readValue(Json& value)
    {
        const char c = peek();
        if (c == '{' || c == '[')
            return open(value, c == '{' ? Json::object() : Json::array());
        if (c == '"') {
            value = readString();
            return;
        }
        if (isDigit(c) || c == '-' || c == '+' || c == '.')
            return readNumber(value);
        const std::string_view literal = word();
        if (literal == "true" || literal == "false")
            value = literal == "true";
        else if (literal != "null")
            failValue(literal);
        m_at += literal.size();
    }

    [[noreturn]] void failValue(std::string_view literal) const
    {
        if (literal == "True" || literal == "False" || literal == "None")
            fail(found(), "true, false or null, written in lower case");
        if (literal == "NaN" || literal == "nan" || literal == "Infinity" || literal == "inf")
            fail(found(), "a finite number");
        fail(found(),
            "a value: text in double quotes, a number, true, false, null, an object or a list");
    }

    void open(Json& value, Json&& empty)
    {
        if (m_open.size() > static_cast<std::size_t>(std::max(m_limits.maximumDepth, 0)))
            fail("objects and lists are nested too deeply",
                "at most " + grouped(m_limits.maximumDepth) + " levels");
        ++m_at;
        value = std::move(empty);
        m_open.push_back({ &value, {}, {}, 0 });
    }

    // --- scalars ---------------------------------------------------------------------

    std::size_t skipDigits()
    {
        const std::size_t start = m_at;
        while (isDigit(peek()))
            ++m_at;
        return m_at - start;
    }

    void readNumber(Json& value)
    {
        const std::size_t start = m_at;
        if (peek() == '-')
            ++m_at;
        const bool zero = peek() == '0';
        const std::size_t wholeDigits = skipDigits();
        bool wellFormed = wholeDigits > 0 && !(zero && wholeDigits > 1);
        bool integral = true;
        if (peek() == '.') {
            integral = false;
            ++m_at;
            wellFormed = skipDigits() > 0 && wellFormed;
        }
        if (peek() == 'e' || peek() == 'E') {
            integral = false;
            ++m_at;
            if (peek() == '+' || peek() == '-')
                ++m_at;
            wellFormed = skipDigits() > 0 && wellFormed;
        }
        wellFormed = wellFormed && !isWordCharacter(peek()) && peek() != '.';
        const std::size_t stop = wellFormed
            ? m_at
            : std::min(m_text.find_first_of(" \t\r\n,]}", start), m_text.size());
        const std::string_view number = m_text.substr(start, stop - start);
        if (!wellFormed)
            failAt(start, shortened(number) + " is no JSON number",
                "a number such as 12, -0.5 or 1e9");
        if (!(integral && readInteger(value, start, number)))
            readFloat(value, start, number);
    }

    /// False where the number is to be read as a float.
    bool readInteger(Json& value, std::size_t start, std::string_view number) const
    {
        if (std::int64_t whole = 0; convert(number, whole)) {
            if (whole < 0)
                value = whole;
            else
                value = static_cast<std::uint64_t>(whole);
            return true;
        }
        if (!m_limits.allowHugeIntegers)
            failAt(start, "the whole number " + shortened(number) + " does not fit in 64 bits",
                "a number from -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807");
        std::uint64_t large = 0;
        if (!convert(number, large))
            return false;
        value = large;
        return true;
    }

    void readFloat(Json& value, std::size_t start, std::string_view number) const
    {
        double real = 0;
        if (!convert(number, real))
            failAt(start, "the number " + shortened(number) + " is outside the range of numbers",
                "a magnitude between 1e-307 and 1e308, or 0");
        value = real;
    }

    template <class Number> static bool convert(std::string_view text, Number& number)
    {
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        return error == std::errc() && stop == end;
    }

    std::string readString()
    {
        const std::size_t start = m_at++;
        std::string out;
        for (;;) {
            std::size_t plain = m_at;
            while (plain < m_text.size() && m_text[plain] != '"' && m_text[plain] != '\\'
                && static_cast<unsigned char>(m_text[plain]) >= 0x20)
                ++plain;
            out.append(m_text.substr(m_at, plain - m_at));
            m_at = plain;
            if (atEnd())
                failAt(start, "the text in quotes that starts here has no end",
                    "a closing double quote");
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return out;
            }
            if (c == '\\')
                readEscape(out);
            else if (c == '\n' || c == '\r')
                fail("the line ends inside text in quotes", "a closing double quote, or \\n");
            else
                fail("a raw control character U+" + hexadecimal(static_cast<unsigned char>(c), 4)
                        + " inside text in quotes",
                    c == '\t' ? "\\t" : "\\u" + hexadecimal(static_cast<unsigned char>(c), 4));
        }
    }

    void readEscape(std::string& out)
    {
        static constexpr std::string_view names = "\"\\/bfnrt";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = m_at++;
        if (const auto at = names.find(peek()); !atEnd() && at != std::string_view::npos) {
            out += meanings[at];
            ++m_at;
            return;
        }
        const auto high = readHexadecimal();
        unsigned code = high.value_or(0);
        const bool isHigh = code >= 0xD800 && code <= 0xDBFF;
        if (isHigh && peek() == '\\') {
            ++m_at;
            const unsigned low = readHexadecimal().value_or(0);
            code = low >= 0xDC00 && low <= 0xDFFF
                ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                : code;
        }
        if (!high || (code >= 0xD800 && code <= 0xDFFF))
            failAt(start, "an escape that is not valid starts here",
                "\\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t, or \\u with four hexadecimal digits "
                "(characters beyond U+FFFF as a pair)");
        appendUtf8(out, code);
    }

    /// The four digits of "u20AC".
    std::optional<unsigned> readHexadecimal()
    {
        const std::string_view digits = m_text.substr(std::min(m_at + 1, m_text.size()), 4);
        unsigned code = 0;
        const auto [stop, error]
            = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (peek() != 'u' || digits.size() != 4 || error != std::errc()
            || stop != digits.data() + 4)
            return std::nullopt;
        m_at += 5;
        return code;
    }

    std::string_view m_text;
    const JsonLimits& m_limits;
    std::size_t m_start = 0; ///< after the byte order mark
    std::size_t m_at = 0;
    std::vector<Open> m_open;
};

} // namespace

Result<Json> parseJson(std::string_view text, const JsonLimits& limits)
{
    if (text.size() > limits.maximumBytes)
        return Error { "", "the text has " + grouped(std::int64_t(text.size())) + " bytes",
            "at most " + grouped(std::int64_t(limits.maximumBytes)) + " bytes" };
    return attempt([&] { return Parser(text, limits).run(); });
}

} // namespace shardrack
