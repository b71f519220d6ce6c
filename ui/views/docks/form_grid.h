#pragma once

#include "paint/icons.h"

#include <QLabel>

#include <deque>
#include <optional>
#include <vector>

class QGridLayout;

namespace shardrack {

/// A sentence in small type below a field; hidden while it is empty.
class NoteLabel : public QLabel {
    Q_OBJECT
public:
    enum class Tone {
        Plain,
        Problem, ///< something here cannot be used
        NotLegal ///< with the badge of a layout that breaks a rule
    };
    explicit NoteLabel(QWidget* parent = nullptr);
    void setNote(const QString& text, Tone tone = Tone::Plain);
    /// A long word must not widen the form.
    QSize minimumSizeHint() const override { return { 0, QLabel::minimumSizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    Tone m_tone = Tone::Plain;
};

/// The icon that tells where the number in a field comes from.
class BasisMark : public QWidget {
    Q_OBJECT
public:
    explicit BasisMark(QWidget* parent = nullptr);
    /// Nothing, or one of the basis icons.
    void setBasis(std::optional<Icon> basis);
    std::optional<Icon> basis() const { return m_basis; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<Icon> m_basis;
};

/// A form of rows: a label at the right of its column, the field, the basis of its number, and room
/// for a sentence below. Rows can be hidden and put in another order.
class FormGrid {
public:
    struct Row {
        QLabel* label = nullptr;
        QWidget* field = nullptr;
        BasisMark* basis = nullptr;
        NoteLabel* note = nullptr;
        bool wide = false; ///< the field takes the whole width

        void setVisible(bool visible);
        void setEnabled(bool enabled);
        void setLabel(const QString& text);
        /// Given by a person or not established.
        void setGiven(bool given);
        /// What the field's number cannot be; empty when it is fine. A plain note is put aside.
        void setProblem(const QString& problem);
        void setPlainNote(const QString& text);

    private:
        friend class FormGrid;
        void showNote();
        bool m_visible = true;
        QString m_problem;
        QString m_plain;
    };

    explicit FormGrid(QWidget* parent);
    /// A row; the label names the field for assistive technology too.
    Row& add(const QString& label, QWidget* field);
    /// A widget over the whole width.
    Row& addWide(QWidget* field);
    /// Puts rows in this order (all of them) and makes Tab follow it.
    void arrange(const std::vector<Row*>& order);
    /// All rows in the order in which they were added.
    std::vector<Row*> rows();

private:
    QWidget* m_parent;
    QGridLayout* m_grid;
    std::deque<Row> m_rows;
};

} // namespace shardrack
