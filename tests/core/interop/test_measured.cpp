#include "interop/measured.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace shardrack;

namespace {

const QString kData = SHARDRACK_SOURCE_DIR "/../shared/data/";

std::optional<std::vector<MeasuredRow>> predicted(const QString& name)
{
    QFile file(kData + name);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    JsonLimits limits;
    limits.allowHugeIntegers = true;
    return predictMeasured(parseJson(file.readAll().toStdString(), limits).value());
}

const FamilyScore* find(
    const std::vector<FamilyScore>& list, const char* family, const char* metric)
{
    for (const FamilyScore& score : list)
        if (score.family == family && score.metric == metric)
            return &score;
    return nullptr;
}

} // namespace

class TestMeasured : public QObject {
    Q_OBJECT
private slots:
    void everyRankOfTheB200Runs();
    void megatronsTestRuns();
    void publishedRunsOfTorch();
    void aRowSaysWhyItIsSkipped();
    void otherFilesAreRefused();
};

void TestMeasured::everyRankOfTheB200Runs()
{
    const auto rows = predicted("golden/estimators.json");
    if (!rows)
        QSKIP("no measured runs beside the source tree");
    const auto list = scores(*rows);
    const FamilyScore* allocated = find(list, "simumax", "allocated");
    QVERIFY(allocated);
    QCOMPARE(allocated->rows, 80); // ten dense runs of eight ranks
    QVERIFY(allocated->meanAbsolute <= 0.1);
    QVERIFY(allocated->worstAbsolute <= 0.3);
}

void TestMeasured::megatronsTestRuns()
{
    const auto rows = predicted("measured/megatron_ci.json");
    if (!rows)
        QSKIP("no measured runs beside the source tree");
    const auto list = scores(*rows);
    const FamilyScore* rest = find(list, "megatron_ci", "rest");
    const FamilyScore* peak = find(list, "megatron_ci", "allocated");
    QVERIFY(rest && peak);
    QVERIFY(peak->cases >= 80);
    QVERIFY(rest->medianAbsolute <= 0.3);
    QVERIFY(peak->medianAbsolute <= 0.5);
    QVERIFY(peak->p90Absolute <= 3);
    std::int64_t tight = 0;
    for (const MeasuredRow& row : *rows) {
        QVERIFY(row.predictedGib.has_value() != !row.skipped.empty());
        tight += row.verdict == "tight" ? 1 : 0;
        QVERIFY2(row.verdict != "over", row.id.c_str()); // it ran
    }
    QVERIFY(tight * 100 <= 15 * std::int64_t(rows->size()));
}

/// Dense full training of frameworks built on torch, where every field is known and trusted: within
/// 2.5 % at the median and 5 % at the 90th percentile; what ran is not over, what ran out is.
void TestMeasured::publishedRunsOfTorch()
{
    QFile file(kData + "measured/published_runs.json");
    const auto rows = predicted("measured/published_runs.json");
    if (!rows || !file.open(QIODevice::ReadOnly))
        QSKIP("no measured runs beside the source tree");
    JsonLimits limits;
    limits.allowHugeIntegers = true;
    const Json records = parseJson(file.readAll().toStdString(), limits).value();
    QCOMPARE(rows->size(), records.size());
    std::vector<double> errors;
    std::int64_t ran = 0;
    std::int64_t tight = 0;
    std::int64_t failed = 0;
    std::int64_t foreseen = 0;
    for (std::size_t i = 0; i < rows->size(); ++i) {
        const MeasuredRow& row = (*rows)[i];
        const Json& record = records[i];
        QCOMPARE(row.id, record["id"].get<std::string>());
        QVERIFY2(row.predictedGib.has_value() != !row.skipped.empty(), row.id.c_str());
        if (row.suspect || !row.predictedGib || record["trust"] != "high"
            || record["confidence"] != "complete")
            continue;
        if (const auto error = row.errorPercent())
            errors.push_back(std::abs(*error));
        if (row.kind == "oom") {
            ++failed;
            foreseen += row.verdict == "over" || row.verdict == "tight" ? 1 : 0;
            continue;
        }
        ++ran;
        tight += row.verdict == "tight" ? 1 : 0;
        QVERIFY2(row.verdict != "over", row.id.c_str());
    }
    QVERIFY(errors.size() >= 20);
    QVERIFY(ran >= 110);
    std::sort(errors.begin(), errors.end());
    QVERIFY(errors[errors.size() / 2] <= 2.5);
    QVERIFY(errors[errors.size() * 9 / 10] <= 5);
    QVERIFY(tight * 100 <= 15 * ran);
    QVERIFY(foreseen * 100 >= 90 * failed);
}

void TestMeasured::aRowSaysWhyItIsSkipped()
{
    const Json file
        = parseJson(R"([{"case": "gpt/x", "platform": "dev_dgx_h100", "test_type": "regular",
        "model_args": {"--num-layers": 12, "--num-experts": 8, "--hidden-size": 512, "--seq-length": 64,
        "--num-attention-heads": 8, "--micro-batch-size": 1, "--bf16": true},
        "max_allocated_bytes": 1073741824.0, "first_step_max_allocated_bytes": 1, "resting_allocated_bytes": 1}])")
              .value();
    const auto rows = predictMeasured(file);
    QCOMPARE(rows.size(), std::size_t(3));
    for (const MeasuredRow& row : rows) {
        QVERIFY(!row.predictedGib);
        QVERIFY(QString::fromStdString(row.skipped).contains("num-experts"));
    }
    const Json json = measuredJson(rows);
    QVERIFY(json["rows"][2]["predicted_gib"].is_null());
    QCOMPARE(json["rows"][2]["measured_gib"].get<double>(), 1.0);
    QCOMPARE(json["rows"][2]["id"].get<std::string>(), std::string("gpt/x@dev_dgx_h100"));
}

void TestMeasured::otherFilesAreRefused()
{
    QVERIFY(!attempt([] { return predictMeasured(parseJson("{}").value()); }));
    QVERIFY(!attempt([] { return predictMeasured(parseJson("[{\"a\": 1}]").value()); }));
}

QTEST_APPLESS_MAIN(TestMeasured)
#include "test_measured.moc"
