#include "backend/core/time/durationtext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Milliseconds;
using namespace std::chrono_literals;

class TestDurationText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSpanIsReadAsItWasWritten_data();
    void aSpanIsReadAsItWasWritten();
    void aNegativeSpanIsNone();
};

void TestDurationText::aSpanIsReadAsItWasWritten_data()
{
    QTest::addColumn<Milliseconds>("span");
    QTest::addColumn<QString>("word");
    QTest::newRow("nothing") << Milliseconds{0} << "0s";
    QTest::newRow("seconds") << Milliseconds{10s} << "10s";
    QTest::newRow("a minute") << Milliseconds{60s} << "1m";
    QTest::newRow("a minute and a half") << Milliseconds{90s} << "90s";
    QTest::newRow("an hour") << Milliseconds{1h} << "1h";
    QTest::newRow("hours and minutes") << Milliseconds{1h + 1min} << "61m";
    QTest::newRow("a day") << Milliseconds{24h} << "24h";
    QTest::newRow("days and hours") << Milliseconds{75h} << "75h";
    QTest::newRow("days") << Milliseconds{48h} << "2d";
}

void TestDurationText::aSpanIsReadAsItWasWritten()
{
    QFETCH(const Milliseconds, span);
    QFETCH(const QString, word);
    QCOMPARE(core::durationWord(span), word);
    QCOMPARE(core::durationFrom(word), std::optional(span));
}

void TestDurationText::aNegativeSpanIsNone()
{
    QCOMPARE(core::durationWord(-5s), QStringLiteral("0s"));
}

REDRIVE_TEST(TestDurationText)
#include "tst_durationtext.moc"
