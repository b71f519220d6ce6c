#include "compare/comparison_delegate.h"

#include "compare/comparison_model.h"
#include "compare/price_editor.h"
#include "models/number_text.h"
#include "paint/device_bar.h"
#include "style/view_style.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <cmath>

namespace shardrack {

namespace {

using Kind = ComparisonModel::Kind;
using Section = ComparisonRow::Section;

// Distances at the base font of 12 px.
constexpr qreal kSide = 12;
constexpr qreal kAbove = 4;
constexpr qreal kIcon = 13;
constexpr qreal kIconGap = 6;
constexpr qreal kFlagBar = 4;
constexpr int kSectionRow = 24;
constexpr int kLeastRow = 24;
constexpr int kWrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

const ComparisonModel& modelOf(const QModelIndex& index)
{
    return *static_cast<const ComparisonModel*>(index.model());
}

qreal textHeight(const QString& text, const QFont& font, qreal width)
{
    if (text.isEmpty())
        return 0;
    const QRectF room(0, 0, std::max(width, 20.0), 10000);
    return std::ceil(QFontMetricsF(font).boundingRect(room, kWrapped, text).height());
}

/// Where the parts of a cell lie, for measuring and painting alike.
struct CellParts {
    QString text, detail;
    QFont textFont, detailFont;
    QRectF mark; ///< ≠ or ?
    QRectF basis; ///< the icon of the number's basis
    QRectF textRect, detailRect;
    qreal height = 0;
};

/// In the arithmetic the formula stands left and its result at the right; elsewhere the answer
/// stands above what explains it.
bool resultAtRight(const ComparisonModel& model, const QModelIndex& index)
{
    const ComparisonRow* row = model.row(index.row());
    const ComparisonCell* cell = model.cell(index);
    return row && cell && row->section == Section::Arithmetic && (cell->bytes || cell->open);
}

/// The number alone: the section's title says GiB.
QString resultText(const ComparisonRow& row, const ComparisonCell& cell)
{
    if (!cell.bytes)
        return QStringLiteral("?");
    if (row.field == "against_usable" || row.field == "after_margin") {
        const Bytes size = *cell.bytes < Bytes(0) ? Bytes(0) - *cell.bytes : *cell.bytes;
        const QString number = numberText(size);
        if (*cell.bytes < Bytes(0))
            return (
                cell.atLeast ? ComparisonModel::tr("over ≥ %1") : ComparisonModel::tr("over %1"))
                .arg(number);
        return cell.atLeast ? ComparisonModel::tr("open")
                            : ComparisonModel::tr("%1 below").arg(number);
    }
    return (cell.atLeast ? QStringLiteral("≥ ") : QString()) + numberText(*cell.bytes);
}

bool isTotal(const ComparisonRow& row)
{
    return row.field == "sum" || row.field == "against_usable" || row.field == "after_margin";
}

CellParts partsOf(const QModelIndex& index, const QRectF& rect, const PaintStyle& style)
{
    const ComparisonModel& model = modelOf(index);
    const ComparisonCell& cell = *model.cell(index);
    const ComparisonRow& row = *model.row(index.row());
    const qreal icon = std::round(kIcon * style.textScale);
    CellParts parts;
    parts.textFont = style.font(type::kBase);
    parts.detailFont = style.font(type::kSecondary);
    QRectF room = rect.adjusted(kSide, kAbove, -kSide, -kAbove);
    const qreal line = std::ceil(QFontMetricsF(parts.textFont).height());
    const bool arithmetic = resultAtRight(model, index);
    if (cell.changedBasis || (cell.open && !arithmetic)) {
        parts.mark = QRectF(room.left(), room.top() + (line - icon) / 2, icon, icon);
        room.setLeft(room.left() + icon + kIconGap);
    }
    const bool basis = cell.provenance && !cell.open;
    if (basis)
        parts.basis = QRectF(room.right() - icon, room.top() + (line - icon) / 2, icon, icon);
    if (basis || arithmetic) // numbers stand below each other, with an icon or without
        room.setRight(room.right() - icon - kIconGap);
    parts.detail = model.detail(index);
    if (arithmetic && parts.detail.isEmpty() && !cell.bytes)
        parts.detail = QString::fromStdString(cell.text);
    if (arithmetic) {
        parts.textFont = style.font(type::kBase, isTotal(row) ? type::kSemibold : type::kRegular);
        parts.text = resultText(row, cell);
        if (isTotal(row) && row.field != "sum")
            parts.detail = QString::fromStdString(cell.detail.empty() ? cell.text : cell.detail);
        else if (row.field == "usable_of_device" && cell.open && cell.bytes)
            parts.detail = ComparisonModel::tr("not confirmed");
        const qreal width = std::ceil(lineWidth(parts.text, parts.textFont)) + 1;
        parts.textRect = QRectF(room.right() - width, room.top(), width, line);
        room.setRight(parts.textRect.left() - kIconGap);
        parts.detailRect = QRectF(room.left(), room.top() + 1, room.width(),
            textHeight(parts.detail, parts.detailFont, room.width()));
        parts.height = std::max(parts.textRect.bottom(), parts.detailRect.bottom()) - rect.top();
    } else {
        parts.text = QString::fromStdString(cell.text);
        parts.textRect = QRectF(room.left(), room.top(), room.width(),
            textHeight(parts.text, parts.textFont, room.width()));
        parts.detailRect = QRectF(room.left(), parts.textRect.bottom() + 1, room.width(),
            textHeight(parts.detail, parts.detailFont, room.width()));
        parts.height = parts.detailRect.bottom() - rect.top();
    }
    parts.height += kAbove;
    return parts;
}

void drawWrapped(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
    const QColor& color)
{
    if (text.isEmpty())
        return;
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect.adjusted(0, 0, 1, 2), kWrapped, text);
}

/// An editor that needs more room than its cell stays in sight.
void keepInside(QWidget& editor)
{
    QRect place = editor.geometry();
    const QRect room = editor.parentWidget()->rect();
    if (place.right() > room.right())
        place.moveRight(room.right());
    if (place.bottom() > room.bottom())
        place.moveBottom(room.bottom());
    editor.move(place.topLeft());
}

/// Lives for one paint call.
class LinePainter {
public:
    LinePainter(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        : m_painter(painter)
        , m_option(option)
        , m_index(index)
        , m_model(modelOf(index))
        , m_line(m_model.line(index.row()))
        , m_style(styleOf(option.widget))
        , m_theme(*m_style.theme)
        , m_rect(option.rect)
    {
    }

    void paint(qreal titleWidth)
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        switch (m_line.kind) {
        case Kind::Section:
            paintSection();
            break;
        case Kind::Chart:
            paintChart(titleWidth);
            break;
        case Kind::NotGiven:
            paintNotGiven(titleWidth);
            break;
        case Kind::Row:
            if (m_index.column() == 0)
                paintTitle(m_rect, m_line.title);
            else
                paintCell();
        }
        paintFocus();
        m_painter.restore();
    }

private:
    void paintSection();
    void paintChart(qreal titleWidth);
    void paintNotGiven(qreal titleWidth);
    void paintTitle(const QRectF& rect, const QString& title);
    void paintCell();
    void paintFocus();
    void rule() { m_painter.fillRect(bottomLine(), m_theme.line3); }
    QRectF bottomLine() const
    {
        return QRectF(m_rect.left(), m_rect.bottom() - 1, m_rect.width(), 1);
    }

