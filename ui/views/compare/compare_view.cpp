#include "compare/compare_view.h"

#include "compare/basis_legend.h"
#include "compare/compare_chooser.h"
#include "compare/comparison_delegate.h"
#include "compare/comparison_model.h"
#include "compare/comparison_table.h"
#include "models/number_text.h"
#include "plan/comparison.h"
#include "style/view_style.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSaveFile>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace shardrack {

namespace {

bool isMarkdown(const QString& path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == QLatin1String("md") || ending == QLatin1String("markdown");
}

/// The category of a line of the arithmetic.
std::optional<Category> categoryOf(const ComparisonRow& row)
{
    for (const Category category : kCategories)
        if (row.field == std::string("term_") + id(category))
            return category;
    return std::nullopt;
}

} // namespace

CompareView::CompareView(PlanDocument& document, Settings& settings, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_settings(settings)
    , m_seen(document.plan())
    , m_model(new ComparisonModel(document, this))
    , m_table(new ComparisonTable(*m_model, this))
    , m_bar(new QWidget(this))
    , m_pages(new QStackedWidget(this))
    , m_nothing(new QLabel(this))
{
    setObjectName(QStringLiteral("compareView"));
    setAccessibleName(tr("Compare"));
    setFocusProxy(m_table);
    askForFile = [this](const QString& suggestion) {
        return QFileDialog::getSaveFileName(
            this, tr("Export table"), suggestion, tr("CSV (*.csv);;Markdown (*.md)"));
    };
    buildBar();
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setText(tr("One offer is no comparison. Add a copy of it with Ctrl+T and change "
                          "that, or open a plan with two."));
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_nothing);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_pages, 1);
    column->addWidget(new BasisLegend(this));

    connect(&document, &PlanDocument::changed, this, &CompareView::invalidate);
    connect(&document, &PlanDocument::resetDone, this, [this] {
        m_choice.clear();
        m_seen = m_document.plan();
        const QSignalBlocker quiet(m_hideEqual);
        m_hideEqual->setChecked(false);
        invalidate();
    });
    connect(m_table, &ComparisonTable::openRequested, this, &CompareView::open);
    connect(m_table, &ComparisonTable::leaveRequested, this, &CompareView::leaveRequested);
    connect(m_table, &ComparisonTable::copyRequested, this, &CompareView::copyTable);
    connect(m_table, &ComparisonTable::askRequested, this, &CompareView::showArithmetic);
    connect(m_model, &ComparisonModel::refused, this, &CompareView::refused);
    connect(&m_table->delegate(), &ComparisonDelegate::refused, this, &CompareView::refused);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &CompareView::showMenu);
}

void CompareView::buildBar()
{
    m_bar->setObjectName(QStringLiteral("compareBar"));
    m_bar->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(10);
    m_choose = new QPushButton(tr("Choose &offers…"), m_bar);
    m_choose->setObjectName(QStringLiteral("chooseOffers"));
    m_order = new QComboBox(m_bar);
    m_order->setObjectName(QStringLiteral("compareOrder"));
    m_order->setAccessibleName(tr("Order of the offers"));
    m_order->addItem(tr("In the chosen order"));
    m_order->addItem(tr("Most headroom first, changed basis last"));
    m_hideEqual = new QCheckBox(tr("Hide e&qual rows"), m_bar);
    m_hideEqual->setObjectName(QStringLiteral("hideEqual"));
    m_copy = new QPushButton(tr("Cop&y table"), m_bar);
    m_copy->setObjectName(QStringLiteral("copyTable"));
    m_copy->setToolTip(tr("To the clipboard, for spreadsheets, documents and Markdown (Ctrl+C)"));
    m_export = new QPushButton(tr("E&xport table…"), m_bar);
    m_export->setObjectName(QStringLiteral("exportTable"));
    m_export->setToolTip(tr("As CSV or Markdown"));
    row->addWidget(m_choose);
    row->addWidget(m_order);
    row->addWidget(m_hideEqual);
    row->addStretch(1);
    row->addWidget(m_copy);
    row->addWidget(m_export);
    connect(m_choose, &QPushButton::clicked, this, &CompareView::chooseOffers);
    connect(m_copy, &QPushButton::clicked, this, &CompareView::copyTable);
    connect(m_export, &QPushButton::clicked, this, &CompareView::exportTable);
    connect(m_hideEqual, &QCheckBox::toggled, this, &CompareView::invalidate);
    connect(m_order, &QComboBox::currentIndexChanged, this, [this](int index) {
        ComparisonChoice changed = choice();
        changed.order
            = index == 0 ? ComparisonChoice::Order::AsChosen : ComparisonChoice::Order::ByHeadroom;
        setChoice(changed);
    });
}

