#include "editors/size_edit.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr const char* kUnit = "GiB";
constexpr std::int64_t kCoarse = 4 * kGiB; ///< from here on a step is 1 GiB, below a quarter
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

Result<Bytes> read(const QString& text) { return parseSize(text.trimmed().toStdString(), kUnit); }

} // namespace

SizeEdit::SizeEdit(QWidget* parent)
    : NumberEdit(parent)
{
    setSuffix(QString::fromLatin1(kUnit));
}

void SizeEdit::setValue(std::optional<Bytes> value)
{
    const bool changed = value != m_value;
    m_value = value;
    showValueUnlessTyping(changed);
}

std::optional<Bytes> SizeEdit::typedValue() const
{
    const Result<Bytes> size = read(text());
    return size ? std::optional(*size) : std::nullopt;
}

QString SizeEdit::problemOf(const QString& text) const
{
    const Result<Bytes> size = read(text);
    return size ? QString() : QString::fromStdString(size.error().text());
}

void SizeEdit::accept()
{
    const std::optional<Bytes> typed = typedValue();
    if (typed == m_value)
        return;
    m_value = typed;
    showValue();
    emit valueEdited(m_value);
}

QString SizeEdit::valueText() const
{
    if (!m_value)
        return {};
    const std::int64_t count = m_value->count();
    // Two decimals say a quarter of a GiB exactly; the unit then stands beside the text.
    if (count == 0 || (count >= kGiB && count % (kGiB / 4) == 0))
        return QString::fromStdString(gibNumber(*m_value));
    if (count % kGB == 0)
        return QStringLiteral("%1 GB").arg(count / kGB);
    return QString::fromStdString(exactText(*m_value));
}

void SizeEdit::step(int steps)
{
    const std::int64_t now = typedValue().value_or(Bytes()).count();
    const std::int64_t size = now > kCoarse || (now == kCoarse && steps > 0) ? kGiB : kGiB / 4;
    const std::int64_t change = size * steps;
    const std::int64_t next
        = change > kLargest - now ? kLargest : std::max<std::int64_t>(now + change, 0);
    setText(QString::fromStdString(exactText(Bytes(next))));
    accept();
}

bool SizeEdit::suffixApplies(const QString& text) const
{
    return text.isEmpty() || text.back().isDigit();
}

} // namespace shardrack
