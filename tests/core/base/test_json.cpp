#include "base/json.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace shardrack;

namespace {

constexpr auto kMaximum = std::numeric_limits<std::int64_t>::max();
constexpr auto kMinimum = std::numeric_limits<std::int64_t>::min();

QString messageOf(const Result<Json>& result)
{
    return result.ok() ? QString() : QString::fromStdString(result.error().text());
}

/// The words of the Failure that `body` throws; empty if it throws none.
template <class Body> QString failureOf(Body body)
{
    try {
        body();
    } catch (const Failure& failure) {
        return QString::fromStdString(failure.error().text());
    }
    return {};
}

std::string randomText(std::mt19937& random)
{
    static const char* const pieces[]
        = { "a", "B", "\"", "\\", "/", "\n", "\t", "\x01", "\x7f", "·", "–", "😀", " ", "{", "#" };
    std::string text;
    for (auto n = random() % 6; n > 0; --n)
        text += pieces[random() % std::size(pieces)];
    return text;
}

Json randomJson(std::mt19937& random, int depth)
{
    switch (random() % (depth > 0 ? 9 : 7)) {
    case 0:
        return nullptr;
    case 1:
        return random() % 2 == 0;
    case 2:
        return std::int64_t((std::uint64_t(random()) << 32 | random()) >> random() % 64);
    case 3:
        return -std::int64_t((std::uint64_t(random()) << 32 | random()) >> (1 + random() % 63));
    case 4:
        return std::ldexp(double(random()), int(random() % 200) - 100);
    case 5:
    case 6:
        return randomText(random);
    case 7: {
        Json list = Json::array();
        for (auto n = random() % 5; n > 0; --n)
            list.push_back(randomJson(random, depth - 1));
        return list;
    }
    default: {
        Json object = Json::object();
        for (auto n = random() % 5; n > 0; --n)
            object[randomText(random)] = randomJson(random, depth - 1);
        return object;
    }
    }
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void namesEncodings_data();
    void namesEncodings();
    void keepsLimits();
    void keepsOrder();
    void isQuickWithManyMembers();
    void agreesWithTheLibrary();
    void readsWhatItWrote();
    void survivesDamage();
    void readsEdgeCases_data();
    void readsEdgeCases();
    void viewsMembers();
    void checksTypes_data();
    void checksTypes();
    void readsIntegers_data();
    void readsIntegers();
    void buildsPaths();
    void keepsUnknownMembers();
};

void TestJson::reads_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("compact");
    const auto row = [](const char* name, const char* text, const char* compact) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(compact);
    };
    row("object", " { \"a\" : [ 1 , 2.5 , true , false , null ] , \"b\" : { } }\r\n",
        "{\"a\":[1,2.5,true,false,null],\"b\":{}}");
    row("empty list", "[]", "[]");
    row("plain number", "-0.5e2", "-50.0");
    row("plain text", "\"x\"", "\"x\"");
    row("zero", "0", "0");
    row("escapes", R"("\"\\\/\b\f\n\r\tA\u00e9\u20AC")", "\"\\\"\\\\/\\b\\f\\n\\r\\tAé€\"");
    row("surrogate pair", R"("\ud83d\ude00")", "\"😀\"");
    row("escaped zero byte", R"("a\u0000b")", "\"a\\u0000b\"");
    row("largest", "9223372036854775807", "9223372036854775807");
    row("smallest", "-9223372036854775808", "-9223372036854775808");
    row("exponent", "5e8", "500000000.0");
    row("byte order mark", "\uFEFF{\"a\": 1}", "{\"a\":1}");
}

void TestJson::reads()
{
    QFETCH(const QString, text);
    QFETCH(const QString, compact);
    const auto json = parseJson(text.toStdString());
    QVERIFY2(json.ok(), qPrintable(messageOf(json)));
    QCOMPARE(QString::fromStdString(json->dump()), compact);
}

