#include "document/unsaved_copy.h"

#include "document/plan_document.h"
#include "plan/plan_json.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace shardrack {

namespace {

const QString kEnding = QStringLiteral(".unsaved");

/// A lock is stale when its program is gone, however old it is.
std::unique_ptr<QLockFile> lockOf(const QString& copy)
{
    auto lock = std::make_unique<QLockFile>(copy + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);
    return lock;
}

QJsonObject contentOf(const QString& copy)
{
    QFile file(copy);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

QByteArray contentOf(const PlanDocument& document)
{
    QJsonObject content;
    // A plan of a newer version is not to be saved over.
    content[QLatin1String("file")] = document.readOnly() ? QString() : document.path();
    content[QLatin1String("title")] = QString::fromStdString(document.plan()->title);
    content[QLatin1String("plan")] = QString::fromStdString(writePlan(*document.plan()));
    return QJsonDocument(content).toJson(QJsonDocument::Compact);
}

} // namespace

UnsavedCopy::UnsavedCopy(PlanDocument& document, QString folder, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_folder(std::move(folder))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kSeconds * 1000);
    connect(&m_timer, &QTimer::timeout, this, &UnsavedCopy::writeNow);
    connect(&document, &PlanDocument::changed, this, &UnsavedCopy::follow);
    connect(&document, &PlanDocument::fileStateChanged, this, &UnsavedCopy::follow);
    connect(&document, &PlanDocument::resetDone, this, &UnsavedCopy::removeOwn);
}

UnsavedCopy::~UnsavedCopy() { removeOwn(); }

void UnsavedCopy::follow()
{
    if (m_stopped)
        return;
    if (!m_document.isModified())
        removeOwn();
    else if (!m_timer.isActive())
        m_timer.start();
}

bool UnsavedCopy::writeNow()
{
    m_timer.stop();
    if (m_stopped || !m_document.isModified())
        return true;
    const auto fail = [this](const QString& reason) {
        if (!m_failing)
            emit failed(reason);
        m_failing = true;
        m_timer.start();
        return false;
    };
    if (m_file.isEmpty()) {
        if (!QDir().mkpath(m_folder))
            return fail(tr("%1 cannot be made").arg(m_folder));
        m_file = QDir(m_folder).filePath(m_document.id() + kEnding);
    }
    if (!m_lock) {
        m_lock = lockOf(m_file);
        if (!m_lock->tryLock(0)) {
            m_lock.reset();
            return fail(tr("%1 cannot be locked").arg(m_file));
        }
    }
    // Qt 6.4 commits what a failed flush left half written.
    QSaveFile file(m_file);
    const QByteArray content = contentOf(m_document);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.flush()
        || !file.commit())
        return fail(file.errorString());
    m_failing = false;
    return true;
}

void UnsavedCopy::stop()
{
    m_stopped = true;
    removeOwn();
}

void UnsavedCopy::removeOwn()
{
    m_timer.stop();
    if (!m_lock)
        return;
    QFile::remove(m_file);
    m_lock.reset();
}

std::vector<LeftPlan> UnsavedCopy::left(const QString& folder)
{
    std::vector<LeftPlan> plans;
    for (const QFileInfo& info :
        QDir(folder).entryInfoList({ QLatin1Char('*') + kEnding }, QDir::Files, QDir::Time)) {
        std::shared_ptr<QLockFile> lock = lockOf(info.filePath());
        // Where no lock can be written, on a full disk, say, the plan is there all the same.
        if (!lock->tryLock(0) && lock->error() == QLockFile::LockFailedError)
            continue; // its program runs
        const QJsonObject content = contentOf(info.filePath());
        plans.push_back({ info.filePath(), content[QLatin1String("file")].toString(),
            content[QLatin1String("title")].toString(), info.lastModified(), std::move(lock) });
    }
    return plans;
}

Result<Plan> UnsavedCopy::read(const LeftPlan& plan)
{
    const QString text = contentOf(plan.copy)[QLatin1String("plan")].toString();
    if (text.isEmpty())
        return Error { plan.copy.toStdString(), "not a copy of a plan that can be read",
            "a file that Shardrack wrote whole" };
    Result<PlanReading> reading = readPlan(text.toStdString());
    if (!reading)
        return reading.error();
    return std::move(reading).value().plan;
}

void UnsavedCopy::remove(const LeftPlan& plan) { QFile::remove(plan.copy); }

} // namespace shardrack
