#include "docks/findings_panel.h"

#include "docks/findings_list.h"
#include "models/findings_model.h"
#include "paint/paint_style.h"

#include <QVBoxLayout>

namespace shardrack {

FindingsPanel::FindingsPanel(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_model(new FindingsModel(document, this))
    , m_list(new FindingsList(this))
{
    setObjectName(QStringLiteral("findingsPanel"));
    m_list->setModel(m_model);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_list, &FindingsList::followed, this, [this](const QModelIndex& index) {
        emit linkActivated(index.data(FindingsModel::ActionRole).toString(), m_model->gpu(index));
    });
    connect(m_model, &FindingsModel::subjectChanged, this,
        [this] { emit subtitleChanged(subtitle()); });
}

QString FindingsPanel::subtitle() const { return m_model->subject(); }

QSize FindingsPanel::sizeHint() const { return { qRound(metrics::kRightDock * uiScale()), 400 }; }

} // namespace shardrack
