#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

// The command line as its users meet it: exit status, standard output and standard error.

namespace {

struct Run {
    int status = -1; ///< -1: it crashed
    QByteArray output;
    QByteArray errors;
};

Run run(const QStringList& arguments, const QByteArray& input = {}, const QString& outputFile = {})
{
    QProcess process;
    if (!outputFile.isEmpty())
        process.setStandardOutputFile(outputFile);
    process.start(QStringLiteral(SHARDRACK_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    Run result;
    if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit)
        result.status = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    return result;
}

QString golden(const char* name)
{
    return QStringLiteral(SHARDRACK_SOURCE_DIR "/tests/app/golden/") + QString::fromUtf8(name);
}

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QString kExample = QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/examples/ts-24.shardrack");

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void prints_data();
    void prints();
    void readsStandardInput();
    void namesTheModelByItsFolder();
    void accountOfTheExample_data();
    void accountOfTheExample();
    void notesANewerVersion();
    void refuses_data();
    void refuses();
    void saysWhenOutputIsLost();

private:
    QString scratch(const char* name, const QByteArray& text);
    QTemporaryDir m_folder;
};

QString TestCommandLine::scratch(const char* name, const QByteArray& text)
{
    const QString path = m_folder.filePath(QString::fromUtf8(name));
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", name);
    return path;
}

void TestCommandLine::initTestCase() { QVERIFY(m_folder.isValid()); }

void TestCommandLine::prints_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("output");

    const auto row = [](const char* name, const QStringList& arguments, int status = 0) {
        QTest::newRow(name) << arguments << status << content(golden(name));
    };
    const QString model = golden("llama-3-8b.json");
    row("help.txt", { "--help" });
    row("help-account.txt", { "account", "--help" });
    row("help-compare.txt", { "compare", "--help" });
    row("help-model.txt", { "model", "--help" });
    row("help-validate.txt", { "validate", "--help" });
    row("model-llama-3-8b.txt", { "model", model });
    row("model-llama-3-8b.json", { "model", "--json", model });
    row("account-ts-24.txt", { "account", kExample }, 1);
    row("account-ts-24.json", { "account", kExample, "--json" }, 1);
    row("compare-ts-24.txt", { "compare", kExample }, 1);
    row("compare-ts-24.json", { "compare", "--json", kExample }, 1);
    row("compare-ts-24.csv",
        { "compare", kExample, "--csv", "--hide-equal", "--order", "headroom" }, 1);
    row("compare-ts-24.md", { "compare", kExample, "--markdown", "--offers=Offer S,Offer R" }, 1);
    QTest::newRow("version") << QStringList { "--version" } << 0
                             << QByteArray("shardrack-cli " SHARDRACK_VERSION "\n");
}

void TestCommandLine::prints()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, output);
    QVERIFY(!output.isEmpty());
    const Run result = run(arguments);
    QCOMPARE(result.errors, QByteArray());
    QCOMPARE(QString::fromUtf8(result.output), QString::fromUtf8(output));
    QCOMPARE(result.status, status);
}

void TestCommandLine::readsStandardInput()
{
    const Run result = run({ "model", "--json", "-" }, content(golden("llama-3-8b.json")));
    QCOMPARE(result.status, 0);
    const auto json = nlohmann::json::parse(result.output.toStdString());
    QCOMPARE(json["total_parameters"].get<qint64>(), Q_INT64_C(8030261248));

    QCOMPARE(run({ "account", "-" }, content(kExample)).status, 1);
}

void TestCommandLine::namesTheModelByItsFolder()
{
    const QString path = scratch("Tiny-Model-1B/config.json", content(golden("llama-3-8b.json")));
    const auto json = nlohmann::json::parse(run({ "model", "--json", path }).output.toStdString());
    QCOMPARE(json["name"].get<std::string>(), std::string("Tiny-Model-1B"));
}

