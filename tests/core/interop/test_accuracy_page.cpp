// What the page on accuracy says of the framework in use.

#include "interop/accuracy_page.h"
#include "resources/resources.h"

#include <QtTest>

using namespace shardrack;

class TestAccuracyPage : public QObject {
    Q_OBJECT
private slots:
    void readsTheFirstTable();
    void theShippedPage();
};

void TestAccuracyPage::readsTheFirstTable()
{
    constexpr const char* page
        = "# Accuracy\n\ntext | with a bar\n\n"
          "| family | metric | rows | median absolute | 90th percentile | worst |\n"
          "| --- | --- | --- | --- | --- | --- |\n"
          "| simumax | allocated | 80 | 0.024 | 0.05 | 0.06 |\n"
          "| titan |  | 0 | – | – | – |\n"
          "| titan | reserved | 8 | 1.8 | 3.1 | 6.4 |\n"
          "\n## Another\n\n| family | rows |\n| --- | --- |\n| mpt | 7 |\n";
    const std::vector<FamilyAccuracy> families = familiesOf(page);
    QCOMPARE(families.size(), std::size_t(2));
    QCOMPARE(families[0].family, std::string("simumax"));
    QCOMPARE(families[1].metric, std::string("reserved"));
    QCOMPARE(families[1].rows, std::int64_t(8));
    QCOMPARE(families[1].p90, std::string("3.1"));
    QCOMPARE(accuracyOf("megatron", page).size(), std::size_t(1));
    QCOMPARE(accuracyOf("torchtitan", page).size(), std::size_t(1));
    QVERIFY(accuracyOf("composer", page).empty());
    QVERIFY(accuracyOf("", page).empty());
    QVERIFY(familiesOf("no table").empty());
}

void TestAccuracyPage::theShippedPage()
{
    // It is the program's own output, so it has the heads that are read here.
    const std::vector<FamilyAccuracy> families
        = accuracyOf("megatron", resourceText("accuracy.md"));
    QVERIFY(families.size() >= 4);
    for (const FamilyAccuracy& family : families)
        for (const std::string& figure : { family.median, family.p90, family.worst })
            QVERIFY2(std::strtod(figure.c_str(), nullptr) >= 0 && !figure.empty(), figure.c_str());
}

QTEST_GUILESS_MAIN(TestAccuracyPage)
#include "test_accuracy_page.moc"
