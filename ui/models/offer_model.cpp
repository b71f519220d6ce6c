#include "models/offer_model.h"

#include "models/findings_text.h"
#include "plan/basis.h"

namespace shardrack {

OfferModel::OfferModel(PlanDocument& document, QObject* parent)
    : RowModel(parent)
    , m_document(document)
{
    resetRows(makeRows());
    connect(&document, &PlanDocument::resetDone, this, [this] { resetRows(makeRows()); });
    connect(&document, &PlanDocument::changed, this, [this] { setRows(makeRows()); });
}

std::vector<OfferRow> OfferModel::makeRows() const
{
    const auto plan = m_document.plan();
    std::vector<OfferRow> rows;
    for (std::size_t i = 0; i < plan->offers.size(); ++i) {
        const ShownOffer shown { plan, i, m_document.assessment(i) };
        const Assessment& assessment = *shown.assessment;
        OfferRow& row = rows.emplace_back();
        row.name = QString::fromStdString(shown.get().name);
        row.phrase = QString::fromStdString(layoutPhrase(shown.get().layout, assessment.layout));
        row.capacity = assessment.findings.capacity;
        row.legal = assessment.findings.legality.legal();
        row.computed = !assessment.error;
        row.changedBasis = hasChangedBasis(*plan, i);
        row.toolTip = findingsToolTip(shown);
    }
    return rows;
}

QVariant OfferModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const OfferRow& offer = row(index);
    switch (role) {
    case Qt::DisplayRole:
        return offer.name;
    case PhraseRole:
        return offer.phrase;
    case Qt::ToolTipRole:
        return offer.toolTip;
    case Qt::AccessibleTextRole:
        return tr("%1, %2. %3").arg(offer.name, offer.phrase, offer.toolTip);
    case CapacityRole:
        return static_cast<int>(offer.capacity);
    case LegalRole:
        return offer.legal;
    case ComputedRole:
        return offer.computed;
    case ChangedBasisRole:
        return offer.changedBasis;
    default:
        return {};
    }
}

} // namespace shardrack
