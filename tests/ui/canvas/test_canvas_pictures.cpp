// Pictures of the canvas as people see it, in both themes, kept in the build directory to look at.

#include "canvas_fixture.h"

#include "canvas/group_strip.h"
#include "canvas/what_if_popover.h"
#include "commands/edit_command.h"

#include <QDir>

using namespace shardrack;

class TestCanvasPictures : public QObject {
    Q_OBJECT

    static void dress(CanvasFixture& fixture, bool dark)
    {
        QApplication::setPalette((dark ? Theme::dark() : Theme::light()).palette());
        fixture.canvas.setPalette(QApplication::palette());
    }

    static QImage picture(CanvasFixture& fixture, const QString& name)
    {
        QCoreApplication::processEvents();
        const QString folder = QStringLiteral(SHARDRACK_BINARY_DIR "/tests/pictures/canvas");
        QDir().mkpath(folder);
        const QImage image = fixture.canvas.grab().toImage();
        image.save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
        return image;
    }

    static int colorsIn(const QImage& image)
    {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                colors.insert(image.pixel(x, y));
        return static_cast<int>(colors.size());
    }

private slots:
    // A need of which nothing is known is hatched in cells, too, and never the fill of little.
    void cellsOfUnknownNeed()
    {
        for (const bool known : { true, false }) {
            CanvasFixture f(QSize(985, 430));
            dress(f, false);
            Plan plan = clusterPlan(256, 8, LayoutPreset::Ddp);
            if (!known)
                plan.workload = std::make_shared<const Workload>();
            f.open(plan);
            QVERIFY(f.canvas.level() >= DetailLevel::GpuCell);
            const QImage image = picture(
                f, known ? QStringLiteral("cells-known") : QStringLiteral("cells-unknown"));
            const QRect rack = f.canvas.rectOfRack(0);
            int tint = 0;
            int hatch = 0;
            for (int y = rack.top(); y < rack.bottom(); ++y)
                for (int x = rack.left(); x < rack.right(); ++x) {
                    const QRgb pixel = image.pixel(x, y);
                    tint += pixel == Theme::light().openTint.rgb() ? 1 : 0;
                    hatch += qGray(pixel) < qGray(Theme::light().rackLine.rgb()) - 8 ? 1 : 0;
                }
            QCOMPARE(tint > 20, !known);
            if (!known)
                QVERIFY(hatch > 10);
        }
    }

    void pictures_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("dark");
        for (const char* what :
            { "empty", "ts24", "ts24s", "ts24 fifth", "ts24 refused", "ts24 rank", "llama",
                "llama what if", "llama what if large", "thousands", "thousands loupe",
                "thousands groups", "smallcell", "servercells", "cards selected" })
            for (const bool dark : { false, true })
                QTest::addRow("%s, %s", what, dark ? "dark" : "light")
                    << QString::fromLatin1(what) << dark;
    }

    void pictures()
    {
        QFETCH(QString, what);
        QFETCH(bool, dark);
        CanvasFixture f(
            what == QLatin1String("llama what if large") ? QSize(1400, 700) : QSize(985, 430));
        dress(f, dark);
        if (what == QLatin1String("empty")) {
            Plan plan = emptyPlan();
            plan.offers.push_back(std::make_shared<const Offer>(emptyOffer("Offer A")));
            f.open(plan);
        } else if (what.startsWith(QLatin1String("ts24"))) {
            QVERIFY(f.open("ts-24.shardrack"));
            if (what.startsWith(QLatin1String("ts24s")) || what.endsWith(QLatin1String("rank")))
                f.document.setCurrentOffer(1);
            f.selection.selectGpu(f.gpu(0));
        } else if (what.startsWith(QLatin1String("llama"))) {
            QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
            f.document.setCurrentOffer(what == QLatin1String("llama") ? 4 : 3);
            f.selection.selectGpu(f.gpu(0));
        } else if (what.startsWith(QLatin1String("thousands"))) {
            f.open(clusterPlan(256, 8,
                what.endsWith(QLatin1String("groups")) ? LayoutPreset::Fsdp : LayoutPreset::Ddp,
                43));
        } else if (what == QLatin1String("cards selected")) {
            f.open(clusterPlan(1, 1, LayoutPreset::Ddp));
            f.selection.selectGpus({ f.gpu(0), f.gpu(1), f.gpu(5) }, f.gpu(1));
            f.canvas.setFocus();
        } else if (what == QLatin1String("smallcell")) {
            f.open(clusterPlan(8, 4, LayoutPreset::Fsdp));
            f.canvas.setZoom(0.11);
        } else {
            f.open(clusterPlan(2048, 8, LayoutPreset::Ddp, 43));
        }
        if (what == QLatin1String("ts24 fifth")) {
            f.enter(f.hardware(Carried::Kind::GpuType, "generic-16gib"),
                f.canvas.rectOfUnit(0, 5).center());
            QVERIFY(f.move(f.canvas.rectOfUnit(0, 5).center()));
        } else if (what == QLatin1String("ts24 refused")) {
            f.enter(f.hardware(Carried::Kind::GpuType, "generic-16gib"),
                f.canvas.rectOf(f.gpu(1)).center());
            QVERIFY(!f.move(f.canvas.rectOf(f.gpu(1)).center()));
        } else if (what == QLatin1String("ts24 rank")) {
            f.enter(f.ranks(3, 3), QPoint(10, 10));
            f.move(f.canvas.rectOf(f.gpu(1)).center());
        } else if (what.startsWith(QLatin1String("llama what if"))) {
            const QPoint at = f.canvas.rectOfUnit(1, 18).center();
            f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), at);
            QVERIFY(f.move(at));
        } else if (what == QLatin1String("thousands groups")) {
            Layout layout = f.document.current()->get().layout;
            layout.preset = LayoutPreset::Hsdp;
            layout.dpReplicate = 2048;
            layout.dpShard = 8;
            perform(f.document, edit::SetLayout { 0, layout });
            f.document.flush();
            f.selection.selectRack(5, f.canvas.scene().gpusOfRack(5));
            f.enter(f.ranks(0, 7), QPoint(3, 3));
        } else if (what == QLatin1String("thousands loupe")) {
            QTest::mouseMove(f.canvas.viewport(), f.canvas.rectOfRack(43).center());
            QTest::qWait(400);
        }
        const QImage image = picture(f,
            QString(what).replace(QLatin1Char(' '), QLatin1Char('-'))
                + (dark ? QStringLiteral("-dark") : QString()));
        QVERIFY(colorsIn(image) > 5);
        const QRgb corner = image.pixel(5, 5); // within the mark of the keyboard's focus
        QCOMPARE(qGray(corner) < 128, dark);
    }
};

QTEST_MAIN(TestCanvasPictures)
#include "test_canvas_pictures.moc"