    QPainter& m_painter;
    const QStyleOptionViewItem& m_option;
    const QModelIndex& m_index;
    const ComparisonModel& m_model;
    const ComparisonModel::Line& m_line;
    const PaintStyle m_style;
    const Theme& m_theme;
    const QRectF m_rect;
};

void LinePainter::paintSection()
{
    m_painter.fillRect(m_rect, m_theme.dock);
    m_painter.fillRect(QRectF(m_rect.left(), m_rect.top(), m_rect.width(), 1), m_theme.line2);
    const QFont bold = m_style.font(type::kBase, type::kSemibold);
    const QFont plain = m_style.font(type::kSecondary);
    const QRectF room = m_rect.adjusted(kSide, 0, -kSide, 0);
    const qreal flag = m_line.flag.isEmpty() ? 0 : lineWidth(m_line.flag, plain) + kIcon + kIconGap;
    drawLine(m_painter, room, Qt::AlignLeft | Qt::AlignVCenter, m_line.title, bold, m_theme.text);
    const qreal x = room.left() + lineWidth(m_line.title, bold) + 10;
    drawLine(m_painter, QRectF(x, room.top(), room.right() - flag - 12 - x, room.height()),
        Qt::AlignLeft | Qt::AlignVCenter, m_line.note, plain, m_theme.text2);
    if (m_line.flag.isEmpty())
        return;
    const QRectF end(room.right() - flag, room.top(), flag, room.height());
    drawIcon(
        m_painter, QRectF(end.left(), end.top(), kIcon, end.height()), Icon::Changed, m_theme.flag);
    drawLine(m_painter, end.adjusted(kIcon + kIconGap, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
        m_line.flag, plain, m_theme.text);
}

void LinePainter::paintChart(qreal titleWidth)
{
    m_painter.fillRect(m_rect, m_theme.view);
    const ComparisonBarsInput input = comparisonBars(m_model.comparison());
    paintComparisonBars(m_painter, input,
        layoutComparisonBars(input, m_rect, m_style, titleWidth - kSide), m_style);
}

void LinePainter::paintTitle(const QRectF& rect, const QString& title)
{
    m_painter.fillRect(rect, m_theme.alt);
    m_painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), m_theme.line2);
    const QRectF room = rect.adjusted(kSide, kAbove, -kSide, 0);
    m_painter.setFont(m_style.font(type::kBase));
    m_painter.setPen(m_theme.text2);
    m_painter.drawText(room, Qt::TextWordWrap | Qt::AlignRight | Qt::AlignTop, title);
    m_painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), m_theme.line3);
}

