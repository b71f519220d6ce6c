#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace shardrack {

/// What a person says about one difference between an offer's basis and the common one: the reason
/// for a field of the workload that differs, or a whole change that no field can say (then with
/// both values).
struct BasisStatement {
    std::string field; ///< id of a workload field ("micro_batch"), or free words
    std::string common; ///< only with free words
    std::string offer; ///< only with free words
    std::string reason; ///< may be empty: not given
    Extra extra;
    friend bool operator==(const BasisStatement& a, const BasisStatement& b);
};

/// A price that somebody quoted; shown as given and never computed with as a float.
struct Price {
    enum class Per { GpuHour, Offer };
    std::string amount; ///< decimal digits with at most one ".": "2.49"
    std::string currency; ///< "USD"
    Per per = Per::GpuHour;
    std::string note;
    Extra extra;
    friend bool operator==(const Price& a, const Price& b);
};
/// "gpu-hour", "offer".
const char* id(Price::Per per);
/// "2.49 USD a GPU-hour", "120,000 EUR for the offer": with group marks, digits as given.
std::string text(const Price& price);
/// The same without group marks, as readPrice() reads it back.
std::string typedText(const Price& price);
/// Reads what people type: "2.49 USD/h", "USD 2.49", "120000 EUR for the offer". A comma can be
/// read in two ways and is refused. Where the text does not say what the price is for, it is for
/// `per`, or the text is refused.
Result<Price> readPrice(std::string_view text, std::optional<Price::Per> per = std::nullopt);
/// Whether the text is digits with at most one "." between them.
bool isPriceAmount(const std::string& amount);

} // namespace shardrack
