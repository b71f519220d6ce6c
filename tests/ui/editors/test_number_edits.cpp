#include "editors/choice_box.h"
#include "editors/integer_edit.h"
#include "editors/size_edit.h"

#include "base/size_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

using namespace shardrack;

namespace {

/// A window with the field under test and another one that can take the focus.
struct Form {
    QWidget window;
    QLineEdit* other;
    template <class Edit> static Form* with(Edit*& edit)
    {
        auto* form = new Form;
        auto* column = new QVBoxLayout(&form->window);
        edit = new Edit(&form->window);
        form->other = new QLineEdit(&form->window);
        column->addWidget(edit);
        column->addWidget(form->other);
        form->window.show();
        form->window.activateWindow();
        if (!QTest::qWaitForWindowActive(&form->window))
            qWarning("the window did not become active");
        edit->setFocus();
        return form;
    }
};

bool wheel(QWidget* widget, int notches)
{
    const QPointF at(widget->rect().center());
    QWheelEvent event(at, widget->mapToGlobal(at), {}, { 0, notches * 120 }, Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
    return event.isAccepted();
}

void type(QLineEdit* edit, const QString& keys)
{
    edit->selectAll();
    if (keys.isEmpty())
        QTest::keyClick(edit, Qt::Key_Delete);
    else
        QTest::keyClicks(edit, keys);
}

} // namespace

class TestNumberEdits : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qRegisterMetaType<std::optional<Bytes>>(); }
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void sizesTyped_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("keys");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::addColumn<QString>("shown");
        const qint64 gib = 1073741824; // 2^30
        for (const char* locale : { "C", "de_DE", "en_US" }) {
            const auto row = [&](const char* keys, qint64 bytes, const char* shown) {
                QTest::addRow("%s %s", locale, keys) << locale << keys << bytes << shown;
            };
            row("24", 24 * gib, "24.00");
            row("1.5", gib * 3 / 2, "1.50");
            row("1,5", gib * 3 / 2, "1.50");
            row("80.0", 80 * gib, "80.00");
            row("80 GB", 80'000'000'000, "80 GB");
            row("81559 MiB", qint64(81559) * 1048576, "81559 MiB");
            row("79.65", 85'523'536'282, "85,523,536,282 B"); // 79.65 × 2^30 = 85,523,536,281.6
            row("16gib", 16 * gib, "16.00");
            row("1,024", -1, "1,024");
            row("1.024", -1, "1.024");
            row("-3", -1, "-3");
            row("24 GiB 3", -1, "24 GiB 3");
            row("many", -1, "many");
            row("99999999999", -1, "99999999999"); // beyond 8 EiB
        }
    }
    void sizesTyped()
    {
        QFETCH(QString, locale);
        QFETCH(QString, keys);
        QFETCH(qint64, bytes);
        QFETCH(QString, shown);
        QLocale::setDefault(locale == QLatin1String("C") ? QLocale::c() : QLocale(locale));
        SizeEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        edit->setValue(Bytes(7));
        QSignalSpy edited(edit, &SizeEdit::valueEdited);
        type(edit, keys);
        QCOMPARE(edited.size(), 0); // not before Enter
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(edit->text(), shown);
        if (bytes < 0) {
            QCOMPARE(edited.size(), 0);
            QVERIFY(!edit->problem().isEmpty());
            QVERIFY(!edit->typedValue());
            QCOMPARE(edit->value(), std::optional(Bytes(7)));
        } else {
            QCOMPARE(edited.size(), 1);
            QVERIFY2(edit->problem().isEmpty(), qPrintable(edit->problem()));
            QCOMPARE(edit->value(), std::optional(Bytes(bytes)));
            QCOMPARE(edit->typedValue(), edit->value()); // what it shows is exact
        }
    }

    void integersTyped_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<qint64>("number"); // -1: refused
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << "8192" << qint64(8192) << "8,192";
        QTest::newRow("comma") << "8,192" << qint64(8192) << "8,192";
        QTest::newRow("space") << "8 192" << qint64(8192) << "8,192";
        QTest::newRow("point") << "8.192" << qint64(-1) << "8.192";
        QTest::newRow("fraction") << "1.5" << qint64(-1) << "1.5";
        QTest::newRow("ill-formed") << "81,92" << qint64(-1) << "81,92";
        QTest::newRow("below range") << "0" << qint64(-1) << "0";
        QTest::newRow("above range") << "1000001" << qint64(-1) << "1000001";
        QTest::newRow("words") << "two" << qint64(-1) << "two";
    }
    void integersTyped()
    {
        QFETCH(QString, keys);
        QFETCH(qint64, number);
        QFETCH(QString, shown);
        for (const QLocale& locale : { QLocale::c(), QLocale(QLocale::German) }) {
            QLocale::setDefault(locale);
            IntegerEdit* edit = nullptr;
            const std::unique_ptr<Form> form(Form::with(edit));
            edit->setRange(1, 1'000'000);
            QSignalSpy edited(edit, &IntegerEdit::valueEdited);
            type(edit, keys);
            QTest::keyClick(edit, Qt::Key_Return);
            QCOMPARE(edit->text(), shown);
            QCOMPARE(edited.size(), number < 0 ? 0 : 1);
            QCOMPARE(edit->problem().isEmpty(), number >= 0);
            QCOMPARE(
                edit->value(), number < 0 ? std::nullopt : std::optional<std::int64_t>(number));
        }
    }

    void ambiguousTextTellsBothReadings()
    {
        SizeEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        QSignalSpy told(edit, &NumberEdit::problemChanged);
        type(edit, QStringLiteral("1,024"));
        QCOMPARE(told.size(), 0);
        form->other->setFocus();
        QCOMPARE(told.size(), 1);
        const QString problem = told.at(0).at(0).toString();
        QVERIFY2(problem.contains(QLatin1String("1024")), qPrintable(problem));
        QVERIFY2(problem.contains(QLatin1String("1.024")), qPrintable(problem));
        QVERIFY(edit->accessibleDescription().contains(problem));
        QCOMPARE(edit->text(), QStringLiteral("1,024"));
        // Mending the text takes the problem back at once.
        edit->setFocus();
        edit->end(false);
        QTest::keyClicks(edit, QStringLiteral(".0"));
        QCOMPARE(told.size(), 2);
        QVERIFY(told.at(1).at(0).toString().isEmpty());
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(edit->value(), std::optional(Bytes(1024 * kGiB)));
    }

    void focusOutAccepts()
    {
        IntegerEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        QSignalSpy edited(edit, &IntegerEdit::valueEdited);
        type(edit, QStringLiteral("12"));
        form->other->setFocus();
        QCOMPARE(edited.size(), 1);
        edit->setFocus();
        form->other->setFocus();
        QCOMPARE(edited.size(), 1);
        edit->setFocus();
        type(edit, {});
        form->other->setFocus();
        QCOMPARE(edited.size(), 2);
        QVERIFY(!edit->value());
    }

    void escapeTakesBack()
    {
        SizeEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        edit->setValue(Bytes(16 * kGiB));
        type(edit, QStringLiteral("nonsense"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!edit->problem().isEmpty());
        QTest::keyClick(edit, Qt::Key_Escape);
        QCOMPARE(edit->text(), QStringLiteral("16.00"));
        QVERIFY(edit->problem().isEmpty());
    }

    void aFieldThatGoesAwayTellsNothing()
    {
        IntegerEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        QSignalSpy edited(edit, &IntegerEdit::valueEdited);
        type(edit, QStringLiteral("5"));
        edit->setEnabled(false);
        QCOMPARE(edited.size(), 0);
        QVERIFY(edit->text().isEmpty());
        edit->setEnabled(true);
        edit->setFocus();
        type(edit, QStringLiteral("6"));
        edit->hide();
        QCOMPARE(edited.size(), 0);
    }

    void settingAValueTellsNothing()
    {
        SizeEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        QSignalSpy edited(edit, &SizeEdit::valueEdited);
        edit->setValue(Bytes(24 * kGiB));
        QCOMPARE(edit->text(), QStringLiteral("24.00"));
        type(edit, QStringLiteral("2"));
        edit->setValue(Bytes(24 * kGiB)); // the same: what is being typed stays
        QCOMPARE(edit->text(), QStringLiteral("2"));
        edit->setValue(Bytes(1));
        QCOMPARE(edit->text(), QStringLiteral("1 B"));
        edit->setValue({});
        QVERIFY(edit->text().isEmpty());
        QCOMPARE(edited.size(), 0);
    }

    void arrowsAndWheelStep()
    {
        IntegerEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        edit->setRange(1, 4096);
        edit->setStep(1024);
        QSignalSpy edited(edit, &IntegerEdit::valueEdited);
        QTest::keyClick(edit, Qt::Key_Down); // nothing given is not zero
        QVERIFY(!edit->value());
        QTest::keyClick(edit, Qt::Key_Up);
        QCOMPARE(edit->value(), std::optional<std::int64_t>(1024));
        QVERIFY(wheel(edit, 2));
        QCOMPARE(edit->value(), std::optional<std::int64_t>(3072));
        QTest::keyClick(edit, Qt::Key_PageUp);
        QCOMPARE(edit->value(), std::optional<std::int64_t>(4096));
        QTest::keyClick(edit, Qt::Key_Up);
        QCOMPARE(edited.size(), 3);
        QTest::mouseClick(edit, Qt::LeftButton, {}, QPoint(edit->width() - 8, edit->height() - 4));
        QCOMPARE(edit->value(), std::optional<std::int64_t>(3072));
        form->other->setFocus();
        QVERIFY(!wheel(edit, 1));
        QCOMPARE(edit->value(), std::optional<std::int64_t>(3072));

        SizeEdit* size = nullptr;
        const std::unique_ptr<Form> sizes(Form::with(size));
        size->setValue(Bytes(4 * kGiB));
        QTest::keyClick(size, Qt::Key_Up);
        QCOMPARE(size->text(), QStringLiteral("5.00"));
        QTest::keyClick(size, Qt::Key_Down);
        QTest::keyClick(size, Qt::Key_Down);
        QCOMPARE(size->text(), QStringLiteral("3.75"));
        QTest::keyClick(size, Qt::Key_PageDown);
        QTest::keyClick(size, Qt::Key_PageDown);
        QCOMPARE(size->text(), QStringLiteral("0.00"));
        QCOMPARE(size->value(), std::optional(Bytes(0)));
    }

    void undoOfTextStaysInTheField()
    {
        SizeEdit* edit = nullptr;
        const std::unique_ptr<Form> form(Form::with(edit));
        const auto takesUndo = [&] {
            QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            undo.ignore();
            QApplication::sendEvent(edit, &undo);
            return undo.isAccepted();
        };
        QVERIFY(!takesUndo());
        type(edit, QStringLiteral("3"));
        QVERIFY(takesUndo());
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(!takesUndo());
    }

    void choicesIgnoreTheWheelWithoutFocus()
    {
        ChoiceBox* box = nullptr;
        const std::unique_ptr<Form> form(Form::with(box));
        box->addItems({ QStringLiteral("a"), QStringLiteral("b") });
        form->other->setFocus();
        QVERIFY(!wheel(box, -1));
        QCOMPARE(box->currentIndex(), 0);
        box->setFocus();
        wheel(box, -1);
        QCOMPARE(box->currentIndex(), 1);
    }

    void numbersReachAssistiveTechnology()
    {
        IntegerEdit edit;
        edit.setSuffix(QStringLiteral("tokens"));
        edit.setPlaceholder(QStringLiteral("not given"));
        QCOMPARE(edit.accessibleDescription(), QStringLiteral("not given, tokens"));
        edit.setDerivedText(QStringLiteral("2"));
        QCOMPARE(edit.accessibleDescription(), QStringLiteral("derived: 2, tokens"));
        edit.setValue(3);
        QCOMPARE(edit.accessibleDescription(), QStringLiteral("tokens"));
    }

    /// A choice that is cut short can be read whole where the mouse rests, before its explanation.
    void whatIsCutIsToldWhole()
    {
        ChoiceBox box;
        box.addItem(QStringLiteral("short"));
        box.addItem(QStringLiteral("a long entry that does not fit into the field"));
        box.setToolTip(QStringLiteral("explained"));
        box.resize(110, 28);
        box.show();
        const auto told = [&] {
            QHelpEvent event(QEvent::ToolTip, { 5, 5 }, box.mapToGlobal(QPoint { 5, 5 }));
            QApplication::sendEvent(&box, &event);
            return QToolTip::text();
        };
        QCOMPARE(told(), QStringLiteral("explained"));
        box.setCurrentIndex(1);
        QCOMPARE(told(), box.itemText(1) + QStringLiteral("\nexplained"));
        box.setToolTip({});
        box.setShownText(QStringLiteral("by everything that was chosen before"));
        QCOMPARE(told(), box.shownText());
    }
};

QTEST_MAIN(TestNumberEdits)
#include "test_number_edits.moc"
