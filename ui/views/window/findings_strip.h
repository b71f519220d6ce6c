#pragma once

#include "document/plan_document.h"

#include <QWidget>

namespace shardrack {

/// The line above the canvas: the most loaded device with need and usable, and the three findings.
/// While an edit is being tried it reads "now → what if".
class FindingsStrip : public QWidget {
    Q_OBJECT
public:
    explicit FindingsStrip(PlanDocument& document, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The person clicked the headline: show that device.
    void showMostLoaded();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    PlanDocument& m_document;
};

} // namespace shardrack
