#include "commands/rank_input.h"

#include <QCoreApplication>

namespace shardrack {

namespace {

struct RankInput {
    Q_DECLARE_TR_FUNCTIONS(shardrack::RankInput)
};

Error error(const QString& what, const QString& expected)
{
    return { {}, what.toStdString(), expected.toStdString() };
}

} // namespace

Result<RankSet> ranksFromText(const QString& text, std::int32_t rankCount)
{
    if (rankCount <= 0)
        return error(RankInput::tr("There are no ranks yet"), {});
    const QString typed = text.trimmed();
    if (typed.isEmpty())
        return error(RankInput::tr("No rank is given"), RankInput::tr("3, or 0-3"));
    const Result<RankSet> ranks = RankSet::parse(typed.toStdString());
    if (!ranks.ok())
        return ranks.error();
    if (ranks->back() >= rankCount)
        return error(RankInput::tr("There is no rank %1").arg(ranks->back()),
            rankCount == 1 ? RankInput::tr("0, the only rank")
                           : RankInput::tr("ranks from 0 to %1").arg(rankCount - 1));
    return ranks;
}

} // namespace shardrack
