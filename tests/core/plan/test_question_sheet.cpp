// What is asked of an offer, with what is known of it filled in.

#include "plan_texts.h"

#include "plan/question_sheet.h"

using namespace shardrack;
using namespace plantexts;

namespace {

std::vector<Question> sheetOf(const std::string& text, std::size_t offer)
{
    const Plan plan = planFrom(text);
    return questionSheet(plan, offer, *assess(plan, offer));
}

const Question& question(const std::vector<Question>& sheet, const char* id)
{
    for (const Question& each : sheet)
        if (each.id == id)
            return each;
    qFatal("no question %s", id);
}

/// DOMAIN.md section 8, in its order.
const char* const kAll[] = { "model", "trained", "formats", "optimizer", "sequence", "batch",
    "framework", "gpus", "ranks", "groups", "mapping", "offload", "interconnect", "replicated",
    "gathered", "left_out", "margin", "measurements" };

} // namespace

class TestQuestionSheet : public QObject {
    Q_OBJECT
private slots:
    void everyQuestionIsAskedOrAnswered()
    {
        for (const std::string& text : { plantexts::ts24(), everyField(),
                 sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack"),
                 planText(R"("offers": [{"name": "Empty"}])") }) {
            const Plan plan = planFrom(text);
            for (std::size_t i = 0; i < plan.offers.size(); ++i) {
                const std::vector<Question> sheet = questionSheet(plan, i, *assess(plan, i));
                QVERIFY(sheet.size() >= std::size(kAll));
                for (std::size_t k = 0; k < std::size(kAll); ++k)
                    QCOMPARE(q(sheet[k].id), QString::fromUtf8(kAll[k]));
                for (const Question& each : sheet) {
                    QVERIFY2(!each.known.empty() || !each.asked.empty(), each.id.c_str());
                    QCOMPARE(each.known.empty(), each.provenance == Provenance::NotEstablished);
                }
            }
        }
    }

    void ts24_data()
    {
        QTest::addColumn<int>("offer");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("known");
        QTest::addColumn<bool>("asked");
        const auto row = [](int offer, const char* id, const char* known, bool asked) {
            QTest::addRow("%c %s", offer == 0 ? 'R' : 'S', id)
                << offer << QString::fromUtf8(id) << QString::fromUtf8(known) << asked;
        };
        for (const int offer : { 0, 1 }) {
            for (const char* id : { "model", "trained", "formats", "optimizer", "sequence", "batch",
                     "framework", "offload", "margin", "measurements" })
                row(offer, id, "", true);
            row(offer, "gpus",
                "4 × Generic 16 GiB GPU, 16.00 GiB installed, usable 16.00 GiB (not confirmed)",
                true);
            row(offer, "ranks", "4 ranks, one a GPU", false);
            row(offer, "mapping",
                "rank 0 on A1·0 to rank 3 on A1·3 in site order; 1 server in 1 rack", false);
        }
        row(0, "groups", "4 complete copies of the model, no shard group", false);
        row(1, "groups",
            "1 shard group of 4, which divides parameters, gradients and optimizer state", false);
        row(0, "replicated", "persistent state 24.00 GiB", false);
        row(1, "replicated", "nothing of the persistent state", false);
        row(0, "gathered", "nothing", false);
        row(1, "gathered", "", true);
        row(0, "left_out",
            "activations, temporary buffers, allocator slack and memory outside the allocator: not "
            "established",
            true);
        row(1, "left_out",
            "gathered parameters, activations, temporary buffers, allocator slack and memory "
            "outside the allocator: not established",
            true);
        row(0, "assumptions", "Ordinary local optimizer state, no additional sharding or offload.",
            true);
    }
    void ts24()
    {
        QFETCH(int, offer);
        QFETCH(QString, id);
        QFETCH(QString, known);
        QFETCH(bool, asked);
        const auto sheet = sheetOf(plantexts::ts24(), std::size_t(offer));
        const Question& found = question(sheet, id.toUtf8().constData());
        QCOMPARE(q(found.known), known);
        QCOMPARE(!found.asked.empty(), asked);
    }

    void llama()
    {
        const auto sheet
            = sheetOf(sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack"), 3);
        // The architecture's exact count, as its publisher states it.
        QCOMPARE(q(question(sheet, "model").known),
            QStringLiteral("llama-3-8b, 8,030,261,248 parameters"));
        QCOMPARE(q(question(sheet, "model").asked), QStringLiteral("its revision"));
        QCOMPARE(q(question(sheet, "optimizer").known), QStringLiteral("adamw"));
        QCOMPARE(q(question(sheet, "groups").known),
            QStringLiteral(
                "1 shard group of 32, which divides parameters, gradients and optimizer state"));
        QVERIFY(q(question(sheet, "gpus").known).startsWith(QStringLiteral("32 × ")));
        QVERIFY(question(sheet, "gpus").asked.empty());
        QCOMPARE(question(sheet, "interconnect").provenance, Provenance::Derived);
        QCOMPARE(q(question(sheet, "interconnect").asked),
            QStringLiteral("the network between the servers"));
    }

    void measurementsAreFilledIn()
    {
        const std::string text = planText(R"("offers": [{"name": "A", "site": {"racks": [)"
            + oneServer(2)
            + R"(]}, "measurements": [{"devices": "A1·0", "scope": "device", "peak_bytes": 13217546240,
                 "phases": ["init"], "complete_steps": 3, "source": "run 7"}]}])");
        const Question found = question(sheetOf(text, 0), "measurements");
        // 13,217,546,240 B ÷ 2^30 = 12.3098… GiB.
        QCOMPARE(q(found.known),
            QStringLiteral("A1·0: 12.31 GiB, device memory in use, over init and 3 complete steps, "
                           "run 7"));
        QCOMPARE(found.provenance, Provenance::Measured);
        QVERIFY(!found.asked.empty());
    }
};

QTEST_APPLESS_MAIN(TestQuestionSheet)
#include "test_question_sheet.moc"
