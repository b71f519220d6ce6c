// Damaged plan files: a message that says where and what was expected, never a crash, nothing
// half-loaded.

#include "plan_texts.h"

#include <random>
#include <set>

using namespace shardrack;
using namespace plantexts;

namespace {

/// Reads `text`; a plan that comes out must be whole: it can be written and read again.
bool survives(const std::string& text)
{
    const auto reading = readPlan(text);
    if (!reading.ok()) {
        const Error& error = reading.error();
        const bool placed = error.where.rfind("$", 0) == 0 || error.where.rfind("line ", 0) == 0;
        return placed && !error.what.empty() && error.text().size() < 2000;
    }
    const std::string written = writePlan(reading->plan);
    const auto again = readPlan(written);
    return again.ok() && writePlan(again->plan) == written;
}

QString shown(const std::string& text) { return q(text).left(3000); }

std::string nested(int depth, const char* open, const char* close)
{
    std::string text;
    for (int i = 0; i < depth; ++i)
        text += open;
    text += "1";
    for (int i = 0; i < depth; ++i)
        text += close;
    return text;
}

/// Where a reader takes more than one type; docs/plan-format.md.
bool mayBe(const std::string& key, const Json& value)
{
    if (value.is_null()) // the same as absent
        return true;
    if (key == "gpus") // of a server: one run or a list; of ranks: text or a list
        return value.is_string() || value.is_structured();
    if (key == "ranks") // in a layout a list; elsewhere text or a number
        return value.is_string() || value.is_number() || value.is_array();
    if (key == "site")
        return value.is_string() || value.is_object();
    return false;
}

bool sameType(const Json& a, const Json& b)
{
    return (a.is_number() && b.is_number()) || a.type() == b.type();
}

} // namespace

class TestPlanJsonDamaged : public QObject {
    Q_OBJECT

private slots:
    void truncated_data();
    void truncated();
    void flippedBytes_data();
    void flippedBytes();
    void wrongTypes();
    void oversized();
    void deep_data();
    void deep();
    void bytesThatAreNoText_data();
    void bytesThatAreNoText();
    void duplicateKeysEverywhere();
};

void TestPlanJsonDamaged::truncated_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("ts-24") << "resources/examples/ts-24.shardrack";
    QTest::newRow("llama") << "resources/examples/llama-3-8b-32-gpus.shardrack";
    QTest::newRow("every field") << "tests/data/plans/every-field.shardrack";
}

void TestPlanJsonDamaged::truncated()
{
    QFETCH(QString, path);
    const std::string text = sourceFile(path.toStdString());
    const std::size_t end = text.find_last_of('}');
    for (std::size_t size = 0; size <= end; ++size) {
        const auto reading = readPlan(std::string_view(text).substr(0, size));
        QVERIFY2(!reading.ok(), std::to_string(size).c_str());
        QVERIFY(reading.error().where.rfind("line ", 0) == 0);
    }
    QVERIFY(readPlan(std::string_view(text).substr(0, end + 1)).ok());
}

void TestPlanJsonDamaged::flippedBytes_data() { truncated_data(); }

void TestPlanJsonDamaged::flippedBytes()
{
    QFETCH(QString, path);
    const std::string text = sourceFile(path.toStdString());
    std::mt19937 random(2024);
    for (int round = 0; round < 4000; ++round) {
        std::string damaged = text;
        for (auto n = 1 + random() % 3; n > 0; --n) {
            const std::size_t at = random() % damaged.size();
            switch (random() % 4) {
            case 0:
                damaged[at] = char(random() % 256);
                break;
            case 1: // a digit or mark that keeps the file JSON more often
                damaged[at] = "0123456789{}[]\",:.-+"[random() % 20];
                break;
            case 2:
                damaged.erase(at, 1 + random() % 8);
                break;
            default:
                damaged.insert(at, damaged.substr(random() % damaged.size(), 1 + random() % 12));
            }
            if (damaged.empty())
                break;
        }
        QVERIFY2(survives(damaged), shown(damaged).toUtf8().constData());
    }
}

