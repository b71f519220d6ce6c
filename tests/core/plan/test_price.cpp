#include "plan/offer_facts.h"

#include <QTest>

using namespace shardrack;

class TestPrice : public QObject {
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void takesWhatItIsForFromElsewhere();
    void readsBackWhatItWrites();
};

void TestPrice::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("amount");
    QTest::addColumn<QByteArray>("currency");
    QTest::addColumn<bool>("hourly");
    const auto row = [](const char* text, const char* amount, const char* currency, bool hourly) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(amount) << QByteArray(currency)
                            << hourly;
    };
    row("2.49 USD a GPU-hour", "2.49", "USD", true);
    row("USD 2.49/h", "2.49", "USD", true);
    row(" 3 per GPU hour ", "3", "", true);
    row("120000 EUR for the offer", "120000", "EUR", false);
    row("120000.50€ per offer", "120000.50", "€", false);
}

void TestPrice::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, amount);
    QFETCH(QByteArray, currency);
    QFETCH(bool, hourly);
    const auto price = readPrice(text.toStdString());
    QVERIFY2(price.ok(), price.ok() ? "" : price.error().text().c_str());
    QCOMPARE(price->amount, amount.toStdString());
    QCOMPARE(price->currency, currency.toStdString());
    QCOMPARE(price->per == Price::Per::GpuHour, hourly);
}

void TestPrice::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* text, const char* says) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(says);
    };
    row("2.49 USD", "what it is for");
    row("1,234 USD for the offer", "comma");
    row("1.2.3 USD a GPU-hour", "no amount");
    row("USD a GPU-hour", "no amount");
    row("EUR 2 USD a GPU-hour", "two currencies");
    row("-2 a GPU-hour", "no amount and a currency");
    row("2 USD net a GPU-hour", "no amount and a currency");
}

void TestPrice::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto price = readPrice(text.toStdString());
    QVERIFY(!price.ok());
    const std::string words = price.error().text();
    QVERIFY2(words.find(text.toStdString()) != std::string::npos, words.c_str());
    QVERIFY2(words.find(says.toStdString()) != std::string::npos, words.c_str());
}

void TestPrice::takesWhatItIsForFromElsewhere()
{
    const auto price = readPrice("2.49 USD", Price::Per::Offer);
    QVERIFY(price.ok());
    QVERIFY(price->per == Price::Per::Offer);
    QVERIFY(readPrice("2.49 USD/h", Price::Per::Offer)->per == Price::Per::GpuHour);
}

void TestPrice::readsBackWhatItWrites()
{
    for (const Price::Per per : { Price::Per::GpuHour, Price::Per::Offer })
        for (const char* currency : { "", "USD" }) {
            Price price;
            price.amount = "1234567.80";
            price.currency = currency;
            price.per = per;
            QVERIFY(readPrice(typedText(price)).value() == price);
        }
    Price price;
    price.amount = "1234567.80";
    QCOMPARE(text(price), std::string("1,234,567.80 a GPU-hour"));
}

QTEST_GUILESS_MAIN(TestPrice)
#include "test_price.moc"
