#include "canvas/rank_entry.h"

#include "commands/edit_command.h"
#include "commands/rank_input.h"
#include "style/view_style.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

namespace {

/// Whether these are the numbers that follow the last rank, for GPUs that have none yet: they make
/// new ranks.
bool areNew(const RankSet& ranks, const ShownOffer& offer, const std::vector<GpuRef>& places)
{
    const ResolvedLayout& layout = offer.assessment->layout;
    if (ranks.empty() || ranks.intervals().size() != 1 || ranks.front() != layout.rankCount()
        || ranks.size() > static_cast<std::int64_t>(places.size()))
        return false;
    return std::all_of(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(ranks.size()),
        [&](const GpuRef& gpu) {
            const std::int32_t ordinal = offer.assessment->index.ordinal(gpu);
            return ordinal >= 0 && layout.ranksOn(ordinal).empty();
        });
}

} // namespace

RankEntry::RankEntry(PlanDocument& document, QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_title(new QLabel(this))
    , m_field(new QLineEdit(this))
    , m_message(new QLabel(this))
{
    setObjectName(QStringLiteral("rankEntry"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 6);
    column->setSpacing(4);
    for (QWidget* widget : { static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_field),
             static_cast<QWidget*>(m_message) })
        column->addWidget(widget);
    m_message->setWordWrap(true);
    m_message->setMinimumWidth(200);
    m_title->setBuddy(m_field);
    m_field->setObjectName(QStringLiteral("rankField"));
    m_field->setPlaceholderText(tr("3, or 0-3"));
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textEdited, this, &RankEntry::tryText);
    connect(m_field, &QLineEdit::returnPressed, this, &RankEntry::enter);
    hide();
}

void RankEntry::ask(std::vector<GpuRef> gpus, const QString& where)
{
    m_open = true;
    m_gpus = std::move(gpus);
    m_title->setText(tr("Rank on %1").arg(where));
    m_field->setAccessibleName(m_title->text());
    m_field->clear();
    say(tr("Enter moves it here, Esc leaves everything as it is"), false);
    adjustSize();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

QString RankEntry::message() const { return m_message->text(); }

Result<std::vector<Edit>> RankEntry::editsFor(
    const PlanDocument& document, const std::vector<GpuRef>& gpus, const QString& text)
{
    const std::optional<ShownOffer> offer = document.current();
    if (!offer || gpus.empty())
        return Error { {}, tr("No GPU is selected").toStdString(), {} };
    const ResolvedLayout& layout = offer->assessment->layout;
    const Result<RankSet> typed = RankSet::parse(text.trimmed().toStdString());
    // A range fills the selected GPUs in order, or those that follow the only one.
    std::vector<GpuRef> places = gpus;
    const std::int32_t first = offer->assessment->index.ordinal(gpus.front());
    if (places.size() == 1 && typed.ok())
        for (std::int32_t next = first + 1; static_cast<std::int64_t>(places.size()) < typed->size()
             && next < offer->assessment->index.gpuCount();
             ++next)
            places.push_back(offer->assessment->index.ref(next));
    if (typed.ok() && areNew(*typed, *offer, places)) {
        std::vector<Edit> edits;
        for (std::int64_t i = 0; i < typed->size(); ++i)
            edits.emplace_back(edit::AddRank { offer->offer, places[static_cast<std::size_t>(i)] });
        return edits;
    }
    const Result<RankSet> ranks = ranksFromText(text, layout.rankCount());
    if (!ranks.ok())
        return ranks.error();
    if (ranks->size() > static_cast<std::int64_t>(places.size()))
        return Error { {},
            (places.size() == 1 ? tr("%1 ranks, and %2 GPU from here on")
                                : tr("%1 ranks, and %2 GPUs from here on"))
                .arg(ranks->size())
                .arg(places.size())
                .toStdString(),
            {} };
    std::vector<Edit> edits;
    std::size_t place = 0;
    for (const RankSet::Interval& interval : ranks->intervals())
        for (std::int32_t rank = interval.first; rank <= interval.last; ++rank, ++place)
            if (layout.gpuOf(rank) != offer->assessment->index.ordinal(places[place]))
                edits.emplace_back(edit::MoveRank { offer->offer, rank, places[place] });
    if (edits.empty())
        return Error { {}, tr("It runs there already").toStdString(), {} };
    return edits;
}

void RankEntry::tryText()
{
    const Result<std::vector<Edit>> edits = editsFor(m_document, m_gpus, m_field->text());
    if (!edits.ok()) {
        m_document.clearTry();
        say(m_field->text().isEmpty() ? QString() : QString::fromStdString(edits.error().text()),
            true);
        return;
    }
    // A what-if is one edit; of several the first shows where it leads.
    const std::optional<Error> error = m_document.tryEdit(edits->front());
    if (error)
        say(QString::fromStdString(error->text()), true);
    else if (edits->size() > 1)
        say(tr("The picture shows the first of %1 ranks; Enter does it for all").arg(edits->size()),
            false);
    else
        say({}, true);
}

void RankEntry::enter()
{
    const Result<std::vector<Edit>> edits = editsFor(m_document, m_gpus, m_field->text());
    if (!edits.ok()) {
        say(QString::fromStdString(edits.error().text()), true);
        return;
    }
    m_document.clearTry();
    const bool fresh = std::holds_alternative<edit::AddRank>(edits->front());
    if (const std::optional<Error> error = performAll(m_document, *edits,
            (fresh ? tr("Add %1 ranks") : tr("Move %1 ranks")).arg(edits->size()))) {
        say(QString::fromStdString(error->text()), true);
        return;
    }
    close(true);
}

void RankEntry::close(bool returnFocus)
{
    if (!m_open)
        return;
    m_open = false; // hiding takes the focus away, which closes as well
    m_document.clearTry();
    hide();
    if (returnFocus)
        emit closed();
}

void RankEntry::say(const QString& message, bool wrong)
{
    const Theme& theme = themeOf(this);
    QPalette colors = m_message->palette();
    colors.setColor(QPalette::WindowText, wrong ? theme.overText : theme.text2);
    m_message->setPalette(colors);
    m_message->setText(message);
    m_field->setAccessibleDescription(message);
    adjustSize();
}

bool RankEntry::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        close(true);
        return true;
    }
    if (event->type() == QEvent::FocusOut) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
            close(false);
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace shardrack
