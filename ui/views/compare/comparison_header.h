#pragma once

#include <QHeaderView>

namespace shardrack {

class ComparisonModel;

/// The head of the comparison: the plan, then for each offer its name, layout and three findings. A
/// click on an offer opens it.
class ComparisonHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit ComparisonHeader(ComparisonModel& model, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    bool viewportEvent(QEvent* event) override;

private:
    void paintPlan(QPainter& painter, const QRectF& rect) const;
    void paintOffer(QPainter& painter, const QRectF& rect, std::size_t column) const;
    void paintFindings(QPainter& painter, const QRectF& rect, std::size_t column) const;
    /// There is no room for the captions of the findings in each column: they stand once, beside
    /// the plan, and the findings wrap.
    bool narrow() const;
    qreal findingHeight(const char* field) const;

    ComparisonModel& m_model;
    int m_hovered = -1;
};

} // namespace shardrack
