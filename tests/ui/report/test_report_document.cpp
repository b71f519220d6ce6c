// What the report says, section by section, and its tables as files.

#include "report_fixture.h"

#include <QTemporaryDir>

using namespace shardrack;
using namespace reports;

class TestReportDocument : public QObject {
    Q_OBJECT
private slots:
    // DOMAIN.md section 3.
    void ts24SaysWhatItMust_data()
    {
        QTest::addColumn<QString>("fact");
        for (const char* fact :
            { "Replicas do not fit.", "Shards stay open until five terms are known.",
                "24 GiB of persistent training state, four GPUs with 16 GiB installed each, usable "
                "not confirmed",
                "Over capacity, 4 of 4", "None", "Not evaluated", "24.00 GiB against 16.00 GiB",
                "Four copies total 96.00 GiB, and 64.00 GiB are installed; neither sum changes "
                "that.",
                "A fifth replica changes nothing for the first.", "24.00 ÷ 4 = 6.00 GiB",
                "it is not a measured margin", "Changed basis: none.", "Fictional.",
                "Ordinary local optimizer state, no additional sharding or offload.", "not stated",
                "24 GiB ÷ 1", "24 GiB ÷ 4" })
            QTest::newRow(fact) << QString::fromUtf8(fact);
    }
    void ts24SaysWhatItMust()
    {
        QFETCH(QString, fact);
        static const QString text = textOf(composeReport(ts24(), {}));
        QVERIFY2(text.contains(fact), qPrintable(text));
    }

    void theFifthUnknownIsNeverZero()
    {
        const QString text = textOf(composeReport(ts24(), only("arithmetic")));
        for (const char* term : { "Activations", "Temporary buffers", "Allocator slack" }) {
            const qsizetype at = text.indexOf(QLatin1String(term));
            const QString line = text.mid(at, text.indexOf(u'\n', at) - at);
            QVERIFY2(line.contains(QStringLiteral("not established")), qPrintable(line));
            QVERIFY2(!line.contains(QStringLiteral("0.00")), qPrintable(line));
        }
    }

