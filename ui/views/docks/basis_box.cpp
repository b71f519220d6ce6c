#include "docks/basis_box.h"

#include "paint/icons.h"
#include "style/view_style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kBar = 3;
constexpr int kIconRoom = 20;
constexpr std::size_t kShown = 3; ///< changes shown before the rest is asked for

QString changeText(const BasisChange& change)
{
    const QString title = QString::fromStdString(change.title);
    if (change.common.empty() && change.offer.empty())
        return title;
    const auto value = [](const std::string& text) {
        return text.empty() ? BasisBox::tr("not given") : QString::fromStdString(text);
    };
    return BasisBox::tr("%1: %2 → %3").arg(title, value(change.common), value(change.offer));
}

} // namespace

BasisBox::BasisBox(PlanEditing& editing, QWidget* parent)
    : QFrame(parent)
    , m_editing(editing)
    , m_title(new QLabel(this))
    , m_list(new QVBoxLayout)
    , m_makeCommon(new QPushButton(tr("Make common"), this))
    , m_back(new QPushButton(tr("Back to common"), this))
    , m_more(new QPushButton(this))
    , m_problem(new NoteLabel(this))
{
    setObjectName(QStringLiteral("basisBox"));
    setAccessibleName(tr("Changed basis"));
    m_title->setFont(styleOf(this).font(type::kBase, type::kSemibold));
    m_title->setWordWrap(true);
    m_makeCommon->setObjectName(QStringLiteral("makeCommon"));
    m_makeCommon->setToolTip(
        tr("Make this offer's workload the one that all offers are asked to answer"));
    m_back->setObjectName(QStringLiteral("backToCommon"));
    m_back->setToolTip(tr("Drop this offer's changes: it answers the common workload again"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_back);
    buttons->addWidget(m_makeCommon);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kBar + 6, 6, 6, 6);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addSpacing(kIconRoom);
    head->addWidget(m_title, 1);
    column->addLayout(head);
    m_list->setSpacing(2);
    column->addLayout(m_list);
    m_more->setObjectName(QStringLiteral("moreChanges"));
    m_more->setFlat(true);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    column->addLayout(buttons);
    column->addWidget(m_problem);
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_all = !m_all;
        fold();
    });

    const auto offer
        = [this] { return static_cast<std::size_t>(m_editing.document().currentOffer()); };
    connect(m_back, &QPushButton::clicked, this, [this, offer] {
        m_editing.beginStep();
        m_problem->setNote(
            m_editing.make(edit::SetOfferWorkload { offer(), {} }), NoteLabel::Tone::Problem);
    });
    connect(m_makeCommon, &QPushButton::clicked, this, [this, offer] {
        m_editing.beginStep();
        m_problem->setNote(
            m_editing.make(edit::MakeWorkloadCommon { offer() }), NoteLabel::Tone::Problem);
    });
    hide();
}

void BasisBox::makeLines(std::size_t count)
{
    while (m_lines.size() > count) {
        delete m_lines.back().text;
        delete m_lines.back().reason;
        m_lines.pop_back();
    }
    while (m_lines.size() < count) {
        const std::size_t number = m_lines.size();
        Line line { new QLabel(this), new QLineEdit(this) };
        line.text->setWordWrap(true);
        line.text->setTextFormat(Qt::PlainText);
        line.text->setFont(styleOf(this).font(type::kSecondary));
        line.reason->setPlaceholderText(tr("reason not given"));
        line.reason->setObjectName(QStringLiteral("basisReason%1").arg(number));
        m_editing.watch(line.reason);
        connect(
            line.reason, &QLineEdit::editingFinished, this, [this, number] { setReason(number); });
        m_list->addWidget(line.text);
        m_list->addWidget(line.reason);
        m_lines.push_back(line);
    }
}

void BasisBox::refresh()
{
    const PlanDocument& document = m_editing.document();
    const int offer = document.currentOffer();
    m_changes = offer < 0 ? std::vector<BasisChange>()
                          : changedBasis(*document.plan(), static_cast<std::size_t>(offer));
    const auto count = static_cast<int>(m_changes.size());
    m_title->setText(
        count == 1 ? tr("Changed basis: 1 change") : tr("Changed basis: %1 changes").arg(count));
    makeLines(m_changes.size());
    for (std::size_t i = 0; i < m_changes.size(); ++i) {
        const QString text = changeText(m_changes[i]);
        m_lines[i].text->setText(text);
        m_lines[i].reason->setAccessibleName(tr("Reason for: %1").arg(text));
        const QString reason = QString::fromStdString(m_changes[i].reason);
        if (!m_lines[i].reason->isModified() && m_lines[i].reason->text() != reason)
            m_lines[i].reason->setText(reason);
        m_lines[i].reason->setToolTip(reason);
    }
    fold();
    m_makeCommon->setEnabled(
        offer >= 0 && document.plan()->offers[static_cast<std::size_t>(offer)]->workload);
    if (m_changes.empty())
        m_problem->setNote({});
    setVisible(!m_changes.empty());
}

void BasisBox::fold()
{
    const std::size_t shown = m_all ? m_lines.size() : std::min(kShown, m_lines.size());
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i].text->setVisible(i < shown);
        m_lines[i].reason->setVisible(i < shown);
    }
    m_more->setVisible(m_lines.size() > kShown);
    const auto rest = static_cast<int>(m_lines.size() - std::min(kShown, m_lines.size()));
    m_more->setText(m_all ? tr("Show fewer")
            : rest == 1   ? tr("1 more change…")
                          : tr("%1 more changes…").arg(rest));
}

void BasisBox::setReason(std::size_t line)
{
    QLineEdit* field = m_lines[line].reason;
    if (!field->isModified())
        return;
    field->setModified(false);
    const auto offer = static_cast<std::size_t>(m_editing.document().currentOffer());
    const std::string reason = field->text().trimmed().toStdString();
    const BasisChange& change = m_changes[line];
    std::vector<BasisStatement> statements = m_editing.document().plan()->offers[offer]->basis;
    auto found = std::find_if(statements.begin(), statements.end(),
        [&](const BasisStatement& each) { return each.field == change.field; });
    if (found == statements.end()) {
        BasisStatement& added = statements.emplace_back();
        added.field = change.field;
        added.reason = reason;
    } else {
        found->reason = reason;
    }
    m_problem->setNote(
        m_editing.make(edit::SetBasis { offer, std::move(statements) }), NoteLabel::Tone::Problem);
}

void BasisBox::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.flagTint);
    painter.fillRect(QRect(0, 0, kBar, height()), theme.flag);
    drawIcon(painter, QRectF(kBar + 5, m_title->y() + 1, 16, 16), Icon::Changed, theme.flag);
}

} // namespace shardrack
