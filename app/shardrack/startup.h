#pragma once

#include "document/settings.h"
#include "report/report_options.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace shardrack {

/// What the command line asks of the window.
struct Startup {
    QString plan; ///< file to open; empty: the built-in example
    std::optional<QString> screenshot; ///< write a picture of the window there and end
    QSize size { 1600, 1000 }; ///< of the window, with --screenshot
    std::optional<Settings::Theme> theme;
    QString lesson; ///< name of a lesson, or path of a lesson file; empty: none
    int offer = 0; ///< which offer is in front, with --screenshot
    bool compare = false; ///< the offers side by side, with --screenshot
    int chart = 0; ///< which tab of the charts is in front, with --screenshot
    bool exitAfterStartup = false; ///< end after the first painted frame
    std::optional<QString> exportPdf; ///< write the plan's report there and end, without a window
    ReportOptions report; ///< with --export-pdf
    bool offscreen() const { return screenshot.has_value() || exportPdf.has_value(); }
};

/// Reads the arguments before an application exists, because they decide on its platform. On
/// failure or for --help and --version the text is printed and `status` says how the program ends.
std::optional<Startup> readArguments(const QStringList& arguments, int& status);

} // namespace shardrack
