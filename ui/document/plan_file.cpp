#include "document/plan_file.h"

#include "base/size_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

namespace shardrack {

namespace {

struct PlanFile {
    Q_DECLARE_TR_FUNCTIONS(shardrack::PlanFile)
};

Error errorOf(const QString& path, const QString& what, const QString& expected = {})
{
    return { path.toStdString(), what.toStdString(), expected.toStdString() };
}

} // namespace

Result<PlanReading> readPlanFile(const QString& path)
{
    QFile file(path);
    if (QFileInfo(path).isDir())
        return errorOf(path, PlanFile::tr("this is a folder"), PlanFile::tr("a plan's file"));
    if (!file.open(QIODevice::ReadOnly))
        return errorOf(path, PlanFile::tr("cannot be opened: %1").arg(file.errorString()));
    // What the file system says about the size may be wrong (a device, a file that grows).
    const auto most = static_cast<qint64>(JsonLimits().maximumBytes);
    const QByteArray text = file.read(most + 1);
    if (file.error() != QFileDevice::NoError)
        return errorOf(path, PlanFile::tr("cannot be read: %1").arg(file.errorString()));
    if (text.size() > most)
        return errorOf(path, PlanFile::tr("the file is too large for a plan"),
            PlanFile::tr("at most %1").arg(QString::fromStdString(exactText(Bytes(most)))));
    Result<PlanReading> reading
        = readPlan({ text.constData(), static_cast<std::size_t>(text.size()) });
    if (reading.ok())
        return reading;
    Error error = reading.error();
    error.where = path.toStdString() + (error.where.empty() ? "" : ", " + error.where);
    return error;
}

std::optional<Error> writePlanFile(const Plan& plan, const QString& path)
{
    const std::string text = writePlan(plan);
    QSaveFile file(path);
    // Without flush(), commit() does not notice that the last buffer could not be written (Qt 6.4)
    // and puts half a plan in the place of the old one.
    const bool written = file.open(QIODevice::WriteOnly)
        && file.write(text.data(), static_cast<qint64>(text.size()))
            == static_cast<qint64>(text.size())
        && file.flush() && file.commit();
    if (written)
        return std::nullopt;
    return errorOf(path, PlanFile::tr("cannot be saved: %1").arg(file.errorString()));
}

bool isSameFile(const QString& a, const QString& b)
{
    const QString file = QFileInfo(a).canonicalFilePath();
    return !file.isEmpty() && file == QFileInfo(b).canonicalFilePath();
}

} // namespace shardrack
