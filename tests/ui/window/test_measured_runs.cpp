// A file of measured runs on the window: read, shown beside predictions, refused with words.

#include "window/measured_runs_model.h"
#include "window/measured_runs_page.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

using namespace shardrack;

namespace {

/// A run of a framework that nobody has; its figure is there, its prediction is not.
constexpr const char* kRuns = R"([
  {"id": "nobody-1", "kind": "peak_reserved", "value_gib": 12.5, "model": {"name": "m"},
   "recipe": {}, "layout": {"gpus": 1}, "gpu": {"name": "H100", "memory_gib": 80}},
  {"id": "nobody-2", "kind": "oom", "value_gib": null, "model": {"name": "m"},
   "recipe": {}, "layout": {"gpus": 1}, "gpu": {"name": "H100", "memory_gib": 80}}])";

QString written(const WindowFixture& on, const QByteArray& text)
{
    const QString path = on.folder.filePath(QStringLiteral("runs.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("the file was not written");
    return path;
}

MeasuredRow row(const char* id, double measured, double predicted)
{
    MeasuredRow made;
    made.id = id;
    made.metric = "allocated";
    made.measuredGib = measured;
    made.predictedGib = predicted;
    made.verdict = "fits";
    return made;
}

} // namespace

class TestMeasuredRuns : public QObject {
    Q_OBJECT

private slots:
    void aListOpensBesideItsPredictions()
    {
        WindowFixture on;
        const auto before = on.window.document().plan();
        QVERIFY(on.window.importModel(written(on, kRuns)));
        auto* page = on.window.findChild<MeasuredRunsPage*>();
        QVERIFY(page && page->isVisible());
        QCOMPARE(page->findChild<QTableView*>()->model()->rowCount(), 2);
        QVERIFY(page->findChild<QLabel*>(QStringLiteral("measuredSummary"))
                    ->text()
                    .startsWith(QLatin1String("0 of 2 figures are predicted")));
        QVERIFY(page->asText().contains(QLatin1String("nobody-1\t")));
        QVERIFY(page->asText().contains(QStringLiteral("\t12.500\t\u2013\t\u2013\tnot predicted")));
        QCOMPARE(on.window.document().plan(), before); // looking changes no plan
        page->findChild<QLineEdit*>()->setText(QStringLiteral("nobody-2"));
        QCOMPARE(page->findChild<QTableView*>()->model()->rowCount(), 1);
    }

    void whatIsDoubtedSaysSo()
    {
        MeasuredRow doubted = row("a", 10, 11);
        doubted.suspect = true;
        doubted.family = "f";
        MeasuredRow trusted = row("b", 10, 11);
        trusted.family = "f";
        MeasuredRunsPage page(QStringLiteral("runs"), { doubted, trusted });
        const QString summary = page.findChild<QLabel*>(QStringLiteral("measuredSummary"))->text();
        QVERIFY2(summary.startsWith(QLatin1String("2 of 2 figures are predicted. 1 of them is "
                                                  "doubted")),
            qPrintable(summary));
        QVERIFY2(
            page.asText().contains(QLatin1String("counts in no score")), qPrintable(page.asText()));
    }

    void aListOfSomethingElseIsRefused()
    {
        WindowFixture on;
        QVERIFY(!on.window.importModel(written(on, "[{\"a\": 1}]")));
        QVERIFY(!on.window.findChild<MeasuredRunsPage*>());
        const QString said = on.child<QWidget>("messageBar")->findChild<QLabel*>()->text();
        QVERIFY2(said.contains(QLatin1String("is no measured run")), qPrintable(said));
    }

    void errorsSortBySize()
    {
        // 11 of 10 is +10 %, 9.5 of 10 is −5 %, and a skipped row has none.
        MeasuredRow skipped = row("c", 10, 0);
        skipped.predictedGib.reset();
        skipped.skipped = "not computed";
        MeasuredRunsModel model({ row("a", 10, 9.5), row("b", 10, 11), skipped });
        QAbstractItemModelTester tester(&model);
        const auto error
            = [&](int line) { return model.index(line, MeasuredRunsModel::ErrorColumn); };
        QCOMPARE(error(0).data().toString(), QStringLiteral("\u22125.00"));
        QCOMPARE(error(1).data().toString(), QStringLiteral("+10.00"));
        QCOMPARE(error(2).data().toString(), QStringLiteral("\u2013"));
        const auto key
            = [&](int line) { return error(line).data(MeasuredRunsModel::kSortRole).toDouble(); };
        QVERIFY(key(1) > key(0) && key(0) > key(2));
    }
};

QTEST_MAIN(TestMeasuredRuns)
#include "test_measured_runs.moc"
