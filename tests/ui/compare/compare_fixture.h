#pragma once

#include "commands/edit_command.h"
#include "compare/compare_view.h"
#include "compare/comparison_model.h"
#include "compare/comparison_table.h"
#include "plan/plan_json.h"
#include "resources/resources.h"

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

namespace shardrack {

/// A comparison over a document with TS-24.
struct CompareFixture {
    QTemporaryDir folder;
    Settings settings { folder.filePath(QStringLiteral("settings.ini")) };
    PlanDocument document;
    CompareView view { document, settings };

    CompareFixture() { openExample("ts-24"); }
    void openExample(const char* name)
    {
        open(readPlan(resourceText(std::string("examples/") + name + ".shardrack")).value().plan);
    }
    void open(const Plan& plan)
    {
        document.reset(plan, {}, false);
        document.flush();
    }
    void show(QSize size = { 1280, 700 })
    {
        view.resize(size);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        view.table().setFocus();
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 2; ++turn) { // an editor hands over its value a turn later
            document.flush();
            QApplication::processEvents();
        }
    }
    void make(const Edit& edit)
    {
        if (const auto error = perform(document, edit))
            qFatal("%s", error->text().c_str());
        settle();
    }
    const Offer& offer(std::size_t number) { return *document.plan()->offers[number]; }
    /// Gives an offer a workload of its own with this micro-batch.
    void changeBasis(std::size_t number, std::int64_t microBatch)
    {
        Workload workload = document.plan()->workloadOf(number);
        workload.recipe.microBatch = microBatch;
        make(edit::SetOfferWorkload { number, workload });
    }
    QModelIndex cell(const char* field, int column)
    {
        const int line = view.model().lineOf(QLatin1String(field));
        return line < 0 ? QModelIndex() : view.model().index(line, column);
    }
    QString say(const char* field, int column) { return cell(field, column).data().toString(); }
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&view.table(), static_cast<Qt::Key>(key), modifiers);
        settle();
    }
};

} // namespace shardrack
