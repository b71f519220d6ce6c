#include "window/find_field.h"

#include "base/size_text.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::size_t kMostMatches = 12;

std::vector<GpuRef> gpusOf(const Server& server)
{
    std::vector<GpuRef> gpus;
    for (int i = 0; i < server.gpuCount(); ++i)
        gpus.push_back({ server.id, i });
    return gpus;
}

} // namespace

FindField::FindField(PlanDocument& document, Selection& selection, QWidget* parent)
    : QLineEdit(parent)
    , m_document(document)
    , m_selection(selection)
    , m_model(new QStringListModel(this))
    , m_completer(new QCompleter(m_model, this))
{
    setObjectName(QStringLiteral("findField"));
    setAccessibleName(tr("Find rank, server or command"));
    setPlaceholderText(tr("Find rank, server or command"));
    setClearButtonEnabled(true);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(static_cast<int>(kMostMatches));
    setCompleter(m_completer);
    connect(this, &QLineEdit::textEdited, this, &FindField::search);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FindField::go,
        Qt::QueuedConnection);
    connect(this, &QLineEdit::returnPressed, this, [this] {
        if (!m_matches.empty())
            go(m_matches.front().text);
    });
}

void FindField::setCommands(std::vector<QAction*> commands) { m_commands = std::move(commands); }

void FindField::search(const QString& text)
{
    m_matches.clear();
    const QString wanted = text.trimmed();
    if (!wanted.isEmpty()) {
        addRank(wanted);
        addPlaces(wanted);
        addCommands(wanted);
    }
    QStringList texts;
    for (const Match& match : m_matches)
        texts << match.text;
    m_model->setStringList(texts);
    if (!texts.isEmpty())
        m_completer->complete();
}

void FindField::addRank(const QString& text)
{
    const auto current = m_document.current();
    QString digits = text;
    if (digits.startsWith(tr("rank"), Qt::CaseInsensitive))
        digits = digits.mid(tr("rank").size()).trimmed();
    const std::int64_t ranks = current ? current->assessment->layout.rankCount() : 0;
    if (ranks == 0)
        return;
    const auto rank = parseInteger(digits.toStdString(), 0, ranks - 1);
    if (!rank)
        return;
    const auto number = static_cast<std::int32_t>(*rank);
    const std::int32_t gpu = current->assessment->layout.gpuOf(number);
    if (gpu < 0)
        return;
    const QString device
        = QString::fromStdString(current->assessment->index.deviceName(current->get().site, gpu));
    const GpuRef ref = current->assessment->index.ref(gpu);
    m_matches.push_back({ tr("rank %1 on %2").arg(number).arg(device),
        [this, ref] { m_selection.selectGpu(ref); } });
}

void FindField::addPlaces(const QString& text)
{
    const auto current = m_document.current();
    if (!current)
        return;
    const auto matches = [&](const std::string& name) {
        return QString::fromStdString(name).contains(text, Qt::CaseInsensitive);
    };
    const Site& site = current->get().site;
    for (std::size_t r = 0; r < site.racks.size() && m_matches.size() < kMostMatches; ++r) {
        const Rack& rack = *site.racks[r];
        if (matches(rack.name)) {
            std::vector<GpuRef> gpus;
            for (const Server& server : rack.servers)
                for (const GpuRef& gpu : gpusOf(server))
                    gpus.push_back(gpu);
            m_matches.push_back({ tr("rack %1").arg(QString::fromStdString(rack.name)),
                [this, r, gpus] { m_selection.selectRack(static_cast<int>(r), gpus); } });
        }
        for (const Server& server : rack.servers) {
            if (m_matches.size() >= kMostMatches)
                break;
            if (!matches(server.name))
                continue;
            const ServerId id = server.id;
            m_matches.push_back({ tr("server %1 in rack %2")
                                      .arg(QString::fromStdString(server.name),
                                          QString::fromStdString(rack.name)),
                [this, id, gpus = gpusOf(server)] { m_selection.selectServer(id, gpus); } });
        }
    }
}

void FindField::addCommands(const QString& text)
{
    for (QAction* command : m_commands) {
        if (m_matches.size() >= kMostMatches)
            return;
        QString name = command->text();
        name.remove(QLatin1Char('&'));
        if (!command->isEnabled() || !command->isVisible()
            || !name.contains(text, Qt::CaseInsensitive))
            continue;
        const QString keys = command->shortcut().toString(QKeySequence::NativeText);
        m_matches.push_back({ keys.isEmpty() ? name : tr("%1   (%2)").arg(name, keys),
            [command] { command->trigger(); } });
    }
}

void FindField::go(const QString& text)
{
    const auto match = std::find_if(m_matches.begin(), m_matches.end(),
        [&](const Match& candidate) { return candidate.text == text; });
    if (match == m_matches.end())
        return;
    // Copied: what runs may search again.
    const Match chosen = *match;
    m_matches.clear();
    clear();
    // A place is selected before it is shown; a command may open something that takes the focus.
    if (chosen.isPlace)
        chosen.go();
    emit found();
    if (!chosen.isPlace)
        chosen.go();
}

bool FindField::event(QEvent* event)
{
    if (event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        clear();
        emit found();
        return true;
    }
    return QLineEdit::event(event);
}

void FindField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        clear();
}

} // namespace shardrack
