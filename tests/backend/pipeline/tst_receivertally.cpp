// Cadence and backstop of receivers, with the example of ReportStream's document.
#include "backend/pipeline/receivertally.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::TimePoint;
using pipeline::Columns;
using pipeline::ReceiverTally;
using records::PipelineReceiver;

namespace {

const TimePoint noon = core::fromMs(1'750'000'000'000);
const QString daily = QStringLiteral("hospital.daily");
const ReceiverTally::Timings onceADay{{}, {{daily, {24h, {}, {}, {}}}}};

} // namespace

class TestReceiverTally final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // "a Receiver is set to receive data once a day, its backstop-time is set to 3 days + 3 hours"
    void theBackstopIsThreeCyclesAndThreeHours()
    {
        ReceiverTally tally(10);
        tally.add(daily, QStringLiteral("r1"), noon - 75h, noon - 75h); // exactly as old: still taken
        tally.add(daily, QStringLiteral("r2"), noon, noon - 1h);
        const PipelineReceiver now = tally.receivers(onceADay, noon).receivers.first();
        QCOMPARE(now.receiver, daily);
        QVERIFY(now.cadence == 24h);
        QVERIFY(now.cadenceFrom == PipelineReceiver::CadenceFrom::File);
        QCOMPARE(now.waiting, 2);
        QVERIFY(now.oldestTask == noon - 75h);
        QCOMPARE(now.oldestReport, QStringLiteral("r1"));
        QVERIFY(now.backstopAt == noon);
        QVERIFY(now.ignoredPastBackstop == 0);
        QVERIFY(tally.receivers(onceADay, noon + 1ms).receivers.first().ignoredPastBackstop == 1);
    }

    // Raising one event once changed a guessed cadence from a day to 15 hours: what nobody says is unknown.
    void whatNobodySaysIsUnknown()
    {
        ReceiverTally tally(10);
        for (const core::Milliseconds turn : {core::Milliseconds(0h), core::Milliseconds(6h), core::Milliseconds(12h)})
            tally.add(daily, QStringLiteral("r"), noon + turn, noon - 1000h);
        const PipelineReceiver found = tally.receivers({}, noon).receivers.first();
        QVERIFY(found.cadenceFrom == PipelineReceiver::CadenceFrom::Unknown);
        QVERIFY(!found.cadence && !found.backstopAt && !found.ignoredPastBackstop);
        QCOMPARE(found.waiting, 3);
        QVERIFY(found.oldestTask == noon - 1000h);
    }

    void theSettingsCountMoreThanTheFile()
    {
        ReceiverTally tally(10);
        tally.add(daily, QStringLiteral("r"), noon, noon);
        ReceiverTally::Timings timings = onceADay;
        timings.settings.insert(daily, {6h, 4, QStringLiteral("06:00"), QStringLiteral("EASTERN")});
        const PipelineReceiver found = tally.receivers(timings, noon).receivers.first();
        QVERIFY(found.cadenceFrom == PipelineReceiver::CadenceFrom::Settings);
        QVERIFY(found.cadence == 6h && found.numberPerDay == 4);
        QCOMPARE(found.initialTime + QLatin1Char(' ') + found.timeZone, QStringLiteral("06:00 EASTERN"));
        QVERIFY(found.backstopAt == noon + 21h);
    }

    // ReportStream since 2021-12-31: a task whose next action is put off takes part again.
    void theBackstopComparesTheTimeOfTheNextAction()
    {
        for (const auto backstop : {Columns::Backstop::NextActionAt, Columns::Backstop::CreatedAt}) {
            const bool isOfToday = backstop == Columns::Backstop::NextActionAt;
            ReceiverTally tally(10, backstop);
            tally.add(daily, QStringLiteral("due"), noon - 76h, noon - 1h);
            tally.add(daily, QStringLiteral("old"), noon - 2h, noon - 77h);
            tally.add(daily, QStringLiteral("never"), std::nullopt, noon - 1h); // no turn takes it
            const PipelineReceiver found = tally.receivers(onceADay, noon).receivers.first();
            QCOMPARE(found.oldestReport, isOfToday ? QStringLiteral("due") : QStringLiteral("old"));
            QVERIFY(found.backstopAt == (isOfToday ? noon - 1h : noon - 2h));
            QVERIFY(found.ignoredPastBackstop == (isOfToday ? 2 : 1));
        }
    }

    // Seven a day are one in 205 minutes and some seconds: ReportStream drops the seconds.
    void theBackstopCountsWholeMinutes()
    {
        ReceiverTally tally(10);
        tally.add(daily, QStringLiteral("r"), noon, noon);
        ReceiverTally::Timings timings;
        timings.settings.insert(daily, pipeline::timesPerDay(7));
        QVERIFY(tally.receivers(timings, noon).receivers.first().backstopAt == noon + 3 * 205min + 3h);
    }

    void theTimingOfASettingIsRead_data()
    {
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<int>("perDay"); // 0: none
        QTest::addColumn<QString>("first");
        const QString usual = QStringLiteral("00:00 EASTERN");
        QTest::newRow("whole") << QByteArray(R"({"name": "elr", "timing": {"operation": "MERGE", "numberPerDay": 24,)"
                                             R"( "initialTime": "01:30", "timeZone": "PACIFIC"}})")
                               << 24 << QStringLiteral("01:30 PACIFIC");
        QTest::newRow("defaults") << QByteArray(R"({"timing": {}})") << 1 << usual;
        QTest::newRow("none") << QByteArray(R"({"name": "elr"})") << 0 << QString();
        QTest::newRow("null") << QByteArray(R"({"timing": null})") << 0 << QString();
        QTest::newRow("too often") << QByteArray(R"({"timing": {"numberPerDay": 1441}})") << 0 << QString();
        QTest::newRow("never") << QByteArray(R"({"timing": {"numberPerDay": 0}})") << 0 << QString();
        QTest::newRow("no JSON") << QByteArray("soon") << 0 << QString();
    }

    void theTimingOfASettingIsRead()
    {
        QFETCH(const QByteArray, values);
        QFETCH(const int, perDay);
        QFETCH(const QString, first);
        const std::optional<pipeline::ReceiverTiming> timing = pipeline::timingOfSetting(values);
        QCOMPARE(timing.has_value(), perDay > 0);
        if (!timing)
            return;
        QCOMPARE(timing->numberPerDay.value_or(0), perDay);
        QVERIFY(timing->every == core::Milliseconds(24h) / perDay);
        QCOMPARE(timing->initialTime + QLatin1Char(' ') + timing->timeZone, first);
    }

    void aReceiverWithoutTasksIsListedIfTheFileNamesIt()
    {
        const QList<PipelineReceiver> found = ReceiverTally(10).receivers(onceADay, noon).receivers;
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().waiting, 0);
        QVERIFY(!found.first().oldestTask && !found.first().backstopAt);
    }

    void theFirstNamesAreListedIfThereAreMore()
    {
        ReceiverTally tally(1);
        tally.add(daily, QStringLiteral("r"), noon, noon);
        QVERIFY(!tally.receivers(onceADay, noon).more);
        const ReceiverTally::Timings other{{}, {{QStringLiteral("other"), {24h, {}, {}, {}}}}};
        QVERIFY(tally.receivers(other, noon).more);
        tally.add(QStringLiteral("next"), QStringLiteral("r"), noon, noon);
        tally.add(daily, QStringLiteral("r"), noon, noon);
        const ReceiverTally::Receivers found = tally.receivers({}, noon);
        QVERIFY(found.more);
        QCOMPARE(found.receivers.size(), 1);
        QCOMPARE(found.receivers.first().waiting, 2);
    }

    void receiversAreOrderedByName()
    {
        ReceiverTally tally(10);
        for (const char *name : {"b", "c", "a"})
            tally.add(QString::fromLatin1(name), QStringLiteral("r"), noon, noon);
        QStringList names;
        for (const PipelineReceiver &one : tally.receivers({}, noon).receivers)
            names.append(one.receiver);
        QCOMPARE(names, (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}));
    }
};

REDRIVE_TEST(TestReceiverTally)
#include "tst_receivertally.moc"
