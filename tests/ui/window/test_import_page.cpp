#include "window/import_page.h"
#include "window_fixture.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>

using namespace shardrack;

namespace {

/// A GPT of 12 layers on tensor groups of 2: the flags as a launch script has them.
constexpr const char* kScript = R"(
torchrun pretrain_gpt.py --num-layers 12 --hidden-size 768 --num-attention-heads 12 \
    --seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 4 --global-batch-size 64 \
    --tensor-model-parallel-size 2 --vocab-size 50257 --bf16 --use-distributed-optimizer \
    --log-interval 100
)";

QString written(const WindowFixture& on, const char* name, const QByteArray& text)
{
    const QString path = on.folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("the file was not written");
    return path;
}

QStringList groups(const ImportPage& page)
{
    QStringList titles;
    const auto* lines = page.findChild<QTreeWidget*>(QStringLiteral("importLines"));
    for (int i = 0; i < lines->topLevelItemCount(); ++i)
        titles << lines->topLevelItem(i)->text(0);
    return titles;
}

} // namespace

class TestImportPage : public QObject {
    Q_OBJECT

private slots:
    void aListOfArgumentsBecomesAnOffer()
    {
        WindowFixture on;
        QVERIFY(on.window.importSettings(written(on, "small.sh", kScript)));
        auto* page = on.window.findChild<ImportPage*>();
        QVERIFY(page);
        QVERIFY2(groups(*page).join(u' ').contains(QStringLiteral("Understood")),
            qPrintable(groups(*page).join(u' ')));
        QVERIFY(groups(*page).join(u' ').contains(QStringLiteral("Ignored")));
        const auto before = on.window.document().plan();
        page->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        on.settle();

        const Offer& offer = on.offer();
        QCOMPARE(on.window.document().plan()->offers.size(), before->offers.size() + 1);
        QCOMPARE(offer.layout.tensor, 2);
        QVERIFY(offer.workload);
        QCOMPARE(offer.workload->recipe.microBatch, std::optional<std::int64_t>(4));
        QCOMPARE(offer.workload->recipe.sequence, std::optional<std::int64_t>(1024));
        QCOMPARE(offer.workload->recipe.megatron.get(Switch::DistributedOptimizer),
            std::optional<std::int64_t>(1));
        on.window.document().undoStack().undo();
        on.settle();
        QVERIFY(*on.window.document().plan() == *before);
    }

    void aTorchtitanConfigurationBecomesAnOffer()
    {
        WindowFixture on;
        QVERIFY(on.window.importSettings(written(on, "small.toml",
            "[model]\nname = 'llama3'\nflavor = '8B'\n[training]\nlocal_batch_size = 1\n"
            "seq_len = 4096\n[parallelism]\ntensor_parallel_degree = 2\n")));
        auto* page = on.window.findChild<ImportPage*>();
        QVERIFY(page);
        page->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        on.settle();
        const Offer& offer = on.offer();
        QCOMPARE(offer.name, std::string("small"));
        QCOMPARE(offer.layout.preset, LayoutPreset::Fsdp);
        QCOMPARE(offer.layout.tensor, 2);
        QCOMPARE(offer.workload->recipe.framework, std::string("torchtitan"));
        // What the file does not say goes with the offer.
        const auto& assumed = offer.assumptions;
        const auto says = [&](const char* what) {
            return std::any_of(assumed.begin(), assumed.end(),
                [&](const std::string& each) { return each.rfind(what, 0) == 0; });
        };
        QVERIFY(says("optimizer.name: AdamW (torchtitan's default)"));
        QVERIFY(says("version: of about 2025-02 (assumed"));
    }

    /// Whatever the file is called: a plan opens, settings and models are imported.
    void everyKindOfFileOpens()
    {
        WindowFixture on;
        QFile plan(QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/examples/ts-24.shardrack"));
        QVERIFY(plan.open(QIODevice::ReadOnly));
        const QByteArray text = plan.readAll();
        QVERIFY(on.window.openFile(written(on, "renamed.json", text)));
        QCOMPARE(on.window.document().plan()->offers.size(), std::size_t(2));
        QVERIFY(on.window.openFile(written(on, "a.sh", kScript)));
        QVERIFY(on.window.findChild<ImportPage*>());
        QVERIFY(!on.window.openFile(written(on, "b.toml", "[model\n")));
        QVERIFY(!on.window.openFile(written(on, "c.json", "{\"format\": 1}")));
    }

    void aDroppedConfigurationOpensThePage()
    {
        WindowFixture on;
        QMimeData data;
        data.setUrls({ QUrl::fromLocalFile(written(
            on, "dropped.TOML", "[model]\nname = 'qwen3'\nflavor = '8B'\n[parallelism]\n")) });
        QDragEnterEvent enter(
            QPoint(50, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&on.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&on.window, &drop);
        auto* page = on.window.findChild<ImportPage*>();
        QVERIFY(page);
        QCOMPARE(page->offer().workload->model->parameters().value(), std::int64_t(8'190'735'360));
    }

    void whatIsNotComputedGetsNoFramework()
    {
        WindowFixture on;
        QVERIFY(on.window.importSettings(written(on, "offload.toml",
            "[model]\nname = 'llama3'\nflavor = '8B'\n[training]\nenable_cpu_offload = true\n")));
        auto* page = on.window.findChild<ImportPage*>();
        QVERIFY(page->findChild<QLabel*>(QStringLiteral("importSummary"))
                    ->text()
                    .contains(QStringLiteral("gets no framework")));
        QVERIFY(page->offer().workload->recipe.framework.empty());
    }

    void whatIsMissingMakesNoOffer()
    {
        WindowFixture on;
        QVERIFY(on.window.importSettings(
            written(on, "part.args", "--num-layers 12 --micro-batch-size 4")));
        auto* page = on.window.findChild<ImportPage*>();
        QVERIFY(page);
        QVERIFY(groups(*page).join(u' ').contains(QStringLiteral("Missing")));
        QVERIFY(!page->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
    }

    void nonsenseIsRefusedInWords()
    {
        WindowFixture on;
        const auto before = on.window.document().plan();
        QVERIFY(!on.window.importSettings(
            written(on, "bad.sh", "--num-layers many --hidden-size 768")));
        QVERIFY(!on.window.findChild<ImportPage*>());
        QString shown;
        for (const QLabel* label : on.window.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(QStringLiteral("was not read")))
                shown = label->text();
        QVERIFY2(shown.contains(QStringLiteral("num-layers")), qPrintable(shown));
        QVERIFY(*on.window.document().plan() == *before);
    }
};

QTEST_MAIN(TestImportPage)
#include "test_import_page.moc"
