#include "canvas/empty_canvas.h"

#include "canvas/canvas_painter.h"
#include "style/view_style.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace shardrack {

EmptyCanvas::EmptyCanvas(QWidget* parent)
    : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addStretch(1);
    auto* words = new QLabel(tr("No rack yet. Drop a rack here, or begin with"), this);
    words->setAlignment(Qt::AlignCenter);
    column->addWidget(words, 0, Qt::AlignCenter);
    const auto add = [&](const QString& text, const char* name, void (EmptyCanvas::*signal)()) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1StringView(name));
        button->setMinimumWidth(180);
        connect(button, &QPushButton::clicked, this, signal);
        column->addWidget(button, 0, Qt::AlignCenter);
    };
    add(tr("Open the example TS-24"), "openExampleButton", &EmptyCanvas::openExample);
    add(tr("Add a rack"), "addRackButton", &EmptyCanvas::addRack);
    add(tr("Open a plan…"), "openPlanButton", &EmptyCanvas::openPlan);
    column->addStretch(1);
}

void EmptyCanvas::paintEvent(QPaintEvent* event)
{
    static_cast<void>(event);
    QPainter painter(this);
    const PaintStyle style = styleOf(this);
    QRectF outline(0, 0, std::min(width() - 32, 520), std::min(height() - 32, 360));
    outline.moveCenter(QRectF(rect()).center());
    CanvasPainter::paintEmptyRack(painter, style.snap(outline), style);
}

} // namespace shardrack
