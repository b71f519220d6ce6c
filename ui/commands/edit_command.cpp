#include "commands/edit_command.h"

#include <QUndoCommand>

#include <atomic>

namespace shardrack {

namespace {

/// One step of the undo stack. It keeps the plans on both sides, which share every block that the
/// edit left alone, so that undoing it costs pointers.
class EditCommand : public QUndoCommand {
public:
    EditCommand(
        PlanDocument& document, std::shared_ptr<const Plan> after, const QString& name, int gesture)
        : QUndoCommand(name)
        , m_document(document)
        , m_before(document.plan())
        , m_after(std::move(after))
        , m_gesture(gesture)
    {
    }

    int id() const override { return m_gesture > 0 ? m_gesture : -1; }
    void undo() override { m_document.replacePlan(m_before); }
    void redo() override { m_document.replacePlan(m_after); }

    bool mergeWith(const QUndoCommand* other) override
    {
        // Only commands of the same gesture have the same id.
        const auto& next = static_cast<const EditCommand&>(*other);
        m_after = next.m_after;
        setText(next.text());
        if (*m_after == *m_before)
            setObsolete(true);
        return true;
    }

private:
    PlanDocument& m_document;
    std::shared_ptr<const Plan> m_before;
    std::shared_ptr<const Plan> m_after;
    int m_gesture;
};

} // namespace

std::optional<Error> perform(
    PlanDocument& document, const Edit& edit, int gesture, const QString& step)
{
    Result<Applied> result = apply(*document.plan(), edit);
    if (!result.ok())
        return result.error();
    Applied applied = std::move(result).value();
    if (applied.plan == *document.plan())
        return std::nullopt;
    document.undoStack().push(
        new EditCommand(document, std::make_shared<const Plan>(std::move(applied.plan)),
            step.isEmpty() ? QString::fromStdString(applied.name) : step, gesture));
    return std::nullopt;
}

std::optional<Error> performAll(
    PlanDocument& document, const std::vector<Edit>& edits, const QString& step)
{
    const int gesture = newGesture();
    for (const Edit& edit : edits)
        if (std::optional<Error> error
            = perform(document, edit, gesture, edits.size() > 1 ? step : QString()))
            return error;
    return std::nullopt;
}

int newGesture()
{
    static std::atomic<int> last { 0 };
    return ++last;
}

} // namespace shardrack
