#pragma once

#include <QPushButton>

namespace shardrack {

/// One of two or three buttons side by side, of which one is chosen.
class SegmentButton : public QPushButton {
    Q_OBJECT
public:
    explicit SegmentButton(const QString& text, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace shardrack
