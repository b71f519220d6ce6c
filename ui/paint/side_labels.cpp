#include "paint/side_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryBars)
};

constexpr qreal kIcon = 12;
constexpr qreal kIconGap = 4;

QFont rowFont(const SideLabel::Row& row, const PaintStyle& style)
{
    return style.font(type::kSecondary, row.bold ? type::kSemibold : type::kRegular);
}

/// "72.00 on 32 of 16,384" where one other usable allocation exists, the range where more do.
QString otherUsable(const MemoryBarsInput& input, const std::vector<int>& occurs, Bytes shown)
{
    std::set<Bytes> others;
    int devices = 0;
    for (std::size_t i = 0; i < input.classes.size(); ++i) {
        const std::optional<Bytes>& usable = input.classes[i].usable;
        if (occurs[i] == 0 || !usable || *usable == shown)
            continue;
        others.insert(*usable);
        devices += occurs[i];
    }
    if (others.empty())
        return {};
    if (others.size() == 1)
        return Words::tr("%1 on %2 of %3")
            .arg(gib(*others.begin()), groupedNumber(devices), groupedNumber(input.count()));
    others.insert(shown);
    return Words::tr("%1 to %2").arg(gib(*others.begin()), gib(*others.rbegin()));
}

/// "not confirmed" when that holds for all, with their number when for some; empty for none.
QString unconfirmed(const MemoryBarsInput& input, const std::vector<int>& occurs)
{
    int devices = 0;
    for (std::size_t i = 0; i < input.classes.size(); ++i)
        if (input.classes[i].usable && !input.classes[i].usableConfirmed)
            devices += occurs[i];
    if (devices == 0)
        return {};
    return devices == input.count()
        ? Words::tr("not confirmed")
        : Words::tr("not confirmed: %1 of %2")
              .arg(groupedNumber(devices), groupedNumber(input.count()));
}

qreal rowWidth(const SideLabel::Row& row, const PaintStyle& style)
{
    return std::ceil(lineWidth(row.text, rowFont(row, style))) + (row.icon ? kIcon + kIconGap : 0);
}

} // namespace

std::vector<SideLabel> sideLabelsOf(
    const MemoryBarsInput& input, const std::vector<int>& occurs, const PaintStyle& style)
{
    std::vector<SideLabel> labels;
    if (input.bars.empty())
        return labels;
    const Theme& theme = *style.theme;
    const StackedBar& last = input.bar(input.count() - 1);
    using Row = SideLabel::Row;
    if (last.installed && last.installed != last.usable) {
        const Row row { Words::tr("installed %1").arg(gib(*last.installed)), theme.text3 };
        labels.push_back({ LimitLine::Installed, { row }, {} });
    }
    if (!last.usable)
        return labels;
    SideLabel usable;
    usable.rows.push_back(Row { Words::tr("usable %1").arg(gib(*last.usable)), theme.text, true });
    if (const QString text = unconfirmed(input, occurs); !text.isEmpty())
        usable.rows.push_back(Row { text, theme.overText, false, Icon::NotEstablished });
    if (last.installed == last.usable)
        usable.rows.push_back(Row { Words::tr("= installed"), theme.text3 });
    if (const QString other = otherUsable(input, occurs, *last.usable); !other.isEmpty())
        usable.rows.push_back(Row { other, theme.text2 });
    labels.push_back(usable);
    if (last.margin) {
        const QString number = Words::tr("%1 GiB").arg(gib(*last.margin));
        const QString text = input.marginBasis.isEmpty()
            ? number
            : Words::tr("%1 (%2)").arg(number, input.marginBasis);
        labels.push_back({ LimitLine::Margin,
            { Row { Words::tr("required margin"), theme.text2 },
                Row { text, theme.text2, false, input.marginIcon, true } },
            {} });
    }
    return labels;
}

qreal sideLabelsWidth(const std::vector<SideLabel>& labels, const PaintStyle& style)
{
    qreal width = 0;
    for (const SideLabel& label : labels)
        for (const SideLabel::Row& row : label.rows)
            width = std::max(width, rowWidth(row, style));
    return width;
}

void placeSideLabels(
    MemoryBarsLayout& layout, const MemoryBarsInput& input, qreal left, const PaintStyle& style)
{
    std::vector<SideLabel>& labels = layout.sideLabels;
    if (labels.empty())
        return;
    const StackedBar& last = input.bar(input.count() - 1);
    const BarScale scale(layout.plot, layout.axis.full(), BarDirection::Up, style);
    const qreal row = std::ceil(QFontMetricsF(style.font(type::kSecondary)).height());
    std::size_t anchor = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        SideLabel& label = labels[i];
        const Bytes at = label.line == LimitLine::Installed ? *last.installed
            : label.line == LimitLine::Margin               ? *last.usable - *last.margin
                                                            : *last.usable;
        if (label.line == LimitLine::Usable)
            anchor = i;
        label.rect = QRectF(left, scale.at(at) - row / 2, layout.area.right() - left,
            row * static_cast<qreal>(label.rows.size()));
    }
    // The first row of usable stands at its line; the others give way, upwards and downwards.
    QRectF& fixed = labels[anchor].rect;
    qreal above = 0;
    for (std::size_t i = 0; i < anchor; ++i)
        above += labels[i].rect.height();
    fixed.moveTop(std::max(fixed.top(), layout.area.top() + above));
    for (std::size_t i = anchor; i-- > 0;)
        labels[i].rect.moveBottom(std::min(labels[i].rect.bottom(), labels[i + 1].rect.top()));
    for (std::size_t i = anchor + 1; i < labels.size(); ++i)
        labels[i].rect.moveTop(std::max(labels[i].rect.top(), labels[i - 1].rect.bottom()));
}

void drawSideLabels(
    QPainter& painter, const std::vector<SideLabel>& labels, const PaintStyle& style)
{
    for (const SideLabel& label : labels) {
        const qreal height = label.rect.height() / static_cast<qreal>(label.rows.size());
        QRectF rect(label.rect.left(), label.rect.top(), label.rect.width(), height);
        for (const SideLabel::Row& row : label.rows) {
            const QFont font = rowFont(row, style);
            QRectF text = rect;
            if (row.icon) {
                QRectF icon(rect.left(), rect.center().y() - kIcon / 2, kIcon, kIcon);
                if (row.iconAfter)
                    icon.moveLeft(rect.left() + lineWidth(row.text, font) + kIconGap);
                else
                    text.setLeft(icon.right() + kIconGap);
                drawIcon(painter, icon, *row.icon, iconColor(*row.icon, *style.theme));
            }
            drawLine(painter, text, Qt::AlignLeft | Qt::AlignVCenter, row.text, font, row.color);
            rect.translate(0, height);
        }
    }
}

} // namespace shardrack