void LinePainter::paintNotGiven(qreal titleWidth)
{
    m_painter.fillRect(m_rect, m_theme.view);
    paintTitle(QRectF(m_rect.left(), m_rect.top(), titleWidth, m_rect.height()), m_line.title);
    QRectF room = m_rect.adjusted(titleWidth + kSide, kAbove, -kSide, 0);
    const qreal line = std::ceil(QFontMetricsF(m_style.font(type::kBase)).height());
    drawIcon(m_painter, QRectF(room.left(), room.top(), kIcon, line), Icon::NotEstablished,
        iconColor(Icon::NotEstablished, m_theme));
    room.setLeft(room.left() + kIcon + kIconGap);
    drawWrapped(m_painter, room, m_line.note, m_style.font(type::kBase), m_theme.text2);
    rule();
}

void LinePainter::paintCell()
{
    const ComparisonCell& cell = *m_model.cell(m_index);
    const ComparisonRow& row = *m_model.row(m_index.row());
    m_painter.fillRect(m_rect, cell.changedBasis ? m_theme.flagTint : m_theme.view);
    if (cell.changedBasis)
        m_painter.fillRect(QRectF(m_rect.left(), m_rect.top(), kFlagBar, m_rect.height()),
            m_theme.style(Category::Activations).fill);
    else if (m_index.column() > 1)
        m_painter.fillRect(QRectF(m_rect.left(), m_rect.top(), 1, m_rect.height()), m_theme.line2);
    rule();
    const CellParts parts = partsOf(m_index, m_rect, m_style);
    if (!parts.mark.isNull()) {
        const Icon icon = cell.changedBasis ? Icon::Changed : Icon::NotEstablished;
        drawIcon(m_painter, parts.mark, icon,
            cell.changedBasis ? m_theme.flag : iconColor(icon, m_theme));
    }
    if (!parts.basis.isNull())
        drawIcon(m_painter, parts.basis, iconOf(*cell.provenance),
            iconColor(iconOf(*cell.provenance), m_theme));
    const bool total = resultAtRight(m_model, m_index) && isTotal(row);
    if (total)
        m_painter.fillRect(QRectF(parts.detailRect.left(), m_rect.top(),
                               parts.textRect.right() - parts.detailRect.left(), 1),
            m_theme.line);
    QColor ink = cell.open && !cell.bytes ? m_theme.text2 : m_theme.text;
    const bool verdict
        = row.field == "headroom" || row.field == "against_usable" || row.field == "after_margin";
    if (verdict && cell.bytes)
        ink = *cell.bytes < Bytes(0) ? m_theme.overText
            : cell.atLeast           ? m_theme.text
                                     : m_theme.okText;
    drawWrapped(m_painter, parts.textRect, parts.text, parts.textFont, ink);
    drawWrapped(m_painter, parts.detailRect, parts.detail, parts.detailFont, m_theme.text2);
}

