#include "window/glossary_dialog.h"

#include "plan/glossary.h"
#include "style/view_style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kListWidth = 220;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// Whether a word is meant by what was typed: its own name first, then its other names.
bool matches(const GlossaryEntry& entry, const QString& typed)
{
    const auto has = [&typed](const std::string& name) {
        return text(name).contains(typed, Qt::CaseInsensitive);
    };
    return has(entry.word) || std::any_of(entry.also.begin(), entry.also.end(), has)
        || has(entry.meaning);
}

QString paragraph(const QString& html) { return QStringLiteral("<p>%1</p>").arg(html); }

} // namespace

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent)
    , m_filter(new QLineEdit(this))
    , m_words(new QListWidget(this))
    , m_text(new QTextBrowser(this))
{
    setObjectName(QStringLiteral("glossary"));
    setWindowTitle(tr("Glossary"));
    m_filter->setObjectName(QStringLiteral("glossaryFilter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the glossary"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    m_words->setObjectName(QStringLiteral("glossaryWords"));
    m_words->setAccessibleName(tr("Words"));
    m_words->setUniformItemSizes(true);
    m_text->setObjectName(QStringLiteral("glossaryText"));
    m_text->setAccessibleName(tr("Meaning"));
    m_text->setOpenLinks(false);
    auto* left = new QVBoxLayout;
    left->addWidget(m_filter);
    left->addWidget(m_words, 1);
    m_words->setMinimumWidth(kListWidth);
    auto* row = new QHBoxLayout(this);
    row->addLayout(left);
    row->addWidget(m_text, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &GlossaryDialog::filter);
    connect(m_words, &QListWidget::currentRowChanged, this, &GlossaryDialog::explain);
    connect(m_text, &QTextBrowser::anchorClicked, this,
        [this](const QUrl& link) { choose(link.toString(QUrl::FullyDecoded)); });
    resize(660, 420);
    filter({});
}

void GlossaryDialog::filter(const QString& typed)
{
    const QString before = word();
    const QSignalBlocker quiet(m_words);
    m_words->clear();
    std::vector<const GlossaryEntry*> entries;
    for (const GlossaryEntry& entry : glossary())
        if (typed.trimmed().isEmpty() || matches(entry, typed.trimmed()))
            entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(), [&](const auto* a, const auto* b) {
        // What begins with it is meant more often than what only mentions it.
        const bool aStarts = text(a->word).startsWith(typed.trimmed(), Qt::CaseInsensitive);
        const bool bStarts = text(b->word).startsWith(typed.trimmed(), Qt::CaseInsensitive);
        if (aStarts != bStarts)
            return aStarts;
        return text(a->word).compare(text(b->word), Qt::CaseInsensitive) < 0;
    });
    for (const GlossaryEntry* entry : entries)
        m_words->addItem(text(entry->word));
    const QList<QListWidgetItem*> same = m_words->findItems(before, Qt::MatchExactly);
    m_words->setCurrentRow(typed.isEmpty() && !same.isEmpty() ? m_words->row(same.front()) : 0);
    explain();
}

QString GlossaryDialog::word() const
{
    const QListWidgetItem* item = m_words->currentItem();
    return item ? item->text() : QString();
}

void GlossaryDialog::choose(const QString& word)
{
    const GlossaryEntry* entry = glossaryEntry(word.toStdString());
    if (!entry)
        return;
    m_filter->clear();
    const QList<QListWidgetItem*> items
        = m_words->findItems(text(entry->word), Qt::MatchExactly | Qt::MatchCaseSensitive);
    if (!items.isEmpty())
        m_words->setCurrentItem(items.front());
}

void GlossaryDialog::explain()
{
    const GlossaryEntry* entry = glossaryEntry(word().toStdString());
    if (!entry) {
        m_text->setHtml(paragraph(tr("No word of the glossary has this in it.")));
        return;
    }
    const QString link = themeOf(this).link.name();
    QString html = QStringLiteral("<h3>%1</h3>").arg(text(entry->word).toHtmlEscaped())
        + paragraph(text(entry->meaning).toHtmlEscaped());
    if (!entry->note.empty())
        html += paragraph(text(entry->note).toHtmlEscaped());
    if (!entry->also.empty()) {
        QStringList names;
        for (const std::string& name : entry->also)
            names << text(name).toHtmlEscaped();
        html += paragraph(tr("Also: %1").arg(names.join(QStringLiteral(", "))));
    }
    if (!entry->related.empty()) {
        QStringList links;
        for (const std::string& related : entry->related)
            links << QStringLiteral("<a href=\"%1\" style=\"color:%3\">%2</a>")
                         .arg(QString::fromLatin1(QUrl::toPercentEncoding(text(related))),
                             text(related).toHtmlEscaped(), link);
        html += paragraph(tr("See: %1").arg(links.join(QStringLiteral(", "))));
    }
    m_text->setHtml(html);
}

void GlossaryDialog::open(const QString& word)
{
    if (!word.isEmpty())
        choose(word);
    show();
    raise();
    activateWindow();
    m_filter->setFocus();
}

bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int by = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        if (by != 0 && m_words->count() > 0) {
            m_words->setCurrentRow(std::clamp(m_words->currentRow() + by, 0, m_words->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void GlossaryDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_text)
        explain();
}

} // namespace shardrack