void TestJson::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QStringList>("words");
    const auto row
        = [](const char* name, const QByteArray& text, const char* where,
              const QStringList& words) { QTest::newRow(name) << text << where << words; };
    row("empty", "", "line 1, column 1", { "empty" });
    row("blank", " \n ", "line 2, column 2", { "empty" });
    row("hash comment", "{\"a\": [\n  \"x\" # was y\n]}", "line 2, column 7",
        { "comment", "\",\" or \"]\"" });
    row("slash comment", "// c\n{}", "line 1, column 1", { "comment", "value" });
    row("block comment", "{/* c */}", "line 1, column 2", { "comment", "key" });
    row("placeholder", "{\n \"hidden_size\": CONFIG_HIDDEN_SIZE,", "line 2, column 17",
        { "CONFIG_HIDDEN_SIZE", "expected a value" });
    row("missing comma", "{\"a\": 1\n \"b\": 2}", "line 2, column 2",
        { "text in quotes", "\",\" or \"}\"" });
    row("missing comma in a list", "[1 2]", "line 1, column 4", { "number 2", "\",\" or \"]\"" });
    row("missing colon", "{\"a\" 1}", "line 1, column 6", { "\":\"" });
    row("missing value", "{\"a\": }", "line 1, column 7", { "\"}\"", "value" });
    row("two commas", "[1,,2]", "line 1, column 4", { "\",\"", "value" });
    row("trailing comma", "{\"a\": 1,\r\n}", "line 1, column 8",
        { "comma before the closing \"}\"" });
    row("trailing comma in a list", "[1,\n2 ,\n]", "line 2, column 3",
        { "comma before the closing \"]\"" });
    row("leading comma", "{,}", "line 1, column 2", { "\",\"", "key" });
    row("wrong bracket", "[1}", "line 1, column 3", { "\"}\"", "\"]\"" });
    row("unquoted key", "{a: 1}", "line 1, column 2",
        { "unquoted word a", "key in double quotes" });
    row("single quotes", "{'a': 1}", "line 1, column 2", { "single quotes" });
    row("Python words", "[True]", "line 1, column 2", { "True", "lower case" });
    row("not a number", "[NaN]", "line 1, column 2", { "NaN", "finite" });
    row("merge conflict", "{\"a\": 1\n<<<<<<< HEAD\n}", "line 2, column 1", { "merge conflict" });
    row("ends in an object", "{\"a\": 1", "line 1, column 8", { "ends here", "\"}\"" });
    row("ends after a key", "{\"a\"", "line 1, column 5", { "ends here" });
    row("ends in text", "{\"a\": \"xy", "line 1, column 7", { "no end" });
    row("ends in an escape", "\"a\\", "line 1, column 3", { "escape" });
    row("line break in text", "{\"a\": \"x\ny\"}", "line 1, column 9", { "line ends inside" });
    row("tab in text", "\"a\tb\"", "line 1, column 3", { "U+0009", "\\t" });
    row("unknown escape", "\"\\x41\"", "line 1, column 2", { "escape" });
    row("short escape", "\"\\u12\"", "line 1, column 2", { "four hexadecimal" });
    row("signed escape", "\"\\u-123\"", "line 1, column 2", { "four hexadecimal" });
    row("lone high surrogate", "\"\\ud83d\"", "line 1, column 2", { "pair" });
    row("lone low surrogate", "\"\\ude00\"", "line 1, column 2", { "pair" });
    row("broken pair", "\"\\ud83d\\u0041\"", "line 1, column 2", { "pair" });
    row("leading zero", "[012]", "line 1, column 2", { "012", "no JSON number" });
    row("plus", "[+1]", "line 1, column 2", { "+1" });
    row("bare fraction", "[.5]", "line 1, column 2", { ".5" });
    row("bare point", "[5.]", "line 1, column 2", { "5." });
    row("bare exponent", "[5e]", "line 1, column 2", { "5e" });
    row("hexadecimal", "[0x10]", "line 1, column 2", { "0x10" });
    row("grouped", "[1_000]", "line 1, column 2", { "1_000" });
    row("only a sign", "[-]", "line 1, column 2", { "no JSON number" });
    row("2^63", "{\"a\": 9223372036854775808}", "line 1, column 7",
        { "64 bits", "9,223,372,036,854,775,807" });
    row("2^64", "{\"a\": 18446744073709551616}", "line 1, column 7", { "18446744073709551616" });
    row("below -2^63", "[-9223372036854775809]", "line 1, column 2", { "64 bits" });
    row("huge float", "[1e999]", "line 1, column 2", { "1e999", "range" });
    row("duplicate", "{\"a\": 1,\n \"b\": 2, \"a\": 3}", "line 2, column 10",
        { "$.a", "second time" });
    row("nested duplicate", "{\"o\": [{}, {\"x y\": {\"tp\": 1, \"tp\": 2}}]}", "line 1, column 30",
        { "$.o[1][\"x y\"].tp" });
    row("escaped duplicate", "{\"a\": 1, \"\\u0061\": 2}", "line 1, column 10", { "$.a" });
    row("two documents", "{}\n{}", "line 2, column 1", { "second document" });
    row("trailing text", "{} x", "line 1, column 4", { "end of the document", "word x" });
    row("trailing brace", "{}}", "line 1, column 3", { "end of the document" });
    row("trailing zero byte", QByteArray("[]\0", 3), "line 1, column 3", { "U+0000" });
    row("column counts characters", "{\"·–😀\": x}", "line 1, column 9", { "word x" });
    row("old line ends", "{\r\r\"a\": x}", "line 3, column 6", { "word x" });
    row("invalid UTF-8", "{\"a\": \"\xC3\x28\"}", "line 1, column 8", { "0xC3", "UTF-8" });
    row("Latin-1", "{\n\"\xE9\": 1}", "line 2, column 2", { "0xE9", "UTF-8" });
    row("encoded surrogate", "\"\xED\xA0\x80\"", "line 1, column 2", { "UTF-8" });
}

