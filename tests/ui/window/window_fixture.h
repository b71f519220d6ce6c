#pragma once

#include "canvas/rack_canvas.h"
#include "docks/catalogue_panel.h"
#include "window/main_window.h"

#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

namespace shardrack {

/// A main window with settings of its own, showing TS-24.
struct WindowFixture {
    WindowFixture()
        : settings(folder.filePath(QStringLiteral("settings.ini")))
        , window(settings)
    {
        window.askToSave = [](const QString&) { return SaveChoice::Discard; };
        window.applyTheme(Settings::Theme::Light);
        window.resize(1600, 1000);
        window.openExample(QStringLiteral("ts-24"));
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        settle();
    }
    void settle()
    {
        window.document().flush();
        QApplication::processEvents();
        window.document().flush();
        QApplication::processEvents();
    }
    void showOffer(const char* name)
    {
        const auto plan = window.document().plan();
        for (std::size_t i = 0; i < plan->offers.size(); ++i)
            if (plan->offers[i]->name == name)
                window.document().setCurrentOffer(static_cast<int>(i));
        settle();
    }
    const Assessment& assessment() { return *window.document().current()->assessment; }
    const Offer& offer()
    {
        kept = window.document().plan();
        return *kept->offers[static_cast<std::size_t>(window.document().currentOffer())];
    }
    /// Need of the device that runs a rank, in bytes.
    std::int64_t needOfRank(std::int32_t rank)
    {
        const Assessment& now = assessment();
        const std::int32_t gpu = now.layout.gpuOf(rank);
        return now.account.deviceClasses[now.account.classOfGpu[std::size_t(gpu)]]
            .need.established.count();
    }
    GpuRef gpuOfRank(std::int32_t rank)
    {
        return assessment().index.ref(assessment().layout.gpuOf(rank));
    }
    template <class Child> Child* child(const char* name)
    {
        return window.findChild<Child*>(QLatin1String(name));
    }

    QTemporaryDir folder;
    Settings settings;
    MainWindow window;
    std::shared_ptr<const Plan> kept;
};

} // namespace shardrack
