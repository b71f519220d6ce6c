#pragma once

#include <QLineEdit>

namespace shardrack {

/// A field for one number: what SizeEdit and IntegerEdit share. Text that cannot be read, or can be
/// read in two ways, is kept as typed and refused with a sentence; the last valid number stays.
/// The number counts from Enter or leaving the field on, and at once for arrows and wheel (which
/// work only while the field has the focus). Escape takes back what was typed.
class NumberEdit : public QLineEdit {
    Q_OBJECT
public:
    /// Why the text as it stands cannot be used; empty when it can.
    QString problem() const;
    /// Shown while nothing is given: "not given".
    void setPlaceholder(const QString& text);
    /// What is derived while nothing is given: "2", "3 → 2". Shown like a number; empty: none.
    void setDerivedText(const QString& text);
    QString derivedText() const { return m_derived; }
    /// Stands at the right end of the field: "tokens".
    void setSuffix(const QString& suffix);
    QString suffix() const { return m_suffix; }
    /// Whether something has to be given; an empty field is then a problem.
    void setRequired(bool required);
    /// Whether the two arrows are drawn. The keys work in any case.
    void setArrowsShown(bool shown);

    /// Tells a problem that the value has and the text does not show; gone with the next value.
    void refuse(const QString& problem);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A problem to be told (after Enter or on leaving the field), or empty when it is gone.
    void problemChanged(const QString& problem);

protected:
    explicit NumberEdit(QWidget* parent);

    /// Why a text that is not empty cannot be read; empty when it can.
    virtual QString problemOf(const QString& text) const = 0;
    /// Makes the text, which has no problem, the value; tells when that changed it.
    virtual void accept() = 0;
    /// The value as text.
    virtual QString valueText() const = 0;
    /// Changes the value that the text says by so many steps and accepts it.
    virtual void step(int steps) = 0;
    /// Whether the suffix belongs to the text as it stands.
    virtual bool suffixApplies(const QString& text) const;

    /// Shows the value again; what was typed is gone.
    void showValue();
    /// The same, but spares text that is being typed.
    void showValueUnlessTyping(bool changed);

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commit();
    void stepIfReadable(int steps);
    void tell(const QString& problem);
    void describe();
    void place();
    QRect arrowRect(bool up) const;
    int suffixWidth() const;

    QString m_suffix;
    QString m_placeholder;
    QString m_derived;
    QString m_told; ///< the problem that was told last
    bool m_required = false;
    bool m_arrows = true;
    bool m_wantsArrows = true;
    int m_wheel = 0;
};

} // namespace shardrack