void TestJson::refuses()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, where);
    QFETCH(const QStringList, words);
    const auto json = parseJson(text.toStdString());
    QVERIFY(!json.ok());
    const QString message = messageOf(json);
    QCOMPARE(QString::fromStdString(json.error().where), where);
    for (const QString& word : words)
        QVERIFY2(message.contains(word), qPrintable(message));
    QVERIFY(!json.error().expected.empty());
    QCOMPARE(message.toUtf8().toStdString(), json.error().text()); // the message is UTF-8
}

void TestJson::namesEncodings_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("UTF-16 LE, marked") << QByteArray("\xFF\xFE{\0}\0", 6) << "UTF-16 (little";
    QTest::newRow("UTF-16 BE, marked") << QByteArray("\xFE\xFF\0{\0}", 6) << "UTF-16 (big";
    QTest::newRow("UTF-16 LE") << QByteArray("{\0}\0", 4) << "UTF-16 (little";
    QTest::newRow("UTF-16 BE") << QByteArray("\0{\0}", 4) << "UTF-16 (big";
    QTest::newRow("zero byte") << QByteArray("\0", 1) << "U+0000";
    QTest::newRow("zero bytes") << QByteArray("\0\0", 2) << "U+0000";
    QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08", 3) << "0x8B";
    QTest::newRow("only a mark") << QByteArray("\xEF\xBB\xBF") << "empty";
}

void TestJson::namesEncodings()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, words);
    const auto json = parseJson(text.toStdString());
    QVERIFY(!json.ok());
    QVERIFY2(messageOf(json).contains(words), qPrintable(messageOf(json)));
}

void TestJson::keepsLimits()
{
    JsonLimits limits;
    limits.maximumDepth = 3;
    limits.maximumBytes = 20;
    QVERIFY(parseJson("[[[1]]]", limits).ok());
    QVERIFY(parseJson("[[[]],[[]]]", limits).ok());
    const auto deep = parseJson("[{\"a\":[[]]}]", limits);
    QVERIFY(!deep.ok());
    QCOMPARE(deep.error().where, std::string("line 1, column 8"));
    QVERIFY(messageOf(deep).contains("at most 3 levels"));
    const auto large = parseJson(std::string(21, ' '), limits);
    QVERIFY(messageOf(large).contains("21 bytes"));
    QVERIFY(messageOf(large).contains("at most 20 bytes"));

    // A million levels end at the 65th, long before any stack does.
    for (const char* bracket : { "[", "{\"a\":" }) {
        std::string nested;
        for (int i = 0; i < 1'000'000; ++i)
            nested += bracket;
        const auto refused = parseJson(nested);
        QVERIFY(messageOf(refused).contains("at most 64 levels"));
    }

    limits = {};
    limits.allowHugeIntegers = true;
    const auto huge = parseJson("[1000000000000000019884624838656, 18446744073709551615]", limits);
    QVERIFY(huge.ok());
    QCOMPARE((*huge)[0].get<double>(), 1000000000000000019884624838656.0);
    QCOMPARE((*huge)[1].get<std::uint64_t>(), 18446744073709551615u);
}

