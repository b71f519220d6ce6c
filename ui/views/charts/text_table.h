#pragma once

#include <QTableWidget>

class QIcon;

namespace shardrack {

/// A small table to read with the keyboard: rows are selected as a whole and copied as lines of
/// text with tabs between their cells, all of them where none is selected.
class TextTable : public QTableWidget {
    Q_OBJECT
public:
    TextTable(const QStringList& headers, QWidget* parent);
    struct Row {
        QStringList cells; ///< one a column; the first stands left, the others right
        QIcon icon;
        QString toolTip;
        bool strong = false;
    };
    void setRows(const std::vector<Row>& rows);
    /// Other columns, before other rows.
    void setHeaders(const QStringList& headers);
    /// The columns that are no figures and stand left.
    void setTextColumns(int count) { m_textColumns = count; }
    QString selectedText() const;
    /// With the headers, for a spreadsheet (RFC 4180).
    QString csv() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 120, 60 }; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitRows();
    int m_textColumns = 1;
};

} // namespace shardrack
