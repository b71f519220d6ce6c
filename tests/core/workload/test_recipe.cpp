#include "workload/recipe.h"
#include "workload/workload.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <set>

using namespace shardrack;

class TestRecipe : public QObject {
    Q_OBJECT

private slots:
    void presets_data();
    void presets();
    void presetsAreDistinct();
    void parametersOfAChoice();
    void equality();
};

void TestRecipe::presets_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("gradients");
    QTest::addColumn<qint64>("optimizer");
    QTest::addColumn<qint64>("master");
    QTest::addColumn<qint64>("total");
    const auto row
        = [](const char* id, int parameters, int gradients, int optimizer, int master, int total) {
              QTest::newRow(id) << id << qint64(parameters) << qint64(gradients)
                                << qint64(optimizer) << qint64(master) << qint64(total);
          };
    // ZeRO (arXiv:1910.02054) section 3.1: 2 + 2 + 12; Megatron-LM's dist_optimizer page: 18
    // and 16.
    row("fp32-adam", 4, 4, 8, 0, 16);
    row("mixed-adam", 2, 2, 8, 4, 16);
    row("fsdp2-fp32", 4, 4, 8, 0, 16);
    row("bf16-fp32-gradients", 2, 4, 8, 4, 18);
    row("bf16-adam", 2, 2, 4, 0, 8);
    row("sgd", 4, 4, 0, 0, 8);
    row("momentum", 4, 4, 4, 0, 12);
}

void TestRecipe::presets()
{
    QFETCH(QString, id);
    QFETCH(qint64, parameters);
    QFETCH(qint64, gradients);
    QFETCH(qint64, optimizer);
    QFETCH(qint64, master);
    QFETCH(qint64, total);
    for (const RecipePreset& preset : recipePresets()) {
        if (preset.id != id.toStdString())
            continue;
        QCOMPARE(preset.bytes.parameters, parameters);
        QCOMPARE(preset.bytes.gradients, gradients);
        QCOMPARE(preset.bytes.optimizer, optimizer);
        QCOMPARE(preset.bytes.master, master);
        QCOMPARE(preset.bytes.total(), total);
        return;
    }
    QFAIL("no such preset");
}

void TestRecipe::presetsAreDistinct()
{
    std::set<std::string> ids;
    std::set<std::string> titles;
    for (const RecipePreset& preset : recipePresets()) {
        QVERIFY(!preset.source.empty());
        QVERIFY(!preset.optimizer.empty());
        ids.insert(preset.id);
        titles.insert(preset.title);
    }
    QCOMPARE(ids.size(), recipePresets().size());
    QCOMPARE(titles.size(), recipePresets().size());
}

void TestRecipe::parametersOfAChoice()
{
    ModelChoice choice;
    choice.architecture = modelPreset("gpt2").value();
    QCOMPARE(choice.parameters().value(), std::int64_t(124'439'808));
    choice.architecture.vocabulary = std::int64_t(1) << 62;
    QVERIFY(!choice.parameters());
    choice.parametersGiven = 7'000'000'000;
    QCOMPARE(choice.parameters().value(), std::int64_t(7'000'000'000));
}

void TestRecipe::equality()
{
    Workload a;
    a.model.emplace();
    a.model->preset = "gpt2";
    a.model->architecture = modelPreset("gpt2").value();
    a.recipe.microBatch = 4;
    a.recipe.extra = std::make_shared<const Json>(Json { { "note", 1 } });
    Workload b = a;
    b.recipe.extra = std::make_shared<const Json>(Json { { "note", 1 } });
    QVERIFY(a == b);
    b.recipe.extra = std::make_shared<const Json>(Json { { "note", 2 } });
    QVERIFY(!(a == b));
    b = a;
    b.recipe.microBatch.reset();
    QVERIFY(!(a == b));
    b = a;
    b.model->architecture.layers += 1;
    QVERIFY(!(a == b));
    b = a;
    b.model->parametersGiven = 1;
    QVERIFY(!(a == b));
    b = a;
    b.terms.slack = Bytes(0);
    QVERIFY(!(a == b));
    b = a;
    b.weightsOnly = Bytes(1);
    QVERIFY(!(a == b));
    b = a;
    b.stipulated.total = Bytes(1);
    QVERIFY(!(a == b));
}

QTEST_GUILESS_MAIN(TestRecipe)
#include "test_recipe.moc"
