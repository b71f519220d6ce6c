#pragma once

#include <QAbstractButton>

namespace shardrack {

/// One choice of a prediction: a framed row with a radio mark and a text that wraps.
class ChoiceRow : public QAbstractButton {
    Q_OBJECT
public:
    explicit ChoiceRow(QWidget* parent = nullptr);
    void setTexts(const QString& html, const QString& plain);
    /// What was chosen stays marked, and nothing can be chosen any more.
    void setLocked(bool locked);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 120, heightForWidth(240) }; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_html;
    bool m_locked = false;
};

} // namespace shardrack
