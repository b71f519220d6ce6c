// Tables of switches and presets: what stands in them can be shown, written and read back.
#include "workload/frameworks.h"
#include "workload/pytorch_switches.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace shardrack;

class TestSwitches : public QObject {
    Q_OBJECT
private slots:
    void tablesAreInOrder();
    void presetsFitTheirTables();
    void theFormatsPageNamesThem();
    void whatIsGivenIsReadBack();
    void anotherFrameworksEraIsNone();
    void whatIsNotKnownIsRefused();
};

void TestSwitches::tablesAreInOrder()
{
    for (const Framework& each : frameworks()) {
        QVERIFY(each.table && each.table->switches.size() <= kMostSwitches);
        for (std::size_t i = 0; i < each.table->switches.size(); ++i) {
            const SwitchInfo& info = each.table->switches[i];
            QCOMPARE(info.which, i);
            QVERIFY(*info.key != 0 && *info.title != 0 && *info.what != 0);
            QVERIFY((info.kind == SwitchInfo::Kind::Choice || info.kind == SwitchInfo::Kind::Set)
                == !info.choices.empty());
        }
        QVERIFY(framework(each.id) == &each);
    }
    QCOMPARE(torchTable("torchtitan")->switches.size(), kTorchSwitchCount);
    QVERIFY(!torchTable("megatron"));
    QVERIFY(!framework("no such thing"));
}

void TestSwitches::presetsFitTheirTables()
{
    for (const TorchPreset& preset : torchPresets()) {
        const SwitchTable* table = torchTable(preset.framework);
        QVERIFY(table && framework(preset.framework));
        SwitchValues values;
        for (const auto& [which, value] : preset.values)
            values.set(which, value);
        const Json json = toJson(values, *table);
        QVERIFY(switchesFromJson(JsonView(json, "$"), *table) == values);
    }
    // The newest era where nobody names one.
    QCOMPARE(std::string(torchPreset("torchtitan", std::nullopt)->era), std::string("2026-04"));
    QCOMPARE(std::string(torchPreset("torchtitan", 0)->era), std::string("2024-03"));
    QVERIFY(!torchPreset("megatron", 0));
}

/// Every switch has a line in docs/plan-format.md with the values it can have, and every preset one
/// with what it sets.
void TestSwitches::theFormatsPageNamesThem()
{
    QFile file(SHARDRACK_SOURCE_DIR "/docs/plan-format.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList parts = QString::fromUtf8(file.readAll()).split("**PyTorch.**");
    QCOMPARE(parts.size(), 2);
    const auto lineOf = [&](const char* framework, const QString& start) {
        for (const QString& line : parts[torchTable(framework) ? 1 : 0].split('\n'))
            if (line.startsWith(start))
                return line;
        return QString();
    };
    for (const Framework& each : frameworks())
        for (const SwitchInfo& info : each.table->switches) {
            const QString line = lineOf(each.id, QString("| `%1` | ").arg(info.key));
            QVERIFY2(!line.isEmpty(), info.key);
            if (info.which != index(TorchSwitch::Era) || info.kind == SwitchInfo::Kind::Set)
                for (const char* choice : info.choices)
                    QVERIFY2(line.contains(QString("\"%1\"").arg(choice)), choice);
        }
    for (const TorchPreset& preset : torchPresets()) {
        const QString line = lineOf(
            preset.framework, QString("| `%1` | `%2` | ").arg(preset.framework, preset.era));
        QVERIFY2(!line.isEmpty(), preset.what);
        SwitchValues values; // a later value replaces an earlier one
        for (const auto& [which, value] : preset.values)
            values.set(which, value);
        for (const auto& [which, unused] : preset.values) {
            const QString set
                = QString("`%1`: %2")
                      .arg(info(which).key,
                          QString::fromStdString(valueText(info(which), *values.get(which))));
            QVERIFY2(line.contains(set), qPrintable(set + " of " + preset.era));
        }
    }
}

void TestSwitches::whatIsGivenIsReadBack()
{
    const SwitchTable& table = *torchTable("torchtitan");
    const Json json = { { "era", "2024-06" }, { "compile", "each block" }, { "autocast", true },
        { "hidden_dropout", 0.25 }, { "every_layers", 3 }, { "saved_operators", { "attention" } } };
    const SwitchValues values = switchesFromJson(JsonView(json, "$"), table);
    QCOMPARE(values.get(TorchSwitch::Era), std::optional<std::int64_t>(1));
    QCOMPARE(values.get(TorchSwitch::HiddenDropout), std::optional<std::int64_t>(250'000));
    QCOMPARE(values.get(TorchSwitch::SavedOperators), std::optional<std::int64_t>(1));
    QVERIFY(!values.get(TorchSwitch::Loss));
    const Json written = toJson(values, table);
    QCOMPARE(written.size(), json.size());
    QVERIFY(switchesFromJson(JsonView(written, "$"), table) == values);
    QVERIFY(givenText(values, table).find("torch.compile: each block") != std::string::npos);
}

void TestSwitches::anotherFrameworksEraIsNone()
{
    SwitchValues values;
    values.set(TorchSwitch::Era, 3);
    QVERIFY(toJson(values, *torchTable("torchtune")) == Json::object());
    QCOMPARE(valueText(torchTable("torchtune")->switches.front(), 3), std::string("3"));
}

void TestSwitches::whatIsNotKnownIsRefused()
{
    const SwitchTable& table = *torchTable("torchtitan");
    for (const char* text :
        { R"({"kompile": true})", R"({"compile": "some"})", R"({"hidden_dropout": 1})",
            R"({"every_layers": 0})", R"({"autocast": 1})", R"({"era": "1999-01"})" }) {
        const Json json = Json::parse(text);
        QVERIFY2(!attempt([&] { return switchesFromJson(JsonView(json, "$"), table); }), text);
    }
}

QTEST_APPLESS_MAIN(TestSwitches)
#include "test_switches.moc"
