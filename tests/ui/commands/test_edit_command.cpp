#include "../document/plans.h"
#include "commands/edit_command.h"

#include <QTest>

using namespace shardrack;

namespace {

edit::SetMargin margin(std::int64_t gib)
{
    RequiredMargin required;
    required.bytes = Bytes(gib * kGiB);
    return { required };
}

} // namespace

class TestEditCommand : public QObject {
    Q_OBJECT
private slots:
    void init();
    void stepIsNamed();
    void undoAndRedo();
    void refusedLeavesNothing();
    void withoutChangeLeavesNothing();
    void gestureMerges();
    void differentGesturesStayApart();
    void withoutGestureStaysApart();
    void backToTheStartLeavesNoStep();
    void neverMergesOverTheSavedState();
    void gesturesAreNew();

private:
    std::unique_ptr<PlanDocument> m_document;
    QUndoStack& stack() { return m_document->undoStack(); }
};

void TestEditCommand::init()
{
    m_document = std::make_unique<PlanDocument>();
    m_document->reset(fourGpuPlan(), {}, false);
}

void TestEditCommand::stepIsNamed()
{
    QVERIFY(!perform(*m_document, edit::AddServer { 0, 0, testServer(0, "", 5, 4) }));
    QCOMPARE(stack().undoText(), QString("Add server A2"));
    QVERIFY(!perform(*m_document, edit::MoveRank { 0, 3, { 1, 0 } }));
    QCOMPARE(stack().undoText(), QString("Move rank 3 to A1·0"));
    stack().undo();
    QCOMPARE(stack().redoText(), QString("Move rank 3 to A1·0"));
    QCOMPARE(stack().undoText(), QString("Add server A2"));
}

void TestEditCommand::undoAndRedo()
{
    const auto start = m_document->plan();
    QVERIFY(!perform(*m_document, edit::RemoveServer { 0, 1 }));
    const auto end = m_document->plan();
    QVERIFY(!(*start == *end));
    stack().undo();
    QVERIFY(*m_document->plan() == *start);
    // Undo gives the very blocks back, and with them everything derived from them.
    QCOMPARE(m_document->plan()->offers[0], start->offers[0]);
    stack().redo();
    QCOMPARE(m_document->plan()->offers[0], end->offers[0]);
}

void TestEditCommand::refusedLeavesNothing()
{
    const auto start = m_document->plan();
    const auto error = perform(*m_document, edit::MoveServer { 0, 1, 0, 41 });
    QVERIFY(error);
    QVERIFY(!error->what.empty());
    QCOMPARE(stack().count(), 0);
    QCOMPARE(m_document->plan(), start);
    QCOMPARE(m_document->revision(), quint64(1));
}

void TestEditCommand::withoutChangeLeavesNothing()
{
    QVERIFY(!perform(*m_document, edit::SetTitle { "Four GPUs" }));
    QVERIFY(!perform(*m_document, edit::SetWorkload { *m_document->plan()->workload }));
    QCOMPARE(stack().count(), 0);
    QVERIFY(!m_document->isModified());
}

void TestEditCommand::gestureMerges()
{
    const auto start = m_document->plan();
    const int typing = newGesture();
    for (const int gib : { 1, 12, 4 })
        QVERIFY(!perform(*m_document, margin(gib), typing));
    QCOMPARE(stack().count(), 1);
    QCOMPARE(stack().undoText(), QString("Set required margin to 4 GiB"));
    stack().undo();
    QVERIFY(*m_document->plan() == *start);
    stack().redo();
    QCOMPARE(m_document->plan()->margin.bytes, Bytes(4 * kGiB));
}

void TestEditCommand::differentGesturesStayApart()
{
    perform(*m_document, margin(1), newGesture());
    perform(*m_document, margin(2), newGesture());
    QCOMPARE(stack().count(), 2);
}

void TestEditCommand::withoutGestureStaysApart()
{
    perform(*m_document, margin(1));
    perform(*m_document, margin(2));
    QCOMPARE(stack().count(), 2);
}

void TestEditCommand::backToTheStartLeavesNoStep()
{
    const int gesture = newGesture();
    QVERIFY(!perform(*m_document, edit::MoveServer { 0, 1, 0, 5 }, gesture));
    QVERIFY(!perform(*m_document, edit::MoveServer { 0, 1, 0, 6 }, gesture));
    QCOMPARE(stack().count(), 1);
    QVERIFY(!perform(*m_document, edit::MoveServer { 0, 1, 0, 1 }, gesture));
    QCOMPARE(stack().count(), 0);
    QVERIFY(!m_document->isModified());
}

void TestEditCommand::neverMergesOverTheSavedState()
{
    const int gesture = newGesture();
    perform(*m_document, margin(1), gesture);
    stack().setClean();
    perform(*m_document, margin(2), gesture);
    QCOMPARE(stack().count(), 2);
    QVERIFY(m_document->isModified());
    stack().undo();
    QVERIFY(!m_document->isModified());
    QCOMPARE(m_document->plan()->margin.bytes, Bytes(kGiB));
}

void TestEditCommand::gesturesAreNew()
{
    const int first = newGesture();
    QVERIFY(first > 0);
    QVERIFY(newGesture() > first);
}

QTEST_GUILESS_MAIN(TestEditCommand)
#include "test_edit_command.moc"
