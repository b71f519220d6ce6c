#include "document/rank_text.h"

#include <QCoreApplication>

namespace shardrack {

namespace {

struct RankText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::RankText)
};

} // namespace

QString ranksText(const RankSet& ranks)
{
    QString list = QString::fromStdString(ranks.text());
    list.replace(u'-', u'\u2013').replace(u',', QStringLiteral(", "));
    return (ranks.size() == 1 ? RankText::tr("rank %1") : RankText::tr("ranks %1")).arg(list);
}

} // namespace shardrack
