// Cadence and backstop of receivers, with the example of ReportStream's document.
#include "backend/pipeline/receivertally.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using core::TimePoint;
using pipeline::ReceiverTally;
using records::PipelineReceiver;

namespace {

const TimePoint noon = core::fromMs(1'750'000'000'000);
const QString daily = QStringLiteral("hospital.daily");
const QHash<QString, core::Milliseconds> onceADay{{daily, 24h}};

} // namespace

class TestReceiverTally final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // "a Receiver is set to receive data once a day, its backstop-time is set to 3 days + 3 hours"
    void theBackstopIsThreeCyclesAndThreeHours()
    {
        ReceiverTally tally(10);
        tally.add(daily, QStringLiteral("r1"), noon, noon - 75h); // exactly as old: still taken
        tally.add(daily, QStringLiteral("r2"), noon, noon - 1h);
        const PipelineReceiver now = tally.receivers(onceADay, noon).receivers.first();
        QCOMPARE(now.receiver, daily);
        QVERIFY(now.cadence == 24h);
        QVERIFY(now.cadenceFrom == PipelineReceiver::CadenceFrom::File);
        QCOMPARE(now.waiting, 2);
        QVERIFY(now.oldestTask == noon - 75h);
        QCOMPARE(now.oldestReport, QStringLiteral("r1"));
        QVERIFY(now.backstopAt == noon);
        QCOMPARE(now.ignoredPastBackstop, 0);
        QCOMPARE(tally.receivers(onceADay, noon + 1ms).receivers.first().ignoredPastBackstop, 1);
    }

    void withoutAFileTheTurnsOfTheTasksTell()
    {
        ReceiverTally tally(10);
        for (const core::Milliseconds turn :
             {core::Milliseconds(0h), core::Milliseconds(6h), core::Milliseconds(12h + 5s)})
            tally.add(daily, QStringLiteral("r"), noon + turn, noon);
        tally.add(daily, QStringLiteral("r"), noon + 10s, noon); // a little late is the same turn
        const PipelineReceiver found = tally.receivers({}, noon).receivers.first();
        QVERIFY(found.cadenceFrom == PipelineReceiver::CadenceFrom::Tasks);
        QVERIFY2(found.cadence == 6h - 10s, qPrintable(QString::number(found.cadence->count())));
        QVERIFY(found.backstopAt == noon + 3 * (6h - 10s) + 3h);
    }

    void oneTurnTellsNoCadence()
    {
        ReceiverTally tally(10);
        tally.add(daily, QStringLiteral("r"), noon, noon - 1000h);
        const PipelineReceiver found = tally.receivers({}, noon).receivers.first();
        QVERIFY(!found.cadence && !found.backstopAt);
        QCOMPARE(found.ignoredPastBackstop, 0);
        QVERIFY(found.oldestTask == noon - 1000h);
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
        const QHash<QString, core::Milliseconds> other{{QStringLiteral("other"), 24h}};
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
