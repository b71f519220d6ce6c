#include "docks/workload_fields.h"

#include <QLineEdit>

#include <algorithm>

namespace shardrack {

SizeEdit* addSize(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row, const QString& label,
    std::function<void(Workload&, std::optional<Bytes>)> set)
{
    auto* edit = new SizeEdit;
    edit->setPlaceholder(BasisMark::tr("not given"));
    row = &form.add(label, edit);
    tellProblems(edit, *row);
    editing.watch(edit);
    QObject::connect(edit, &SizeEdit::valueEdited, &editing,
        [edit, &editing, set = std::move(set)](std::optional<Bytes> value) {
            edit->refuse(editing.changeWorkload([&](Workload& workload) { set(workload, value); }));
        });
    return edit;
}

IntegerEdit* addCount(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row,
    const QString& label, const QString& suffix,
    std::function<void(Workload&, std::optional<std::int64_t>)> set)
{
    auto* edit = new IntegerEdit;
    edit->setRange(1, std::numeric_limits<std::int64_t>::max());
    edit->setSuffix(suffix);
    edit->setPlaceholder(BasisMark::tr("not given"));
    row = &form.add(label, edit);
    tellProblems(edit, *row);
    editing.watch(edit);
    QObject::connect(edit, &IntegerEdit::valueEdited, &editing,
        [edit, &editing, set = std::move(set)](std::optional<std::int64_t> value) {
            edit->refuse(editing.changeWorkload([&](Workload& workload) { set(workload, value); }));
        });
    return edit;
}

QLineEdit* addWords(FormGrid& form, PlanEditing& editing, FormGrid::Row*& row, const QString& label,
    std::function<QString(const std::string&)> set)
{
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(BasisMark::tr("not given"));
    row = &form.add(label, edit);
    editing.watch(edit);
    QObject::connect(
        edit, &QLineEdit::editingFinished, &editing, [edit, row, set = std::move(set)] {
            if (!edit->isModified())
                return;
            edit->setModified(false);
            row->setProblem(set(edit->text().trimmed().toStdString()));
        });
    return edit;
}

void showWords(QLineEdit* edit, FormGrid::Row& row, const std::string& words)
{
    const QString text = QString::fromStdString(words);
    if (!edit->isModified() && edit->text() != text)
        edit->setText(text);
    edit->setToolTip(text);
    row.setGiven(!words.empty());
}

void tellProblems(NumberEdit* edit, FormGrid::Row& row)
{
    QObject::connect(edit, &NumberEdit::problemChanged, edit,
        [&row](const QString& problem) { row.setProblem(problem); });
}

QString nowAndTried(const QString& now, const QString& tried)
{
    if (tried.isEmpty() || tried == now)
        return now;
    const QStringList before = now.split(u' ');
    const QStringList after = tried.split(u' ');
    const qsizetype most = std::min(before.size(), after.size()) - 1;
    qsizetype head = 0;
    while (head < most && before[head] == after[head])
        ++head;
    qsizetype tail = 0;
    while (head + tail < most && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    return BasisMark::tr("%1 → %2").arg(
        before.first(before.size() - tail).join(u' '), after.mid(head).join(u' '));
}

} // namespace shardrack
