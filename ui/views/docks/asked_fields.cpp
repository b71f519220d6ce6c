#include "docks/asked_fields.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QToolButton>

namespace shardrack {

namespace {

/// A field of words of the workload.
struct Words {
    const char* id;
    const char* label;
    const char* example;
    std::string& (*of)(Workload&);
};

constexpr Words kWords[] = {
    { "revision", QT_TRANSLATE_NOOP("AskedFields", "Revision"),
        QT_TRANSLATE_NOOP("AskedFields", "Of the model: a commit or a date"),
        [](Workload& w) -> std::string& { return w.revision; } },
    { "frameworkVersion", QT_TRANSLATE_NOOP("AskedFields", "Version"),
        QT_TRANSLATE_NOOP("AskedFields", "Of the framework"),
        [](Workload& w) -> std::string& { return w.recipe.frameworkVersion; } },
    { "trained", QT_TRANSLATE_NOOP("AskedFields", "Trained"),
        QT_TRANSLATE_NOOP("AskedFields", "Which parameters are trained: all, adapters, …"),
        [](Workload& w) -> std::string& { return w.recipe.trained; } },
    { "formats", QT_TRANSLATE_NOOP("AskedFields", "Formats"),
        QT_TRANSLATE_NOOP("AskedFields", "Number formats: bf16 computation, fp32 reduction"),
        [](Workload& w) -> std::string& { return w.recipe.formats; } },
    { "placement", QT_TRANSLATE_NOOP("AskedFields", "Placement"),
        QT_TRANSLATE_NOOP("AskedFields", "State kept elsewhere than on the devices, or none"),
        [](Workload& w) -> std::string& { return w.recipe.offload; } },
    { "savers", QT_TRANSLATE_NOOP("AskedFields", "Savers"),
        QT_TRANSLATE_NOOP("AskedFields", "Other means that save memory, or none"),
        [](Workload& w) -> std::string& { return w.recipe.savers; } },
    { "requirement", QT_TRANSLATE_NOOP("AskedFields", "Requirement"),
        QT_TRANSLATE_NOOP("AskedFields", "Quality and performance that every offer has to reach"),
        [](Workload& w) -> std::string& { return w.requirement; } },
};

QString translated(const char* text) { return QCoreApplication::translate("AskedFields", text); }

QString joined(const std::vector<std::string>& sentences)
{
    QStringList all;
    for (const std::string& sentence : sentences)
        all += QString::fromStdString(sentence);
    return all.join(QStringLiteral("; "));
}

} // namespace

AskedFields::AskedFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    m_fold = new QToolButton;
    m_fold->setObjectName(QStringLiteral("askedFields"));
    m_fold->setAutoRaise(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setToolTip(tr("What every offer is asked beside the figures"));
    m_foldRow = &form.addWide(m_fold);
    connect(m_fold, &QToolButton::clicked, this, [this] {
        m_chosen = true;
        m_open = !m_open;
        emit m_editing.refreshWanted();
    });
    for (const Words& words : kWords) {
        Field field;
        field.edit = addWords(form, editing, field.row, translated(words.label),
            [this, &words](const std::string& text) {
                return m_editing.changeWorkload(
                    [&](Workload& workload) { words.of(workload) = text; });
            });
        field.edit->setObjectName(QLatin1String(words.id));
        field.row->label->setToolTip(translated(words.example));
        m_words.push_back(field);
    }
    addOfferFields(form);
}

QString AskedFields::changeOffer(const std::function<Edit(const Offer&, std::size_t)>& change)
{
    const int offer = m_editing.document().currentOffer();
    if (offer < 0)
        return {};
    const auto number = static_cast<std::size_t>(offer);
    return m_editing.make(change(*m_editing.document().plan()->offers[number], number));
}

void AskedFields::addOfferFields(FormGrid& form)
{
    m_interconnect.edit = addWords(
        form, m_editing, m_interconnect.row, tr("Interconnect"), [this](const std::string& text) {
            return changeOffer([&](const Offer&, std::size_t offer) {
                return edit::SetInterconnect { offer, text };
            });
        });
    m_interconnect.edit->setObjectName(QStringLiteral("interconnect"));
    m_interconnect.row->label->setToolTip(tr("Of this offer: what connects its devices"));
    m_price.edit
        = addWords(form, m_editing, m_price.row, tr("Price"), [this](const std::string& text) {
              std::optional<Price> price;
              if (!text.empty()) {
                  const auto read = readPrice(text);
                  if (!read)
                      return QString::fromStdString(read.error().text());
                  price = *read;
              }
              return changeOffer([&](const Offer&, std::size_t offer) {
                  return edit::SetPrice { offer, price };
              });
          });
    m_price.edit->setObjectName(QStringLiteral("price"));
    m_price.row->label->setToolTip(tr("Of this offer, as it was quoted"));
    m_assumptions.edit = addWords(
        form, m_editing, m_assumptions.row, tr("Assumptions"), [this](const std::string& text) {
            return changeOffer([&](const Offer&, std::size_t offer) {
                std::vector<std::string> sentences;
                for (const QString& each : QString::fromStdString(text).split(u';'))
                    if (!each.trimmed().isEmpty())
                        sentences.push_back(each.trimmed().toStdString());
                return edit::SetAssumptions { offer, std::move(sentences) };
            });
        });
    m_assumptions.edit->setObjectName(QStringLiteral("assumptions"));
    m_assumptions.row->label->setToolTip(
        tr("Of this offer, printed wherever it is shown; separated by semicolons"));
}

std::vector<FormGrid::Row*> AskedFields::rows() const
{
    std::vector<FormGrid::Row*> all { m_foldRow };
    for (const Field& field : m_words)
        all.push_back(field.row);
    for (const Field* field : { &m_interconnect, &m_price, &m_assumptions })
        all.push_back(field->row);
    return all;
}

void AskedFields::refresh(const WorkloadView& view)
{
    Workload shown = view.workload;
    int given = 0;
    for (std::size_t i = 0; i < m_words.size(); ++i) {
        const std::string& words = kWords[i].of(shown);
        given += words.empty() ? 0 : 1;
        showWords(m_words[i].edit, *m_words[i].row, words);
    }
    const Offer* offer = view.now ? &view.now->get() : nullptr;
    showWords(m_interconnect.edit, *m_interconnect.row, offer ? offer->interconnect : "");
    showWords(m_price.edit, *m_price.row, offer && offer->price ? typedText(*offer->price) : "");
    showWords(m_assumptions.edit, *m_assumptions.row,
        offer ? joined(offer->assumptions).toStdString() : "");
    if (!m_chosen)
        m_open = given > 0;
    m_fold->setArrowType(m_open ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setAccessibleDescription(m_open ? tr("unfolded") : tr("folded"));
    m_fold->setText(
        tr("Asked in words, %1 of %2 given").arg(given).arg(static_cast<int>(m_words.size())));
    for (FormGrid::Row* row : rows())
        if (row != m_foldRow)
            row->setVisible(m_open);
    for (Field* field : { &m_interconnect, &m_price, &m_assumptions })
        field->row->setEnabled(offer != nullptr);
}

} // namespace shardrack
