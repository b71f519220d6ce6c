#include "compare/compare_chooser.h"

#include "style/view_style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kOffer = Qt::UserRole;

} // namespace

CompareChooser::CompareChooser(const Plan& plan, const ComparisonChoice& choice, QWidget* parent)
    : QDialog(parent)
    , m_list(new QListWidget(this))
    , m_baseline(new QComboBox(this))
    , m_byHeadroom(new QCheckBox(tr("&Most headroom first"), this))
    , m_problem(new QLabel(this))
    , m_up(new QPushButton(tr("Move &up"), this))
    , m_down(new QPushButton(tr("Move &down"), this))
{
    setObjectName(QStringLiteral("compareChooser"));
    setWindowTitle(tr("Choose offers"));
    m_list->setObjectName(QStringLiteral("chosenOffers"));
    m_list->setAccessibleName(tr("Offers to compare, in their order"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setDefaultDropAction(Qt::MoveAction);
    m_list->setMinimumSize(380, 180);
    m_list->installEventFilter(this);
    m_baseline->setObjectName(QStringLiteral("baseline"));
    m_baseline->setAccessibleName(tr("Baseline"));
    m_byHeadroom->setObjectName(QStringLiteral("byHeadroom"));
    m_problem->setObjectName(QStringLiteral("chooserProblem"));
    m_problem->setWordWrap(true);
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, themeOf(this).overText);
    m_problem->setPalette(ink);

    for (const std::size_t offer : choice.offers)
        addOffer(plan, offer, true);
    for (std::size_t offer = 0; offer < plan.offers.size(); ++offer)
        if (std::find(choice.offers.begin(), choice.offers.end(), offer) == choice.offers.end())
            addOffer(plan, offer, false);
    m_list->setCurrentRow(0);
    m_byHeadroom->setChecked(choice.order == ComparisonChoice::Order::ByHeadroom);

    auto* hint = new QLabel(tr("Drag to reorder, or Alt with the arrows. Offers on a changed basis "
                               "(≠) come last when the most headroom comes first."),
        this);
    hint->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("&Compare"));
    auto* side = new QVBoxLayout;
    side->addWidget(m_up);
    side->addWidget(m_down);
    side->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_list, 1);
    row->addLayout(side);
    auto* form = new QFormLayout;
    form->addRow(tr("&Differences against"), m_baseline);
    auto* column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addLayout(row, 1);
    column->addWidget(m_byHeadroom);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_list, &QListWidget::itemChanged, this, [this] {
        fillBaseline();
        check();
    });
    connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, &CompareChooser::fillBaseline);
    connect(m_list, &QListWidget::currentRowChanged, this, &CompareChooser::check);
    fillBaseline();
    const int baseline = m_baseline->findData(static_cast<qulonglong>(choice.baseline));
    m_baseline->setCurrentIndex(std::max(0, baseline));
    check();
}

void CompareChooser::addOffer(const Plan& plan, std::size_t offer, bool chosen)
{
    QString text = QString::fromStdString(plan.offers[offer]->name);
    const bool changed = hasChangedBasis(plan, offer);
    if (changed)
        text = tr("%1  ≠ changed basis").arg(text);
    auto* item = new QListWidgetItem(text, m_list);
    item->setData(kOffer, static_cast<qulonglong>(offer));
    item->setFlags(
        Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
    item->setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
}

ComparisonChoice CompareChooser::choice() const
{
    ComparisonChoice choice;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            choice.offers.push_back(m_list->item(row)->data(kOffer).toULongLong());
    choice.baseline = m_baseline->currentData().toULongLong();
    choice.order = m_byHeadroom->isChecked() ? ComparisonChoice::Order::ByHeadroom
                                             : ComparisonChoice::Order::AsChosen;
    return choice;
}

QString CompareChooser::problem() const
{
    const std::size_t chosen = choice().offers.size();
    if (chosen < CompareChoice::kFewest)
        return tr("Choose at least two offers.");
    if (chosen > CompareChoice::kMost)
        return tr("At most six offers fit side by side; %1 are chosen.").arg(chosen);
    return {};
}

void CompareChooser::move(int by)
{
    const int from = m_list->currentRow();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= m_list->count())
        return;
    m_list->insertItem(to, m_list->takeItem(from));
    m_list->setCurrentRow(to);
    fillBaseline();
    check();
}

/// The offers that are chosen, in their order; the one chosen before stays.
void CompareChooser::fillBaseline()
{
    const QVariant before = m_baseline->currentData();
    m_baseline->clear();
    for (int row = 0; row < m_list->count(); ++row)
        if (const QListWidgetItem* item = m_list->item(row); item->checkState() == Qt::Checked)
            m_baseline->addItem(item->text(), item->data(kOffer));
    m_baseline->setCurrentIndex(std::max(0, m_baseline->findData(before)));
}

void CompareChooser::check()
{
    m_problem->setText(problem());
    m_accept->setEnabled(problem().isEmpty());
    m_up->setEnabled(m_list->currentRow() > 0);
    m_down->setEnabled(m_list->currentRow() >= 0 && m_list->currentRow() + 1 < m_list->count());
}

bool CompareChooser::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool up = key->key() == Qt::Key_Up;
        if (key->modifiers() == Qt::AltModifier && (up || key->key() == Qt::Key_Down)) {
            move(up ? -1 : 1);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace shardrack
