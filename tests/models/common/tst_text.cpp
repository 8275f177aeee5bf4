#include "models/common/csv.h"
#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;

class TestText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatCannotBeSeen_data();
    void showsWhatCannotBeSeen();
    void cutsLongLines();
    void keepsLinesWhereTheyBelong();
    void writesTimesForLists_data();
    void writesTimesForLists();
    void writesWhatIsToCome();
    void writesFullTimes();
    void writesDurations_data();
    void writesDurations();
    void groupsDigits();
    void saysWhatToKnowOfAMessage();
    void csvIsNoFormula_data();
    void csvIsNoFormula();
};

void TestText::showsWhatCannotBeSeen_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QStringLiteral("Größe 大") << QStringLiteral("Größe 大");
    QTest::newRow("line end") << QStringLiteral("a\r\nb") << QStringLiteral("a⏎b");
    QTest::newRow("right to left override") << QStringLiteral("a\u202eb") << QStringLiteral("a‹U+202E›b");
    QTest::newRow("isolate") << QStringLiteral("a\u2066b") << QStringLiteral("a‹U+2066›b");
    QTest::newRow("zero width") << QStringLiteral("a\u200bb") << QStringLiteral("a‹U+200B›b");
    QTest::newRow("soft hyphen") << QStringLiteral("a\u00adb") << QStringLiteral("a‹U+00AD›b");
    QTest::newRow("tag, beyond 16 bits") << QStringLiteral("a\U000e0041b") << QStringLiteral("a‹U+E0041›b");
    QTest::newRow("a character beyond 16 bits") << QStringLiteral("a\U0001f407b") << QStringLiteral("a\U0001f407b");
    QTest::newRow("half a pair") << QString(QChar(0xd83d)) << QString(QChar(0xd83d));
    QTest::newRow("filler") << QStringLiteral("a\u3164b") << QStringLiteral("a‹U+3164›b");
    QTest::newRow("bell") << QStringLiteral("a\u0007b") << QStringLiteral("a␇b");
    QTest::newRow("delete") << QStringLiteral("a\u007fb") << QStringLiteral("a␡b");
    QTest::newRow("html stays text") << QStringLiteral("<b>a</b>") << QStringLiteral("<b>a</b>");
}

void TestText::showsWhatCannotBeSeen()
{
    QFETCH(QString, raw);
    QFETCH(QString, shown);
    QCOMPARE(models::visibleLine(raw), shown);
}

void TestText::cutsLongLines()
{
    QCOMPARE(models::visibleLine(QStringLiteral("abcdef"), 3), QStringLiteral("abc…"));
    QCOMPARE(models::visibleLine(QStringLiteral("abc"), 3), QStringLiteral("abc"));
}

void TestText::keepsLinesWhereTheyBelong()
{
    QCOMPARE(models::visibleLines(QStringLiteral("a\r\n\tb\u202e")), QStringLiteral("a\n\tb‹U+202E›"));
}