void LinePainter::paintFocus()
{
    if (!(m_option.state & QStyle::State_HasFocus))
        return;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_theme.accent, 2));
    m_painter.drawRect(m_rect.adjusted(1, 1, -1, -2));
}

} // namespace

ComparisonDelegate::ComparisonDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

void ComparisonDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    LinePainter(*painter, option, index).paint(m_titleWidth);
}

QSize ComparisonDelegate::sizeHint(
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const ComparisonModel& model = modelOf(index);
    const ComparisonModel::Line& line = model.line(index.row());
    const PaintStyle style = styleOf(option.widget);
    const QRectF rect(0, 0, option.rect.width(), 0);
    qreal height = kLeastRow * style.textScale;
    switch (line.kind) {
    case Kind::Section:
        height = kSectionRow * style.textScale;
        break;
    case Kind::Chart:
        height = comparisonBarsHeight(
            comparisonBars(model.comparison()), rect.width(), style, m_titleWidth - kSide);
        break;
    case Kind::NotGiven: {
        const qreal width = rect.width() - m_titleWidth - 2 * kSide - kIcon - kIconGap;
        height
            = std::max(height, textHeight(line.note, style.font(type::kBase), width) + 2 * kAbove);
        break;
    }
    case Kind::Row:
        if (index.column() > 0)
            height = std::max(height, partsOf(index, rect, style).height);
        else
            height = std::max(height,
                textHeight(line.title, style.font(type::kBase), rect.width() - 2 * kSide)
                    + 2 * kAbove);
    }
    return { qRound(rect.width()), qCeil(height) };
}

QWidget* ComparisonDelegate::createEditor(
    QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    if (modelOf(index).row(index.row())->field == "price") {
        auto* editor = new PriceEditor(parent);
        // Room for the reason while there is one.
        connect(editor, &PriceEditor::changed, editor, [editor] {
            editor->resize(editor->width(), editor->heightForWidth(editor->width()));
            keepInside(*editor);
        });
        return editor;
    }
    auto* editor = new QLineEdit(parent);
    editor->setAccessibleName(modelOf(index).line(index.row()).title);
    editor->setPlaceholderText(tr("such as 400 Gb/s InfiniBand"));
    return editor;
}

void ComparisonDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    const QVariant value = index.data(Qt::EditRole);
    if (auto* price = qobject_cast<PriceEditor*>(editor))
        price->setPrice(value.value<PriceEntry>().price);
    else if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setText(value.toString());
}

void ComparisonDelegate::setModelData(
    QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (const auto* price = qobject_cast<PriceEditor*>(editor)) {
        if (price->problem().isEmpty())
            model->setData(index, QVariant::fromValue(PriceEntry { price->price() }));
        else
            emit refused(tr("The price stays as it was. %1").arg(price->problem()));
    } else if (const auto* line = qobject_cast<QLineEdit*>(editor)) {
        model->setData(index, line->text());
    }
}

void ComparisonDelegate::updateEditorGeometry(
    QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const
{
    QRect place = option.rect;
    place.setHeight(std::max(place.height(), editor->sizeHint().height()));
    // An editor that needs more room than its column goes over its neighbours.
    place.setWidth(std::max(place.width(), std::min(editor->sizeHint().width(), 320)));
    editor->setGeometry(place);
    keepInside(*editor);
}

/// Enter does not take what cannot be read: the reason stays in sight.
bool ComparisonDelegate::eventFilter(QObject* watched, QEvent* event)
{
    const auto* price = qobject_cast<PriceEditor*>(watched);
    if (price && event->type() == QEvent::KeyPress && !price->problem().isEmpty()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter)
            return true;
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace shardrack
