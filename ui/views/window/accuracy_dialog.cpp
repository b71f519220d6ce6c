#include "window/accuracy_dialog.h"

#include "interop/accuracy_page.h"
#include "resources/resources.h"
#include "style/view_style.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace shardrack {

namespace {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), qsizetype(utf8.size()));
}

/// What was compared for the offer in front, in Markdown.
QString headOf(const std::string& framework, bool derived, std::string_view page)
{
    QString head = QStringLiteral("# %1\n\n").arg(AccuracyDialog::tr("The offer in front"));
    if (framework.empty() || !derived)
        return head
            + AccuracyDialog::tr(
                "Its memory is not derived by a framework's strategy: its figures are "
                "arithmetic on what was given, and what nobody established is open. "
                "There is nothing to be off by, and nothing that says that it fits.")
            + QStringLiteral("\n\n");
    const std::vector<FamilyAccuracy> families = accuracyOf(framework, page);
    if (families.empty())
        return head
            + AccuracyDialog::tr(
                "No measured run of %1 has been compared. The mechanism is that of the "
                "families below.")
                  .arg(text(framework))
            + QStringLiteral("\n\n");
    head += AccuracyDialog::tr("Its account follows the strategy of **%1**, which was held against "
                               "these measured runs:")
                .arg(text(framework))
        + QStringLiteral("\n\n");
    for (const FamilyAccuracy& family : families)
        head
            += AccuracyDialog::tr("- **%1**, %2: %3 figures; half of them within %4 %, nine of ten "
                                  "within %5 %, the worst off by %6 %.")
                   .arg(text(family.family), text(family.metric))
                   .arg(family.rows)
                   .arg(text(family.median), text(family.p90), text(family.worst))
            + u'\n';
    return head + u'\n';
}

} // namespace

AccuracyDialog::AccuracyDialog(QWidget* parent)
    : QDialog(parent)
    , m_text(new QTextBrowser(this))
{
    setObjectName(QStringLiteral("accuracyDialog"));
    setWindowTitle(tr("How accurate is this?"));
    m_text->setObjectName(QStringLiteral("accuracyText"));
    m_text->setAccessibleName(tr("Accuracy"));
    m_text->setOpenLinks(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    resize(qRound(860 * uiScale()), qRound(560 * uiScale()));
}

void AccuracyDialog::open(const std::string& framework, bool derived)
{
    m_framework = framework;
    m_derived = derived;
    refresh();
    show();
    raise();
    activateWindow();
    m_text->setFocus();
}

void AccuracyDialog::refresh()
{
    const std::string_view page = resourceText("accuracy.md");
    m_text->setMarkdown(headOf(m_framework, m_derived, page) + text(page));
    m_text->moveCursor(QTextCursor::Start);
}

void AccuracyDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible())
        refresh();
}

} // namespace shardrack
