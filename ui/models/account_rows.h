#pragma once

#include "document/plan_document.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// One GPU of an offer, as it is now or as it would be.
struct AccountSide {
    const ShownOffer& shown;
    std::int32_t gpu; ///< ordinal

    const Assessment& assessment() const { return *shown.assessment; }
    const DeviceClass& device() const;
};

/// One line of the account of a GPU. It points into the assessments that it was made from.
struct AccountRow {
    enum class Kind {
        Section, ///< header of a group of terms
        Rank, ///< header of a rank's terms, where several ranks share the GPU
        Term,
        MoreRanks, ///< how many ranks are not listed
        Part, ///< what a category takes on this GPU, where a rank is split over several
        Sum,
        Usable,
        Headroom, ///< or what the device is over by
        Margin,
        AfterMargin, ///< only where everything is established
        Phase, ///< the largest moment of a phase, tensors only; where a framework derives it
        Remark
    };
    enum class Section { State, WorkingSet, Around, OnThisGpu, Phases };

    /// The line's figure now or then; absent: the line does not exist there.
    struct Figure {
        const Term* term = nullptr; ///< Term only
        std::optional<Bytes> bytes; ///< absent: not established, or not stated
        bool bound = false; ///< at least; of a headroom: at most
        Provenance provenance = Provenance::NotEstablished;
        bool operator==(const Figure& other) const;
    };

    Kind kind = Kind::Remark;
    Section section = Section::State; ///< Section only
    int count = 0; ///< Rank: its number; MoreRanks: how many; Phase: which
    std::int64_t weight = 1; ///< Rank: share of it on this GPU
    std::int64_t weights = 1;
    Category category = Category::State; ///< Term, Part
    std::string text; ///< name of the term, basis of the margin, remark
    std::optional<Figure> now;
    std::optional<Figure> then;

    bool operator==(const AccountRow&) const = default;
    bool sameLine(const AccountRow& other) const;
    /// then − now; absent where that is no number.
    std::optional<Bytes> change() const;
    bool hasBasis() const
    {
        return kind == Kind::Term || kind == Kind::Usable || kind == Kind::Margin;
    }
};

/// The account of a GPU: terms in stack order with what is known of each, their sum, usable
/// allocation, headroom and margin. `then` absent: nothing is being tried.
std::vector<AccountRow> accountRows(
    const std::optional<AccountSide>& now, const std::optional<AccountSide>& then);

} // namespace shardrack
