#include "startup.h"

#include "report_arguments.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include <cstdio>

namespace shardrack {

namespace {

constexpr int kBadInput = 2;

void say(std::FILE* stream, const QString& text)
{
    std::fputs(qPrintable(text + QLatin1Char('\n')), stream);
}

std::optional<QSize> sizeFrom(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

/// The tabs of the charts, in their order.
const QStringList kCharts { QStringLiteral("memory"), QStringLiteral("timeline"),
    QStringLiteral("shards") };

std::optional<Settings::Theme> themeFrom(const QString& text)
{
    if (text == QLatin1String("light"))
        return Settings::Theme::Light;
    if (text == QLatin1String("dark"))
        return Settings::Theme::Dark;
    if (text == QLatin1String("system"))
        return Settings::Theme::System;
    return std::nullopt;
}

} // namespace

std::optional<Startup> readArguments(const QStringList& arguments, int& status)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Plan how a model is trained on many GPUs: what each must hold, and what fits."));
    const QCommandLineOption help(
        { QStringLiteral("h"), QStringLiteral("help") }, QStringLiteral("Show this help."));
    const QCommandLineOption version(
        { QStringLiteral("v"), QStringLiteral("version") }, QStringLiteral("Show the version."));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"),
        QStringLiteral("Write a picture of the window to <file> (PNG) and end. Needs no display."),
        QStringLiteral("file"));
    const QCommandLineOption size(QStringLiteral("size"),
        QStringLiteral("Size of the window for --screenshot, such as 1280x800."),
        QStringLiteral("WxH"));
    const QCommandLineOption theme(
        QStringLiteral("theme"), QStringLiteral("light, dark or system."), QStringLiteral("theme"));
    const QCommandLineOption offer(QStringLiteral("offer"),
        QStringLiteral("Number of the offer in front for --screenshot, from 1."),
        QStringLiteral("number"));
    const QCommandLineOption view(QStringLiteral("view"),
        QStringLiteral("What --screenshot shows: plan (the offer in front) or compare."),
        QStringLiteral("view"));
    const QCommandLineOption chart(QStringLiteral("chart"),
        QStringLiteral("Which chart --screenshot shows: memory, timeline or shards."),
        QStringLiteral("chart"));
    const QCommandLineOption lesson(QStringLiteral("lesson"),
        QStringLiteral("Follow a lesson: more-gpus, shards, or the path of a lesson file."),
        QStringLiteral("name"));
    const QCommandLineOption exitAfter(
        QStringLiteral("exit-after-startup"), QStringLiteral("End after the first painted frame."));
    for (const QCommandLineOption& option :
        { help, version, screenshot, size, theme, offer, lesson, view, chart, exitAfter })
        parser.addOption(option);
    const ReportArguments report(parser);
    parser.addPositionalArgument(QStringLiteral("plan"),
        QStringLiteral("Plan to open (.shardrack), or a model's config.json, measured runs, a "
                       "torchtitan configuration or Megatron-LM arguments to import. Without one, "
                       "the built-in example."),
        QStringLiteral("[PLAN]"));

    const auto refuse = [&](const QString& why) {
        say(stderr, QStringLiteral("shardrack: ") + why);
        status = kBadInput;
        return std::nullopt;
    };
    if (!parser.parse(arguments))
        return refuse(parser.errorText() + QStringLiteral(" Try --help."));
    if (parser.isSet(help)) {
        // Without an application Qt does not know what it is called.
        QString text = parser.helpText();
        say(stdout, text.replace(QLatin1String("<executable_name>"), QLatin1String("shardrack")));
        status = 0;
        return std::nullopt;
    }
    if (parser.isSet(version)) {
        say(stdout, QStringLiteral("shardrack " SHARDRACK_VERSION));
        status = 0;
        return std::nullopt;
    }
    Startup startup;
    const QStringList files = parser.positionalArguments();
    if (files.size() > 1)
        return refuse(QStringLiteral("one plan at a time; %1 were given").arg(files.size()));
    if (!files.isEmpty())
        startup.plan = files.front();
    if (parser.isSet(lesson)) {
        startup.lesson = parser.value(lesson);
        if (!files.isEmpty())
            return refuse(QStringLiteral("--lesson brings a plan of its own; %1 was given as well")
                              .arg(files.front()));
    }
    if (parser.isSet(screenshot))
        startup.screenshot = parser.value(screenshot);
    if (parser.isSet(size)) {
        const auto value = sizeFrom(parser.value(size));
        if (!value)
            return refuse(
                QStringLiteral("--size %1: expected width x height in pixels, such as 1280x800")
                    .arg(parser.value(size)));
        startup.size = *value;
    }
    if (parser.isSet(theme)) {
        startup.theme = themeFrom(parser.value(theme));
        if (!startup.theme)
            return refuse(QStringLiteral("--theme %1: expected light, dark or system")
                              .arg(parser.value(theme)));
    }
    if (parser.isSet(offer)) {
        bool isNumber = false;
        startup.offer = parser.value(offer).toInt(&isNumber) - 1;
        if (!isNumber || startup.offer < 0)
            return refuse(
                QStringLiteral("--offer %1: expected a number from 1").arg(parser.value(offer)));
    }
    if (parser.isSet(view)) {
        const QString name = parser.value(view);
        if (name != QLatin1String("plan") && name != QLatin1String("compare"))
            return refuse(QStringLiteral("--view %1: expected plan or compare").arg(name));
        startup.compare = name == QLatin1String("compare");
    }
    if (parser.isSet(chart)) {
        startup.chart = static_cast<int>(kCharts.indexOf(parser.value(chart)));
        if (startup.chart < 0)
            return refuse(QStringLiteral("--chart %1: expected one of %2")
                              .arg(parser.value(chart), kCharts.join(QStringLiteral(", "))));
    }
    startup.exitAfterStartup = parser.isSet(exitAfter);
    if (const QString why = report.read(parser, startup); !why.isEmpty())
        return refuse(why);
    return startup;
}

} // namespace shardrack
