#pragma once

#include "docks/form_grid.h"
#include "docks/plan_editing.h"
#include "editors/choice_box.h"
#include "editors/integer_edit.h"
#include "editors/size_edit.h"

class QLineEdit;

namespace shardrack {

/// What the fields of the workload panel show.
struct WorkloadView {
    const Workload& workload; ///< the common one, or the offer's own
    bool editable = true;
    std::optional<ShownOffer> now;
    std::optional<ShownOffer> tried;

    bool derived() const { return workload.basis == Workload::StateBasis::Derived; }
    bool stipulated() const { return workload.basis == Workload::StateBasis::Stipulated; }
    const std::optional<ShownOffer>& shown() const { return tried ? tried : now; }
};

/// A size field whose edits change the common workload.
SizeEdit* addSize(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row, const QString& label,
    std::function<void(Workload&, std::optional<Bytes>)> set);
/// A whole-number field of at least 1 whose edits change the common workload.
IntegerEdit* addCount(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row,
    const QString& label, const QString& suffix,
    std::function<void(Workload&, std::optional<std::int64_t>)> set);
/// A field of words; what is typed counts when the field is left or Enter is pressed.
QLineEdit* addWords(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row, const QString& label,
    std::function<QString(const std::string&)> set);
/// Shows words unless a person is typing others.
void showWords(QLineEdit* edit, FormGrid::Row& row, const std::string& words);
/// Tells the problems of a field in its row.
void tellProblems(NumberEdit* edit, FormGrid::Row& row);
/// "2", or "3 → 2" where a what-if changes it; words that both have in common stand once: "4 → 8
/// ranks".
QString nowAndTried(const QString& now, const QString& tried);

} // namespace shardrack
