#include "document/hardware_text.h"

#include <QSet>
#include <QTest>

using namespace shardrack;

class TestHardwareText : public QObject {
    Q_OBJECT
private slots:
    void gpus_data();
    void gpus();
    void servers_data();
    void servers();
    void racks();
    void entriesCanBeToldApart();
};

void TestHardwareText::gpus_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("detail");
    // 81559 MiB = 79.65 GiB
    QTest::newRow("reported") << "h100-sxm5-80"
                              << "H100-80GB"
                              << "SXM5, reports 79.65 GiB";
    QTest::newRow("label") << "a100-pcie-40"
                           << "A100-PCIe-40GB"
                           << "PCIe, label says 40.00 GiB";
    QTest::newRow("made up") << "generic-16gib"
                             << "16 GiB GPU"
                             << "generic, PCIe";
}

void TestHardwareText::gpus()
{
    QFETCH(const QString, id);
    QFETCH(const QString, name);
    QFETCH(const QString, detail);
    const GpuType* gpu = Catalogue::builtIn().gpu(id.toStdString());
    QVERIFY(gpu);
    QCOMPARE(nameOf(*gpu), name);
    QCOMPARE(detailOf(*gpu), detail);
    QCOMPARE(gpuTypeName(id.toStdString()), name);
    QCOMPARE(gpuTypeName("no-such-gpu"), QString("no-such-gpu"));
}

void TestHardwareText::servers_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("detail");
    QTest::newRow("product") << "dgx-h100"
                             << "8 × H100-80GB"
                             << "NVIDIA DGX H100, 8 U";
    QTest::newRow("made up") << "pcie-4gpu-16gib"
                             << "4 × 16 GiB GPU"
                             << "PCIe only, 4 U";
    QTest::newRow("no height") << "aws-p5"
                               << "8 × H100-80GB"
                               << "AWS p5.48xlarge, 8 U assumed";
}

void TestHardwareText::servers()
{
    QFETCH(const QString, id);
    QFETCH(const QString, name);
    QFETCH(const QString, detail);
    const ServerType* server = Catalogue::builtIn().server(id.toStdString());
    QVERIFY(server);
    QCOMPARE(nameOf(*server), name);
    QCOMPARE(detailOf(*server), detail);
}

void TestHardwareText::racks()
{
    const RackType* rack = Catalogue::builtIn().rack("rack-42u");
    QVERIFY(rack);
    QCOMPARE(nameOf(*rack), QString("Rack, 42 U"));
    QCOMPARE(detailOf(*rack), QString("up to 10 servers of 4 U"));
}

void TestHardwareText::entriesCanBeToldApart()
{
    QSet<QString> seen;
    for (const ServerType& server : Catalogue::builtIn().servers())
        seen.insert(nameOf(server) + detailOf(server));
    QCOMPARE(seen.size(), qsizetype(Catalogue::builtIn().servers().size()));
    seen.clear();
    for (const GpuType& gpu : Catalogue::builtIn().gpus())
        seen.insert(nameOf(gpu) + detailOf(gpu));
    QCOMPARE(seen.size(), qsizetype(Catalogue::builtIn().gpus().size()));
}

QTEST_GUILESS_MAIN(TestHardwareText)
#include "test_hardware_text.moc"
