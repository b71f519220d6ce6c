#pragma once

#include "document/plan_document.h"
#include "paint/glyphs.h"
#include "paint/paint_style.h"

#include <QFrame>

#include <vector>

namespace shardrack {

/// What an edit that is being tried would change, in a few lines: before → after and the
/// difference.
struct WhatIfRow {
    enum class Tone { Neutral, Better, Worse };
    QString label;
    QString before;
    QString after;
    QString change;
    Tone tone = Tone::Neutral;
    std::optional<Glyph> beforeGlyph;
    std::optional<Glyph> afterGlyph;
};
std::vector<WhatIfRow> whatIfRows(const ShownOffer& before, const ShownOffer& after);

/// The pop-over beside what is being dragged: the consequence, or why it cannot land there. A child
/// of the canvas, transparent to the mouse.
class WhatIfPopover : public QFrame {
    Q_OBJECT
public:
    explicit WhatIfPopover(QWidget* parent);

    void showConsequence(const QString& title, std::vector<WhatIfRow> rows, const QString& broken,
        const QString& hint);
    void showRefusal(const QString& title, const QString& reason);
    const QString& titleText() const { return m_title; }
    const std::vector<WhatIfRow>& rows() const { return m_rows; }
    const QString& reason() const { return m_reason; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Columns {
        qreal label = 0, before = 0, after = 0, change = 0;
    };
    Columns columns(const PaintStyle& style) const;
    void present();

    QString m_title;
    std::vector<WhatIfRow> m_rows;
    QString m_broken; ///< the rule that the layout would break
    QString m_reason;
    QString m_hint;
};

} // namespace shardrack