void TestJson::keepsOrder()
{
    const auto json = parseJson(R"({"z": 1, "a": {"y": 2, "b": 3}, "m": 4})");
    QCOMPARE(json->dump(), std::string(R"({"z":1,"a":{"y":2,"b":3},"m":4})"));
}

void TestJson::isQuickWithManyMembers()
{
    // The checkpoint index of a large mixture of experts has tens of thousands of names.
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i)
        text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":" + std::to_string(i);
    text += "}";
    QElapsedTimer timer;
    timer.start();
    const auto json = parseJson(text);
    QVERIFY(json.ok());
    const Extra unknown = unknownMembers(JsonView(*json, "$"), { "7" });
    Json saved = Json::object();
    appendExtra(saved, unknown);
    QCOMPARE(saved.size(), std::size_t(199'999));
    QVERIFY2(timer.elapsed() < 5000, "quadratic in the members");
}

void TestJson::agreesWithTheLibrary()
{
    // Damaged documents: what is accepted here, the library accepts with the same value; what is
    // refused here, it refuses too, except duplicates and numbers out of range (left out here).
    std::mt19937 random(3);
    static const char* const pieces[] = { "{", "}", "[", "]", ",", ":", "\"", "\\", "1", "0", "-",
        ".", "e", "true", "null", " ", "\n", "\\u12ab", "\xC3", "·", "#" };
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = randomJson(random, 4).dump();
        for (auto n = random() % 3; n > 0; --n) {
            const std::size_t at = random() % (text.size() + 1);
            text.replace(at, random() % 3, pieces[random() % std::size(pieces)]);
        }
        const auto mine = parseJson(text);
        const Json theirs = Json::parse(text, nullptr, false);
        if (mine.ok()) {
            ++accepted;
            QVERIFY2(*mine == theirs, text.c_str());
        } else if (const QString message = messageOf(mine); !message.contains("second time")
                   && !message.contains("64 bits") && !message.contains("outside the range")) {
            QVERIFY2(theirs.is_discarded(), text.c_str());
        }
    }
    QVERIFY(accepted > 5000 && accepted < 19'000); // both kinds occur
}

void TestJson::readsWhatItWrote()
{
    std::mt19937 random(5);
    for (int i = 0; i < 5'000; ++i) {
        const Json json = randomJson(random, 5);
        const auto again = parseJson(json.dump(i % 2 == 0 ? -1 : 2));
        QVERIFY2(again.ok(), qPrintable(messageOf(again)));
        QVERIFY2(*again == json, json.dump().c_str());
    }
}

void TestJson::survivesDamage()
{
    const std::string whole
        = R"({"offers": [{"name": "Offer R · –", "gpus": 4, "x": -1.5e3}, [true, null]]})";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto json = parseJson(std::string_view(whole).substr(0, length));
        QVERIFY(!json.ok());
        QVERIFY(!json.error().where.empty());
    }
    std::mt19937 random(9);
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole;
        for (auto n = 1 + random() % 3; n > 0; --n)
            text[random() % text.size()] = char(random() % 256);
        const auto json = parseJson(text);
        if (!json.ok())
            QVERIFY(
                QString::fromStdString(json.error().text()).toStdString() == json.error().text());
    }
}

void TestJson::readsEdgeCases_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("allowHuge");
    QTest::addColumn<QString>("words"); // of the message; empty: read
    const auto row = [](const char* file, const char* words, bool allowHuge = false) {
        QTest::addRow("%s%s", file, allowHuge ? ", huge integers allowed" : "")
            << file << allowHuge << words;
    };
    row("bloom.index.two-documents.json",
        "line 2, column 1: after the end of the document, an unresolved merge conflict");
    row("gpt2-large.BOM-CRLF.json", "");
    row("llama-3.2-1b.trailing-comma.json", "line 38, column 23: a comma before the closing");
    row("llama_moe.TEMPLATE-invalid.json",
        "line 13, column 20: the unquoted word CONFIG_HIDDEN_SIZE");
    row("mistral_moe.TEMPLATE-invalid.json",
        "line 9, column 20: the unquoted word CONFIG_HIDDEN_SIZE");
    row("model_configs.missing-comma.json", "line 124, column 1: an unresolved merge conflict");
    row("qwen2.5-0.5b-chunking.hash-comments.json", "line 3, column 32: a comment starts here");
    row("tokenizer_config.huge-int.json",
        "1000000000000000019884624838656 does not fit in 64 bits");
    row("tokenizer_config.huge-int.json", "", true);
    row("xgen-mm.defaults-only.json", "");
}

