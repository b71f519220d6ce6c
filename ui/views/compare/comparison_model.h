#pragma once

#include "document/plan_document.h"
#include "plan/comparison.h"

#include <QAbstractTableModel>

namespace shardrack {

/// A comparison as the lines of a table: column 0 names a line, then one column an offer. Section
/// titles, the chart and the line of what nobody gave span all columns. Read only but for the facts
/// that an offer states (price, interconnect).
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Kind {
        Section, ///< the title of a section
        Chart, ///< the most loaded device of each offer on one axis
        Row, ///< a row of the comparison
        NotGiven ///< the rows of the workload that no offer gives, in one line
    };
    enum Role {
        FieldRole
        = Qt::UserRole, ///< id of a line: a row's field; for other lines one that no row has
        DetailRole, ///< the second part of a cell
        ChangeRole ///< "−18.00 GiB against Offer R"
    };
    struct Line {
        Kind kind = Kind::Row;
        ComparisonRow::Section section = ComparisonRow::Section::Findings;
        std::size_t row = 0; ///< into Comparison::rows, where it is one
        QString title;
        QString note; ///< beside a section's title
        QString flag; ///< at its right end, with ≠
        bool operator==(const Line&) const = default;
    };

    explicit ComparisonModel(PlanDocument& document, QObject* parent = nullptr);

    /// Shows another comparison. Where the lines are the same ones, cells change in place.
    void show(Comparison comparison, bool hideEqual);
    const Comparison& comparison() const { return m_comparison; }
    bool hidesEqual() const { return m_hideEqual; }

    const Line& line(int row) const { return m_lines[static_cast<std::size_t>(row)]; }
    /// The answer at an index; null for titles and lines that span.
    const ComparisonCell* cell(const QModelIndex& index) const;
    /// The row of the comparison on a line; null where it is none.
    const ComparisonRow* row(int line) const;
    /// Which offer of the plan a column shows; -1 for column 0.
    int offerOf(int column) const;
    /// What a cell says beside its text: arithmetic, reason, difference.
    QString detail(const QModelIndex& index) const;
    int lineOf(const QString& field) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Price or interconnect of an offer, through an undoable edit; refused() says why not.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

signals:
    void refused(const QString& reason);

private:
    std::vector<Line> makeLines() const;
    void addSectionNotes(Line& line) const;
    QString changeText(const ComparisonCell& cell) const;
    QString spanText(const Line& line) const;
    QString basisText(const QModelIndex& index) const;
    QString toolTip(const QModelIndex& index) const;
    QString findings(std::size_t column) const;

    PlanDocument& m_document;
    Comparison m_comparison;
    std::vector<Line> m_lines;
    bool m_hideEqual = false;
};

} // namespace shardrack
