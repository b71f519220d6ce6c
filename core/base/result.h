#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace shardrack {

/// Why something could not be done, in the three parts a person needs.
struct Error {
    std::string
        where; ///< place: a JSON path ("$.offers[0].layout.tp"), "line 3, column 7", a field name
    std::string what; ///< what is wrong, with the offending value
    std::string expected; ///< what would have been right; may be empty

    /// One line: "<where>: <what>; expected <expected>".
    std::string text() const
    {
        std::string line = where.empty() ? what : where + ": " + what;
        if (!expected.empty())
            line += "; expected " + expected;
        return line;
    }
    bool operator==(const Error&) const = default;
};

/// Carries an Error out of a reader or an overflowing computation. Caught at the public functions
/// of a layer, which turn it into a failed Result; it never crosses into the window.
class Failure : public std::runtime_error {
public:
    explicit Failure(Error error)
        : std::runtime_error(error.text())
        , m_error(std::move(error))
    {
    }
    const Error& error() const { return m_error; }

private:
    Error m_error;
};

/// A value, or the Error that prevented it.
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) // NOLINT(google-explicit-constructor): a value is a result
        : m_state(std::move(value))
    {
    }
    Result(Error error) // NOLINT(google-explicit-constructor): an error is a result
        : m_state(std::move(error))
    {
    }
    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    /// The value; throws Failure if there is none.
    const T& value() const&
    {
        require();
        return std::get<0>(m_state);
    }
    T&& value() &&
    {
        require();
        return std::get<0>(std::move(m_state));
    }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }
    /// The error; only valid when !ok().
    const Error& error() const { return std::get<1>(m_state); }

private:
    void require() const
    {
        if (!ok())
            throw Failure(std::get<1>(m_state));
    }
    std::variant<T, Error> m_state;
};

/// Runs `body` (returning T) and turns a Failure into a failed Result.
template <class Body> auto attempt(Body&& body) -> Result<decltype(body())>
{
    try {
        return body();
    } catch (const Failure& failure) {
        return failure.error();
    }
}

} // namespace shardrack
