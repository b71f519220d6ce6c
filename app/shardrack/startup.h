#pragma once

#include "document/settings.h"

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
    int offer = 0; ///< which offer is in front, with --screenshot
    bool exitAfterStartup = false; ///< end after the first painted frame
    bool offscreen() const { return screenshot.has_value(); }
};

/// Reads the arguments before an application exists, because they decide on its platform. On
/// failure or for --help and --version the text is printed and `status` says how the program ends.
std::optional<Startup> readArguments(const QStringList& arguments, int& status);

} // namespace shardrack
