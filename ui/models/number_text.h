#pragma once

#include "base/amount.h"
#include "base/size_text.h"

#include <QCoreApplication>
#include <QString>

namespace shardrack {

// Numbers as the screen shows them: GiB to two decimals without the unit, a minus sign that is one.

struct NumberText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::NumberText)
};

/// "24.00", "−8.00".
inline QString numberText(Bytes bytes, int decimals = 2)
{
    QString text = QString::fromStdString(gibNumber(bytes, decimals));
    return text.replace(u'-', u'\u2212');
}

/// "24.00 GiB".
inline QString sizeText(Bytes bytes) { return NumberText::tr("%1 GiB").arg(numberText(bytes)); }

/// "+24.83", "−11.43"; a change of nothing is "0".
inline QString changeText(Bytes change)
{
    if (change == Bytes(0))
        return QStringLiteral("0");
    return change > Bytes(0) ? u'+' + numberText(change) : numberText(change);
}

/// "24.00", "at least 24.00"; "?" where nothing of it is established, which is not zero.
inline QString sumText(const Sum& sum)
{
    if (sum.atLeast && sum.established == Bytes(0))
        return QStringLiteral("?");
    const QString number = numberText(sum.established);
    return sum.atLeast ? NumberText::tr("at least %1").arg(number) : number;
}

/// "16,384".
inline QString countText(qint64 count) { return QString::fromStdString(grouped(count)); }

/// A fixed word of the core ("Over capacity") in the language of the screen.
inline QString coreWord(const char* word)
{
    return QCoreApplication::translate("shardrack::Core", word);
}

} // namespace shardrack
