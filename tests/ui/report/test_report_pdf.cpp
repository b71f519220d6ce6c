// The report as a PDF, read back by poppler's tools: text, fonts, metadata, outline, attachment.

#include "report_fixture.h"

#include "plan/plan_json.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace shardrack;
using namespace reports;

namespace {

QString run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60'000) || process.exitCode() != 0)
        return QStringLiteral("FAILED %1: %2")
            .arg(program, QString::fromUtf8(process.readAllStandardError()));
    return QString::fromUtf8(process.readAllStandardOutput());
}

bool missing(const char* program)
{
    return QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
}

#define NEED(program)                                                                              \
    if (missing(program))                                                                          \
    QSKIP(program " is not installed (poppler-utils)")

} // namespace

class TestReportPdf : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QVERIFY(!exportPdf(path("ts24"), ts24(), {}, &m_pages));
        ReportOptions letter;
        letter.paper = Paper::Letter;
        letter.attachPlan = false;
        QVERIFY(!exportPdf(path("llama"), llama(), letter));
        QVERIFY(!exportPdf(path("large"), large(), {}));
    }

    void textCanBeRead_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* file, const char* words) {
            QTest::addRow("%s: %s", file, words)
                << QString::fromLatin1(file) << QString::fromUtf8(words);
        };
        row("ts24", "Replicas do not fit.");
        row("ts24", "Shards stay open until five terms are known.");
        row("ts24", "24.00 ÷ 4 = 6.00 GiB");
        row("ts24", "16.00 − 6.00 = 10.00 GiB");
        row("ts24", "A fifth replica changes nothing for the first.");
        row("ts24", "Changed basis: none.");
        row("ts24", "1 of 8");
        row("ts24", "not established");
        row("llama", "On a changed basis, Offer S, longer micro-batch is estimated to fit.");
        row("llama", "8,030,261,248 × 4 B ÷ 8");
        row("llama", "the supplier measured only this one");
        row("large", "4 further kinds of device");
        row("large", "⌈8,030,261,248 ÷ 16,384⌉ × 4 B");
    }
    void textCanBeRead()
    {
        NEED("pdftotext");
        QFETCH(QString, file);
        QFETCH(QString, words);
        const QString text = run(QStringLiteral("pdftotext"),
            { QStringLiteral("-layout"), QStringLiteral("-enc"), QStringLiteral("UTF-8"),
                path(file.toLatin1().constData()), QStringLiteral("-") })
                                 .replace(u'\u00a0', u' ')
                                 .simplified();
        const QString flat = run(QStringLiteral("pdftotext"),
            { QStringLiteral("-raw"), QStringLiteral("-enc"), QStringLiteral("UTF-8"),
                path(file.toLatin1().constData()), QStringLiteral("-") })
                                 .replace(u'\u00a0', u' ')
                                 .simplified();
        QVERIFY2(text.contains(words) || flat.contains(words), qPrintable(flat.left(4000)));
    }

    // "ﬁ" as one sign would not be found by who looks for "fit".
    void noLigatures_data() { files(); }
    void noLigatures()
    {
        NEED("pdftotext");
        QFETCH(QString, file);
        const QString text = run(QStringLiteral("pdftotext"),
            { QStringLiteral("-enc"), QStringLiteral("UTF-8"), path(file.toLatin1().constData()),
                QStringLiteral("-") });
        for (const char16_t sign : { u'\ufb00', u'\ufb01', u'\ufb02', u'\ufb03', u'\ufb04' })
            QVERIFY(!text.contains(QChar(sign)));
    }

    void fontsAreEmbedded_data() { files(); }
    void fontsAreEmbedded()
    {
        NEED("pdffonts");
        QFETCH(QString, file);
        const QStringList lines
            = run(QStringLiteral("pdffonts"), { path(file.toLatin1().constData()) })
                  .split(u'\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.size() > 2, qPrintable(lines.join(u'\n')));
        for (qsizetype i = 2; i < lines.size(); ++i) {
            const QStringList words = lines[i].simplified().split(u' ');
            // name … emb sub uni object generation
            const qsizetype emb = words.size() - 5;
            QVERIFY(emb > 0);
            QCOMPARE(words[emb], QStringLiteral("yes"));
            QCOMPARE(words[emb + 2], QStringLiteral("yes")); // text can be extracted
            if (ReportStyle::fontInstalled())
                QVERIFY2(words[0].contains(QStringLiteral("NotoSans")), qPrintable(lines[i]));
        }
    }

    void metadata()
    {
        NEED("pdfinfo");
        const QString info = run(QStringLiteral("pdfinfo"), { path("ts24") });
        for (const char* line :
            { "Title:           TS-24 four GPUs with 16 GiB each: comparison report",
                "Subject:         24 GiB of persistent training state",
                "Keywords:        Offer R, Offer S", "Author:          Shardrack",
                "Creator:         Shardrack test", "(A4)", "JavaScript:      no",
                "Encrypted:       no" })
            QVERIFY2(info.contains(QLatin1String(line)), qPrintable(info));
        QVERIFY(info.contains(QStringLiteral("Pages:           %1").arg(m_pages)));
        const QString letter = run(QStringLiteral("pdfinfo"), { path("llama") });
        QVERIFY2(letter.contains(QStringLiteral("612 x 792")), qPrintable(letter));
    }

    void linksLeadToTheirPages()
    {
        NEED("pdfinfo");
        const auto report = layoutReport(ts24(), {});
        QVERIFY(report->links().size() > 10);
        QFile file(path("ts24"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        // Outline and links stand in compressed streams; poppler's list of destinations knows them.
        const auto bytes = reportPdf(*report, ts24(), {});
        QVERIFY(bytes.ok());
        QVERIFY(bytes->startsWith("%PDF-"));
        if (missing("qpdf"))
            QSKIP("qpdf is not installed");
        const QString json = run(QStringLiteral("qpdf"),
            { QStringLiteral("--qdf"), QStringLiteral("--object-streams=disable"), path("ts24"),
                QStringLiteral("-") });
        QCOMPARE(json.count(QStringLiteral("/Subtype /Link")), report->links().size());
        QVERIFY(json.contains(QStringLiteral("/Lang (en)")));
        QVERIFY(json.contains(QStringLiteral("/PageMode /UseOutlines")));
        for (const OutlineEntry& entry : report->outline())
            QVERIFY2(json.contains(QStringLiteral("/Title (%1)").arg(entry.title))
                    || entry.title.contains(u'≠'),
                qPrintable(entry.title));
    }

    void thePlanIsAttached()
    {
        NEED("pdfdetach");
        QVERIFY(run(QStringLiteral("pdfdetach"), { QStringLiteral("-list"), path("llama") })
                    .contains(QStringLiteral("0 embedded files")));
        const QString out = m_folder.filePath(QStringLiteral("attached.shardrack"));
        const QString said = run(QStringLiteral("pdfdetach"),
            { QStringLiteral("-save"), QStringLiteral("1"), QStringLiteral("-o"), out,
                path("ts24") });
        QVERIFY2(!said.startsWith(QStringLiteral("FAILED")), qPrintable(said));
        const auto reading = readPlanFile(out);
        QVERIFY(reading.ok());
        QVERIFY(reading->plan == *ts24().plan);
    }

    // A gradient to transparent prints black, a pixmap brush becomes an image: neither is there.
    void everythingIsDrawnInLines_data() { files(); }
    void everythingIsDrawnInLines()
    {
        NEED("pdfimages");
        QFETCH(QString, file);
        const QStringList lines = run(QStringLiteral("pdfimages"),
            { QStringLiteral("-list"), path(file.toLatin1().constData()) })
                                      .split(u'\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.size() == 2, qPrintable(lines.join(u'\n'))); // the head of the list
    }

    void noPageIsBlackAnywhere_data() { files(); }
    void noPageIsBlackAnywhere()
    {
        NEED("pdftoppm");
        QFETCH(QString, file);
        const QString stem = m_folder.filePath(file + QStringLiteral("-page"));
        const QString said = run(QStringLiteral("pdftoppm"),
            { QStringLiteral("-r"), QStringLiteral("40"), QStringLiteral("-gray"),
                QStringLiteral("-png"), path(file.toLatin1().constData()), stem });
        QVERIFY2(!said.startsWith(QStringLiteral("FAILED")), qPrintable(said));
        const QStringList pictures
            = QDir(m_folder.path()).entryList({ file + QStringLiteral("-page*.png") });
        QVERIFY(!pictures.isEmpty());
        for (const QString& picture : pictures) {
            const QImage image(m_folder.filePath(picture));
            QVERIFY(!image.isNull());
            int dark = 0;
            int ink = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const int gray = qGray(image.pixel(x, y));
                    ink += gray < 200 ? 1 : 0;
                    // A box of 8 × 8 dark pixels is no letter and no bar.
                    if (x + 8 < image.width() && y + 8 < image.height() && gray < 30) {
                        int box = 0;
                        for (int dy = 0; dy < 8; ++dy)
                            for (int dx = 0; dx < 8; ++dx)
                                box += qGray(image.pixel(x + dx, y + dy)) < 30 ? 1 : 0;
                        dark += box == 64 ? 1 : 0;
                    }
                }
            QVERIFY2(ink > 0, "a page is empty");
            QCOMPARE(dark, 0);
        }
    }

    void sameInputSameFile()
    {
        // Only the date of creation may differ.
        const auto once = layoutReport(ts24(), only("findings,figure"));
        const auto a = reportPdf(*once, ts24(), only("findings,figure"));
        const auto b = reportPdf(*once, ts24(), only("findings,figure"));
        QVERIFY(a.ok() && b.ok());
        QCOMPARE(a->size(), b->size());
    }

private:
    static void files()
    {
        QTest::addColumn<QString>("file");
        for (const char* file : { "ts24", "llama", "large" })
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    QString path(const char* name) const
    {
        return m_folder.filePath(QLatin1String(name) + QStringLiteral(".pdf"));
    }
    QTemporaryDir m_folder;
    int m_pages = 0;
};

QTEST_MAIN(TestReportPdf)
#include "test_report_pdf.moc"