void CompareView::setChoice(const ComparisonChoice& choice)
{
    m_choice.set(*m_document.plan(), choice);
    const QSignalBlocker quiet(m_order);
    m_order->setCurrentIndex(choice.order == ComparisonChoice::Order::AsChosen ? 0 : 1);
    invalidate();
}

QString CompareView::offerNames() const
{
    QStringList names;
    for (const std::size_t offer : choice().offers)
        names << QString::fromStdString(m_document.plan()->offers[offer]->name);
    return names.join(QStringLiteral(", "));
}

bool CompareView::hidesEqual() const { return m_hideEqual->isChecked(); }

void CompareView::setHideEqual(bool hide) { m_hideEqual->setChecked(hide); }

void CompareView::invalidate()
{
    const auto plan = m_document.plan();
    if (plan != m_seen)
        m_choice.follow(*m_seen, *plan);
    m_seen = plan;
    m_stale = true;
    if (isVisible())
        refresh();
}

void CompareView::refresh()
{
    m_stale = false;
    const auto plan = m_document.plan();
    const ComparisonChoice shown = choice();
    const bool enough = shown.offers.size() >= CompareChoice::kFewest;
    m_pages->setCurrentIndex(enough ? 0 : 1);
    for (QWidget* control : { static_cast<QWidget*>(m_choose), static_cast<QWidget*>(m_order),
             static_cast<QWidget*>(m_hideEqual), static_cast<QWidget*>(m_copy),
             static_cast<QWidget*>(m_export) })
        control->setEnabled(enough);
    {
        const QSignalBlocker quiet(m_order);
        m_order->setCurrentIndex(shown.order == ComparisonChoice::Order::AsChosen ? 0 : 1);
    }
    if (!enough)
        return;
    std::vector<std::shared_ptr<const Assessment>> assessments(plan->offers.size());
    for (const std::size_t offer : shown.offers)
        assessments[offer] = m_document.assessment(offer);
    const QModelIndex was = m_table->currentIndex();
    const QString field = was.data(ComparisonModel::FieldRole).toString();
    const int column = was.column();
    m_model->show(compare(plan, shown, assessments), m_hideEqual->isChecked());
    // A reset loses the place.
    if (m_table->currentIndex().isValid())
        return;
    const int line = std::max(0, m_model->lineOf(field.isEmpty() ? QStringLiteral("need") : field));
    m_table->setAutoScroll(!field.isEmpty()); // a new sheet is seen from its top
    m_table->setCurrentIndex(
        m_model->index(line, std::clamp(column, 1, m_model->columnCount() - 1)));
    m_table->setAutoScroll(true);
}

void CompareView::showEvent(QShowEvent* event)
{
    if (m_stale)
        refresh();
    QWidget::showEvent(event);
}

void CompareView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    const Theme& theme = themeOf(this);
    if (m_nothing->palette().color(QPalette::WindowText) == theme.text2)
        return;
    QPalette quiet = m_nothing->palette();
    quiet.setColor(QPalette::WindowText, theme.text2);
    m_nothing->setPalette(quiet);
}

void CompareView::chooseOffers()
{
    const auto plan = m_document.plan();
    CompareChooser chooser(*plan, choice(), this);
    if (chooser.exec() == QDialog::Accepted && m_document.plan() == plan)
        setChoice(chooser.choice());
}

void CompareView::copyTable() const
{
    const Comparison& comparison = m_model->comparison();
    const bool hide = m_hideEqual->isChecked();
    auto* mime = new QMimeData;
    const QString tabs = QString::fromStdString(comparisonTsv(comparison, hide));
    mime->setText(tabs);
    mime->setHtml(QString::fromStdString(comparisonHtml(comparison, hide)));
    mime->setData(QStringLiteral("text/tab-separated-values"), tabs.toUtf8());
    mime->setData(QStringLiteral("text/markdown"),
        QByteArray::fromStdString(comparisonMarkdown(comparison, hide)));
    QGuiApplication::clipboard()->setMimeData(mime);
}

QString CompareView::exportTo(const QString& path) const
{
    const Comparison& comparison = m_model->comparison();
    const bool hide = m_hideEqual->isChecked();
    const std::string text
        = isMarkdown(path) ? comparisonMarkdown(comparison, hide) : comparisonCsv(comparison, hide);
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly)
        && file.write(text.data(), qint64(text.size())) == qint64(text.size()) && file.commit();
    return written ? QString() : tr("%1 could not be written: %2").arg(path, file.errorString());
}

