#pragma once

#include "compare/compare_choice.h"
#include "document/plan_document.h"
#include "document/settings.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace shardrack {

class ComparisonModel;
class ComparisonTable;

/// Offers of the document side by side. Follows the plan while it is visible and computes nothing
/// while it is not. What is compared is kept here while the document is open; it is no part of the
/// plan.
class CompareView : public QWidget {
    Q_OBJECT
public:
    CompareView(PlanDocument& document, Settings& settings, QWidget* parent = nullptr);

    ComparisonTable& table() { return *m_table; }
    ComparisonModel& model() { return *m_model; }
    ComparisonChoice choice() const { return m_choice.of(*m_document.plan()); }
    void setChoice(const ComparisonChoice& choice);
    bool hidesEqual() const;
    void setHideEqual(bool hide);

    /// "Offer R, Offer S": those compared, in the order chosen.
    QString offerNames() const;

    void chooseOffers();
    void copyTable() const;
    /// Writes the table where a person says, as CSV or Markdown by the name's ending.
    void exportTable();
    /// Why it could not be written; empty when it was.
    QString exportTo(const QString& path) const;
    /// The formulas of a line of the arithmetic in words, a term a line; empty where there are
    /// none.
    QString arithmetic(const QModelIndex& index) const;

    /// Seam for tests: where the table is written; empty: nowhere.
    std::function<QString(const QString& suggestion)> askForFile;

signals:
    void leaveRequested();
    void openRequested(int offer); ///< of the plan
    void showDeviceRequested(int offer); ///< the offer's most loaded device, with its inspector
    void refused(const QString& reason);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildBar();
    void refresh();
    void invalidate();
    void showMenu(const QPoint& at);
    void showArithmetic(const QModelIndex& index);
    void open(int column);

    PlanDocument& m_document;
    Settings& m_settings;
    CompareChoice m_choice;
    std::shared_ptr<const Plan> m_seen; ///< the plan that m_choice has followed
    bool m_stale = true;
    ComparisonModel* m_model;
    ComparisonTable* m_table;
    QWidget* m_bar;
    QStackedWidget* m_pages;
    QLabel* m_nothing;
    QPushButton* m_choose = nullptr;
    QComboBox* m_order = nullptr;
    QCheckBox* m_hideEqual = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_export = nullptr;
};

} // namespace shardrack
