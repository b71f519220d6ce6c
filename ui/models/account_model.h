#pragma once

#include "document/selection.h"
#include "models/account_rows.h"
#include "models/row_model.h"

namespace shardrack {

/// The account of one GPU for the inspector: every term with its arithmetic, their sum against the
/// usable allocation, and during a what-if the same GPU as it would be. It shows the most loaded
/// GPU of the selection (least headroom); with nothing selected, the most loaded GPU of the offer.
class AccountModel : public RowModel<AccountRow> {
    Q_OBJECT
public:
    enum Column { NameColumn, NowColumn, WhatIfColumn, ChangeColumn };
    static constexpr int kColumns = 4;
    /// How a change is to be seen: less need and more headroom are better.
    enum class Tone { None, Better, Worse };
    enum Role {
        DetailRole = Qt::UserRole, ///< NameColumn: the arithmetic, or why there is none
        NoteRole, ///< NameColumn: one sentence beside the arithmetic; may be empty
        SharingRole, ///< NameColumn: who else holds it, one word; empty where there is nothing to
                     ///< say
        DividedRole, ///< NameColumn: what divides it; empty: nothing
        KindRole, ///< int of AccountRow::Kind
        CategoryRole, ///< int of Category; -1 where the row is about none
        ProvenanceRole, ///< value columns: int of Provenance; -1 where it has no basis
        EstablishedRole, ///< value columns: false where the figure is "?"
        OverRole, ///< value columns: whether the figure tells that the device is over
        ToneRole ///< ChangeColumn: int of Tone
    };

    AccountModel(PlanDocument& document, const Selection& selection, QObject* parent = nullptr);

    /// "rank 0 on A1·0", "most loaded of 8: rank 3 on A1·3"; empty when there is no GPU.
    QString title() const { return m_title; }
    /// Whether the last two columns say anything.
    bool hasWhatIf() const { return m_hasWhatIf; }
    /// The GPU shown; {0, 0} when there is none.
    GpuRef gpu() const { return m_gpu; }

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : kColumns;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void titleChanged();
    /// A what-if appeared or went away.
    void hasWhatIfChanged();

private:
    void update();
    void chooseGpu();
    QString makeTitle(const std::optional<AccountSide>& side) const;
    QString nameText(const AccountRow& row) const;
    QString detailText(const AccountRow& row) const;
    QString noteText(const AccountRow& row) const;
    QString sharingText(const AccountRow& row) const;
    QString dividedText(const AccountRow& row) const;
    QString valueText(const AccountRow& row, const std::optional<AccountRow::Figure>& figure) const;
    QString accessibleText(const QModelIndex& index) const;
    Tone tone(const AccountRow& row) const;

    PlanDocument& m_document;
    const Selection& m_selection;
    std::optional<ShownOffer> m_now; ///< what the rows point into
    std::optional<ShownOffer> m_then;
    bool m_hasWhatIf = false;
    GpuRef m_gpu;
    std::size_t m_chosenFrom = 0; ///< selected GPUs that exist; 0: the whole offer
    QString m_title;
};

} // namespace shardrack
