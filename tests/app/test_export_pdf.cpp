// shardrack --export-pdf, run as a person or a script would, without a display.

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kPlan = QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/examples/ts-24.shardrack");

struct Result {
    int status = -1;
    QString error;
    QString output;
};

Result run(const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        environment.remove(QLatin1String(name));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(SHARDRACK_WINDOW), arguments);
    if (!process.waitForFinished(60'000))
        return {};
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAllStandardError()),
        QString::fromUtf8(process.readAllStandardOutput()) };
}

} // namespace

class TestExportPdf : public QObject {
    Q_OBJECT
private slots:
    void writesAPdf_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("all") << QStringList();
        QTest::newRow("letter") << QStringList { QStringLiteral("--paper"),
            QStringLiteral("letter") };
        QTest::newRow("sections") << QStringList { QStringLiteral("--sections"),
            QStringLiteral("findings,questions") };
        QTest::newRow("without plan") << QStringList { QStringLiteral("--without-plan") };
    }
    void writesAPdf()
    {
        QFETCH(QStringList, options);
        QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("report.pdf"));
        const Result result = run(
            QStringList { QStringLiteral("--export-pdf"), out } + options + QStringList { kPlan });
        QVERIFY2(result.status == 0, qPrintable(result.error));
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("%PDF-"));
    }

    void helpNamesTheProgram()
    {
        const Result result = run({ QStringLiteral("--help") });
        QCOMPARE(result.status, 0);
        QVERIFY2(result.output.startsWith(QLatin1String("Usage: shardrack [options]")),
            qPrintable(result.output));
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QStringList& arguments, const char* words) {
            QTest::newRow(name) << arguments << QString::fromUtf8(words);
        };
        const QString pdf = QStringLiteral("--export-pdf");
        const QString out = QStringLiteral("OUT");
        row("no plan", { pdf, out }, "expected a plan");
        row("two plans", { pdf, out, kPlan, kPlan }, "one plan at a time");
        row("no such plan", { pdf, out, QStringLiteral("/no/such.shardrack") },
            "/no/such.shardrack");
        row("paper", { pdf, out, QStringLiteral("--paper"), QStringLiteral("a3"), kPlan },
            "expected a4 or letter");
        row("sections",
            { pdf, out, QStringLiteral("--sections"), QStringLiteral("findings,fun"), kPlan },
            "\"fun\" is none; expected some of contents, findings");
        row("alone", { QStringLiteral("--paper"), QStringLiteral("letter"), kPlan },
            "--export-pdf");
        row("folder", { pdf, QStringLiteral("/no/such/folder/report.pdf"), kPlan },
            "/no/such/folder/report.pdf");
        row("both", { pdf, out, QStringLiteral("--screenshot"), QStringLiteral("x.png"), kPlan },
            "expected one of them");
    }
    void badInput()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("report.pdf"));
        arguments.replaceInStrings(QStringLiteral("OUT"), out);
        const Result result = run(arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.error.contains(words), qPrintable(result.error));
        QVERIFY(!QFile::exists(out));
    }

    void aGoodReportSurvivesABadPlan()
    {
        QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("report.pdf"));
        QFile old(out);
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.write("kept");
        old.close();
        QFile plan(folder.filePath(QStringLiteral("bad.shardrack")));
        QVERIFY(plan.open(QIODevice::WriteOnly));
        plan.write("{");
        plan.close();
        QCOMPARE(run({ QStringLiteral("--export-pdf"), out, plan.fileName() }).status, 2);
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("kept"));
    }
};

QTEST_APPLESS_MAIN(TestExportPdf)
#include "test_export_pdf.moc"