// Four GPUs of 16 GiB, 24 GiB of persistent state: four copies (Offer R), four shares (Offer S).
void TestCommandLine::accountOfTheExample_data()
{
    using Json = nlohmann::json;
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("expected");

    const auto row = [](const char* pointer, const Json& expected) {
        QTest::newRow(pointer) << QString::fromUtf8(pointer)
                               << QString::fromStdString(expected.dump());
    };
    const std::int64_t gib = std::int64_t(1) << 30;
    row("/plan", "TS-24 four GPUs with 16 GiB each");
    row("/offers/0/name", "Offer R");
    row("/offers/0/findings/capacity", "over");
    row("/offers/0/findings/demonstrated", "none");
    row("/offers/0/findings/result", "not evaluated");
    row("/offers/0/legal", true);
    row("/offers/0/broken_rules", Json::array());
    row("/offers/0/most_loaded/device", "A1·0");
    row("/offers/0/most_loaded/ranks", { 0 });
    row("/offers/0/most_loaded/need_bytes", 24 * gib);
    row("/offers/0/most_loaded/need_is_at_least", true);
    row("/offers/0/most_loaded/usable_bytes", 16 * gib);
    row("/offers/0/most_loaded/usable_provenance", "not established");
    row("/offers/0/most_loaded/headroom_bytes", -8 * gib);
    row("/offers/0/most_loaded/headroom_is_at_most", true);
    row("/offers/0/installed_bytes_total", 64 * gib);
    row("/offers/0/state_bytes_total", 96 * gib);
    row("/offers/0/redundant_bytes_total", 72 * gib);
    row("/offers/0/classes/0/ranks", "0-3");
    row("/offers/0/classes/0/count", 4);
    row("/offers/0/classes/0/need_bytes", 24 * gib);
    row("/offers/0/classes/0/peak_phase", "optimizer");
    row("/offers/0/classes/0/terms/0/category", "state");
    row("/offers/0/classes/0/terms/0/name", "Persistent state, undivided");
    row("/offers/0/classes/0/terms/0/bytes", 24 * gib);
    row("/offers/0/classes/0/terms/0/provenance", "stipulated");
    row("/offers/0/classes/0/terms/0/sharing", "replicated");
    row("/offers/0/classes/0/terms/0/formula", "24 GiB ÷ 1");
    row("/offers/0/devices/0/devices", "A1·0-3");
    row("/offers/0/devices/0/capacity", "over");
    row("/offers/0/hosts/0/server", "A1");
    row("/offers/0/hosts/0/need_bytes", nullptr);
    row("/offers/1/name", "Offer S");
    row("/offers/1/findings/capacity", "open");
    row("/offers/1/most_loaded/need_bytes", 6 * gib);
    row("/offers/1/most_loaded/need_is_at_least", true);
    row("/offers/1/most_loaded/headroom_bytes", 10 * gib);
    row("/offers/1/most_loaded/headroom_is_at_most", true);
    row("/offers/1/state_bytes_total", 24 * gib);
    row("/offers/1/redundant_bytes_total", 0);
    row("/offers/1/classes/0/terms/0/bytes", 6 * gib);
    row("/offers/1/classes/0/terms/0/provenance", "stipulated");
    row("/offers/1/classes/0/terms/0/sharing", "sharded");
}

void TestCommandLine::accountOfTheExample()
{
    QFETCH(QString, pointer);
    QFETCH(QString, expected);
    static const nlohmann::json account = nlohmann::json::parse(
        run({ "account", kExample, "--json" }).output.toStdString(), nullptr, false);
    const nlohmann::json::json_pointer place(pointer.toStdString());
    QVERIFY(account.contains(place));
    QCOMPARE(QString::fromStdString(account.at(place).dump()), expected);
}

void TestCommandLine::notesANewerVersion()
{
    QByteArray plan = content(kExample);
    plan.replace("\"version\": 1", "\"version\": 9");
    const Run result = run({ "account", "-" }, plan);
    QCOMPARE(result.status, 1);
    QVERIFY2(result.errors.startsWith("note: standard input: "), result.errors.constData());
    QVERIFY2(result.errors.contains("9"), result.errors.constData());
}

