#pragma once

#include "document/plan_document.h"
#include "models/row_model.h"

namespace shardrack {

struct OfferRow {
    QString name;
    QString phrase; ///< "four replicas"
    QString toolTip; ///< all three findings
    Capacity capacity = Capacity::Open;
    bool legal = true;
    bool computed = true;
    bool changedBasis = false;
    bool operator==(const OfferRow&) const = default;
    bool sameLine(const OfferRow& other) const { return name == other.name; }
};

/// The plan's offers, for tabs and lists. What-ifs do not touch it.
class OfferModel : public RowModel<OfferRow> {
    Q_OBJECT
public:
    enum Role {
        PhraseRole = Qt::UserRole,
        CapacityRole, ///< int of Capacity
        LegalRole, ///< whether the layout breaks no rule
        ComputedRole, ///< false: the numbers leave 64 bits; there is no verdict
        ChangedBasisRole ///< whether it answers another question than the common workload
    };

    explicit OfferModel(PlanDocument& document, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 1;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<OfferRow> makeRows() const;

    PlanDocument& m_document;
};

} // namespace shardrack
