#include "models/account_model.h"

#include "document/glossary_role.h"
#include "models/findings_text.h"
#include "models/number_text.h"
#include "plan/glossary.h"

namespace shardrack {

namespace {

using Kind = AccountRow::Kind;
using Figure = std::optional<AccountRow::Figure>;

std::optional<AccountSide> sideOf(const std::optional<ShownOffer>& shown, GpuRef gpu)
{
    if (!shown)
        return std::nullopt;
    const std::int32_t ordinal = shown->assessment->index.ordinal(gpu);
    if (ordinal < 0)
        return std::nullopt;
    return AccountSide { *shown, ordinal };
}

/// The same GPU in what is being tried. Where hardware moves, a GPU is known by its rank: its place
/// in a server, and the order that ranks are numbered in, follow the move.
std::optional<AccountSide> counterpart(
    const std::optional<AccountSide>& now, const std::optional<ShownOffer>& then, GpuRef gpu)
{
    std::optional<AccountSide> same = sideOf(then, gpu);
    if (!now || !then || now->shown.get().site == then->get().site)
        return same;
    const std::vector<std::int32_t> before = now->assessment().layout.ranksOn(now->gpu);
    const ResolvedLayout& layout = then->assessment->layout;
    if (before.empty() || before.front() >= layout.rankCount())
        return same;
    if (same) {
        const std::vector<std::int32_t> after = layout.ranksOn(same->gpu);
        if (std::binary_search(after.begin(), after.end(), before.front()))
            return same;
    }
    const std::int32_t moved = layout.gpuOf(before.front());
    return moved < 0 ? same : AccountSide { *then, moved };
}

GpuRef mostLoaded(const std::optional<ShownOffer>& shown)
{
    const std::int32_t gpu = shown ? shown->assessment->findings.mostLoadedGpu : -1;
    return gpu < 0 ? GpuRef {} : shown->assessment->index.ref(gpu);
}

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// The word of the glossary that a line is about.
std::string wordOf(const AccountRow& row)
{
    switch (row.kind) {
    case Kind::Section:
        return row.section == AccountRow::Section::State ? "persistent training state" : "peak";
    case Kind::Phase:
        return "peak";
    case Kind::Rank:
    case Kind::MoreRanks:
        return "rank";
    case Kind::Term:
    case Kind::Part:
        return glossaryEntry(row.category).word;
    case Kind::Sum:
        return "need";
    case Kind::Usable:
        return "usable allocation";
    case Kind::Headroom:
        return "headroom";
    case Kind::Margin:
    case Kind::AfterMargin:
        return "required margin";
    case Kind::Remark:
        break;
    }
    return "GPU without a rank";
}

QString phaseTitle(Phase phase)
{
    switch (phase) {
    case Phase::Load:
        return AccountModel::tr("Load");
    case Phase::Init:
        return AccountModel::tr("Initialization");
    case Phase::FirstForward:
        return AccountModel::tr("First step, forward");
    case Phase::FirstBackward:
        return AccountModel::tr("First step, backward");
    case Phase::FirstOptimizer:
        return AccountModel::tr("First step, optimizer");
    case Phase::Forward:
        return AccountModel::tr("Steady step, forward");
    case Phase::Backward:
        return AccountModel::tr("Steady step, backward");
    case Phase::Optimizer:
        return AccountModel::tr("Steady step, optimizer");
    case Phase::Save:
        return AccountModel::tr("Save");
    case Phase::Evaluate:
        return AccountModel::tr("Evaluate");
    }
    return {};
}

bool isOpen(const AccountRow& row, const Figure& figure)
{
    return figure && row.hasBasis() && figure->provenance == Provenance::NotEstablished
        && row.kind != Kind::Margin;
}

} // namespace

AccountModel::AccountModel(PlanDocument& document, const Selection& selection, QObject* parent)
    : RowModel(parent)
    , m_document(document)
    , m_selection(selection)
{
    const auto chooseAndUpdate = [this] {
        chooseGpu();
        update();
    };
    chooseAndUpdate();
    connect(&document, &PlanDocument::resetDone, this, [this, chooseAndUpdate] {
        resetRows({});
        chooseAndUpdate();
    });
    connect(&document, &PlanDocument::changed, this, chooseAndUpdate);
    connect(&document, &PlanDocument::currentOfferChanged, this, chooseAndUpdate);
    connect(&document, &PlanDocument::whatIfChanged, this, &AccountModel::update);
    connect(&selection, &Selection::changed, this, chooseAndUpdate);
}

void AccountModel::chooseGpu()
{
    const auto current = m_document.current();
    m_chosenFrom = 0;
    m_gpu = mostLoaded(current);
    if (!current)
        return;
    const Assessment& assessment = *current->assessment;
    const DeviceClass* chosen = nullptr;
    GpuRef chosenGpu;
    for (const GpuRef& gpu : m_selection.gpus()) {
        const std::int32_t ordinal = assessment.index.ordinal(gpu);
        if (ordinal < 0)
            continue;
        ++m_chosenFrom;
        const DeviceClass& device = AccountSide { *current, ordinal }.device();
        const bool better = !chosen || (chosen->idle() && !device.idle())
            || (chosen->idle() == device.idle() && device.headroom() < chosen->headroom());
        if (!better)
            continue;
        chosen = &device;
        chosenGpu = gpu;
    }
    if (chosen)
        m_gpu = chosenGpu;
}

void AccountModel::update()
{
    const bool hadWhatIf = hasWhatIf();
    std::optional<ShownOffer> now = m_document.current();
    std::optional<ShownOffer> then = m_document.whatIf();
    const GpuRef gpu = m_gpu == GpuRef {} ? mostLoaded(then) : m_gpu;
    const std::optional<AccountSide> nowSide = sideOf(now, gpu);
    const std::optional<AccountSide> thenSide = counterpart(nowSide, then, gpu);
    m_hasWhatIf = then.has_value();
    setRows(accountRows(nowSide, thenSide));
    const QString title = makeTitle(nowSide ? nowSide : thenSide);
    // Only now does no row point into the assessments before.
    m_now = std::move(now);
    m_then = std::move(then);
    if (hadWhatIf != hasWhatIf()) {
        // Some names and figures are worded differently beside a what-if.
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
        emit headerDataChanged(Qt::Horizontal, NowColumn, ChangeColumn);
        emit hasWhatIfChanged();
    }
    if (title != m_title) {
        m_title = title;
        emit titleChanged();
    }
}

QString AccountModel::makeTitle(const std::optional<AccountSide>& side) const
{
    if (!side)
        return {};
    const QString device = deviceText(side->shown, side->gpu);
    if (m_chosenFrom == 0)
        return tr("most loaded: %1").arg(device);
    if (m_chosenFrom == 1)
        return device;
    return tr("most loaded of %1: %2").arg(countText(static_cast<qint64>(m_chosenFrom)), device);
}

QString AccountModel::nameText(const AccountRow& row) const
{
    const Figure& latest = row.then ? row.then : row.now;
    switch (row.kind) {
    case Kind::Section:
        switch (row.section) {
        case AccountRow::Section::State:
            return tr("Persistent training state");
        case AccountRow::Section::WorkingSet:
            return tr("Working set at the peak");
        case AccountRow::Section::Around:
            return tr("Around the tensors");
        case AccountRow::Section::OnThisGpu:
            return tr("On this GPU");
        case AccountRow::Section::Phases:
            return tr("Tensors at the largest moment of each phase");
        }
        return {};
    case Kind::Phase:
        return phaseTitle(static_cast<Phase>(row.count));
    case Kind::Rank:
        return tr("rank %1").arg(row.count);
    case Kind::Term:
        return row.text == "padding" ? tr("Padding") : coreWord(row.text.c_str());
    case Kind::MoreRanks:
        return row.count == 1 ? tr("1 more rank") : tr("%1 more ranks").arg(countText(row.count));
    case Kind::Part:
        return coreWord(shardrack::title(row.category));
    case Kind::Sum:
        return latest->bound ? tr("Sum of established terms") : tr("Need at the peak");
    case Kind::Usable:
        return isOpen(row, latest) ? tr("Usable allocation, not confirmed")
                                   : tr("Usable allocation");
    case Kind::Headroom:
        if (!hasWhatIf() && row.now && *row.now->bytes < Bytes(0))
            return tr("Over by");
        return tr("Headroom");
    case Kind::Margin:
        return row.text.empty() ? tr("Required margin")
                                : tr("Required margin, %1").arg(text(row.text));
    case Kind::AfterMargin:
        return tr("Left after the margin");
    case Kind::Remark:
        break;
    }
    return row.text.empty() ? tr("No rank is on this GPU: it holds nothing of the job")
                            : text(row.text);
}

QString AccountModel::detailText(const AccountRow& row) const
{
    const auto arithmetic = [](const Figure& figure) -> QString {
        if (!figure || !figure->term)
            return {};
        const Formula& formula = figure->term->formula;
        const bool computed
            = formula.kind != Formula::Kind::None && formula.kind != Formula::Kind::Nothing;
        // An amount that is assumed, not computed, has words where others have arithmetic.
        const bool assumed = formula.kind == Formula::Kind::Given
            && figure->provenance == Provenance::Derived && !figure->term->note.empty();
        return text(computed && !assumed ? shardrack::text(formula) : figure->term->note);
    };
    if (row.kind == Kind::Rank && row.weights == 0)
        return tr("how much of it is here is not established");
    if (row.kind == Kind::Rank && row.weight != row.weights)
        return tr("%1 ÷ %2 of its state is here").arg(row.weight).arg(row.weights);
    if (row.kind == Kind::Headroom) {
        const Figure& latest = row.then ? row.then : row.now;
        return latest->bound && *latest->bytes > Bytes(0)
            ? tr("what is not established must fit into it; not a margin")
            : QString();
    }
    const QString before = arithmetic(row.now);
    const QString after = arithmetic(row.then);
    if (before.isEmpty() || after.isEmpty() || before == after)
        return after.isEmpty() ? before : after;
    return tr("%1 → %2").arg(before, after);
}

QString AccountModel::noteText(const AccountRow& row) const
{
    const Figure& latest = row.then ? row.then : row.now;
    if (row.kind != Kind::Term || !latest)
        return {};
    const QString note = text(latest->term->note);
    return note == detailText(row) ? QString() : note;
}

QString AccountModel::sharingText(const AccountRow& row) const
{
    const Figure& latest = row.then ? row.then : row.now;
    if (row.kind != Kind::Term || !latest || !latest->bytes
        || latest->term->formula.kind == Formula::Kind::Nothing)
        return {};
    switch (latest->term->sharing) {
    case Sharing::Replicated:
        return tr("replicated");
    case Sharing::Sharded:
        return tr("sharded");
    case Sharing::Gathered:
        return tr("gathered");
    case Sharing::Local:
        break; // of this rank alone: nothing to say
    }
    return {};
}

QString AccountModel::dividedText(const AccountRow& row) const
{
    const Figure& latest = row.then ? row.then : row.now;
    if (row.kind != Kind::Term || !latest || latest->term->dividedBy.empty())
        return {};
    QStringList axes;
    for (const std::string& axis : latest->term->dividedBy)
        axes << text(axis);
    return tr("divided by: %1").arg(axes.join(QStringLiteral(", ")));
}

QString AccountModel::valueText(const AccountRow& row, const Figure& figure) const
{
    const bool hasValue = row.hasBasis() || row.kind == Kind::Part || row.kind == Kind::Sum
        || row.kind == Kind::Headroom || row.kind == Kind::AfterMargin || row.kind == Kind::Phase;
    if (!hasValue)
        return {};
    if (!figure)
        return QStringLiteral("\u2013");
    if (!figure->bytes)
        return row.kind == Kind::Margin ? tr("not stated") : QStringLiteral("?");
    const Bytes bytes = *figure->bytes;
    if (figure->term && figure->term->formula.kind == Formula::Kind::Nothing)
        return tr("none");
    if (row.kind == Kind::Headroom) {
        if (!hasWhatIf() && bytes < Bytes(0))
            return sumText({ Bytes(0) - bytes, figure->bound });
        return figure->bound ? tr("at most %1").arg(numberText(bytes)) : numberText(bytes);
    }
    return sumText({ bytes, figure->bound });
}

AccountModel::Tone AccountModel::tone(const AccountRow& row) const
{
    const std::optional<Bytes> change = row.change();
    if (!change || *change == Bytes(0) || row.kind == Kind::Margin)
        return Tone::None;
    const bool moreIsBetter
        = row.kind == Kind::Usable || row.kind == Kind::Headroom || row.kind == Kind::AfterMargin;
    return (*change > Bytes(0)) == moreIsBetter ? Tone::Better : Tone::Worse;
}

QString AccountModel::accessibleText(const QModelIndex& index) const
{
    const AccountRow& line = row(index);
    if (index.column() != NameColumn)
        return data(index).toString();
    const QString value = valueText(line, hasWhatIf() ? line.then : line.now);
    const QString said = value == u"?" ? tr("not established") : value;
    if (said.isEmpty())
        return nameText(line);
    QStringList parts { tr("%1: %2").arg(nameText(line), said) };
    for (const QString& more : { sharingText(line), dividedText(line) })
        if (!more.isEmpty())
            parts << more;
    return parts.join(QStringLiteral(", "));
}

QVariant AccountModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const AccountRow& line = row(index);
    const bool isName = index.column() == NameColumn;
    const bool isValue = index.column() == NowColumn || index.column() == WhatIfColumn;
    const Figure& figure = index.column() == WhatIfColumn ? line.then : line.now;
    switch (role) {
    case Qt::DisplayRole:
        if (isName)
            return nameText(line);
        if (index.column() == NowColumn || (isValue && hasWhatIf()))
            return valueText(line, figure);
        if (index.column() == ChangeColumn && hasWhatIf())
            if (const auto change = line.change(); change && line.kind != Kind::Margin)
                return changeText(*change);
        return {};
    case DetailRole:
        return isName ? detailText(line) : QVariant();
    case NoteRole:
        return isName ? noteText(line) : QVariant();
    case SharingRole:
        return isName ? sharingText(line) : QVariant();
    case DividedRole:
        return isName ? dividedText(line) : QVariant();
    case Qt::ToolTipRole: {
        const QString note = isName ? noteText(line) : QString();
        return note.isEmpty() ? QVariant() : note;
    }
    case Qt::AccessibleTextRole:
        return accessibleText(index);
    case Qt::TextAlignmentRole:
        return isName ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case kGlossaryRole:
        return text(wordOf(line));
    case KindRole:
        return static_cast<int>(line.kind);
    case CategoryRole:
        return line.kind == Kind::Term || line.kind == Kind::Part ? static_cast<int>(line.category)
                                                                  : -1;
    case ProvenanceRole:
        return isValue && figure && line.hasBasis() ? static_cast<int>(figure->provenance) : -1;
    case EstablishedRole:
        return isValue && !(figure && !figure->bytes) && !isOpen(line, figure);
    case OverRole: {
        const bool tells = line.kind == Kind::Headroom || line.kind == Kind::AfterMargin;
        return isValue && tells && figure && figure->bytes && *figure->bytes < Bytes(0);
    }
    case ToneRole:
        return static_cast<int>(
            index.column() == ChangeColumn && hasWhatIf() ? tone(line) : Tone::None);
    default:
        return {};
    }
}

QVariant AccountModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Term, GiB");
    case NowColumn:
        return hasWhatIf() ? tr("now") : tr("GiB");
    case WhatIfColumn:
        return tr("what if");
    case ChangeColumn:
        return tr("change");
    default:
        return {};
    }
}

} // namespace shardrack
