#pragma once

#include "document/plan_document.h"

#include <QWidget>

#include <array>

namespace shardrack {

/// The line above the canvas: the most loaded device with need and usable, and the three findings.
/// While an edit is being tried it reads "now → what if".
class FindingsStrip : public QWidget {
    Q_OBJECT
public:
    explicit FindingsStrip(PlanDocument& document, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// The word of what stands at a point; the headline's where nothing else does.
    Q_INVOKABLE QString glossaryWordAt(const QPoint& point) const;

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
    std::array<qreal, 3> m_blockLeft {}; ///< of the three findings, as painted last
};

} // namespace shardrack