void TestText::writesTimesForLists_data()
{
    QTest::addColumn<qint64>("agoMs");
    QTest::addColumn<QString>("shown");
    QTest::newRow("today") << qint64(51 * 60'000) << QStringLiteral("02:13:05");
    QTest::newRow("yesterday") << qint64(24 * 3600'000) << QStringLiteral("1 Jan 03:04");
    QTest::newRow("last year") << qint64(48 * 3600'000) << QStringLiteral("2025-12-31");
}

void TestText::writesTimesForLists()
{
    QFETCH(qint64, agoMs);
    QFETCH(QString, shown);
    const core::TimePoint now = core::fromMs(1767323045000); // 2026-01-02 03:04:05 UTC
    QCOMPARE(models::formatListTime(now - core::Milliseconds{agoMs}, now, models::TimeZone::Utc), shown);
}

void TestText::writesWhatIsToCome()
{
    const core::TimePoint now = core::fromMs(1767323045000); // 2026-01-02 03:04:05 UTC
    const auto until = [now](core::TimePoint time) { return models::formatUntil(time, now, models::TimeZone::Utc); };
    QCOMPARE(until(now + 4min), QStringLiteral("03:08"));
    QCOMPARE(until(now + 23h), QStringLiteral("02:04")); // tomorrow; the time alone is clear
    QCOMPARE(until(now + 24h), QStringLiteral("3 Jan"));
    QCOMPARE(until(now + 24h * 365), QStringLiteral("2027-01-02"));
    QCOMPARE(until(now - 4min), QStringLiteral("2 Jan"));
}

void TestText::writesFullTimes()
{
    const core::TimePoint now = core::fromMs(1767323045123);
    QCOMPARE(models::formatFullTime(now, models::TimeZone::Utc), QStringLiteral("2026-01-02 03:04:05.123 UTC"));
    QCOMPARE(models::timeTip(now - 4min, now, models::TimeZone::Utc),
             QStringLiteral("2026-01-02 03:00:05.123 UTC · 4 min ago"));
}

void TestText::writesDurations_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nothing") << qint64(0) << QStringLiteral("0 s");
    QTest::newRow("below zero is nothing") << qint64(-5000) << QStringLiteral("0 s");
    QTest::newRow("seconds") << qint64(119'999) << QStringLiteral("119 s");
    QTest::newRow("minutes") << qint64(120'000) << QStringLiteral("2 min");
    QTest::newRow("hours") << qint64(3 * 3600'000 + 20 * 60'000) << QStringLiteral("3 h 20 min");
    QTest::newRow("days") << qint64(50 * 3600'000) << QStringLiteral("2 d");
}

void TestText::writesDurations()
{
    QFETCH(qint64, ms);
    QFETCH(QString, shown);
    QCOMPARE(models::formatDuration(core::Milliseconds{ms}), shown);
}

void TestText::groupsDigits()
{
    QCOMPARE(models::formatNumber(14207), QStringLiteral("14,207"));
    QCOMPARE(models::formatSize(512), QStringLiteral("512 bytes"));
}

void TestText::saysWhatToKnowOfAMessage()
{
    using records::MessageFlag;
    QCOMPARE(models::textOf(records::MessageFlags()), QStringList());
    QCOMPARE(models::textOf(MessageFlag::OtherTool | MessageFlag::Shortened),
             (QStringList{QStringLiteral("only the tool of its framework can send it back"),
                          QStringLiteral("its framework shortened the failure details")}));
    QCOMPARE(models::textOf(records::MessageFlags(MessageFlag::Damaged)),
             QStringList{QStringLiteral("its framework damaged it when it failed")});
}

void TestText::csvIsNoFormula_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("plain") << QStringLiteral("a") << QByteArray("a\r\n");
    QTest::newRow("formula") << QStringLiteral("=1+1") << QByteArray("'=1+1\r\n");
    QTest::newRow("at") << QStringLiteral("@x") << QByteArray("'@x\r\n");
    QTest::newRow("byte order mark") << QStringLiteral("\ufeff=1") << QByteArray("'\xEF\xBB\xBF=1\r\n");
    QTest::newRow("behind a semicolon") << QStringLiteral("a;=1+1;b") << QByteArray("a;'=1+1;b\r\n");
    QTest::newRow("behind a tab") << QStringLiteral("a\t@x") << QByteArray("a\t'@x\r\n");
    QTest::newRow("behind a line end") << QStringLiteral("a\n-1") << QByteArray("\"a\n'-1\"\r\n");
    QTest::newRow("minus inside") << QStringLiteral("a-1; b=2") << QByteArray("a-1; b=2\r\n");
    QTest::newRow("quotes and comma") << QStringLiteral("a\",b") << QByteArray("\"a\"\",b\"\r\n");
    QTest::newRow("line end") << QStringLiteral("a\nb") << QByteArray("\"a\nb\"\r\n");
    QTest::newRow("formula with comma") << QStringLiteral("=a,b") << QByteArray("\"'=a,b\"\r\n");
}

void TestText::csvIsNoFormula()
{
    QFETCH(QString, field);
    QFETCH(QByteArray, line);
    QCOMPARE(models::csvLine({field}), line);
}

REDRIVE_TEST(TestText)
#include "tst_text.moc"
