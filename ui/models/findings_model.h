#pragma once

#include "document/plan_document.h"
#include "models/row_model.h"

namespace shardrack {

struct FindingRow {
    enum class Kind { Capacity, Demonstrated, Training, Warning };
    Kind kind = Kind::Warning;
    int value = 0; ///< of the finding's own enumeration, or of Warning::Severity
    int valueBefore = -1; ///< of the finding without the what-if, where it differs
    QString title;
    QString text;
    QString link;
    QString action;
    GpuRef gpu; ///< what the link is about; {0, 0}: no device
    bool operator==(const FindingRow&) const = default;
    bool sameLine(const FindingRow& other) const
    {
        return kind == other.kind && (kind != Kind::Warning || title == other.title);
    }
};

/// What a person must know of the shown offer: the three findings, then warnings and notes, worst
/// first; during a what-if those of the plan as it would be, with "now → what if" in the titles.
class FindingsModel : public RowModel<FindingRow> {
    Q_OBJECT
public:
    enum Role {
        TextRole = Qt::UserRole, ///< sentences below the title
        KindRole, ///< int of FindingRow::Kind
        ValueRole, ///< int of Capacity, Demonstrated, TrainingResult or Warning::Severity
        ValueBeforeRole, ///< the same without the what-if; -1 where nothing changes
        LinkRole, ///< the link's words; empty: none
        ActionRole, ///< what the link does, one of the ids below
        GpuServerRole, ///< ServerId of the device that the link is about; 0: none
        GpuIndexRole
    };
    // The actions that links ask for.
    static constexpr const char* kShowOnCanvas = "show-on-canvas";
    static constexpr const char* kStateUsable = "state-usable";
    static constexpr const char* kStateTerms = "state-terms";
    static constexpr const char* kShowLayout = "show-layout";
    static constexpr const char* kShowWorkload = "show-workload";
    static constexpr const char* kShowEvidence = "show-evidence";
    static constexpr const char* kAddMeasurement = "add-measurement";
    static constexpr const char* kShowResult = "show-result";

    explicit FindingsModel(PlanDocument& document, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 1;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// "Offer R", or "what if": for the title of the list.
    QString subject() const { return m_subject; }
    GpuRef gpu(const QModelIndex& index) const { return row(index).gpu; }

signals:
    void subjectChanged();

private:
    void update();
    std::vector<FindingRow> makeRows() const;
    static QString glossaryWord(const FindingRow& row);
    void setSubject();

    PlanDocument& m_document;
    QString m_subject;
};

} // namespace shardrack
