#include "docks/form_grid.h"

#include "document/glossary_role.h"
#include "style/view_style.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QRegularExpression>

namespace shardrack {

namespace {

constexpr int kBadge = 13;
constexpr int kBadgeRoom = kBadge + 5;

QString meaningOf(Icon basis)
{
    switch (basis) {
    case Icon::Stipulated:
        return BasisMark::tr("stipulated: given by a person");
    case Icon::Derived:
        return BasisMark::tr("derived: computed here");
    case Icon::Measured:
        return BasisMark::tr("measured");
    case Icon::Held:
        return BasisMark::tr("held while something is tried");
    case Icon::NotEstablished:
        return BasisMark::tr("not given: drawn as “?”, never as zero");
    default:
        return {};
    }
}

} // namespace

NoteLabel::NoteLabel(QWidget* parent)
    : QLabel(parent)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    restyle();
    hide();
}

namespace {

/// Long words may go on in the next line behind a mark inside them, as in a file's name.
QString breakable(const QString& text)
{
    constexpr int kLong = 16;
    static const QRegularExpression word(QStringLiteral("\\S{%1,}").arg(kLong));
    static const QRegularExpression mark(QStringLiteral("([_.,/×-])(?=\\S)"));
    QString broken = text;
    QRegularExpressionMatchIterator words = word.globalMatch(text);
    QList<QRegularExpressionMatch> found;
    while (words.hasNext())
        found.prepend(words.next());
    for (const QRegularExpressionMatch& each : std::as_const(found))
        broken.replace(each.capturedStart(), each.capturedLength(),
            each.captured().replace(mark, QStringLiteral("\\1\u200b")));
    return broken;
}

} // namespace

void NoteLabel::setNote(const QString& text, Tone tone)
{
    if (const QString shown = breakable(text); shown != this->text())
        setText(shown);
    if (tone != m_tone) {
        m_tone = tone;
        setContentsMargins(tone == Tone::Plain ? 0 : kBadgeRoom, 0, 0, 0);
        restyle();
    }
    setVisible(!text.isEmpty());
}

void NoteLabel::restyle()
{
    const PaintStyle style = styleOf(this);
    const QFont small = style.font(type::kSecondary);
    if (font() != small)
        setFont(small);
    const QColor ink = m_tone == Tone::Plain ? style.theme->text2 : style.theme->overText;
    QPalette colors = palette();
    if (colors.color(QPalette::WindowText) == ink)
        return;
    colors.setColor(QPalette::WindowText, ink);
    setPalette(colors);
}

void NoteLabel::paintEvent(QPaintEvent* event)
{
    QLabel::paintEvent(event);
    if (m_tone == Tone::Plain)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const QRectF badge(0, 1, kBadge, kBadge);
    if (m_tone == Tone::NotLegal)
        drawGlyph(painter, badge, Glyph::NotLegal, theme);
    else
        drawIcon(painter, badge, Icon::Misleading, theme.overText);
}

void NoteLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

BasisMark::BasisMark(QWidget* parent)
    : QWidget(parent)
{
    setFixedSize(metrics::kIcon, metrics::kIcon);
}

void BasisMark::setBasis(std::optional<Icon> basis)
{
    if (basis == m_basis)
        return;
    m_basis = basis;
    const QString meaning = basis ? meaningOf(*basis) : QString();
    setToolTip(meaning);
    setAccessibleName(meaning);
    update();
}

void BasisMark::paintEvent(QPaintEvent*)
{
    if (!m_basis)
        return;
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    drawIcon(painter, QRectF(rect()).adjusted(1, 1, -1, -1), *m_basis, iconColor(*m_basis, theme));
}

void FormGrid::Row::setVisible(bool visible)
{
    m_visible = visible;
    field->setVisible(visible);
    if (label)
        label->setVisible(visible);
    if (basis)
        basis->setVisible(visible);
    showNote();
}

void FormGrid::Row::setEnabled(bool enabled)
{
    field->setEnabled(enabled);
    if (label)
        label->setEnabled(enabled);
    if (basis && !enabled)
        basis->setBasis({});
}

void FormGrid::Row::setLabel(const QString& text)
{
    label->setText(text);
    label->setProperty(kGlossaryProperty, text);
    field->setAccessibleName(text);
}

void FormGrid::Row::setGiven(bool given)
{
    basis->setBasis(given ? Icon::Stipulated : Icon::NotEstablished);
}

void FormGrid::Row::setProblem(const QString& problem)
{
    m_problem = problem;
    showNote();
}

void FormGrid::Row::setPlainNote(const QString& text)
{
    m_plain = text;
    showNote();
}

void FormGrid::Row::showNote()
{
    const QString& text = m_problem.isEmpty() ? m_plain : m_problem;
    note->setNote(m_visible ? text : QString(),
        m_problem.isEmpty() ? NoteLabel::Tone::Plain : NoteLabel::Tone::Problem);
}

FormGrid::FormGrid(QWidget* parent)
    : m_parent(parent)
    , m_grid(new QGridLayout(parent))
{
    m_grid->setContentsMargins(10, 10, 8, 10);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
}

FormGrid::Row& FormGrid::add(const QString& label, QWidget* field)
{
    Row& row = m_rows.emplace_back();
    row.label = new QLabel(label, m_parent);
    row.label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.label->setBuddy(field);
    row.label->setProperty(kGlossaryProperty, label);
    row.field = field;
    row.basis = new BasisMark(m_parent);
    row.note = new NoteLabel(m_parent);
    field->setAccessibleName(label);
    return row;
}

FormGrid::Row& FormGrid::addWide(QWidget* field)
{
    Row& row = m_rows.emplace_back();
    row.field = field;
    row.note = new NoteLabel(m_parent);
    row.wide = true;
    return row;
}

std::vector<FormGrid::Row*> FormGrid::rows()
{
    std::vector<Row*> all;
    for (Row& row : m_rows)
        all.push_back(&row);
    return all;
}

void FormGrid::arrange(const std::vector<Row*>& order)
{
    int line = 0;
    QWidget* previous = nullptr;
    for (Row* row : order) {
        if (row->wide) {
            m_grid->addWidget(row->field, line++, 0, 1, 3);
            m_grid->addWidget(row->note, line++, 0, 1, 3);
        } else {
            m_grid->addWidget(row->label, line, 0);
            m_grid->addWidget(row->field, line, 1);
            m_grid->addWidget(row->basis, line++, 2);
            m_grid->addWidget(row->note, line++, 1, 1, 2);
        }
        if (previous)
            QWidget::setTabOrder(previous, row->field);
        previous = row->field;
    }
}

} // namespace shardrack
