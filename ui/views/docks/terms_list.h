#pragma once

#include "document/plan_document.h"
#include "paint/paint_style.h"

#include <QWidget>

#include <vector>

namespace shardrack {

/// What one device holds at the peak, top of the stack first, against what is usable, beside a
/// chart of few bars; and what copies of the state do not do.
class TermsList : public QWidget {
    Q_OBJECT
public:
    explicit TermsList(QWidget* parent = nullptr);
    /// Shows a GPU of an offer by its ordinal; -1: nothing.
    void show(const std::optional<ShownOffer>& offer, std::int32_t gpu);

    /// The sentences about copies; empty where they are not true of the offer.
    static QString aboutCopies(const ShownOffer& offer, std::int32_t gpu);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    QString text() const { return accessibleDescription(); }
    /// The word of the line at a point; of the title where there is none.
    Q_INVOKABLE QString glossaryWordAt(const QPoint& point) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        enum class Mark { None, Category, Open, Usable, Over, Margin, Measured, Difference, Rule };
        Mark mark = Mark::None;
        Category category = Category::State;
        QString name;
        QString value;
        bool notEstablished = false; ///< its basis is "?"
        bool over = false;
    };
    void addTerms(const DeviceClass& device);
    void addCapacity(const DeviceClass& device, const RequiredMargin& margin);
    void addMeasured(const ShownOffer& offer, std::int32_t gpu);
    qreal linesHeight(const PaintStyle& style) const;
    void describe();

    QString m_title;
    std::vector<Line> m_lines;
    QString m_about;
};

} // namespace shardrack
