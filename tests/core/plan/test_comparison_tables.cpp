// The comparison as CSV, tabs, Markdown, HTML and JSON: form and escapes.

#include "plan_texts.h"

#include "plan/comparison.h"

using namespace shardrack;
using namespace plantexts;

namespace {

Comparison compared(const std::string& text)
{
    return compare(std::make_shared<const Plan>(planFrom(text)), {});
}

/// TS-24 where the first offer's interconnect is this text.
Comparison withText(const std::string& text)
{
    Json plan = Json::parse(ts24());
    plan["offers"][0]["interconnect"] = text;
    return compared(plan.dump());
}

/// Reads CSV as RFC 4180 says: cells by line; fails the process on a stray quote.
QList<QStringList> readCsv(const QString& text)
{
    QList<QStringList> lines;
    QStringList line;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c != u'"')
                cell += c;
            else if (i + 1 < text.size() && text[i + 1] == u'"')
                cell += text[++i];
            else
                quoted = false;
        } else if (c == u'"' && cell.isEmpty()) {
            quoted = true;
        } else if (c == u',') {
            line << cell;
            cell.clear();
        } else if (c == u'\r' && i + 1 < text.size() && text[i + 1] == u'\n') {
            ++i;
            line << cell;
            cell.clear();
            lines << line;
            line.clear();
        } else if (c == u'"' || c == u'\r' || c == u'\n') {
            qFatal("a stray %d in the CSV", c.unicode());
        } else {
            cell += c;
        }
    }
    if (!line.isEmpty() || !cell.isEmpty())
        qFatal("the last line does not end");
    return lines;
}

QString cellOf(const QList<QStringList>& lines, const QString& row, int column)
{
    for (const QStringList& line : lines)
        if (line.value(1) == row)
            return line.value(2 + column);
    return {};
}

} // namespace

class TestComparisonTables : public QObject {
    Q_OBJECT

private slots:
    void csvIsATable();
    void csvCells_data();
    void csvCells();
    void tsvHasNoBreaks();
    void markdownCells_data();
    void markdownCells();
    void markdownIsATable();
    void htmlCells();
    void hideEqual();
    void jsonIsTheContract();
};

void TestComparisonTables::csvIsATable()
{
    const QList<QStringList> lines = readCsv(q(comparisonCsv(compared(ts24()))));
    QCOMPARE(lines.front(), (QStringList { "Section", "Row", "Offer R (baseline)", "Offer S" }));
    for (const QStringList& line : lines)
        QCOMPARE(line.size(), 4);
    QVERIFY(cellOf(lines, "Note", 0).startsWith("A fictional example"));
    QVERIFY(cellOf(lines, "Headroom", 0).startsWith("over by at least 8.00 GiB"));
    QCOMPARE(cellOf(lines, "Persistent state, undivided", 1),
        QStringLiteral("6.00 GiB (24 GiB ÷ 4, sharded over a shard group of 4; -18.00 GiB against "
                       "the baseline)"));
}

void TestComparisonTables::csvCells_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("read");
    const auto row = [](const char* name, const char* given, const char* read) {
        QTest::newRow(name) << QString::fromUtf8(given) << QString::fromUtf8(read);
    };
    row("plain", "NVLink", "NVLink");
    row("comma", "NVLink, then Ethernet", "NVLink, then Ethernet");
    row("quotes", "so-called \"fast\" links", "so-called \"fast\" links");
    row("line break", "one\ntwo", "one\ntwo");
    row("carriage return", "one\r\ntwo", "one\r\ntwo");
    row("equals", "=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")");
    row("plus", "+1", "'+1");
    row("minus", "-1", "'-1");
    row("at", "@SUM(A1)", "'@SUM(A1)");
    row("tab", "\t=1", "'\t=1");
}

void TestComparisonTables::csvCells()
{
    QFETCH(QString, given);
    QFETCH(QString, read);
    const QList<QStringList> lines = readCsv(q(comparisonCsv(withText(given.toStdString()))));
    const QString cell = cellOf(lines, "Interconnect", 0);
    QVERIFY2(cell.startsWith(read), qPrintable(cell));
    for (const QStringList& line : lines) {
        QCOMPARE(line.size(), 4);
        for (const QString& each : line)
            QVERIFY2(each.isEmpty() || !QStringLiteral("=+-@\t\r").contains(each.front()),
                qPrintable(each));
    }
}

void TestComparisonTables::tsvHasNoBreaks()
{
    const QString text = q(comparisonTsv(withText("one\ttwo\nthree\r\nfour")));
    const QStringList lines = text.split(u'\n');
    QVERIFY(lines.last().isEmpty());
    for (qsizetype i = 0; i + 1 < lines.size(); ++i)
        QCOMPARE(lines[i].count(u'\t'), 3);
    QVERIFY(text.contains("one two three  four"));
}

