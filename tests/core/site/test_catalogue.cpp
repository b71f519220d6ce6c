#include "site/catalogue.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <set>

using namespace shardrack;

namespace {

const GpuType& gpu(const char* id)
{
    const GpuType* type = Catalogue::builtIn().gpu(id);
    if (!type)
        throw Failure({ id, "is missing", "a GPU of the catalogue" });
    return *type;
}

QJsonObject published()
{
    QFile file(SHARDRACK_SOURCE_DIR "/../shared/data/catalogue.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

/// A small catalogue with one part replaced.
std::string changed(const char* from, const char* to)
{
    QString text = R"({"format": "shardrack-catalogue", "version": 1,
 "gpus": [{"id": "g", "name": "G", "short_name": "G", "vendor": "V", "form_factor": "F",
           "reported": "16 GiB", "usable": "15.5 GiB", "usable_source": "a log"}],
 "servers": [{"id": "s", "name": "S", "gpu": "g", "gpu_slots": 4, "height": 2}],
 "racks": [{"id": "r", "name": "R", "units": 42}]})";
    return text.replace(from, to).toStdString();
}

} // namespace

class TestCatalogue : public QObject {
    Q_OBJECT
private slots:
    void readsTheBuiltIn();
    void agreesWithPublishedGpus();
    void agreesWithPublishedServers();
    void agreesWithPublishedRacks();
    void knowsUsableMemory_data();
    void knowsUsableMemory();
    void hasPlainEntries();
    void reads();
    void refuses_data();
    void refuses();
};

void TestCatalogue::readsTheBuiltIn()
{
    const Catalogue& catalogue = Catalogue::builtIn();
    QVERIFY(&catalogue == &Catalogue::builtIn());
    std::set<std::string> shortNames;
    for (const GpuType& type : catalogue.gpus()) {
        QVERIFY2(shortNames.insert(type.shortName).second, type.shortName.c_str());
        QVERIFY2(type.shortName.size() <= 16, type.shortName.c_str());
        QVERIFY2(type.usable > Bytes(0) && type.usable <= type.installed, type.id.c_str());
        QVERIFY2(!type.usableSource.empty(), type.id.c_str());
        // Where the board reports nothing, another board's figure stands in.
        QVERIFY2(!(type.installedIsLabel && type.usableConfirmed), type.id.c_str());
    }
    QVERIFY(!catalogue.gpu("h100"));
    QVERIFY(!catalogue.server(""));
    QVERIFY(!catalogue.rack("x"));
}

void TestCatalogue::agreesWithPublishedGpus()
{
    const QJsonArray gpus = published()["gpus"].toArray();
    if (gpus.isEmpty())
        QSKIP("the public files are not here");
    QCOMPARE(gpus.size(), 39);
    for (const auto& entry : gpus) {
        const QJsonObject facts = entry.toObject();
        const QString id = facts["id"].toString();
        const GpuType& type = gpu(qPrintable(id));
        const QJsonValue reported = facts["memory_reported_mib"];
        QCOMPARE(type.installedIsLabel, reported.isNull());
        const std::int64_t installed = reported.isNull()
            ? facts["memory_marketing_gb"].toInteger() * kGiB
            : reported.toInteger() * kMiB;
        QVERIFY2(type.installed == Bytes(installed), qPrintable(id));
        QCOMPARE(QString::fromStdString(type.name), facts["name"].toString());
        QCOMPARE(QString::fromStdString(type.vendor), facts["vendor"].toString());
        QCOMPARE(QString::fromStdString(type.formFactor), facts["form_factor"].toString());
        // A reserve that was seen never leaves less than what processes were seen to have, by more
        // than another driver's reserve explains.
        if (const QJsonValue reserved = facts["memory_reserved_mib_example"]; !reserved.isNull()) {
            const Bytes left = type.installed - Bytes(reserved.toInteger() * kMiB);
            QVERIFY2(type.usable <= left && left - type.usable < Bytes(128 * kMiB), qPrintable(id));
        }
    }
}

