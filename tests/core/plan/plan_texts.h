#pragma once

#include "plan/plan_json.h"

#include <QFile>
#include <QTest>

#include <nlohmann/json.hpp>

#include <string>

// Plan files and pieces of them, for the tests of the format.

namespace plantexts {

using namespace shardrack;

inline QString q(const std::string& text) { return QString::fromStdString(text); }

/// A file of the source tree, such as "resources/examples/ts-24.shardrack".
inline std::string sourceFile(const std::string& path)
{
    QFile file(QStringLiteral(SHARDRACK_SOURCE_DIR "/") + q(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", path.c_str());
    return file.readAll().toStdString();
}

inline std::string ts24() { return sourceFile("resources/examples/ts-24.shardrack"); }
inline std::string everyField() { return sourceFile("tests/data/plans/every-field.shardrack"); }

/// A plan with these members after format and version.
inline std::string planText(const std::string& members)
{
    return R"({"format": "shardrack-plan", "version": 1)" + (members.empty() ? "" : ", " + members)
        + "}";
}

/// A plan with one offer on these racks (the list's content), with this layout.
inline std::string offerText(
    const std::string& racks, const std::string& layout = R"({"preset": "ddp"})")
{
    return planText(R"("offers": [{"name": "O", "site": {"racks": [)" + racks + R"(]}, "layout": )"
        + layout + "}]");
}

/// A rack "A" with server "A1" that has `gpus` GPUs.
inline std::string oneServer(int gpus)
{
    return R"({"name": "A", "servers": [{"name": "A1", "gpus": {"type": "generic-16gib", "count": )"
        + std::to_string(gpus) + "}}]}";
}

inline Plan planFrom(const std::string& text)
{
    const auto reading = readPlan(text);
    if (!reading.ok())
        qFatal("%s", reading.error().text().c_str());
    return reading->plan;
}

/// Names of all servers, in site order.
inline QStringList serverNames(const Site& site)
{
    QStringList names;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            names.append(q(server.name));
    return names;
}

/// Fails the current test unless writing and reading gives the plan back and the text is a fixed
/// point.
inline void verifyRoundTrip(const Plan& plan)
{
    const std::string text = writePlan(plan);
    const auto again = readPlan(text);
    QVERIFY2(again.ok(), (again.ok() ? text : again.error().text() + "\n" + text).c_str());
    QCOMPARE(q(writePlan(again->plan)), q(text));
    QVERIFY2(again->plan == plan, text.c_str());
}

} // namespace plantexts
