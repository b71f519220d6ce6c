#include "lessons/lesson.h"

#include "lessons/condition.h"
#include "paint/theme.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

using namespace shardrack;

namespace {

/// The smallest lesson that is whole.
Json smallest()
{
    return parseJson(R"({
        "format": "shardrack-lesson", "version": 1, "title": "T", "subject": "s", "minutes": 2,
        "about": "About.", "plan": "ts-24", "plan_name": "TS-24", "end": "End.",
        "steps": [{
            "title": "One", "text": "Text of [rank].",
            "predict": {"question": "Need?", "fact": "most_loaded.need", "choices": [
                {"text": "12", "value": "12 GiB", "reply": "No."},
                {"text": "24", "value": "24 GiB", "reply": "Yes."}]},
            "tasks": [{"text": "Add", "mouse": "Drag", "keys": "Insert", "done": {"gpus": 8},
                "show": [{"object": "cataloguePanel", "place": "x"}],
                "replies": [{"when": {"offer": "Offer S"}, "text": "Other offer."}]}],
            "reveal": {"text": "Now {most_loaded.need}, then {before.most_loaded.need}."}}]})")
        .value();
}

Result<Lesson> read(const Json& json) { return readLesson("test", json.dump()); }

} // namespace

class TestLessonReader : public QObject {
    Q_OBJECT
private slots:
    void readsWhatIsWhole();
    void shippedLessonsAreWhole();
    void figuresOfChoicesAreThoseOfTheExample();
    void brokenFilesAreRefused_data();
    void brokenFilesAreRefused();
    void filesAreNamedInTheMessage();
    void conditionsLookAtTheResult_data();
    void conditionsLookAtTheResult();
    void textsAreEscapedAndLinked();
};

void TestLessonReader::readsWhatIsWhole()
{
    const auto lesson = read(smallest());
    QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
    QCOMPARE(lesson->minutes, 2);
    QCOMPARE(lesson->steps.size(), std::size_t(1));
    QCOMPARE(*lesson->steps[0].predict->choices[1].value, 24 * kGiB);
    QCOMPARE(lesson->plan.offers.size(), std::size_t(2));
    Json other = smallest();
    other["offer"] = "Offer S";
    other["ranks_follow_hardware"] = false;
    const auto front = read(other);
    QVERIFY(front.ok());
    QCOMPARE(front->plan.offers[0]->name, std::string("Offer S"));
    for (const auto& offer : front->plan.offers)
        QVERIFY(!offer->layout.ranksFollowHardware);
    QVERIFY(front->digest != lesson->digest);
}

void TestLessonReader::shippedLessonsAreWhole()
{
    QVERIFY(lessonNames().size() >= 2);
    for (const std::string& name : lessonNames()) {
        const auto lesson = findLesson(QString::fromStdString(name));
        QVERIFY2(lesson.ok(), lesson.ok() ? "" : lesson.error().text().c_str());
        QCOMPARE(lesson->name, name);
        QVERIFY(lesson->minutes <= 5); // both together: ten minutes
    }
}

/// Worked example TS-24: replicas hold 24 GiB each whatever their number; eight copies are 192 GiB,
/// seven of them redundant; 24 / 8 = 3, 24 / 4 = 6, 24 / 3 = 8.
void TestLessonReader::figuresOfChoicesAreThoseOfTheExample()
{
    const auto has = [](const char* lesson, std::size_t step, std::int64_t gib) {
        const auto found = findLesson(QLatin1String(lesson));
        if (!found)
            return false;
        int same = 0;
        for (const LessonChoice& choice : found->steps[step].predict->choices)
            same += choice.value == gib * kGiB ? 1 : 0;
        return same == 1;
    };
    QVERIFY(has("more-gpus", 1, 24));
    QVERIFY(has("more-gpus", 2, 168));
    QVERIFY(has("more-gpus", 3, 3));
    QVERIFY(has("shards", 0, 6));
    QVERIFY(has("shards", 3, 8));
}