void TestCatalogue::agreesWithPublishedServers()
{
    const QJsonArray servers = published()["servers"].toArray();
    if (servers.isEmpty())
        QSKIP("the public files are not here");
    for (const auto& entry : servers) {
        const QJsonObject facts = entry.toObject();
        const QString id = facts["id"].toString();
        const ServerType* type = Catalogue::builtIn().server(id.toStdString());
        QVERIFY2((type != nullptr) == (facts["gpu_slots"].toInt() > 0), qPrintable(id));
        if (!type)
            continue;
        QCOMPARE(type->gpuSlots, facts["gpu_slots"].toInt());
        QCOMPARE(QString::fromStdString(type->gpu), facts["default_gpu"].toString());
        QCOMPARE(type->heightKnown, !facts["rack_units"].isNull());
        if (type->heightKnown)
            QCOMPARE(type->height, facts["rack_units"].toInt());
        QCOMPARE(QString::fromStdString(type->fabric),
            facts["intra_node_fabric"].toObject()["type"].toString());
    }
}

void TestCatalogue::agreesWithPublishedRacks()
{
    const QJsonArray racks = published()["racks"].toArray();
    if (racks.isEmpty())
        QSKIP("the public files are not here");
    for (const auto& entry : racks) {
        const QJsonObject facts = entry.toObject();
        const RackType* type = Catalogue::builtIn().rack(facts["id"].toString().toStdString());
        QVERIFY2(type, qPrintable(facts["id"].toString()));
        QCOMPARE(type->unitsKnown, !facts["usable_u"].isNull());
        if (type->unitsKnown)
            QCOMPARE(type->units, facts["usable_u"].toInt());
    }
}

void TestCatalogue::knowsUsableMemory_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<bool>("confirmed");
    QTest::addColumn<QString>("source"); // words of it
    const auto row = [](const char* id, std::int64_t bytes, bool confirmed, const char* source) {
        QTest::newRow(id) << qint64(bytes) << confirmed << source;
    };
    // Hundredths of a GiB that torch prints as visible; the lower end of a range.
    const auto hundredths = [](std::int64_t count) { return (count * kGiB + 50) / 100; };
    row("generic-16gib", 16 * kGiB, true, "made up");
    row("h100-sxm5-80", (81559 - 479) * kMiB, true, "479 MiB reserved");
    row("h100-pcie-80", (81559 - 479) * kMiB, true, "479 MiB reserved");
    row("rtx-4080-super", (16376 - 434) * kMiB, true, "434 MiB reserved");
    row("a10g", (23028 - 435) * kMiB, true, "435 MiB reserved");
    row("v100-sxm2-16", hundredths(1577), true, "observed");
    row("v100-sxm2-32", hundredths(3173), true, "31.73 to 31.74");
    row("rtx-3090", hundredths(2368), true, "23.68 to 23.69");
    row("rtx-4090", hundredths(2352), true, "23.52 to 23.65");
    row("a40", hundredths(4434), true, "44.34 to 44.47");
    row("l40s", hundredths(4434), true, "44.34 to 44.47");
    row("rtx-6000-ada", hundredths(4737), true, "47.37 to 47.53");
    row("a100-sxm4-40", hundredths(3938), true, "39.38 to 39.59");
    row("a100-sxm4-80", hundredths(7915), true, "79.15 to 79.33");
    row("a100-pcie-80", hundredths(7915), true, "79.15 to 79.33");
    row("h100-nvl-94", hundredths(9302), true, "observed");
    row("h200-sxm-141", hundredths(13972), true, "139.72 to 139.81");
    row("b200-sxm-180", hundredths(17835), true, "178.35 to 178.36");
    row("mi300x-192", hundredths(19169), true, "191.69 to 191.98");
    row("mi250x-gcd-64", hundredths(6398), true, "observed");
    // Reported, but what the driver keeps is not known.
    row("l4", 23034 * kMiB, true, "driver reserve not known");
    row("gb200-186", 189471 * kMiB, true, "driver reserve not known");
    // Nothing reported: the nearest board of the same chip stands in.
    row("a100-pcie-40", hundredths(3938), false, "A100-SXM4-40GB stands in");
    row("h200-nvl-141", hundredths(13972), false, "H200 (SXM) stands in");
    row("b100-sxm-192", hundredths(17835), false, "B200 stands in");
    row("mi210-64", hundredths(6398), false, "one die stands in");
    // One package, two devices.
    row("mi250x-128", hundredths(12796), false, "one die only");
}

void TestCatalogue::knowsUsableMemory()
{
    QFETCH(const qint64, bytes);
    QFETCH(const bool, confirmed);
    QFETCH(const QString, source);
    const GpuType& type = gpu(QTest::currentDataTag());
    QCOMPARE(qint64(type.usable.count()), bytes);
    QCOMPARE(type.usableConfirmed, confirmed);
    QVERIFY2(QString::fromStdString(type.usableSource).contains(source), type.usableSource.c_str());
}