void TestComparisonTables::markdownCells_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("written");
    const auto row = [](const char* name, const char* given, const char* written) {
        QTest::newRow(name) << QString::fromUtf8(given) << QString::fromUtf8(written);
    };
    row("pipe", "a|b", "a\\|b");
    row("backslash and pipe", "a\\|b", "a\\\\\\|b");
    row("emphasis", "*fast* _links_", "\\*fast\\* \\_links\\_");
    row("link", "[x](http://y)", "\\[x\\](http://y)");
    row("html", "<b>", "\\<b\\>");
    row("code", "`rm`", "\\`rm\\`");
    row("entity", "&lt;", "\\&lt;");
    row("line break", "one\ntwo", "one<br>two");
}

void TestComparisonTables::markdownCells()
{
    QFETCH(QString, given);
    QFETCH(QString, written);
    const QString text = q(comparisonMarkdown(withText(given.toStdString())));
    QVERIFY2(text.contains("| Interconnect | " + written), qPrintable(text));
}

void TestComparisonTables::markdownIsATable()
{
    const QString text = q(comparisonMarkdown(compared(ts24())));
    QVERIFY(text.startsWith("# TS-24 four GPUs with 16 GiB each: comparison of offers\n"));
    QVERIFY(text.contains("\n## Workload\n\n|  | Offer R (baseline) | Offer S |\n"
                          "| --- | --- | --- |\n"));
    for (const QString& line : text.split(u'\n'))
        if (line.startsWith(u'|')) {
            QString plain = line;
            plain.remove(QStringLiteral("\\|"));
            QCOMPARE(plain.count(u'|'), 4);
        }
}

void TestComparisonTables::htmlCells()
{
    const QString text = q(comparisonHtml(withText("<script>alert(\"&\")</script>")));
    QVERIFY(text.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"));
    QVERIFY(!text.contains("<script"));
}

void TestComparisonTables::hideEqual()
{
    const Comparison comparison = compared(ts24());
    const QList<QStringList> all = readCsv(q(comparisonCsv(comparison)));
    const QList<QStringList> some = readCsv(q(comparisonCsv(comparison, true)));
    qsizetype equal = 0;
    for (const ComparisonRow& row : comparison.rows)
        equal += row.equal && row.section != ComparisonRow::Section::Findings ? 1 : 0;
    QVERIFY(equal > 0);
    QCOMPARE(all.size() - some.size(), equal);
    QVERIFY(!cellOf(all, "Micro-batch", 0).isEmpty());
    QVERIFY(cellOf(some, "Micro-batch", 0).isEmpty());
    QVERIFY(!cellOf(some, "Layout", 0).isEmpty());
    QVERIFY(q(comparisonMarkdown(comparison, true)).contains("| Layout |"));
    QVERIFY(!q(comparisonMarkdown(comparison, true)).contains("| Micro-batch |"));
    QVERIFY(!q(comparisonText(comparison, true)).contains("Micro-batch"));
}

void TestComparisonTables::jsonIsTheContract()
{
    const Json json = toJson(compared(ts24()));
    QCOMPARE(q(json.at("plan")), QStringLiteral("TS-24 four GPUs with 16 GiB each"));
    QCOMPARE(q(json.at("baseline")), QStringLiteral("Offer R"));
    QCOMPARE(json.at("offers").size(), std::size_t(2));
    const Json& shards = json.at("offers").at(1);
    QCOMPARE(q(shards.at("name")), QStringLiteral("Offer S"));
    QCOMPARE(shards.at("findings").dump(),
        std::string(R"({"capacity":"open","demonstrated":"none","result":"not evaluated"})"));
    QVERIFY(shards.at("changed_basis").is_array());
    QCOMPARE(shards.at("most_loaded").at("need_bytes").get<qint64>(), qint64(6) << 30);
    QCOMPARE(shards.at("most_loaded").at("headroom_bytes").get<qint64>(), qint64(10) << 30);
    QCOMPARE(shards.at("terms").dump(),
        std::string(R"({"state":6442450944,"gathered":null,"activations":null,"temporary":null,)"
                    R"("slack":null,"outside":null})"));
    QVERIFY(shards.at("price").is_null());
    QCOMPARE(json.at("offers").at(0).at("terms").at("gathered").get<qint64>(), qint64(0));
    bool found = false;
    for (const Json& row : json.at("rows")) {
        QVERIFY(row.at("values").contains("Offer R") && row.at("values").contains("Offer S"));
        QVERIFY(row.at("equal").is_boolean());
        if (row.at("field") != "term_state")
            continue;
        found = true;
        QVERIFY(!row.at("equal").get<bool>());
        QCOMPARE(row.at("values").at("Offer R").get<qint64>(), qint64(24) << 30);
        QCOMPARE(row.at("differences").at("Offer S").get<qint64>(), -(qint64(18) << 30));
    }
    QVERIFY(found);
}

QTEST_GUILESS_MAIN(TestComparisonTables)
#include "test_comparison_tables.moc"
