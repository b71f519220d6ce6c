#include "window/offer_tabs.h"

#include "commands/edit_command.h"
#include "document/glossary_role.h"
#include "layout/legality.h"
#include "plan/basis.h"
#include "style/view_style.h"

#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

namespace shardrack {

namespace {

constexpr int kGap = 7;
constexpr int kPadding = 12;
constexpr int kGlyph = 14;
constexpr int kCloseRoom = 20;

QString tip(
    const Offer& offer, const Assessment& assessment, const std::vector<BasisChange>& changes)
{
    const auto word
        = [](const char* text) { return QCoreApplication::translate("Findings", text); };
    const Findings& findings = assessment.findings;
    QString text = OfferTabs::tr("%1\nCapacity estimate: %2\nDemonstrated fit: %3\nTraining "
                                 "result: %4")
                       .arg(QString::fromStdString(offer.name), word(title(findings.capacity)),
                           word(title(findings.demonstrated)), word(title(findings.result)));
    for (const BrokenRule& rule : findings.legality.broken)
        text += QLatin1Char('\n')
            + OfferTabs::tr("Layout not legal: %1").arg(QString::fromStdString(rule.text));
    for (const BasisChange& change : changes)
        text += QLatin1Char('\n')
            + OfferTabs::tr("Changed basis: %1")
                  .arg(QString::fromStdString(shardrack::text(change)));
    for (const std::string& assumption : offer.assumptions)
        text += QLatin1Char('\n') + QString::fromStdString(assumption);
    return text;
}

} // namespace

OfferTabs::OfferTabs(PlanDocument& document, QWidget* parent)
    : QTabBar(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("offerTabs"));
    setAccessibleName(tr("Offers"));
    setProperty(kGlossaryProperty, QStringLiteral("offer"));
    setExpanding(false);
    setDrawBase(false);
    setMovable(true);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideRight);
    connect(&document, &PlanDocument::changed, this, &OfferTabs::refresh);
    connect(&document, &PlanDocument::resetDone, this, &OfferTabs::refresh);
    connect(&document, &PlanDocument::currentOfferChanged, this, &OfferTabs::refresh);
    connect(this, &QTabBar::currentChanged, this, [this](int index) {
        if (!m_refreshing && index >= 0)
            m_document.setCurrentOffer(index);
    });
    connect(this, &QTabBar::tabCloseRequested, this,
        [this](int index) { run(edit::RemoveOffer { static_cast<std::size_t>(index) }); });
    connect(this, &QTabBar::tabMoved, this, [this](int from, int to) {
        if (!m_refreshing)
            run(edit::MoveOffer { static_cast<std::size_t>(from), static_cast<std::size_t>(to) });
    });
    refresh();
}

void OfferTabs::refresh()
{
    m_refreshing = true;
    const std::shared_ptr<const Plan> plan = m_document.plan();
    const int count = static_cast<int>(plan->offers.size());
    while (this->count() > count)
        removeTab(this->count() - 1);
    while (this->count() < count)
        addCloseButton(addTab(QString()));
    m_faces.resize(plan->offers.size());
    for (int i = 0; i < count; ++i) {
        const Offer& offer = *plan->offers[static_cast<std::size_t>(i)];
        const std::shared_ptr<const Assessment> assessment
            = m_document.assessment(static_cast<std::size_t>(i));
        const std::vector<BasisChange> changes = changedBasis(*plan, static_cast<std::size_t>(i));
        Face& face = m_faces[static_cast<std::size_t>(i)];
        face = { QString::fromStdString(offer.name),
            QString::fromStdString(layoutPhrase(offer.layout, assessment->layout)),
            assessment->findings.capacity, assessment->findings.legality.legal(),
            !changes.empty() };
        // The text is what assistive technology reads; the face is painted.
        const QString text = face.name + QStringLiteral(", ") + face.phrase + QStringLiteral(", ")
            + QCoreApplication::translate("Findings", title(face.capacity))
            + (face.changedBasis ? tr(", changed basis") : QString());
        if (tabText(i) != text)
            setTabText(i, text);
        setTabToolTip(i, tip(offer, *assessment, changes));
        if (auto* button = qobject_cast<QToolButton*>(tabButton(i, QTabBar::RightSide))) {
            button->setAccessibleName(tr("Close %1").arg(face.name));
            button->setIcon(makeIcon(Icon::Close, themeOf(this)));
        }
    }
    if (m_document.currentOffer() >= 0)
        setCurrentIndex(m_document.currentOffer());
    m_refreshing = false;
    updateGeometry();
    update();
}