void TestLessonReader::brokenFilesAreRefused_data()
{
    QTest::addColumn<QString>("place"); // of the member that is changed, as a JSON pointer
    QTest::addColumn<QByteArray>("value"); // empty: removed
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* place, const char* value, const char* where,
                         const char* says) {
        QTest::newRow(name) << QString::fromUtf8(place) << QByteArray(value)
                            << QString::fromUtf8(where) << QString::fromUtf8(says);
    };
    row("other format", "/format", "\"shardrack-plan\"", "$.format", "shardrack-lesson");
    row("newer version", "/version", "2", "$.version", "1");
    row("no title", "/title", "", "$.title", "missing");
    row("empty title", "/title", "\"\"", "$.title", "empty");
    row("misspelled member", "/minuts", "3", "$.minuts", "\"minutes\"");
    row("no time", "/minutes", "0", "$.minutes", "from 1 to 60");
    row("unknown example", "/plan", "\"ts-25\"", "$.plan", "ts-24");
    row("broken plan", "/plan", R"({"format":"shardrack-plan","version":1,"title":7})",
        "$.plan.title", "text");
    row("plan without offers", "/plan", R"({"format":"shardrack-plan","version":1,"workload":{}})",
        "$.plan", "offer");
    row("unknown offer", "/offer", "\"Offer T\"", "$.offer", "Offer S");
    row("no steps", "/steps", "[]", "$.steps", "from 1 to 20");
    row("empty step", "/steps/0", R"({"title":"x"})", "$.steps[0]", "nothing in it");
    row("prediction never answered", "/steps/0/reveal", "", "$.steps[0].reveal", "missing");
    row("one choice", "/steps/0/predict/choices/1", "", "$.steps[0].predict.choices",
        "from 2 to 6");
    row("unknown fact", "/steps/0/predict/fact", "\"most_loaded.neet\"", "$.steps[0].predict.fact",
        "\"most_loaded.need\"");
    row("a word is predicted", "/steps/0/predict/fact", "\"offer\"", "$.steps[0].predict.fact",
        "no number");
    row("size without unit", "/steps/0/predict/choices/0/value", "\"12\"",
        "$.steps[0].predict.choices[0].value", "");
    row("size as a number", "/steps/0/predict/choices/0/value", "12",
        "$.steps[0].predict.choices[0].value", "24 GiB");
    row("twice the same value", "/steps/0/predict/choices/0/value", "\"24 GiB\"",
        "$.steps[0].predict.choices[1]", "differ");
    row("wrong without reply", "/steps/0/predict/choices/0/reply", "",
        "$.steps[0].predict.choices[0].reply", "missing");
    row("right beside a fact", "/steps/0/predict/choices/0/right", "true",
        "$.steps[0].predict.choices[0].right", "window says");
    row("no right choice", "/steps/0/predict",
        R"({"question":"?","choices":[{"text":"a","reply":"r"},{"text":"b","reply":"r"}]})",
        "$.steps[0].predict.choices", "exactly one");
    row("value without fact", "/steps/0/predict/fact", "", "$.steps[0].predict.choices[0].value",
        "fact");
    row("no keyboard way", "/steps/0/tasks/0/keys", "", "$.steps[0].tasks[0].keys", "missing");
    row("no condition", "/steps/0/tasks/0/done", "", "$.steps[0].tasks[0].done", "missing");
    row("empty condition", "/steps/0/tasks/0/done", "{}", "$.steps[0].tasks[0].done", "empty");
    row("two facts in one", "/steps/0/tasks/0/done", R"({"gpus":8,"ranks":8})",
        "$.steps[0].tasks[0].done", "\"all\"");
    row("unknown fact in a condition", "/steps/0/tasks/0/done", R"({"gpu":8})",
        "$.steps[0].tasks[0].done.gpu", "\"gpus\"");
    row("unknown comparison", "/steps/0/tasks/0/done", R"({"gpus":{"more":8}})",
        "$.steps[0].tasks[0].done.gpus.more", "at_least");
    row("range with nothing in it", "/steps/0/tasks/0/done",
        R"({"gpus":{"at_least":8,"at_most":7}})", "$.steps[0].tasks[0].done.gpus", "never");
    row("unknown layout", "/steps/0/tasks/0/done", R"({"layout":"ddpp"})",
        "$.steps[0].tasks[0].done.layout", "\"ddp\"");
    row("a text is compared", "/steps/0/tasks/0/done", R"({"verdict.name":"Open"})",
        "$.steps[0].tasks[0].done[\"verdict.name\"]", "texts only");
    row("nested condition", "/steps/0/tasks/0/done", R"({"all":[{"gpus":8},{"any":[]}]})",
        "$.steps[0].tasks[0].done.all[1].any", "at least one");
    row("offer of a reply", "/steps/0/tasks/0/replies/0/when", R"({"offer":"Offer Z"})",
        "$.steps[0].tasks[0].replies[0].when.offer", "Offer S");
    row("unknown fact in a text", "/steps/0/reveal/text", "\"{most_loaded.neet}\"",
        "$.steps[0].reveal.text", "\"most_loaded.need\"");
    row("word without an entry", "/steps/0/text", "\"[rnak]\"", "$.steps[0].text", "\"rank\"");
    row("mark without end", "/steps/0/text", "\"**bold\"", "$.steps[0].text", "ends it");
    row("mark inside a mark", "/steps/0/text", "\"**{ranks}**\"", "$.steps[0].text", "one after");
    row("empty text", "/about", "\"\"", "$.about", "empty");
    row("text of another type", "/about", "[1]", "$.about", "double quotes");
    row("unknown lesson follows", "/next", "\"shard\"", "$.next", "\"shards\"");
    row("an alternative to nothing", "/steps/0/tasks/0/show",
        R"([{"object":"rackCanvas","or":true}])", "$.steps[0].tasks[0].show[0].or",
        "the first place");
    row("a place without a name", "/steps/0/tasks/0/show", R"([{"place":"free"}])",
        "$.steps[0].tasks[0].show[0].object", "missing");
}

