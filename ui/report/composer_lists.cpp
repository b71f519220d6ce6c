// The sections that list: what would change a finding, what is open, questions, assumptions, words.
#include "report/composer.h"

#include "paint/finding_glyphs.h"
#include "plan/basis.h"
#include "plan/glossary.h"
#include "plan/plan_json.h"
#include "plan/question_sheet.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

/// All words of a document, for the choice of glossary entries.
QString allWords(const ReportDocument& document)
{
    QStringList words;
    const auto rich = [&](const Rich& text) { words << plainText(text); };
    const auto cells = [&](const std::vector<Cell>& row) {
        for (const Cell& cell : row) {
            rich(cell.text);
            words << cell.detail;
        }
    };
    for (const ReportBlock& block : document.blocks) {
        if (const auto* heading = std::get_if<Heading>(&block)) {
            words << heading->text << heading->note;
        } else if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
            rich(paragraph->text);
        } else if (const auto* table = std::get_if<Table>(&block)) {
            cells(table->header);
            std::for_each(table->rows.begin(), table->rows.end(), cells);
        } else if (const auto* list = std::get_if<Definitions>(&block)) {
            for (const Definitions::Item& item : list->items) {
                rich(item.term);
                rich(item.text);
            }
        } else if (const auto* box = std::get_if<NoteBox>(&block)) {
            rich(box->text);
        }
    }
    return words.join(u' ');
}

bool occurs(const QString& word, const QString& words)
{
    const QRegularExpression whole(
        QStringLiteral("(?<![\\w-])%1s?(?![\\w-])").arg(QRegularExpression::escape(word)),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    return whole.match(words).hasMatch();
}

} // namespace

void Composer::change()
{
    begin(ReportSection::Change);
    Definitions list;
    for (std::size_t i = 0; i < count(); ++i)
        list.items.push_back({ plain(nameOf(i)), plain(q(m_summary.offers[i].change)), {} });
    m_document.blocks.emplace_back(std::move(list));
}

void Composer::notEstablished()
{
    begin(ReportSection::NotEstablished,
        Words::tr("What nobody has supplied. It is in no sum, and every sum without it says “at "
                  "least”."));
    if (m_summary.notEstablished.empty()) {
        say(plain(Words::tr("Nothing is left open.")));
        return;
    }
    Table table;
    table.title = QStringLiteral("not-established");
    table.columns = { { false, 0.26 }, { false, 0.24 }, { false, 0.5 } };
    for (const QString& head :
        { Words::tr("What"), Words::tr("Offers"), Words::tr("What it needs") })
        table.header.push_back({ plain(head), {}, {}, false });
    for (const OpenItem& item : m_summary.notEstablished)
        table.rows.push_back({ { plain(q(item.what)), {}, Icon::NotEstablished, false },
            { plain(namesOf(item.offers)), {}, {}, false },
            { plain(q(item.establish)), {}, {}, false } });
    m_document.blocks.emplace_back(std::move(table));
}

void Composer::questions()
{
    for (std::size_t i = 0; i < count(); ++i) {
        if (i == 0)
            begin(ReportSection::Questions,
                Words::tr("One sheet for whoever makes an offer. What is known is filled in, the "
                          "rest is asked."));
        m_document.blocks.emplace_back(Heading { 2, Words::tr("Questions: %1").arg(nameOf(i)),
            QStringLiteral("questions-%1").arg(i), q(m_comparison.offers[i].phrase) });
        Table table;
        table.title = QStringLiteral("questions-%1").arg(i + 1);
        table.small = true;
        table.together = true;
        table.columns = { { false, 0.24 }, { false, 0.42 }, { false, 0.34 } };
        for (const QString& head :
            { Words::tr("Question"), Words::tr("Known"), Words::tr("To be answered") })
            table.header.push_back({ plain(head), {}, {}, false });
        const ComparedOffer& compared = m_comparison.offers[i];
        for (const Question& question :
            questionSheet(*m_comparison.plan, compared.offer, *compared.assessment)) {
            Cell known;
            if (!question.known.empty()) {
                known.text = plain(q(question.known));
                known.mark = iconOf(question.provenance);
            }
            Cell asked;
            if (!question.asked.empty()) {
                asked.text = plain(q(question.asked));
                asked.mark = Icon::NotEstablished;
            }
            table.rows.push_back({ { bold(q(question.title)), {}, {}, false }, known, asked });
        }
        m_document.blocks.emplace_back(std::move(table));
    }
}

void Composer::assumptions()
{
    begin(
        ReportSection::Assumptions, Words::tr("What was taken as given, and where it comes from."));
    if (m_summary.assumptions.empty()) {
        say(plain(Words::tr("Assumptions: none.")));
        return;
    }
    Table table;
    table.title = QStringLiteral("assumptions");
    table.small = true;
    table.columns = { { false, 0.44 }, { false, 0.38 }, { false, 0.18 } };
    for (const QString& head :
        { Words::tr("Assumption"), Words::tr("Source"), Words::tr("Offers") })
        table.header.push_back({ plain(head), {}, {}, false });
    for (const Assumption& each : m_summary.assumptions)
        table.rows.push_back({ { plain(q(each.text)), {}, {}, false },
            { plain(q(each.source), Tone::Secondary), {}, {}, false },
            { plain(namesOf(each.offers)), {}, {}, false } });
    m_document.blocks.emplace_back(std::move(table));
}

void Composer::glossary()
{
    const QString words = allWords(m_document);
    begin(ReportSection::Glossary, Words::tr("The words of this report."));
    Definitions list;
    list.small = true;
    list.termShare = 0.22;
    for (const GlossaryEntry& entry : shardrack::glossary()) {
        const bool used = occurs(q(entry.word), words)
            || std::any_of(entry.also.begin(), entry.also.end(),
                [&](const std::string& name) { return occurs(q(name), words); });
        if (used)
            list.items.push_back({ plain(q(entry.word)), plain(q(entry.meaning)), {} });
    }
    if (list.items.empty())
        say(plain(Words::tr("No word needs an explanation.")));
    else
        m_document.blocks.emplace_back(std::move(list));
}

void Composer::versions()
{
    begin(ReportSection::Versions);
    Table table;
    table.title = QStringLiteral("versions");
    table.columns = { { false, 0.34 }, { false, 0.66 } };
    const auto row = [&](const QString& what, const QString& value) {
        table.rows.push_back(
            { { plain(what, Tone::Secondary), {}, {}, false }, { plain(value), {}, {}, false } });
    };
    row(Words::tr("Program"), m_input.program);
    row(Words::tr("Plan format"), Words::tr("version %1").arg(kPlanVersion));
    for (std::size_t i = 0; i < count(); ++i)
        row(Words::tr("Fingerprint of %1").arg(nameOf(i)),
            q(offerFingerprint(*m_comparison.plan, m_comparison.offers[i].offer)));
    row(Words::tr("Units"),
        Words::tr("GiB = 2³⁰ bytes = 1,073,741,824 B; GB = 10⁹ bytes. Computed from whole bytes, "
                  "printed to 0.01 GiB: a printed sum may differ by 0.01 from its printed parts."));
    m_document.blocks.emplace_back(std::move(table));
}

} // namespace shardrack
