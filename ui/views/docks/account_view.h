#pragma once

#include <QTableView>

namespace shardrack {

class AccountDelegate;
class AccountModel;

/// The table of the inspector.
class AccountView : public QTableView {
    Q_OBJECT
public:
    AccountView(AccountModel& model, QWidget* parent);
    /// The selected rows as lines of text, figures separated by tabs; all rows where none is
    /// selected.
    QString selectedText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showColumns();
    void fitRows(int first, int last);
    void fitAllRows();

    AccountModel& m_model;
    AccountDelegate* m_delegate;
};

} // namespace shardrack