void TestCommandLine::refuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("says"); // pieces of the message

    const auto row = [](const char* name, const QStringList& arguments, const QStringList& says) {
        QTest::newRow(name) << arguments << says;
    };
    row("nothing", {}, { "no verb is given", "--help" });
    row("unknown verb", { "frobnicate", "x" }, { "frobnicate", "account, compare, model" });
    row("unknown option", { "model", "--frobnicate", "x" }, { "--frobnicate", "--json" });
    row("no file", { "account" }, { "no file is named", "standard input" });
    row("two files", { "model", "a.json", "b.json" }, { "b.json", "one file" });
    row("missing", { "model", "/no/such/file.json" }, { "/no/such/file.json", "No such file" });
    row("folder", { "account", m_folder.path() }, { m_folder.path(), "is a folder" });
    row("option of another verb", { "account", "--csv", "x" }, { "--csv", "--json or --help" });
    row("flag with a value", { "compare", "--csv=x", kExample }, { "--csv=x" });
    row("option at the end", { "compare", kExample, "--offers" }, { "--offers", "NAMES" });
    row("unknown offer", { "compare", kExample, "--offers", "Offer R,Offer T" },
        { "--offers", "Offer T", "Offer R, Offer S" });
    row("one offer", { "compare", kExample, "--offers", "Offer R" },
        { "--offers", "at least two offers" });
    row("unknown baseline", { "compare", kExample, "--baseline", "T" }, { "--baseline", "T" });
    row("unknown order", { "compare", kExample, "--order", "price" },
        { "price", "chosen or headroom" });
    row("two forms", { "compare", kExample, "--csv", "--json" }, { "more than one form" });
    row("option after --", { "model", "--", "--json" }, { "--json", "No such file" });

    const auto bad = [&](const char* verb, const QByteArray& name, const QByteArray& text,
                         const QStringList& says) {
        const QString path = scratch(name.constData(), text);
        row(name.constData(), { verb, path }, QStringList { path } + says);
    };
    const QByteArray plan = content(kExample);
    const QByteArray model = content(golden("llama-3-8b.json"));
    for (const char* verb : { "account", "model" }) {
        const QByteArray prefix = verb;
        bad(verb, prefix + " empty.json", "", { "expected" });
        bad(verb, prefix + " no object.json", "[1, 2]", { "expected" });
        bad(verb, prefix + " binary.json", QByteArray("\0\xff\xfe\x80", 4), { "expected" });
        bad(verb, prefix + " twice.json", "{\"format\": 1,\n \"format\": 2}",
            { "line 2", "format" });
        bad(verb, prefix + " deep.json", QByteArray(100000, '['), { "line 1", "expected" });
    }
    bad("account", "cut.shardrack", plan.left(plan.size() / 2), { "line", "expected" });
    bad("account", "other format.shardrack", "{\"format\": \"recipe\", \"version\": 1}",
        { "$.format", "recipe", "shardrack-plan" });
    bad("account", "wrong type.shardrack",
        "{\"format\": \"shardrack-plan\", \"version\": 1, \"title\": \"x\", \"offers\": 3}",
        { "$.offers", "expected" });
    bad("model", "cut.json", model.left(model.size() / 2), { "line", "expected" });
    bad("model", "two to the 64.json", QByteArray(model).replace("128256", "18446744073709551616"),
        { "$.vocab_size" });
    bad("account", "two to the 64.shardrack",
        QByteArray(plan).replace("25769803776", "18446744073709551616"),
        { "18446744073709551616" });
    bad("model", "family.json", "{\"model_type\": \"t5\"}",
        { "$.model_type", "\"t5\" is not supported yet" });

    // 64 MiB are read, one byte more is not; a sparse file takes no room.
    const QString large = scratch("large.json", "");
    QVERIFY(QFile::resize(large, (Q_INT64_C(64) << 20) + 1));
    row("too large", { "account", large }, { large, "too large", "64 MiB" });
}

void TestCommandLine::refuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, says);
    const Run result = run(arguments);
    const QString errors = QString::fromUtf8(result.errors);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.output, QByteArray());
    QCOMPARE(errors.count('\n'), 1);
    for (const QString& piece : says)
        QVERIFY2(errors.contains(piece), qPrintable(errors + " does not say " + piece));
}

void TestCommandLine::saysWhenOutputIsLost()
{
    if (!QFile::exists(QStringLiteral("/dev/full")))
        QSKIP("no /dev/full");
    const Run result = run({ "--help" }, {}, QStringLiteral("/dev/full"));
    QCOMPARE(result.status, 2);
    QVERIFY(result.errors.contains("standard output"));
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
