// Which lessons are shipped, and lessons of files.
#include "lessons/lesson.h"

#include "plan/plan_json_nearest.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace shardrack {

namespace {

constexpr qint64 kLargestFile = qint64(4) << 20;

Result<Lesson> readFile(const QString& path)
{
    QFile file(path);
    const std::string shown = path.toStdString();
    if (file.size() > kLargestFile)
        return Error { shown, "is too large for a lesson", "at most 4 MiB" };
    if (!file.open(QIODevice::ReadOnly))
        return Error { shown, file.errorString().toStdString(), {} };
    const QByteArray text = file.readAll();
    Result<Lesson> lesson = readLesson(QFileInfo(path).completeBaseName().toStdString(),
        std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
    if (lesson)
        return lesson;
    Error error = lesson.error();
    error.where = shown + ": " + error.where;
    return error;
}

} // namespace

std::vector<std::string> lessonNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        const Json json = parseJson(resourceText("lessons/lessons.json")).value();
        for (const JsonView& name : JsonView(json, "$").at("lessons").items())
            list.push_back(name.string());
        return list;
    }();
    return names;
}

Result<Lesson> findLesson(const QString& nameOrPath)
{
    const std::string name = nameOrPath.toStdString();
    const std::vector<std::string> names = lessonNames();
    if (std::find(names.begin(), names.end(), name) != names.end())
        return readLesson(name, resourceText("lessons/" + name + ".json"));
    const bool isPath = nameOrPath.contains(QLatin1Char('/'))
        || nameOrPath.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    if (isPath || QFileInfo::exists(nameOrPath))
        return readFile(nameOrPath);
    return Error { name, "is no lesson",
        "one of " + nearestNames(name, names) + ", or the path of a lesson file" };
}

} // namespace shardrack
