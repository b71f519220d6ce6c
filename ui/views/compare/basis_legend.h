#pragma once

#include "paint/icons.h"

#include <QWidget>

#include <utility>
#include <vector>

namespace shardrack {

/// One line that says what the marks beside numbers mean; what has no room is left out whole.
class BasisLegend : public QWidget {
    Q_OBJECT
public:
    explicit BasisLegend(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 0, sizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::pair<Icon, QString>> m_entries;
};

} // namespace shardrack
