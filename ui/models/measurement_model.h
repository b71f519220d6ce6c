#pragma once

#include "document/plan_document.h"
#include "models/row_model.h"

namespace shardrack {

/// A measurement as it stands in the list.
struct MeasurementRow {
    /// What the rules make of it, best first.
    enum class Standing { Counts, CountsPartly, DoesNotCount, OtherState, Contradicts };
    Standing standing = Standing::DoesNotCount;
    QString devices; ///< "A1·0-3", "all devices"
    QString peak; ///< with its unit: "12.00 GiB"
    QString memory; ///< which memory: "device memory in use"
    QString covers; ///< "initialization; 5 complete steps"
    QString against; ///< the difference to the estimate; may be empty
    QString verdict; ///< whether it counts, and why not
    QString about; ///< software, conditions and source; may be empty
    bool operator==(const MeasurementRow&) const = default;
    bool sameLine(const MeasurementRow& other) const
    {
        return devices == other.devices && memory == other.memory;
    }
};

/// The measured peaks of the offer in front, in the order in which they were entered, each with
/// what the rules of demonstrated fit make of it. Row i is Offer::measurements[i].
class MeasurementModel : public RowModel<MeasurementRow> {
    Q_OBJECT
public:
    enum Role {
        StandingRole = Qt::UserRole, ///< int of MeasurementRow::Standing
        DevicesRole,
        PeakRole,
        MemoryRole,
        CoversRole,
        AgainstRole,
        VerdictRole,
        AboutRole
    };

    explicit MeasurementModel(PlanDocument& document, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 1;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

signals:
    /// The rows are as the plan has them now.
    void updated();

private:
    std::vector<MeasurementRow> makeRows() const;
    void update();
    void reset();

    PlanDocument& m_document;
};

} // namespace shardrack
