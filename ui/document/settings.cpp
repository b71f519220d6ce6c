#include "document/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QMetaEnum>
#include <QStandardPaths>

#include <algorithm>

namespace shardrack {

namespace {

constexpr QLatin1StringView kTheme("appearance/theme");
constexpr QLatin1StringView kRecent("files/recent");
constexpr QLatin1StringView kFolder("files/folder");
constexpr QLatin1StringView kGeometry("window/geometry");
constexpr QLatin1StringView kState("window/state");
constexpr QLatin1StringView kRanksFollow("layout/ranksFollowHardware");
constexpr QLatin1StringView kLessons("lessons/");

QString settingsFile(const QString& file)
{
    if (!file.isEmpty())
        return file;
    const QString given = qEnvironmentVariable("SHARDRACK_SETTINGS");
    if (!given.isEmpty())
        return given;
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("shardrack/shardrack.ini"));
}

} // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent)
    , m_settings(settingsFile(file), QSettings::IniFormat)
{
}

Settings::Theme Settings::theme() const
{
    bool known = false;
    const int value = QMetaEnum::fromType<Theme>().keyToValue(
        m_settings.value(kTheme).toString().toLatin1().constData(), &known);
    return known ? static_cast<Theme>(value) : Theme::System;
}

void Settings::setTheme(Theme theme)
{
    if (theme == this->theme())
        return;
    m_settings.setValue(kTheme,
        QString::fromLatin1(QMetaEnum::fromType<Theme>().valueToKey(static_cast<int>(theme))));
    emit themeChanged(theme);
}

QStringList Settings::storedRecentFiles() const { return m_settings.value(kRecent).toStringList(); }

void Settings::storeRecentFiles(const QStringList& files)
{
    if (files == storedRecentFiles())
        return;
    m_settings.setValue(kRecent, files);
    emit recentFilesChanged();
}

QStringList Settings::recentFiles() const
{
    QStringList files = storedRecentFiles();
    files.erase(std::remove_if(files.begin(), files.end(),
                    [](const QString& file) { return !QFileInfo(file).isFile(); }),
        files.end());
    return files.mid(0, kMostRecentFiles);
}

void Settings::addRecentFile(const QString& path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(file);
    files.prepend(file);
    storeRecentFiles(files.mid(0, kMostRecentFiles));
}

void Settings::removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(QFileInfo(path).absoluteFilePath());
    storeRecentFiles(files);
}

void Settings::clearRecentFiles() { storeRecentFiles({}); }

QByteArray Settings::windowGeometry() const { return m_settings.value(kGeometry).toByteArray(); }

QByteArray Settings::windowState() const { return m_settings.value(kState).toByteArray(); }

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    m_settings.setValue(kGeometry, geometry);
    m_settings.setValue(kState, state);
}

QString Settings::lastFolder() const
{
    const QString folder = m_settings.value(kFolder).toString();
    if (!folder.isEmpty() && QFileInfo(folder).isDir())
        return folder;
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

void Settings::setLastFolder(const QString& folder)
{
    m_settings.setValue(kFolder, QFileInfo(folder).absoluteFilePath());
}

bool Settings::ranksFollowHardware() const { return m_settings.value(kRanksFollow, true).toBool(); }

void Settings::setRanksFollowHardware(bool follow) { m_settings.setValue(kRanksFollow, follow); }

QByteArray Settings::lessonProgress(const QString& lesson) const
{
    return m_settings.value(kLessons + lesson).toString().toUtf8();
}

void Settings::setLessonProgress(const QString& lesson, const QByteArray& progress)
{
    m_settings.setValue(kLessons + lesson, QString::fromUtf8(progress));
}

QString Settings::unsavedFolder() const
{
    return QFileInfo(fileName()).absoluteDir().filePath(QStringLiteral("unsaved"));
}

} // namespace shardrack
