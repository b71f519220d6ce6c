#pragma once

#include "docks/workload_fields.h"

#include <QObject>

class QToolButton;

namespace shardrack {

/// What every offer is asked beside the figures: words that a comparison and a question sheet need
/// and no number follows from. Folded until wanted.
class AskedFields : public QObject {
    Q_OBJECT
public:
    AskedFields(FormGrid& form, PlanEditing& editing, QObject* parent = nullptr);

    std::vector<FormGrid::Row*> rows() const;
    /// Another plan: unfolded only where something is given.
    void forget() { m_chosen = false; }
    void refresh(const WorkloadView& view);

private:
    struct Field {
        QLineEdit* edit = nullptr;
        FormGrid::Row* row = nullptr;
    };
    /// Changes of the offer itself: interconnect, price, assumptions.
    QString changeOffer(const std::function<Edit(const Offer&, std::size_t)>& change);
    void addOfferFields(FormGrid& form);

    PlanEditing& m_editing;
    QToolButton* m_fold = nullptr;
    FormGrid::Row* m_foldRow = nullptr;
    std::vector<Field> m_words; ///< parallel to the table of words
    Field m_interconnect, m_price, m_assumptions;
    bool m_chosen = false;
    bool m_open = false;
};

} // namespace shardrack
