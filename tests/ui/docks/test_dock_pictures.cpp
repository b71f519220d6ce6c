#include "dock_fixture.h"
#include "docks/catalogue_panel.h"
#include "docks/evidence_panel.h"
#include "docks/findings_panel.h"
#include "docks/inspector_panel.h"
#include "docks/memory_panel.h"
#include "docks/workload_panel.h"

#include <QDir>
#include <QStyleFactory>

#include <set>

using namespace shardrack;

/// Paints every panel at its usual width, in both themes, for people to look at; and checks that it
/// is neither empty nor the same in both.
class TestDockPictures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QVERIFY(m_folder.mkpath(QStringLiteral(".")));
    }

    void panels_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<bool>("tried");
        QTest::newRow("ts24") << "ts-24" << false;
        QTest::newRow("ts24-shards") << "ts-24-s" << false;
        QTest::newRow("ts24-try") << "ts-24" << true;
        QTest::newRow("llama") << "llama" << false;
        QTest::newRow("llama-try") << "llama" << true;
        QTest::newRow("llama32") << "llama-3-8b-32-gpus" << false;
    }
    void panels()
    {
        QFETCH(QString, plan);
        QFETCH(bool, tried);
        const bool shards = plan == QLatin1String("ts-24-s");
        DockFixture fixture(
            plan == QLatin1String("llama-3-8b-32-gpus") ? plan.toStdString() : "ts-24");
        if (plan == QLatin1String("llama"))
            fixture.document.reset(llamaPlan(), {}, false);
        if (shards)
            fixture.document.setCurrentOffer(1);
        fixture.document.flush();

        struct Panel {
            const char* name;
            QWidget* widget;
            QSize size;
        };
        QWidget window;
        const Panel panels[] = {
            { "workload", new WorkloadPanel(fixture.document, &window), { 262, 560 } },
            { "catalogue", new CataloguePanel(fixture.document, &window), { 262, 420 } },
            { "inspector", new InspectorPanel(fixture.document, fixture.selection, &window),
                { 352, 560 } },
            { "findings", new FindingsPanel(fixture.document, &window), { 352, 420 } },
            { "evidence", new EvidencePanel(fixture.document, fixture.selection, &window),
                { 352, 560 } },
            { "memory", new MemoryPanel(fixture.document, fixture.selection, &window),
                { 986, 420 } },
        };
        window.resize(1000, 600);
        window.show();
        fixture.selection.selectGpu(fixture.document.current()->assessment->index.ref(0));
        if (tried)
            fixture.tryAnotherServer();
        for (const Panel& panel : panels) {
            std::set<QByteArray> pictures;
            for (const Theme* theme : { &Theme::light(), &Theme::dark() }) {
                useTheme(*theme);
                panel.widget->resize(panel.size);
                QCoreApplication::processEvents();
                const QImage picture = panel.widget->grab().toImage();
                QCOMPARE(picture.size(), panel.size * picture.devicePixelRatio());
                std::set<QRgb> colors;
                for (int y = 0; y < picture.height(); y += 3)
                    for (int x = 0; x < picture.width(); x += 3)
                        colors.insert(picture.pixel(x, y));
                QVERIFY2(colors.size() > 8, panel.name);
                pictures.insert(QByteArray(
                    reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes()));
                const QString file
                    = QStringLiteral("%1-%2-%3.png")
                          .arg(QLatin1String(panel.name), QLatin1String(QTest::currentDataTag()),
                              theme->isDark ? QStringLiteral("dark") : QStringLiteral("light"));
                QVERIFY(picture.save(m_folder.filePath(file)));
            }
            QCOMPARE(pictures.size(), 2u);
        }
    }

private:
    QDir m_folder { QStringLiteral(SHARDRACK_BINARY_DIR "/tests/dock-gallery") };
};

QTEST_MAIN(TestDockPictures)
#include "test_dock_pictures.moc"