void TestCatalogue::hasPlainEntries()
{
    const Catalogue& catalogue = Catalogue::builtIn();
    QCOMPARE(gpu("generic-16gib").installed, Bytes(16 * kGiB));
    QCOMPARE(gpu("generic-16gib").shortName, std::string("16 GiB GPU"));
    QCOMPARE(gpu("h100-sxm5-80").shortName, std::string("H100-80GB"));
    QCOMPARE(gpu("a100-sxm4-40").shortName, std::string("A100-40GB"));
    const ServerType* four = catalogue.server("pcie-4gpu-16gib");
    QVERIFY(four && four->gpu == "generic-16gib" && four->gpuSlots == 4 && four->height == 4);
    const ServerType* one = catalogue.server("generic-1gpu");
    QVERIFY(one && one->gpu == "generic-16gib" && one->gpuSlots == 1 && one->height == 1);
    const RackType* whole = catalogue.rack("rack-42u");
    QVERIFY(whole && whole->name == "Rack, 42 U" && whole->units == 42);
    const RackType* half = catalogue.rack("rack-24u");
    QVERIFY(half && half->name == "Half rack, 24 U" && half->units == 24);
}

void TestCatalogue::reads()
{
    const auto catalogue = Catalogue::parse(changed("", ""));
    QVERIFY2(catalogue.ok(), catalogue.ok() ? "" : catalogue.error().text().c_str());
    QCOMPARE(catalogue->gpu("g")->usable, Bytes(31 * kGiB / 2));
    QVERIFY(catalogue->gpu("g")->usableConfirmed);
    QVERIFY(catalogue->server("s")->heightKnown);
    QVERIFY(catalogue->server("s")->fabric.empty());
    const auto standIns = Catalogue::parse(changed("\"height\"", "\"stand_in_height\""));
    QVERIFY(!standIns->server("s")->heightKnown);
    QCOMPARE(standIns->server("s")->height, 2);
    const auto label = Catalogue::parse(changed("\"reported\"", "\"label\""));
    QVERIFY(label->gpu("g")->installedIsLabel);
}

void TestCatalogue::refuses_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* from, const char* to, const char* message) {
        QTest::newRow(name) << QByteArray(from) << QByteArray(to) << message;
    };
    row("not JSON", "{\"format\"", "[\"format\"", "line 1, column 10");
    row("format", "shardrack-catalogue", "other", "$.format");
    row("newer version", "\"version\": 1", "\"version\": 2", "$.version: is 2; expected 1");
    row("no list", "\"racks\": [", "\"cages\": [", "$.racks: is missing");
    row("no id", "\"id\": \"g\"", "\"di\": \"g\"", "$.gpus[0].id: is missing");
    row("size without unit", "\"16 GiB\"", "\"16\"", "$.gpus[0].reported: \"16\" has no unit");
    row("size as a number", "\"16 GiB\"", "16", "$.gpus[0].reported: is 16; expected text");
    row("usable above installed", "15.5 GiB", "16.5 GiB",
        "$.gpus[0].usable: is more than is installed");
    row("no slots", "\"gpu_slots\": 4", "\"gpu_slots\": 0", "$.servers[0].gpu_slots: is 0");
    row("too high", "\"height\": 2", "\"height\": 200", "$.servers[0].height: is 200");
    row("no height", "\"height\": 2", "\"h\": 2", "$.servers[0].stand_in_height: is missing");
    row("unknown GPU", "\"gpu\": \"g\"", "\"gpu\": \"x\"", "$.servers[0].gpu: is \"x\"");
    row("id given twice", "\"racks\": [",
        "\"racks\": [{\"id\": \"r\", \"name\": \"R\", \"units\": 1}, ",
        "$.racks[1].id: is \"r\", given a second time");
}

void TestCatalogue::refuses()
{
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    QFETCH(const QString, message);
    const auto catalogue = Catalogue::parse(changed(from, to));
    QVERIFY(!catalogue.ok());
    const QString words = QString::fromStdString(catalogue.error().text());
    QVERIFY2(words.contains(message), qPrintable(words));
}

QTEST_GUILESS_MAIN(TestCatalogue)
#include "test_catalogue.moc"
