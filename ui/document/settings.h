#pragma once

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>

namespace shardrack {

/// What the program remembers about the person's choices, in one INI file on every platform. Values
/// that make no sense are read as the default.
class Settings : public QObject {
    Q_OBJECT
public:
    enum class Theme { System, Light, Dark };
    Q_ENUM(Theme)
    static constexpr int kMostRecentFiles = 10;

    /// `file` empty: the file named by the environment variable SHARDRACK_SETTINGS, else the
    /// user's.
    explicit Settings(const QString& file = {}, QObject* parent = nullptr);

    Theme theme() const;
    void setTheme(Theme theme);

    /// Absolute paths of plans, last used first, each once; those that no longer exist are left
    /// out.
    QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();

    /// QWidget::saveGeometry() and QMainWindow::saveState() of the main window; empty before the
    /// first.
    QByteArray windowGeometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    /// Where file dialogs start: the last folder used while it exists, else the person's documents.
    QString lastFolder() const;
    void setLastFolder(const QString& folder);

    /// Whether ranks follow the hardware in offers that are made from scratch.
    bool ranksFollowHardware() const;
    void setRanksFollowHardware(bool follow);

    /// How far the person is in a lesson, as the lesson wrote it; empty before the first step.
    QByteArray lessonProgress(const QString& lesson) const;
    void setLessonProgress(const QString& lesson, const QByteArray& progress);

    QString fileName() const { return m_settings.fileName(); }
    /// Where copies of plans with unsaved changes are kept: beside the file.
    QString unsavedFolder() const;

signals:
    void themeChanged(shardrack::Settings::Theme theme);
    void recentFilesChanged();

private:
    QStringList storedRecentFiles() const;
    void storeRecentFiles(const QStringList& files);

    QSettings m_settings;
};

} // namespace shardrack
