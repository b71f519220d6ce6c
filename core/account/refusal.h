#pragma once

#include "workload/transformer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardrack {

/// A rule that the framework, or arithmetic, makes a run break.
struct Refusal {
    std::string rule; ///< "the tensor degree divides the attention heads"
    std::string text; ///< with this run's numbers
    std::string fix; ///< what would satisfy it; may be empty
    bool computable = true; ///< the account can be made all the same
    bool notLegal = false; ///< of what is foreign to a framework: it has no such layout at all
};

/// What of a run every framework's checks begin with.
struct RunSizes {
    std::int64_t microBatch = 1;
    std::int64_t sequence = 0;
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    std::int64_t context = 1;
};

/// Collects what a run breaks.
class RefusalList {
public:
    void add(const char* rule, std::string text, std::string fix, bool computable);
    /// Nothing is computed unless `by` divides `whole`, or where `computable` says otherwise.
    void divides(const char* rule, std::int64_t whole, std::int64_t by, const char* what,
        bool computable = false);
    /// Sizes are from 1 to 2⁴⁰; and only then: the degrees divide what they have to.
    void check(const TransformerShape& shape, const RunSizes& sizes);

    /// Throws Failure with the first refusal that leaves nothing to compute.
    void refuse() const;
    const std::vector<Refusal>& all() const { return m_list; }

private:
    void checkSizes(const TransformerShape& shape, const RunSizes& sizes);
    void checkDegrees(const TransformerShape& shape, const RunSizes& sizes);

    std::vector<Refusal> m_list;
};

} // namespace shardrack