    void changedBasisIsFlaggedAndNotRanked()
    {
        const ReportDocument document = composeReport(llama(), {});
        const QString text = textOf(document);
        QVERIFY2(text.contains(QStringLiteral("On a changed basis, Offer S, longer micro-batch is "
                                              "estimated to fit.")),
            qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("it is not ranked")));
        // Micro-batch 1 became 4, with the reason that the plan gives.
        QVERIFY(text.contains(QStringLiteral("Offer S, longer micro-batch|Micro-batch|1 sequence|4 "
                                             "sequences|the supplier measured only this one")));
        int flagged = 0;
        for (const ReportBlock& block : document.blocks)
            if (const auto* table = std::get_if<Table>(&block))
                for (const auto& row : table->rows)
                    for (const Cell& cell : row)
                        flagged += cell.flagged ? 1 : 0;
        QVERIFY(flagged > 0);
    }

    void everySectionCanBeLeftOut_data()
    {
        QTest::addColumn<int>("section");
        for (int i = 0; i < kReportSectionCount; ++i)
            QTest::newRow(id(static_cast<ReportSection>(i))) << i;
    }
    void everySectionCanBeLeftOut()
    {
        QFETCH(int, section);
        const auto chosen = static_cast<ReportSection>(section);
        const auto has = [&](const ReportDocument& document) {
            const QString words = title(chosen);
            for (const ReportBlock& block : document.blocks) {
                const auto* heading = std::get_if<Heading>(&block);
                if (heading && heading->text == words)
                    return true;
                const auto* paragraph = std::get_if<Paragraph>(&block);
                if (paragraph
                    && plainText(paragraph->text).startsWith(words + QStringLiteral("  ")))
                    return true;
            }
            return false;
        };
        ReportOptions options;
        QVERIFY(has(composeReport(ts24(), options)));
        options.sections.set(chosen, false);
        QVERIFY(!has(composeReport(ts24(), options)));
    }

    void replicasAgainstShards()
    {
        const ReportDocument document = composeReport(ts24(), only("shards"));
        const QString text = textOf(document);
        // DOMAIN.md section 3: 24 GiB whole, 24 ÷ n divided.
        QVERIFY(text.contains(QStringLiteral("24 GiB − 24 GiB ÷ 64 = 23.63 GiB")));
        QVERIFY(text.contains(QStringLiteral("Every curve is a lower bound")));
        QVERIFY(text.contains(QStringLiteral("ZeRO-1 and ZeRO-2 are left out")));
        // Both offers answer the same workload on the same GPUs: one figure.
        const Figure* figure = nullptr;
        int figures = 0;
        for (const ReportBlock& block : document.blocks)
            if (const auto* found = std::get_if<Figure>(&block)) {
                figure = found;
                ++figures;
            }
        QCOMPARE(figures, 1);
        QCOMPARE(figure->values.columns.size(), std::size_t(4));
        const auto& four = figure->values.rows[2];
        QCOMPARE(plainText(four[0].text), QStringLiteral("4"));
        QCOMPARE(plainText(four[1].text), QStringLiteral("at least 24.00"));
        QCOMPARE(plainText(four[2].text), QStringLiteral("at least 6.00"));
        // Offers that answer other questions have figures of their own.
        figures = 0;
        for (const ReportBlock& block : composeReport(llama(), only("shards")).blocks)
            figures += std::holds_alternative<Figure>(block) ? 1 : 0;
        QVERIFY(figures > 1);
    }

    void chosenOffersOnly()
    {
        ReportOptions options;
        options.offers = { 1 };
        const QString text = textOf(composeReport(ts24(), options));
        QVERIFY(!text.contains(QStringLiteral("Offer R")));
        QVERIFY(text.contains(QStringLiteral("Offer S stays open until five terms are known.")));
    }

    void aTitleOfOnesOwn()
    {
        ReportOptions options = only("findings");
        options.title = QStringLiteral("For the board");
        QVERIFY(
            textOf(composeReport(ts24(), options)).startsWith(QStringLiteral("For the board\n")));
    }

    void emptyPlan()
    {
        ReportInput input = ts24();
        input.plan = std::make_shared<const Plan>(shardrack::emptyPlan());
        const auto report = layoutReport(input, {});
        QCOMPARE(report->pageCount(), 1);
        QVERIFY(textOf(report->document()).contains(QStringLiteral("There is no offer yet.")));
    }

    // Thousands of devices are never thousands of rows, and what is left out is counted.
    void largePlansStayShort()
    {
        const auto report = layoutReport(large(), {});
        QVERIFY2(report->pageCount() <= 14, qPrintable(QString::number(report->pageCount())));
        const QString text = textOf(report->document());
        // 14 kinds of device, 10 listed; 18 racks of 64 each for the first 13, 22 for the last.
        QVERIFY2(text.contains(QStringLiteral("4 further kinds of device")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("16,384")));
        // Need 75.48 GiB with 1 GiB of slack: over where usable is below 74.48, on four kinds.
        QVERIFY2(text.contains(QStringLiteral("4,608 of 16,384 over capacity")), qPrintable(text));
    }

    // Llama 3 8B in fp32 with Adam: 16 B × 8,030,261,248 = 119.66 GiB, on eight GPUs 14.96 each,
    // whatever of it is held at the peak.
    void devicesHoldWhatTheirTotalSays()
    {
        ReportInput input = ts24();
        input.plan = std::make_shared<const Plan>(readPlan(
            R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-3-8b"}, "recipe": {"framework": "torchtitan", "micro_batch": 1,
  "accumulation": 1, "sequence": 8192, "recompute": "none", "optimizer": "adamw",
  "bytes_per_parameter": {"parameters": 4, "gradients": 4, "optimizer": 8, "master": 0}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "fsdp"}}]})")
                                                      .value()
                                                      .plan);
        for (const TableFile& file : reportTables(input, {}))
            if (file.name == QLatin1String("devices")) {
                const QString text = QString::fromUtf8(file.csv);
                QVERIFY2(text.contains(QStringLiteral("14.96 GiB")), qPrintable(text));
                QVERIFY2(text.contains(QStringLiteral("119.66 GiB")), qPrintable(text));
                return;
            }
        QFAIL("there is no table of devices");
    }

    void tablesAsCsv()
    {
        QStringList names;
        for (const TableFile& file : reportTables(large(), {})) {
            names << file.name;
            const QString text = QString::fromUtf8(file.csv);
            QVERIFY(text.endsWith(QStringLiteral("\r\n")));
            if (file.name == QLatin1String("devices")) {
                // Here every kind of device has its row: 14, 1 and 2, three totals and the header.
                QCOMPARE(text.count(QStringLiteral("\r\n")), 14 + 1 + 2 + 3 + 1);
                QVERIFY2(text.contains(QStringLiteral("\"Offer C, on a changed basis\",")),
                    qPrintable(text));
            }
        }
        QCOMPARE(names,
            QStringList({ QStringLiteral("comparison"), QStringLiteral("devices"),
                QStringLiteral("questions-1"), QStringLiteral("questions-2"),
                QStringLiteral("questions-3") }));
    }

    void aCellIsNeverAFormula()
    {
        ReportInput input = ts24();
        Plan plan = *input.plan;
        Offer offer = *plan.offers.front();
        offer.name = "=cmd()";
        offer.assumptions = { "+1, \"quoted\"" };
        plan.offers = { std::make_shared<const Offer>(offer) };
        input.plan = std::make_shared<const Plan>(plan);
        for (const TableFile& file : reportTables(input, {})) {
            const QString text = QString::fromUtf8(file.csv);
            QVERIFY2(!text.contains(QStringLiteral("\n=")) && !text.contains(QStringLiteral(",=")),
                qPrintable(text));
            if (file.name == QLatin1String("questions-1"))
                QVERIFY2(
                    text.contains(QStringLiteral("\"'+1, \"\"quoted\"\"\"")), qPrintable(text));
        }
    }

    void htmlIsWholeAndEscaped()
    {
        ReportInput input = llama();
        Plan plan = *input.plan;
        plan.title = "A <b>bold</b> plan & more";
        input.plan = std::make_shared<const Plan>(plan);
        const QString html = QString::fromUtf8(reportHtml(input, {}));
        QVERIFY(html.startsWith(QStringLiteral("<!DOCTYPE html>")));
        QVERIFY(html.contains(QStringLiteral("A &lt;b&gt;bold&lt;/b&gt; plan &amp; more")));
        QVERIFY(!html.contains(QStringLiteral("<b>bold")));
        // Nothing from elsewhere.
        QVERIFY(!html.contains(QStringLiteral("http")) || !html.contains(QStringLiteral("src=")));
        QCOMPARE(html.count(QStringLiteral("<table>")), html.count(QStringLiteral("</table>")));
        QCOMPARE(html.count(QStringLiteral("<tr")), html.count(QStringLiteral("</tr>")));
        for (int i = 1; i < kReportSectionCount; ++i)
            QVERIFY2(html.contains(title(static_cast<ReportSection>(i)).toHtmlEscaped()),
                qPrintable(title(static_cast<ReportSection>(i))));
        // Marks are words there.
        QVERIFY(html.contains(QStringLiteral("changed basis")));
        QVERIFY(html.contains(QStringLiteral("scope=\"col\"")));
    }

    void aReportIsWrittenWholeOrNotAtAll()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("no/such/folder.pdf"));
        const auto error = exportPdf(path, ts24(), only("findings"));
        QVERIFY(error.has_value());
        QCOMPARE(QString::fromStdString(error->where), path);
        QVERIFY(!error->what.empty());
        const QString good = folder.filePath(QStringLiteral("report.csv"));
        QStringList written;
        QVERIFY(!exportTables(good, ts24(), {}, &written));
        QCOMPARE(written.size(), 4);
        for (const QString& file : written)
            QVERIFY2(QFile::exists(file), qPrintable(file));
    }
};

QTEST_MAIN(TestReportDocument)
#include "test_report_document.moc"