void TestJson::readsEdgeCases()
{
    QFETCH(const QString, file);
    QFETCH(const bool, allowHuge);
    QFETCH(const QString, words);
    QFile input(SHARDRACK_SOURCE_DIR "/../shared/data/corpus/models/edge_cases/" + file);
    if (!input.open(QIODevice::ReadOnly))
        QSKIP("the public files are not here");
    JsonLimits limits;
    limits.allowHugeIntegers = allowHuge;
    const auto json = parseJson(input.readAll().toStdString(), limits);
    QCOMPARE(json.ok(), words.isEmpty());
    QVERIFY2(messageOf(json).contains(words), qPrintable(messageOf(json)));
}

void TestJson::viewsMembers()
{
    const Json json = parseJson(R"({"a": {"b": [1, {"c": "x"}]}, "n": null, "t": true})").value();
    const JsonView view(json, "$");
    QVERIFY(view.has("a"));
    QVERIFY(!view.has("n"));
    QVERIFY(!view.has("z"));
    QVERIFY(!view.find("n"));
    const auto items = view.at("a").at("b").items();
    QCOMPARE(items.size(), std::size_t(2));
    QCOMPARE(items[0].integer(0, 1), std::int64_t(1));
    QCOMPARE(items[1].at("c").string(), std::string("x"));
    QCOMPARE(items[1].at("c").path(), std::string("$.a.b[1].c"));
    QVERIFY(view.at("t").boolean());
    QVERIFY(view.isObject() && items[1].isObject() && view.at("a").at("b").isArray()
        && items[1].at("c").isString());
    QCOMPARE(
        failureOf([&] { (void)items[1].at("d"); }), "$.a.b[1].d: is missing; expected a value");
    QCOMPARE(failureOf([&] { (void)view.at("n"); }), "$.n: is null; expected a value");
    QCOMPARE(failureOf([&] { (void)items[0].find("x"); }), "$.a.b[0]: is 1; expected an object");
    QCOMPARE(failureOf([&] { view.fail("is odd", "something even"); }),
        "$: is odd; expected something even");
}

void TestJson::checksTypes_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("getter");
    QTest::addColumn<QString>("message");
    const QString longText = QString(80, 'x');
    QTest::newRow("text") << "5"
                          << "string"
                          << "$.v: is 5; expected text in double quotes";
    QTest::newRow("boolean") << "\"true\""
                             << "boolean"
                             << "$.v: is \"true\"; expected true or false";
    QTest::newRow("list") << "{}"
                          << "items"
                          << "$.v: is an object; expected a list";
    QTest::newRow("object") << "[1]"
                            << "object"
                            << "$.v: is a list; expected an object";
    QTest::newRow("integer") << "[1]"
                             << "integer"
                             << "$.v: is a list; expected a whole number from 1 to 1,024";
    QTest::newRow("fraction") << "1.5"
                              << "integer"
                              << "$.v: is 1.5; expected a whole number from 1 to 1,024";
    QTest::newRow("below") << "0"
                           << "integer"
                           << "$.v: is 0; expected a whole number from 1 to 1,024";
    QTest::newRow("above") << "1e9"
                           << "integer"
                           << "$.v: is 1000000000.0; expected a whole number from 1 to 1,024";
    QTest::newRow("bytes")
        << "-1"
        << "bytes"
        << "$.v: is -1; expected a whole number of bytes, 0 or more and below 2^63";
    QTest::newRow("long text") << '"' + longText + '"' << "boolean"
                               << "$.v: is \"" + longText.left(59)
            + QString::fromUtf8("…; expected true or false");
}

