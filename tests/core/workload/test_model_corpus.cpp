#include "workload/model.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <map>
#include <set>

using namespace shardrack;

namespace {

const QString kCorpus = SHARDRACK_SOURCE_DIR "/../shared/data/corpus/";

const std::set<std::string> kFamilies
    = { "gpt2", "gpt_neox", "opt", "llama", "mistral", "qwen2", "qwen3", "mixtral" };

std::string fileText(const QString& path)
{
    QFile file(kCorpus + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Json corpusIndex() { return Json::parse(fileText("index.json")); }

bool corpusExists() { return QFile::exists(kCorpus + "index.json"); }

std::map<std::string, std::int64_t> groupsOf(const ParameterCount& count)
{
    std::map<std::string, std::int64_t> groups;
    for (const GroupCount& group : count.groups)
        groups[group.group] = group.parameters;
    return groups;
}

} // namespace

/// Real descriptions with exact totals from outside; skipped where they are not at hand.
class TestModelCorpus : public QObject {
    Q_OBJECT

private slots:
    void models_data();
    void models();
    void edgeCases_data();
    void edgeCases();
    void checkpointIndexes();
};

void TestModelCorpus::models_data()
{
    QTest::addColumn<std::string>("entry");
    if (!corpusExists())
        QSKIP("no corpus beside the source tree");
    const Json index = corpusIndex();
    for (const Json& model : index["models"])
        QTest::newRow(model["name"].get<std::string>().c_str()) << model.dump();
}

void TestModelCorpus::models()
{
    QFETCH(std::string, entry);
    const Json model = Json::parse(entry);
    const std::string name = model["name"];
    const QString path = QString::fromStdString(model["file"].get<std::string>());
    const std::string type = model.value("model_type", "");
    const auto reading = readModelConfig(std::string_view(fileText(path)), name);

    if (kFamilies.count(type) == 0) {
        QVERIFY(!reading);
        QVERIFY(!modelPreset(name));
        if (!model.contains("total_parameters")) // not even strict JSON, perhaps
            return;
        const QString message = QString::fromStdString(reading.error().text());
        QVERIFY2(message.contains("not supported yet") && message.contains(type.c_str()),
            qPrintable(message));
        return;
    }

    QVERIFY2(reading.ok(), reading ? "" : reading.error().text().c_str());
    const ParameterCount count = countParameters(reading->architecture).value();
    const auto total = model["total_parameters"].get<std::int64_t>();
    QCOMPARE(count.total, total);
    QCOMPARE(count.active, model.value("active_parameters", total));
    QVERIFY(groupsOf(count) == (model["groups"].get<std::map<std::string, std::int64_t>>()));
    QCOMPARE(reading->architecture.tied, model["tied"].get<bool>());

    const std::vector<TensorShape> list = tensors(reading->architecture);
    std::int64_t copies = 0;
    std::map<std::string, std::int64_t> layer;
    for (const TensorShape& tensor : list) {
        copies += tensor.copies;
        if (tensor.name.rfind("layers.", 0) == 0)
            layer[tensor.group] += tensor.count() / reading->architecture.layers;
    }
    QCOMPARE(copies, model["tensor_count"].get<std::int64_t>());
    QCOMPARE(reading->architecture.layers, model["per_layer"][0]["count"].get<std::int64_t>());
    QVERIFY(
        layer == (model["per_layer"][0]["by_group"].get<std::map<std::string, std::int64_t>>()));

    // The preset of that name is the same model; only context, which no count needs, may be absent.
    const auto preset = modelPreset(name);
    QVERIFY(preset.has_value());
    QVERIFY(*preset == reading->architecture);
}

void TestModelCorpus::edgeCases_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("place"); ///< empty: it is a good description
    QTest::addColumn<QString>("what");
    const auto row = [](const char* file, const char* place, const char* what) {
        QTest::newRow(file) << QString("models/edge_cases/") + file << place << what;
    };
    row("bloom.index.two-documents.json", "line 2", "");
    row("gpt2-large.BOM-CRLF.json", "", "");
    row("llama-3.2-1b.trailing-comma.json", "line 38", "");
    row("llama_moe.TEMPLATE-invalid.json", "line 13", "");
    row("mistral_moe.TEMPLATE-invalid.json", "line 9", "");
    row("model_configs.missing-comma.json", "line 124", "");
    row("qwen2.5-0.5b-chunking.hash-comments.json", "line 3", "");
    row("tokenizer_config.huge-int.json", "$", "tokenizer");
    row("xgen-mm.defaults-only.json", "$.model_type", "\"xgenmm\" is not supported yet");
}

void TestModelCorpus::edgeCases()
{
    QFETCH(QString, file);
    QFETCH(QString, place);
    QFETCH(QString, what);
    if (!corpusExists())
        QSKIP("no corpus beside the source tree");
    const auto reading = readModelConfig(std::string_view(fileText(file)), "edge");
    if (place.isEmpty()) {
        QVERIFY2(reading.ok(), reading ? "" : reading.error().text().c_str());
        QCOMPARE(countParameters(reading->architecture).value().total, std::int64_t(774'030'080));
        return;
    }
    QVERIFY(!reading);
    const QString where = QString::fromStdString(reading.error().where);
    QVERIFY2(where.startsWith(place), reading.error().text().c_str());
    QVERIFY2(QString::fromStdString(reading.error().what).contains(what),
        reading.error().text().c_str());
    QVERIFY2(!reading.error().expected.empty(), reading.error().text().c_str());
}

void TestModelCorpus::checkpointIndexes()
{
    if (!corpusExists())
        QSKIP("no corpus beside the source tree");
    const QStringList files
        = QDir(kCorpus + "models/checkpoint_index").entryList({ "*.json" }, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString& file : files) {
        const auto reading = readModelConfig(
            std::string_view(fileText("models/checkpoint_index/" + file)), "index");
        QVERIFY2(!reading, qPrintable(file));
        QVERIFY2(reading.error().what.find("checkpoint index") != std::string::npos,
            reading.error().text().c_str());
    }
}

QTEST_GUILESS_MAIN(TestModelCorpus)
#include "test_model_corpus.moc"