void OfferTabs::addCloseButton(int tab)
{
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFixedSize(18, 18);
    button->setFocusPolicy(Qt::NoFocus);
    button->setToolTip(tr("Close; Undo brings it back"));
    button->setIcon(makeIcon(Icon::Close, themeOf(this)));
    setTabButton(tab, QTabBar::RightSide, button);
    connect(button, &QToolButton::clicked, this, [this, button] {
        for (int i = 0; i < this->count(); ++i)
            if (tabButton(i, QTabBar::RightSide) == button)
                run(edit::RemoveOffer { static_cast<std::size_t>(i) });
    });
}

QSize OfferTabs::tabSizeHint(int index) const
{
    const PaintStyle style = styleOf(this);
    if (index < 0 || index >= static_cast<int>(m_faces.size()))
        return QTabBar::tabSizeHint(index);
    const Face& face = m_faces[static_cast<std::size_t>(index)];
    qreal width = 2 * kPadding + kGlyph + kGap + kCloseRoom
        + lineWidth(face.name, style.font(type::kBase, type::kSemibold)) + kGap
        + lineWidth(face.phrase, style.font(type::kBase));
    for (const bool badge : { !face.legal, face.changedBasis })
        width += badge ? kGap + kGlyph : 0;
    return { qRound(width), qRound(metrics::kOfferTabs * style.textScale) };
}

QSize OfferTabs::minimumTabSizeHint(int index) const
{
    return { std::min(120, tabSizeHint(index).width()), tabSizeHint(index).height() };
}

void OfferTabs::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont bold = style.font(type::kBase, type::kSemibold);
    const QFont plain = style.font(type::kBase);
    for (int i = 0; i < count(); ++i) {
        const QRect tab = tabRect(i);
        if (tab.isEmpty() || i >= static_cast<int>(m_faces.size()))
            continue;
        const Face& face = m_faces[static_cast<std::size_t>(i)];
        const bool current = i == currentIndex();
        const QRectF body = QRectF(tab).adjusted(1.5, 1.5, -1.5, 6);
        painter.save();
        painter.setClipRect(tab);
        painter.setPen(QPen(current ? theme.line : theme.line2, 1));
        painter.setBrush(current ? theme.view : theme.dock);
        painter.drawRoundedRect(body, 4, 4);
        if (current)
            painter.fillRect(
                QRectF(body.left() + 1, tab.top() + 1, body.width() - 2, 2.5), theme.accent);
        if (current && hasFocus()) {
            painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(tab).adjusted(5, 5, -5, -4), 2, 2);
        }
        qreal x = body.left() + kPadding - 2;
        const qreal middle = tab.center().y() + 1;
        drawGlyph(painter, QRectF(x, middle - kGlyph / 2.0, kGlyph, kGlyph), glyphOf(face.capacity),
            theme);
        x += kGlyph + kGap;
        const int badges = (face.legal ? 0 : 1) + (face.changedBasis ? 1 : 0);
        const qreal end = body.right() - kCloseRoom - badges * (kGlyph + kGap);
        const auto write = [&](const QString& text, const QFont& font, const QColor& color) {
            drawLine(painter, QRectF(x, tab.top(), end - x, tab.height()), Qt::AlignVCenter, text,
                font, color);
            x += lineWidth(text, font) + kGap;
        };
        write(face.name, bold, theme.text);
        if (x < end)
            write(face.phrase, plain, current ? theme.text : theme.text2);
        QRectF badge(std::min(x, end), middle - kGlyph / 2.0, kGlyph, kGlyph);
        if (face.changedBasis) {
            drawIcon(painter, badge, Icon::Changed, theme.flag);
            badge.translate(kGlyph + kGap, 0);
        }
        if (!face.legal)
            drawGlyph(painter, badge, Glyph::NotLegal, theme);
        painter.restore();
    }
}

bool OfferTabs::run(const Edit& edit)
{
    if (const auto error = perform(m_document, edit)) {
        emit refused(QString::fromStdString(error->text()));
        refresh();
        return false;
    }
    m_document.flush();
    return true;
}

void OfferTabs::addOffer()
{
    const std::shared_ptr<const Plan> plan = m_document.plan();
    if (m_document.currentOffer() >= 0) {
        duplicateOffer();
        return;
    }
    const Offer offer = emptyOffer(freeOfferName(*plan, tr("Offer A").toStdString()));
    if (run(edit::AddOffer { offer, plan->offers.size() }))
        m_document.setCurrentOffer(static_cast<int>(plan->offers.size()));
}