void TestJson::checksTypes()
{
    QFETCH(const QString, value);
    QFETCH(const QString, getter);
    QFETCH(const QString, message);
    const Json json = parseJson(value.toStdString()).value();
    const JsonView view(json, "$.v");
    const QString words = failureOf([&] {
        if (getter == "string")
            (void)view.string();
        else if (getter == "boolean")
            (void)view.boolean();
        else if (getter == "items")
            (void)view.items();
        else if (getter == "object")
            view.expectObject();
        else if (getter == "bytes")
            (void)view.bytes();
        else
            (void)view.integer(1, 1024);
    });
    QCOMPARE(words, message);
}

void TestJson::readsIntegers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<qint64>("number");
    QTest::newRow("whole") << "42" << true << qint64(42);
    QTest::newRow("exponent") << "5e8" << true << qint64(500'000'000);
    QTest::newRow("integral float") << "13731385408.0" << true << qint64(13'731'385'408);
    QTest::newRow("negative zero") << "-0.0" << true << qint64(0);
    QTest::newRow("largest") << "9223372036854775807" << true << qint64(kMaximum);
    QTest::newRow("smallest") << "-9223372036854775808" << true << qint64(kMinimum);
    QTest::newRow("smallest float") << "-9223372036854775808.0" << true << qint64(kMinimum);
    QTest::newRow("float 2^63") << "9223372036854775808.0" << false << qint64(0);
    QTest::newRow("huge") << "1e30" << false << qint64(0);
    QTest::newRow("unsigned") << "18446744073709551615" << false << qint64(0);
    QTest::newRow("fraction") << "0.5" << false << qint64(0);
    QTest::newRow("boolean") << "true" << false << qint64(0);
    QTest::newRow("text") << "\"5\"" << false << qint64(0);
}

void TestJson::readsIntegers()
{
    QFETCH(const QString, text);
    QFETCH(const bool, ok);
    QFETCH(const qint64, number);
    JsonLimits limits;
    limits.allowHugeIntegers = true;
    const Json json = parseJson(text.toStdString(), limits).value();
    const JsonView view(json, "$");
    const auto read = attempt([&] { return view.integer(kMinimum, kMaximum); });
    QCOMPARE(read.ok(), ok);
    if (ok)
        QCOMPARE(qint64(*read), number);
    QCOMPARE(attempt([&] { return view.bytes(); }).ok(), ok && number >= 0);
}

void TestJson::buildsPaths()
{
    QCOMPARE(memberPath("$", "tp"), std::string("$.tp"));
    QCOMPARE(memberPath("$", "a b"), std::string("$[\"a b\"]"));
    QCOMPARE(memberPath("$", ""), std::string("$[\"\"]"));
    QCOMPARE(memberPath("$", "\xFF"), std::string("$[\"\uFFFD\"]"));
    QCOMPARE(memberPath("$", std::string(1000, 'k')).size(), std::size_t(1 + 1 + 60 + 3 + 1));
    QCOMPARE(elementPath("$.a", 3), std::string("$.a[3]"));
}

void TestJson::keepsUnknownMembers()
{
    const Json json
        = parseJson(R"({"a": 1, "note": "keep", "b": 2, "x": [1, {"y": null}]})").value();
    const Extra extra = unknownMembers(JsonView(json, "$"), { "a", "b" });
    QCOMPARE(extra->dump(), std::string(R"({"note":"keep","x":[1,{"y":null}]})"));
    QVERIFY(!unknownMembers(JsonView(json, "$"), { "a", "b", "x", "note" }));

    Json saved = parseJson(R"({"a": 1, "b": 2})").value();
    appendExtra(saved, extra);
    QCOMPARE(saved.dump(), std::string(R"({"a":1,"b":2,"note":"keep","x":[1,{"y":null}]})"));
    appendExtra(saved, extra); // what is there stays as it is
    QCOMPARE(saved.size(), std::size_t(4));
    appendExtra(saved, nullptr);

    QVERIFY(sameExtra(nullptr, nullptr));
    QVERIFY(!sameExtra(extra, nullptr));
    QVERIFY(!sameExtra(nullptr, extra));
    QVERIFY(sameExtra(extra, std::make_shared<const Json>(*extra)));
    QVERIFY(!sameExtra(extra, std::make_shared<const Json>(Json::object())));
}

QTEST_GUILESS_MAIN(TestJson)
#include "test_json.moc"
