#include "backend/core/time/httpdate.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestHttpDate final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void datesSurviveTheirText_data();
    void datesSurviveTheirText();
    void otherEndingsAreAccepted();
    void whatIsNoDateIsRefused_data();
    void whatIsNoDateIsRefused();
};

void TestHttpDate::datesSurviveTheirText_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("epoch") << qint64{0} << QByteArray("Thu, 01 Jan 1970 00:00:00 GMT");
    QTest::newRow("RFC 9110") << qint64{784111777000} << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT");
    QTest::newRow("leap day") << qint64{1709251199000} << QByteArray("Thu, 29 Feb 2024 23:59:59 GMT");
}

void TestHttpDate::datesSurviveTheirText()
{
    QFETCH(qint64, ms);
    QFETCH(QByteArray, text);
    QCOMPARE(core::toHttpDate(core::fromMs(ms)), text);
    const auto back = core::fromHttpDate(text);
    QVERIFY(back.has_value());
    QCOMPARE(core::toMs(*back), ms);
}

void TestHttpDate::otherEndingsAreAccepted()
{
    QVERIFY(core::fromHttpDate("Fri, 02 Jan 2026 03:04:05 GMT+0000").has_value());
    QVERIFY(core::fromHttpDate(" Fri, 02 Jan 2026 03:04:05 UTC ").has_value());
}

void TestHttpDate::whatIsNoDateIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a word") << QByteArray("soon");
    QTest::newRow("day 31 of February") << QByteArray("Fri, 31 Feb 2026 03:04:05 GMT");
    QTest::newRow("hour 25") << QByteArray("Fri, 02 Jan 2026 25:04:05 GMT");
    QTest::newRow("another zone") << QByteArray("Fri, 02 Jan 2026 03:04:05 PST");
    QTest::newRow("a year that cannot be reckoned with") << QByteArray("Fri, 02 Jan 292278994 03:04:05 GMT");
    QTest::newRow("a year before all") << QByteArray("Fri, 02 Jan -292275055 03:04:05 GMT");
    QTest::newRow("huge") << QByteArray(100000, 'x');
}

void TestHttpDate::whatIsNoDateIsRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!core::fromHttpDate(text).has_value());
}

REDRIVE_TEST(TestHttpDate)
#include "tst_httpdate.moc"
