// The main window's files: plans, examples and model descriptions.
#include "window/main_window.h"

#include "commands/edit_command.h"
#include "docks/workload_panel.h"
#include "export/report_dialog.h"
#include "interop/measured.h"
#include "interop/megatron_arguments.h"
#include "interop/torchtitan_config.h"
#include "plan/plan_json.h"
#include "resources/resources.h"
#include "window/import_page.h"
#include "window/measured_runs_page.h"
#include "window/unsaved_bar.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QUrl>

namespace shardrack {

namespace {

bool isTomlFile(const QString& path)
{
    return QFileInfo(path).suffix().compare(QLatin1String("toml"), Qt::CaseInsensitive) == 0;
}

/// A launch script, or the arguments of one as text or YAML; a configuration as TOML.
bool isSettingsFile(const QString& path)
{
    static const QStringList suffixes { QStringLiteral("sh"), QStringLiteral("yaml"),
        QStringLiteral("yml"), QStringLiteral("txt"), QStringLiteral("args") };
    return isTomlFile(path) || suffixes.contains(QFileInfo(path).suffix(), Qt::CaseInsensitive);
}

/// The settings of another program that a file holds.
ImportedRun settingsIn(std::string_view text, const QFileInfo& file)
{
    const std::string name = file.completeBaseName().toStdString();
    if (isTomlFile(file.filePath()))
        return readTorchtitanConfig(text, name).value();
    MegatronContext context;
    context.modelName = name;
    return readMegatronArguments(readArgumentList(text).value(), context).value();
}

} // namespace

bool MainWindow::isPlanFile(const QString& path)
{
    return QFileInfo(path).suffix().compare(QLatin1String("shardrack"), Qt::CaseInsensitive) == 0;
}

bool MainWindow::openFile(const QString& path)
{
    if (isPlanFile(path))
        return openPlan(path);
    return isSettingsFile(path) ? importSettings(path) : importModel(path);
}

bool MainWindow::mayDiscard()
{
    if (!m_document.isModified() || !m_copyOf.isEmpty())
        return true;
    switch (askToSave(planTitle())) {
    case SaveChoice::Save:
        return save();
    case SaveChoice::Discard:
        return true;
    case SaveChoice::Cancel:
        break;
    }
    return false;
}

QString MainWindow::planTitle() const
{
    const QString title = QString::fromStdString(m_document.plan()->title);
    if (!title.isEmpty() && title != tr("Untitled plan"))
        return title;
    // A plan that nobody named goes by its file.
    return m_document.path().isEmpty() ? tr("Untitled plan")
                                       : QFileInfo(m_document.path()).completeBaseName();
}

void MainWindow::newPlan()
{
    if (!mayDiscard())
        return;
    Plan plan = emptyPlan();
    plan.title = tr("Untitled plan").toStdString();
    plan.offers.push_back(std::make_shared<const Offer>(emptyOffer(tr("Offer A").toStdString())));
    m_document.reset(plan, {}, false);
    clearMessage();
}

void MainWindow::openWithDialog()
{
    if (!mayDiscard())
        return;
    const QString path = askForFile(false, m_settings.lastFolder());
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::openPlan(const QString& path)
{
    QStringList remarks;
    if (const auto error = m_document.load(path, &remarks)) {
        showError(tr("%1 was not opened. %2")
                      .arg(QFileInfo(path).fileName(), QString::fromStdString(error->text())));
        return false;
    }
    clearMessage();
    if (!remarks.isEmpty())
        showRemark(remarks.join(QLatin1Char('\n')));
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_settings.addRecentFile(absolute);
    m_settings.setLastFolder(QFileInfo(absolute).absolutePath());
    return true;
}

void MainWindow::openExample(const QString& name)
{
    const std::string file = "examples/" + name.toStdString() + ".shardrack";
    const auto reading = readPlan(resourceText(file));
    if (!reading) {
        showError(QString::fromStdString(reading.error().text()));
        return;
    }
    m_document.reset(reading->plan, {}, false);
    clearMessage();
}

bool MainWindow::importModel(const QString& path)
{
    const QString file = QFileInfo(path).fileName();
    const auto refuse = [&](const QString& why) {
        showError(tr("%1 was not read. %2").arg(file, why));
        return false;
    };
    QFile source(path);
    if (source.size() > qint64(JsonLimits().maximumBytes))
        return refuse(tr("It is too large for a model description."));
    if (!source.open(QIODevice::ReadOnly))
        return refuse(source.errorString());
    const QByteArray text = source.readAll();
    const std::string_view view(text.constData(), static_cast<std::size_t>(text.size()));
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    JsonLimits limits;
    limits.allowHugeIntegers = true; // other people's files
    const auto json = parseJson(view, limits);
    if (!json)
        return refuse(QString::fromStdString(json.error().text()));
    if (json->is_array())
        return showMeasuredRuns(file, *json);
    if (const auto format = json->find("format"); // a plan by another name
        json->is_object() && format != json->end() && *format == "shardrack-plan")
        return mayDiscard() && openPlan(path);
    const auto reading = readModelConfig(*json, name);
    if (!reading)
        return refuse(QString::fromStdString(reading.error().text()));
    Workload workload = m_workload->workload();
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->config = std::make_shared<const Json>(*json);
    workload.model->architecture = reading->architecture;
    if (const QString refused = m_workload->changeWorkload(workload); !refused.isEmpty())
        return refuse(refused);
    clearMessage();
    QStringList remarks;
    for (const std::string& warning : reading->warnings)
        remarks << QString::fromStdString(warning);
    if (!workload.recipe.bytesPerParameter)
        remarks << tr(
            "Choose an optimizer in the workload panel: the state follows from the bytes it "
            "keeps for each parameter.");
    if (!remarks.isEmpty())
        showRemark(file + QStringLiteral(": ") + remarks.join(QStringLiteral(" ")));
    return true;
}

/// A list is a file of measured runs: each stands beside what is predicted for it.
bool MainWindow::showMeasuredRuns(const QString& file, const Json& json)
{
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    auto rows = attempt([&] { return predictMeasured(json); });
    QGuiApplication::restoreOverrideCursor();
    if (!rows) {
        showError(tr("%1 was not read. %2").arg(file, QString::fromStdString(rows.error().text())));
        return false;
    }
    clearMessage();
    auto* page = new MeasuredRunsPage(file, std::move(rows).value(), this);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->show();
    return true;
}

void MainWindow::offerUnsaved()
{
    m_unsavedBar->offer(UnsavedCopy::left(m_settings.unsavedFolder()));
}

void MainWindow::restoreUnsaved()
{
    const LeftPlan left = m_unsavedBar->plans().front();
    const Result<Plan> plan = UnsavedCopy::read(left);
    if (!plan) {
        showError(
            tr("The copy was not restored. %1").arg(QString::fromStdString(plan.error().text())));
        return;
    }
    if (!mayDiscard())
        return;
    clearMessage();
    // What somebody saved there since is not to be saved over unasked.
    const QFileInfo file(left.file);
    const bool changed
        = !left.file.isEmpty() && file.exists() && file.lastModified() > left.written;
    m_document.restore(*plan, changed ? QString() : left.file);
    if (changed)
        showRemark(tr("%1 has changed since: Save asks for another file.").arg(file.fileName()));
    // The new copy is there before the old one goes.
    if (m_unsavedCopy->writeNow())
        UnsavedCopy::remove(left);
    m_unsavedBar->next();
}

bool MainWindow::save()
{
    if (m_document.path().isEmpty() || m_document.readOnly())
        return saveAs();
    if (const auto error = m_document.save(m_document.path())) {
        showError(tr("Not saved. %1").arg(QString::fromStdString(error->text())));
        return false;
    }
    return true;
}

bool MainWindow::saveAs()
{
    QString suggestion = m_document.path();
    if (suggestion.isEmpty())
        suggestion = m_settings.lastFolder() + QLatin1Char('/')
            + planTitle().simplified().replace(QLatin1Char('/'), QLatin1Char('-'))
            + QStringLiteral(".shardrack");
    QString path = askForFile(true, suggestion);
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".shardrack");
    if (const auto error = m_document.save(path)) {
        showError(tr("Not saved. %1").arg(QString::fromStdString(error->text())));
        return false;
    }
    m_settings.addRecentFile(QFileInfo(path).absoluteFilePath());
    m_settings.setLastFolder(QFileInfo(path).absolutePath());
    return true;
}

void MainWindow::exportReport()
{
    ReportInput input;
    input.plan = m_document.plan();
    for (std::size_t i = 0; i < input.plan->offers.size(); ++i)
        input.assessments.push_back(m_document.assessment(i));
    input.program = QStringLiteral("Shardrack ") + QCoreApplication::applicationVersion();
    input.date = QDate::currentDate();
    auto* dialog = new ReportDialog(std::move(input), m_settings.lastFolder(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ReportDialog::exported, this,
        [this](const QString& path) { m_settings.setLastFolder(QFileInfo(path).absolutePath()); });
    dialog->open();
}

bool MainWindow::importSettings(const QString& path)
{
    const QFileInfo info(path);
    const auto refuse = [&](const QString& why) {
        showError(tr("%1 was not read. %2").arg(info.fileName(), why));
        return false;
    };
    QFile source(path);
    constexpr qint64 most = 1 << 20;
    if (source.size() > most)
        return refuse(tr("It is too large for a list of settings: expected at most 1 MiB."));
    if (!source.open(QIODevice::ReadOnly))
        return refuse(source.errorString());
    const QByteArray text = source.readAll();
    const auto settings = attempt([&] {
        return settingsIn({ text.constData(), static_cast<std::size_t>(text.size()) }, info);
    });
    if (!settings)
        return refuse(QString::fromStdString(settings.error().text()));
    clearMessage();
    auto* page = new ImportPage(m_document, *settings, info.completeBaseName(), this);
    page->setAttribute(Qt::WA_DeleteOnClose);
    page->open();
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile())
        return;
    const QString path = urls.front().toLocalFile();
    event->acceptProposedAction();
    if (!isPlanFile(path) || mayDiscard())
        openFile(path);
}

} // namespace shardrack
