#include "app/commandline/arguments/arguments.h"
#include "app/commandline/arguments/storeurl.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using commandline::Arguments;

namespace {

const core::TimePoint noon = core::fromMs(1767355200000); // 2026-01-02 12:00:00 UTC

Arguments with(const QString &option, const QString &value)
{
    return Arguments({}, {{option, {value}}});
}

} // namespace

class TestArguments final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesAreMomentsOrAges_data();
    void timesAreMomentsOrAges();
    void whatIsNoTimeIsRefused_data();
    void whatIsNoTimeIsRefused();
    void timesAheadAreClockTimesMomentsOrSpans_data();
    void timesAheadAreClockTimesMomentsOrSpans();
    void ratesAreOfASecondOrAMinute_data();
    void ratesAreOfASecondOrAMinute();
    void numbersHaveALowerEnd();
    void idsAreWholeAndPositive_data();
    void idsAreWholeAndPositive();
    void storesAreFilesOrShared_data();
    void storesAreFilesOrShared();
    void aProfileCannotLeaveItsFolder();
};

void TestArguments::timesAreMomentsOrAges_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms");
    QTest::newRow("UTC") << "2026-01-02T03:04:05Z" << qint64(1767323045000);
    QTest::newRow("with milliseconds") << "2026-01-02T03:04:05.678Z" << qint64(1767323045678);
    QTest::newRow("with an offset") << "2026-01-02T05:04:05+02:00" << qint64(1767323045000);
    QTest::newRow("local, with a blank") << "2026-01-02 03:04:05" << qint64(1767323045000); // the tests run in UTC
    QTest::newRow("a day") << "2026-01-02" << qint64(1767312000000);
    QTest::newRow("seconds ago") << "90s" << core::toMs(noon) - 90000;
    QTest::newRow("minutes ago") << "15m" << core::toMs(noon) - 900000;
    QTest::newRow("hours ago") << "2h" << core::toMs(noon) - 7200000;
    QTest::newRow("days ago") << "3d" << core::toMs(noon) - 3 * 86400000LL;
}

void TestArguments::timesAreMomentsOrAges()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, ms);
    const auto time = with(QStringLiteral("since"), text).time(QStringLiteral("since"), noon);
    QVERIFY(time && *time);
    QCOMPARE(core::toMs(**time), ms);
}

void TestArguments::whatIsNoTimeIsRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"", "yesterday", "m", "-5m", "2026-13-01", "2w", "99999999999999999999h", "1.5h"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestArguments::whatIsNoTimeIsRefused()
{
    QFETCH(const QString, text);
    const auto time = with(QStringLiteral("since"), text).time(QStringLiteral("since"), noon);
    QVERIFY(!time);
    QVERIFY(time.error().message.startsWith(QStringLiteral("--since must be a time like")));
}

void TestArguments::timesAheadAreClockTimesMomentsOrSpans_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms");
    QTest::newRow("this afternoon") << "14:30" << core::toMs(noon) + 9000000;
    QTest::newRow("tomorrow, as it is past today") << "2:00" << core::toMs(noon) + 14 * 3600000LL;
    QTest::newRow("at this very minute: tomorrow") << "12:00" << core::toMs(noon) + 24 * 3600000LL;
    QTest::newRow("a span") << "15m" << core::toMs(noon) + 900000;
    QTest::newRow("a moment") << "2026-01-03T03:04:05Z" << qint64(1767409445000);
}

void TestArguments::timesAheadAreClockTimesMomentsOrSpans()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, ms);
    const auto time = with(QStringLiteral("not-before"), text).timeAhead(QStringLiteral("not-before"), noon);
    QVERIFY(time && *time);
    QCOMPARE(core::toMs(**time), ms);
}

void TestArguments::ratesAreOfASecondOrAMinute_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("perMinute"); // 0: refused
    QTest::newRow("a second") << "20" << qint64(1200);
    QTest::newRow("said") << "20/s" << qint64(1200);
    QTest::newRow("a minute") << "30/min" << qint64(30);
    QTest::newRow("a minute, short") << "30/m" << qint64(30);
    for (const char *text : {"", "0", "-1", "1.5", "20/", "20/h", "/s", "9999999999999", "20/s/s"})
        QTest::newRow(text[0] == 0 ? "nothing" : text) << QString::fromLatin1(text) << qint64(0);
}

void TestArguments::ratesAreOfASecondOrAMinute()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, perMinute);
    QCOMPARE(Arguments::perMinuteFrom(text).value_or(0), perMinute);
}

void TestArguments::numbersHaveALowerEnd()
{
    const QString limit = QStringLiteral("limit");
    QCOMPARE(**with(limit, QStringLiteral("12")).number(limit, 1), 12);
    QVERIFY(!*Arguments().number(limit, 1));
    for (const char *text : {"0", "-1", "", "ten", "1e3", "99999999999999999999"}) {
        const auto number = with(limit, QString::fromLatin1(text)).number(limit, 1);
        QVERIFY2(!number, text);
        QCOMPARE(
            number.error().message,
            QStringLiteral("--limit must be a whole number, at least 1, not '%1'.").arg(QString::fromLatin1(text)));
    }
}

void TestArguments::idsAreWholeAndPositive_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("id");
    QTest::newRow("usual") << "12" << qint64(12);
    QTest::newRow("zero") << "0" << qint64(0);
    QTest::newRow("negative") << "-3" << qint64(0);
    QTest::newRow("text") << "abc" << qint64(0);
    QTest::newRow("too big") << "9223372036854775808" << qint64(0);
    QTest::newRow("empty") << "" << qint64(0);
}

void TestArguments::idsAreWholeAndPositive()
{
    QFETCH(const QString, text);
    QFETCH(const qint64, id);
    const core::Result<qint64> found = Arguments::idFrom(text);
    QCOMPARE(found.value_or(0), id);
    if (id == 0)
        QCOMPARE(found.error().message, QStringLiteral("Invalid id '%1': an id is a whole number.").arg(text));
}

void TestArguments::storesAreFilesOrShared_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("path"); // empty: refused
    QTest::newRow("with its scheme") << "sqlite:/var/lib/a.db"
                                     << "/var/lib/a.db";
    QTest::newRow("a bare path") << "/var/lib/../lib/a.db"
                                 << "/var/lib/a.db";
    QTest::newRow("no path") << "sqlite:"
                             << "";
    QTest::newRow("a shared one") << "postgres://u@h/db?schema=night"
                                  << "postgresql://u@h/db?schema=night";
    QTest::newRow("a shared one with a password") << "postgresql://u:p@h/db"
                                                  << "";
    QTest::newRow("another kind") << "mysql://u@h/db"
                                  << "";
}

void TestArguments::storesAreFilesOrShared()
{
    QFETCH(const QString, url);
    QFETCH(const QString, path);
    QCOMPARE(commandline::storeFrom(url, {}).value_or(records::StoreAddress()).text(), path);
}

void TestArguments::aProfileCannotLeaveItsFolder()
{
    QVERIFY(commandline::storeFrom({}, QStringLiteral("night"))
                ->file.endsWith(QStringLiteral("/redrive/profiles/night/redrive.db")));
    QVERIFY(commandline::storeFrom({}, {})->file.endsWith(QStringLiteral("/redrive/redrive.db")));
    for (const char *profile : {"../x", "a/b", ".", "..", "a b"})
        QVERIFY2(!commandline::storeFrom({}, QString::fromLatin1(profile)), profile);
}

REDRIVE_TEST(TestArguments)
#include "tst_arguments.moc"
