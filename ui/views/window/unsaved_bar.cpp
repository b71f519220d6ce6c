#include "window/unsaved_bar.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace shardrack {

UnsavedBar::UnsavedBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this))
{
    setObjectName(QStringLiteral("unsavedBar"));
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 6, 6);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    row->addWidget(m_text, 1);
    const auto button = [&](const char* name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        row->addWidget(made);
        return made;
    };
    connect(button("restoreUnsaved", tr("Restore"),
                tr("Opens the plan as it was; its file is not touched before you save.")),
        &QPushButton::clicked, this, &UnsavedBar::restoreWanted);
    connect(button("discardUnsaved", tr("Discard"), tr("Deletes these changes for good.")),
        &QPushButton::clicked, this, &UnsavedBar::discardWanted);
    connect(button("laterUnsaved", tr("Later"), tr("Asks again when Shardrack starts.")),
        &QPushButton::clicked, this, [this] { offer({}); });
    hide();
}

void UnsavedBar::offer(std::vector<LeftPlan> plans)
{
    m_plans = std::move(plans);
    show();
}

void UnsavedBar::next()
{
    m_plans.erase(m_plans.begin());
    show();
}

void UnsavedBar::show()
{
    setVisible(!m_plans.empty());
    if (m_plans.empty())
        return;
    const LeftPlan& plan = m_plans.front();
    QString text
        = tr("Shardrack ended without saving \u201c%1\u201d; its changes up to %2 are kept.")
              .arg(plan.title.isEmpty() ? tr("Untitled plan") : plan.title,
                  QLocale().toString(plan.written, QLocale::ShortFormat));
    if (!plan.file.isEmpty())
        text += QLatin1Char(' ') + tr("File: %1.").arg(QFileInfo(plan.file).fileName());
    if (m_plans.size() > 1)
        text += QLatin1Char(' ') + tr("And %1 more.").arg(m_plans.size() - 1);
    m_text->setText(text);
    m_text->setToolTip(QDir::toNativeSeparators(plan.file));
    setAccessibleName(text);
}

} // namespace shardrack
