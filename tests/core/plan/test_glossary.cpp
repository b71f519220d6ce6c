#include "plan/glossary.h"

#include <QTest>

using namespace shardrack;

class TestGlossary : public QObject {
    Q_OBJECT
private slots:
    void hasTheWordsOfTheSubject_data();
    void hasTheWordsOfTheSubject();
    void everythingShownHasAnEntry();
    void isFoundInAnyCaseAndByOtherNames();
    void relatedWordsHaveEntries();
    void brokenFilesAreRefused_data();
    void brokenFilesAreRefused();
};

void TestGlossary::hasTheWordsOfTheSubject_data()
{
    QTest::addColumn<QString>("word");
    const char* const words[] = { "persistent training state", "weights-only figure", "rank",
        "replica", "shard group", "retained share", "gathered working set", "activations",
        "temporary buffers", "allocator slack", "outside the allocator", "installed capacity",
        "usable allocation", "offer", "common workload", "changed basis", "capacity screen",
        "headroom", "most loaded device", "required margin", "provenance", "stipulated", "derived",
        "measured", "not established", "capacity estimate", "demonstrated fit", "training result",
        "data parallel", "ZeRO-1", "ZeRO-2", "ZeRO-3 / FSDP", "hybrid shard", "tensor parallel",
        "sequence and context parallel", "pipeline parallel", "expert parallel",
        "gradient accumulation", "recompute", "offload", "quiet point" };
    for (const char* word : words)
        QTest::newRow(word) << QString::fromUtf8(word);
}

void TestGlossary::hasTheWordsOfTheSubject()
{
    QFETCH(QString, word);
    const GlossaryEntry* entry = glossaryEntry(word.toStdString());
    QVERIFY(entry);
    QCOMPARE(QString::fromStdString(entry->word), word);
    QVERIFY(entry->meaning.size() > 15);
    QCOMPARE(entry->meaning.back(), '.');
}

void TestGlossary::everythingShownHasAnEntry()
{
    for (const Category category : kCategories)
        QVERIFY(!glossaryEntry(category).meaning.empty());
    QCOMPARE(glossaryEntry(Category::Outside).word, std::string("outside the allocator"));
    QCOMPARE(glossaryEntry(Category::State).word, std::string("persistent training state"));
    QCOMPARE(glossaryEntry(Category::Gathered).word, std::string("gathered working set"));
    for (const Capacity value : { Capacity::Fit, Capacity::Tight, Capacity::Open, Capacity::Over })
        QVERIFY(!glossaryEntry(value).meaning.empty());
    for (const Demonstrated value : { Demonstrated::None, Demonstrated::Partial,
             Demonstrated::Demonstrated, Demonstrated::Contradicted })
        QVERIFY(!glossaryEntry(value).meaning.empty());
    for (const TrainingResult value :
        { TrainingResult::NotEvaluated, TrainingResult::Accepted, TrainingResult::Rejected })
        QVERIFY(!glossaryEntry(value).meaning.empty());
    for (const Provenance value : { Provenance::Stipulated, Provenance::Derived,
             Provenance::Measured, Provenance::NotEstablished })
        QCOMPARE(glossaryEntry(value).word, std::string(name(value)));
    for (const Sharing value :
        { Sharing::Replicated, Sharing::Sharded, Sharing::Gathered, Sharing::Local })
        QVERIFY(!glossaryEntry(value).meaning.empty());
    for (int phase = 0; phase <= int(Phase::Evaluate); ++phase)
        QVERIFY(!glossaryEntry(static_cast<Phase>(phase)).meaning.empty());
    for (int preset = 0; preset <= int(LayoutPreset::Custom); ++preset)
        QVERIFY(!glossaryEntry(static_cast<LayoutPreset>(preset)).meaning.empty());
}

void TestGlossary::isFoundInAnyCaseAndByOtherNames()
{
    QCOMPARE(glossaryEntry("HEADROOM"), glossaryEntry("headroom"));
    QCOMPARE(glossaryEntry("ddp")->word, std::string("data parallel"));
    QCOMPARE(glossaryEntry("Outside allocator"), glossaryEntry("outside the allocator"));
    QCOMPARE(glossaryEntry("no such word"), nullptr);
    QCOMPARE(glossaryEntry(""), nullptr);
}

void TestGlossary::relatedWordsHaveEntries()
{
    QVERIFY(glossary().size() >= 60);
    for (const GlossaryEntry& entry : glossary())
        for (const std::string& word : entry.related) {
            QVERIFY2(glossaryEntry(word), word.c_str());
            QVERIFY2(word != entry.word, word.c_str());
        }
}

void TestGlossary::brokenFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const QByteArray head = R"({"format":"shardrack-glossary","version":1,"entries":[)";
    const QByteArray rank = R"({"word":"rank","meaning":"A process.")";
    QTest::newRow("format") << QByteArray(R"({"format":"x","version":1,"entries":[]})")
                            << "$.format"
                            << "shardrack-glossary";
    QTest::newRow("no meaning") << head + R"({"word":"rank"}]})"
                                << "$.entries[0].meaning"
                                << "missing";
    QTest::newRow("twice") << head + rank + "}," + R"({"word":"Rank","meaning":"Again."}]})"
                           << "$.entries[1].word"
                           << "no other entry";
    QTest::newRow("unknown related") << head + rank + R"(,"related":["rnak"]}]})"
                                     << "$.entries[0].related[0]"
                                     << "\"rank\"";
    QTest::newRow("not JSON") << QByteArray("{") << "line 1"
                              << "";
}

void TestGlossary::brokenFilesAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto reading = readGlossary(text.toStdString());
    QVERIFY(!reading.ok());
    const QString message = QString::fromStdString(reading.error().text());
    QVERIFY2(QString::fromStdString(reading.error().where).startsWith(where), qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
}

QTEST_APPLESS_MAIN(TestGlossary)
#include "test_glossary.moc"
