#include "paint/paint_style.h"
#include "paint/theme.h"

#include <QGuiApplication>
#include <QTest>

using namespace shardrack;

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void contrastFormula_data();
    void contrastFormula();
    void textIsLegible_data();
    void textIsLegible();
    void categoriesDiffer_data();
    void categoriesDiffer();
    void mixture();
    void ramp();
    void palette();
    void fontsAndSnapping();
};

/// Ratios published with the definition and in common contrast checkers.
void TestTheme::contrastFormula_data()
{
    QTest::addColumn<QColor>("a");
    QTest::addColumn<QColor>("b");
    QTest::addColumn<double>("expected");
    QTest::newRow("black on white") << QColor(Qt::black) << QColor(Qt::white) << 21.0;
    QTest::newRow("order does not matter") << QColor(Qt::white) << QColor(Qt::black) << 21.0;
    QTest::newRow("equal") << QColor(0x336699) << QColor(0x336699) << 1.0;
    QTest::newRow("#777 just fails on white") << QColor(0x777777) << QColor(Qt::white) << 4.48;
    QTest::newRow("#767676 just passes") << QColor(0x767676) << QColor(Qt::white) << 4.54;
    QTest::newRow("red on white") << QColor(Qt::red) << QColor(Qt::white) << 4.00;
}

void TestTheme::contrastFormula()
{
    QFETCH(QColor, a);
    QFETCH(QColor, b);
    QFETCH(double, expected);
    QVERIFY(qAbs(contrast(a, b) - expected) < 0.01);
}

void TestTheme::textIsLegible_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("ground");
    for (const Theme* t : { &Theme::light(), &Theme::dark() }) {
        const char* name = t->isDark ? "dark" : "light";
        const std::pair<const char*, QColor> grounds[] { { "win", t->win }, { "title", t->title },
            { "dock", t->dock }, { "view", t->view }, { "alt", t->alt }, { "pop", t->pop },
            { "accentTint", t->accentTint } };
        for (const auto& [ground, color] : grounds) {
            QTest::addRow("%s: text on %s", name, ground) << t->text << color;
            QTest::addRow("%s: text2 on %s", name, ground) << t->text2 << color;
        }
        QTest::addRow("%s: text3 on view", name) << t->text3 << t->view;
        QTest::addRow("%s: over on view", name) << t->overText << t->view;
        QTest::addRow("%s: over on its tint", name) << t->overText << t->overTint;
        QTest::addRow("%s: over on win", name) << t->overText << t->win;
        QTest::addRow("%s: ok on view", name) << t->okText << t->view;
        QTest::addRow("%s: ok on its tint", name) << t->okText << t->okTint;
        QTest::addRow("%s: open on view", name) << t->openText << t->view;
        QTest::addRow("%s: open on its tint", name) << t->openText << t->openTint;
        QTest::addRow("%s: flag on view", name) << t->flag << t->view;
        QTest::addRow("%s: flag on its tint", name) << t->flag << t->flagTint;
        QTest::addRow("%s: link on view", name) << t->link << t->view;
        QTest::addRow("%s: link on the selection", name) << t->link << t->accentTint;
        for (const Category category : kCategories)
            QTest::addRow("%s: pad of %s", name, id(category))
                << t->style(category).padText << t->style(category).pad;
    }
}

void TestTheme::textIsLegible()
{
    QFETCH(QColor, text);
    QFETCH(QColor, ground);
    QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(QString::number(contrast(text, ground))));
}

void TestTheme::categoriesDiffer_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

/// No two categories share a fill, nor, apart from the two plain ones, a kind of hatch.
void TestTheme::categoriesDiffer()
{
    QFETCH(bool, dark);
    const Theme& theme = dark ? Theme::dark() : Theme::light();
    for (const Category a : kCategories)
        for (const Category b : kCategories) {
            if (a == b)
                continue;
            QVERIFY(theme.style(a).fill != theme.style(b).fill);
            if (theme.style(a).hatch.kind != HatchKind::None)
                QVERIFY(theme.style(a).hatch.kind != theme.style(b).hatch.kind);
        }
}

void TestTheme::mixture()
{
    QCOMPARE(mixed(Qt::black, Qt::white, 0), QColor(Qt::black));
    QCOMPARE(mixed(Qt::black, Qt::white, 1), QColor(Qt::white));
    // 0.38 × 0x1B, 0x7C, 0x97 + 0.62 × 0xFF, rounded
    QCOMPARE(Theme::light().veiled(QColor(0x1B7C97)), QColor(168, 205, 215));
}

void TestTheme::ramp()
{
    const Theme& theme = Theme::light();
    QCOMPARE(theme.rampColor(-1), theme.ramp.front());
    QCOMPARE(theme.rampColor(0), theme.ramp.front());
    QCOMPARE(theme.rampColor(0.5), theme.ramp[3]);
    QCOMPARE(theme.rampColor(1), theme.ramp.back());
    QCOMPARE(theme.rampColor(7), theme.ramp.back());
}

void TestTheme::palette()
{
    for (const Theme* theme : { &Theme::light(), &Theme::dark() }) {
        const QPalette palette = theme->palette();
        QCOMPARE(palette.color(QPalette::Window), theme->win);
        QCOMPARE(palette.color(QPalette::Base), theme->view);
        QCOMPARE(palette.color(QPalette::Disabled, QPalette::Text), theme->dis);
        QVERIFY(
            contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight))
            >= 4.5);
        // How a theme is told apart where the platform does not say.
        QCOMPARE(palette.color(QPalette::Window).lightness()
                < palette.color(QPalette::WindowText).lightness(),
            theme->isDark);
    }
}

void TestTheme::fontsAndSnapping()
{
    const PaintStyle style(
        Theme::light(), Surface::Screen, QFont(QStringLiteral("Noto Sans")), 1.5, 2);
    QCOMPARE(style.font(12).pixelSize(), 24);
    QCOMPARE(style.snap(1.4), 2 / 1.5); // 2.1 device pixels
    QCOMPARE(style.snap(1.0), 2 / 1.5); // 1.5 device pixels
    const PaintStyle paper = PaintStyle::paper(Theme::light(), QFont());
    QCOMPARE(paper.snap(1.37), 1.37);

    // Numbers stand below each other only if every digit has the same width.
    const qreal zero = lineWidth(QStringLiteral("0"), style.font(type::kBase));
    for (char digit = '1'; digit <= '9'; ++digit)
        QCOMPARE(lineWidth(QString(QLatin1Char(digit)), style.font(type::kBase)), zero);
}

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