void OfferTabs::duplicateOffer()
{
    const int current = m_document.currentOffer();
    if (current < 0)
        return;
    const std::shared_ptr<const Plan> plan = m_document.plan();
    Offer copy = *plan->offers[static_cast<std::size_t>(current)];
    copy.name = freeOfferName(*plan, copy.name);
    if (run(edit::AddOffer { copy, static_cast<std::size_t>(current) + 1 }))
        m_document.setCurrentOffer(current + 1);
}

void OfferTabs::closeOffer()
{
    if (m_document.currentOffer() >= 0)
        run(edit::RemoveOffer { static_cast<std::size_t>(m_document.currentOffer()) });
}

void OfferTabs::backToCommonBasis()
{
    if (m_document.currentOffer() >= 0)
        run(edit::SetOfferWorkload { static_cast<std::size_t>(m_document.currentOffer()), {} });
}

void OfferTabs::makeWorkloadCommon()
{
    if (m_document.currentOffer() >= 0)
        run(edit::MakeWorkloadCommon { static_cast<std::size_t>(m_document.currentOffer()) });
}

void OfferTabs::moveOffer(int by)
{
    const int from = m_document.currentOffer();
    const int to = from + by;
    if (from < 0 || to < 0 || to >= count())
        return;
    if (run(edit::MoveOffer { static_cast<std::size_t>(from), static_cast<std::size_t>(to) }))
        m_document.setCurrentOffer(to);
}

void OfferTabs::renameOffer()
{
    const int current = currentIndex();
    if (current < 0 || m_editor)
        return;
    m_edited = current;
    m_editor = new QLineEdit(m_faces[static_cast<std::size_t>(current)].name, this);
    m_editor->setAccessibleName(tr("Name of the offer"));
    m_editor->setGeometry(tabRect(current).adjusted(kPadding + kGlyph, 5, -6, -3));
    m_editor->selectAll();
    m_editor->installEventFilter(this);
    connect(m_editor, &QLineEdit::editingFinished, this, [this] { finishRename(true); });
    m_editor->show();
    m_editor->setFocus();
}

void OfferTabs::finishRename(bool accept)
{
    if (!m_editor)
        return;
    const QString name = m_editor->text().trimmed();
    const int edited = m_edited;
    m_editor->removeEventFilter(this);
    m_editor->disconnect(this);
    m_editor->deleteLater();
    m_editor = nullptr;
    m_edited = -1;
    if (accept && edited >= 0 && name != m_faces[static_cast<std::size_t>(edited)].name)
        run(edit::RenameOffer { static_cast<std::size_t>(edited), name.toStdString() });
    setFocus();
}

bool OfferTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        finishRename(false);
        return true;
    }
    return QTabBar::eventFilter(watched, event);
}

void OfferTabs::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (tabAt(event->pos()) >= 0)
        renameOffer();
}

void OfferTabs::contextMenuEvent(QContextMenuEvent* event)
{
    const int tab
        = event->reason() == QContextMenuEvent::Mouse ? tabAt(event->pos()) : currentIndex();
    if (tab < 0)
        return;
    m_document.setCurrentOffer(tab);
    QMenu menu(this);
    menu.addAction(tr("&Duplicate"), this, &OfferTabs::duplicateOffer);
    menu.addAction(tr("&Rename"), this, &OfferTabs::renameOffer);
    menu.addAction(tr("Move &left"), this, [this] { moveOffer(-1); })->setEnabled(tab > 0);
    menu.addAction(tr("Move r&ight"), this, [this] { moveOffer(1); })
        ->setEnabled(tab + 1 < count());
    menu.addSeparator();
    menu.addAction(tr("Back to the common &basis"), this, &OfferTabs::backToCommonBasis)
        ->setEnabled(hasChangedBasis(*m_document.plan(), static_cast<std::size_t>(tab)));
    menu.addAction(tr("&Make its workload the common one"), this, &OfferTabs::makeWorkloadCommon)
        ->setEnabled(m_document.plan()->offers[static_cast<std::size_t>(tab)]->workload != nullptr);
    menu.addSeparator();
    menu.addAction(tr("&Close"), this, &OfferTabs::closeOffer);
    menu.exec(event->globalPos());
}

void OfferTabs::changeEvent(QEvent* event)
{
    QTabBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

} // namespace shardrack
