#include "docks/inspector_panel.h"

#include "docks/account_view.h"
#include "models/account_model.h"
#include "paint/paint_style.h"

#include <QVBoxLayout>

namespace shardrack {

InspectorPanel::InspectorPanel(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_model(new AccountModel(document, selection, this))
    , m_view(new AccountView(*m_model, this))
{
    setObjectName(QStringLiteral("inspectorPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    connect(
        m_model, &AccountModel::titleChanged, this, [this] { emit subtitleChanged(subtitle()); });
}

QString InspectorPanel::subtitle() const { return m_model->title(); }

QSize InspectorPanel::sizeHint() const { return { qRound(metrics::kRightDock * uiScale()), 480 }; }

} // namespace shardrack