void CompareView::exportTable()
{
    QString name = QFileInfo(m_document.path()).completeBaseName();
    if (name.isEmpty())
        name = tr("plan");
    QString path
        = askForFile(QDir(m_settings.lastFolder()).filePath(tr("%1-comparison.csv").arg(name)));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".csv");
    m_settings.setLastFolder(QFileInfo(path).path());
    if (const QString problem = exportTo(path); !problem.isEmpty())
        emit refused(problem);
}

QString CompareView::arithmetic(const QModelIndex& index) const
{
    const ComparisonRow* row = m_model->row(index.row());
    const std::optional<Category> category = row ? categoryOf(*row) : std::nullopt;
    if (!category || index.column() < 1)
        return {};
    const Comparison& comparison = m_model->comparison();
    const std::size_t column = std::size_t(index.column() - 1);
    QStringList lines;
    for (const std::string& line : termLines(comparison.offers[column], *category))
        lines << QString::fromStdString(line);
    return lines.join(u'\n');
}

/// A small pop-over under the cell, with text that can be selected; any click or key ends it.
void CompareView::showArithmetic(const QModelIndex& index)
{
    const QString text = arithmetic(index);
    if (text.isEmpty())
        return;
    auto* frame = new QFrame(this, Qt::Popup);
    frame->setObjectName(QStringLiteral("arithmetic"));
    frame->setAttribute(Qt::WA_DeleteOnClose);
    frame->setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(frame);
    auto* title
        = new QLabel(tr("%1 of %2, most loaded device")
                         .arg(m_model->line(index.row()).title,
                             m_model->headerData(index.column(), Qt::Horizontal).toString()),
            frame);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* label = new QLabel(text, frame);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    label->setMinimumWidth(420);
    auto* more = new QPushButton(tr("Show it in the inspector"), frame);
    column->addWidget(title);
    column->addWidget(label);
    column->addWidget(more, 0, Qt::AlignLeft);
    const int offer = m_model->offerOf(index.column());
    connect(more, &QPushButton::clicked, this, [this, frame, offer] {
        frame->close();
        emit showDeviceRequested(offer);
    });
    frame->adjustSize();
    QPoint at = m_table->viewport()->mapToGlobal(m_table->visualRect(index).bottomLeft());
    const QRect room = m_table->screen()->availableGeometry();
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - frame->width())));
    if (at.y() + frame->height() > room.bottom())
        at.setY(m_table->viewport()->mapToGlobal(m_table->visualRect(index).topLeft()).y()
            - frame->height());
    frame->move(at);
    frame->show();
    more->setFocus();
}

void CompareView::open(int column)
{
    if (const int offer = m_model->offerOf(column); offer >= 0)
        emit openRequested(offer);
}

void CompareView::showMenu(const QPoint& at)
{
    const QModelIndex under = m_table->indexAt(at);
    const QModelIndex index = under.isValid() ? under : m_table->currentIndex();
    QMenu menu(this);
    if (index.isValid() && index.column() > 0 && m_model->cell(index)) {
        const QString name = m_model->headerData(index.column(), Qt::Horizontal).toString();
        const int offer = m_model->offerOf(index.column());
        if (index.flags() & Qt::ItemIsEditable)
            menu.addAction(tr("&Edit…"), this, [this, index] { m_table->edit(index); });
        if (!arithmetic(index).isEmpty())
            menu.addAction(
                tr("Show the &arithmetic"), this, [this, index] { showArithmetic(index); });
        menu.addAction(
            tr("&Open %1").arg(name), this, [this, offer] { emit openRequested(offer); });
        menu.addAction(tr("&Differences against %1").arg(name), this, [this, offer] {
            ComparisonChoice changed = choice();
            changed.baseline = std::size_t(offer);
            setChoice(changed);
        });
        menu.addAction(tr("Copy the &cell"), this, [this, index] {
            QGuiApplication::clipboard()->setText(
                m_model->data(index, Qt::AccessibleTextRole).toString());
        });
        menu.addSeparator();
    }
    menu.addAction(tr("Choose o&ffers…"), this, &CompareView::chooseOffers);
    menu.addAction(tr("Cop&y table"), this, &CompareView::copyTable);
    menu.addAction(tr("E&xport table…"), this, &CompareView::exportTable);
    menu.exec(m_table->viewport()->mapToGlobal(at));
}

} // namespace shardrack