void TestPlanJsonDamaged::wrongTypes()
{
    const Json original = Json::parse(everyField());
    const std::vector<Json> replacements { nullptr, true, 7, -1, 1.5, 1e300, "", "x", Json::array(),
        Json::array({ 1 }), Json::object(), Json { { "a", 1 } }, 9223372036854775807 };
    const Json flat = original.flatten();
    // Every value, scalar or not: the paths of all leaves and of all their parents.
    std::set<std::string> paths;
    for (const auto& leaf : flat.items()) {
        std::string path = leaf.key();
        while (!path.empty()) {
            paths.insert(path);
            path.resize(path.find_last_of('/'));
        }
    }
    int refused = 0;
    int accepted = 0;
    for (const std::string& path : paths) {
        const std::string key = path.substr(path.find_last_of('/') + 1);
        const bool isUnknown = path.find("/x_") != std::string::npos;
        for (const Json& replacement : replacements) {
            Json changed = original;
            const Json::json_pointer pointer(path);
            const Json before = changed.at(pointer);
            changed.at(pointer) = replacement;
            const std::string text = changed.dump();
            QVERIFY2(survives(text), (path + " = " + replacement.dump()).c_str());
            const auto reading = readPlan(text);
            if (!reading.ok())
                QVERIFY2(reading.error().where.rfind("$", 0) == 0, reading.error().text().c_str());
            const bool fits = isUnknown || sameType(before, replacement) || mayBe(key, replacement);
            QVERIFY2(fits || !reading.ok(), (path + " = " + replacement.dump()).c_str());
            if (!fits) {
                // The message names the field itself, in the notation of a JSON path.
                const bool named = !key.empty() && std::isdigit(static_cast<unsigned char>(key[0]))
                    ? reading.error().where.find('[' + key + ']') != std::string::npos
                    : reading.error().where.find(key) != std::string::npos;
                QVERIFY2(named, (path + ": " + reading.error().text()).c_str());
            }
            reading.ok() ? ++accepted : ++refused;
        }
    }
    QVERIFY(refused > 700);
    qInfo("%d replacements refused, %d accepted", refused, accepted);
}

void TestPlanJsonDamaged::oversized()
{
    std::string text = planText(R"("title": ")" + std::string(std::size_t(65) << 20, 'x') + "\"");
    const auto reading = readPlan(text);
    QVERIFY(!reading.ok());
    QVERIFY(reading.error().text().size() < 1000);
}

void TestPlanJsonDamaged::deep_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("lists") << q(planText(R"("later": )" + nested(100000, "[", "]")));
    QTest::newRow("objects") << q(planText(R"("later": )" + nested(100000, "{\"a\":", "}")));
    QTest::newRow("never closed") << q(std::string(1000000, '['));
    QTest::newRow("just too deep") << q(planText(R"("later": )" + nested(64, "[", "]")));
}

void TestPlanJsonDamaged::deep()
{
    QFETCH(QString, text);
    const auto reading = readPlan(text.toStdString());
    QVERIFY(!reading.ok());
    QVERIFY2(
        reading.error().text().find("64") != std::string::npos, reading.error().text().c_str());
    QVERIFY(readPlan(planText(R"("later": )" + nested(62, "[", "]"))).ok());
}

void TestPlanJsonDamaged::bytesThatAreNoText_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray plan = QByteArray::fromStdString(ts24());
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    QTest::newRow("a zero at the end") << plan + QByteArray(1, '\0');
    QTest::newRow("invalid UTF-8") << QByteArray(plan).replace("TS-24", "TS\xC3\x28");
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE{\0\"\0", 6);
    QTest::newRow("twice") << plan + plan;
    QTest::newRow("with a comment") << "// plan\n" + plan;
    QTest::newRow("lone surrogate") << QByteArray(plan).replace("TS-24", "\\uD800");
}

void TestPlanJsonDamaged::bytesThatAreNoText()
{
    QFETCH(QByteArray, text);
    const auto reading = readPlan(text.toStdString());
    QVERIFY(!reading.ok());
    QVERIFY(survives(text.toStdString()));
}

void TestPlanJsonDamaged::duplicateKeysEverywhere()
{
    const std::string text = everyField();
    int keys = 0;
    for (std::size_t at = text.find("\": "); at != std::string::npos;
         at = text.find("\": ", at + 1)) {
        const std::size_t start = text.rfind('"', at - 1);
        const std::string key = text.substr(start, at + 1 - start);
        const auto reading = readPlan(text.substr(0, start) + key + ": 0, " + text.substr(start));
        QVERIFY2(!reading.ok(), key.c_str());
        QVERIFY2(reading.error().what.find("second time") != std::string::npos
                && reading.error().what.find(key.substr(1, key.size() - 2)) != std::string::npos,
            reading.error().text().c_str());
        ++keys;
    }
    QVERIFY(keys > 100);
}

QTEST_GUILESS_MAIN(TestPlanJsonDamaged)
#include "test_plan_json_damaged.moc"