void TestLessonReader::brokenFilesAreRefused()
{
    QFETCH(QString, place);
    QFETCH(QByteArray, value);
    QFETCH(QString, where);
    QFETCH(QString, says);
    Json json = smallest();
    const Json::json_pointer pointer(place.toStdString());
    if (!value.isEmpty()) {
        json[pointer] = parseJson(value.toStdString()).value();
    } else {
        Json& parent = json[pointer.parent_pointer()];
        if (parent.is_array())
            parent.erase(std::size_t(std::stoi(pointer.back())));
        else
            parent.erase(pointer.back());
    }
    const auto lesson = read(json);
    QVERIFY(!lesson.ok());
    const QString message = QString::fromStdString(lesson.error().text());
    QCOMPARE(QString::fromStdString(lesson.error().where), where);
    QVERIFY2(message.contains(says), qPrintable(message));
}

void TestLessonReader::filesAreNamedInTheMessage()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"shardrack-lesson\",\n \"version\": }");
    file.close();
    const auto broken = findLesson(path);
    QVERIFY(!broken.ok());
    const QString message = QString::fromStdString(broken.error().text());
    QVERIFY2(message.contains(path), qPrintable(message));
    QVERIFY2(message.contains(QLatin1String("line 2")), qPrintable(message));
    const auto missing = findLesson(folder.filePath(QStringLiteral("none.json")));
    QVERIFY(!missing.ok());
    const auto unknown = findLesson(QStringLiteral("more-gpu"));
    QVERIFY(!unknown.ok());
    QVERIFY(QString::fromStdString(unknown.error().text()).contains(QLatin1String("more-gpus")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(smallest().dump()));
    file.close();
    const auto whole = findLesson(path);
    QVERIFY(whole.ok());
    QCOMPARE(whole->name, std::string("mine"));
}

void TestLessonReader::conditionsLookAtTheResult_data()
{
    QTest::addColumn<QByteArray>("condition");
    QTest::addColumn<bool>("holds");
    // TS-24, offer R in front, nothing selected.
    QTest::newRow("count") << QByteArray(R"({"gpus":4})") << true;
    QTest::newRow("other count") << QByteArray(R"({"gpus":8})") << false;
    QTest::newRow("at least") << QByteArray(R"({"ranks":{"at_least":4}})") << true;
    QTest::newRow("at most") << QByteArray(R"({"ranks":{"at_most":3}})") << false;
    QTest::newRow("size") << QByteArray(R"({"most_loaded.need":"24 GiB"})") << true;
    QTest::newRow("size in other words")
        << QByteArray(R"({"state.redundant":"77309411328 B"})") << true; // 3 × 24 GiB
    QTest::newRow("over by") << QByteArray(R"({"most_loaded.over_by":"8 GiB"})") << true;
    QTest::newRow("not established is no zero")
        << QByteArray(R"({"given.activations":{"at_most":"1 GiB"}})") << false;
    QTest::newRow("word") << QByteArray(R"({"layout":"ddp"})") << true;
    QTest::newRow("verdict") << QByteArray(R"({"verdict":"over"})") << true;
    QTest::newRow("usable") << QByteArray(R"({"most_loaded.usable_confirmed":"no"})") << true;
    QTest::newRow("all") << QByteArray(R"({"all":[{"gpus":4},{"ranks":5}]})") << false;
    QTest::newRow("any") << QByteArray(R"({"any":[{"gpus":5},{"ranks":4}]})") << true;
    QTest::newRow("not") << QByteArray(R"({"not":{"offer":"Offer S"}})") << true;
    QTest::newRow("selection") << QByteArray(R"({"selected.gpus":0})") << true;
}

void TestLessonReader::conditionsLookAtTheResult()
{
    QFETCH(QByteArray, condition);
    QFETCH(bool, holds);
    PlanDocument document;
    Selection selection;
    document.reset(findLesson(QStringLiteral("more-gpus"))->plan, {}, false);
    const Json json = parseJson(condition.toStdString()).value();
    QCOMPARE(Condition::read(JsonView(json, "$")).holds(FactTable(document, selection)), holds);
}

void TestLessonReader::textsAreEscapedAndLinked()
{
    PlanDocument document;
    Selection selection;
    document.reset(findLesson(QStringLiteral("more-gpus"))->plan, {}, false);
    const FactTable facts(document, selection);
    const Json json = "a < b **bold** `Key` [shares|retained share] {most_loaded.need}";
    const LessonText text = LessonText::read(JsonView(json, "$"));
    QCOMPARE(text.plain(facts, facts), QStringLiteral("a < b bold Key shares at least 24.00 GiB"));
    const QString html = text.html(facts, facts, Theme::light());
    QVERIFY2(html.contains(QLatin1String("a &lt; b")), qPrintable(html));
    QVERIFY2(html.contains(QLatin1String("word:retained%20share")), qPrintable(html));
    QCOMPARE(glossaryWordOfLink(QStringLiteral("word:retained%20share")),
        QStringLiteral("retained share"));
    QVERIFY(glossaryWordOfLink(QStringLiteral("http://x")).isEmpty());
}

QTEST_MAIN(TestLessonReader)
#include "test_lesson_reader.moc"
