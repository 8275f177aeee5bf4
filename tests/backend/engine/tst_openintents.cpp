// Sends that had no answer when the program ended: what failed again meanwhile was sent, and is never sent a second time.
#include "backend/store/retrystore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using records::HandOver;
using support::EngineRoom;

class TestOpenIntents final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStampInAnyErrorQueueCountsAsSent_data()
    {
        QTest::addColumn<bool>("countsLag");
        QTest::addColumn<bool>("unreadable");
        QTest::newRow("counts are exact") << false << false;
        QTest::newRow("every queue is said to be empty") << true << false; // a cloud's count lags behind for minutes
        QTest::newRow("another queue holds what nobody can read") << false << true;
    }
    // The message of an open intent failed again into a queue that nobody follows or ever took from.
    void aStampInAnyErrorQueueCountsAsSent()
    {
        QFETCH(bool, countsLag);
        QFETCH(bool, unreadable);
        int cutOff = 0; // runs in which the broker had taken what it could not answer any more
        for (quint64 seed = 1; seed <= 12; ++seed) {
            EngineRoom room(HandOver::Ledger, seed);
            room.broker->countsLag = countsLag;
            room.connection.errorQueues = {QStringLiteral("error"), QStringLiteral("billing.failed")};
            room.broker->addQueue(QStringLiteral("billing.failed"));
            room.fill(2);
            QList<records::Envelope> arrived;
            room.broker->delivered = [&arrived](const support::FakeBroker::Delivery &delivery) {
                arrived.append(delivery.envelope);
            };
            room.start();
            room.broker->slowest = core::Milliseconds{10000}; // longer than the end waits
            records::Plan again;
            again.onUnknown = records::OnUnknown::SendAgain;
            const core::OperationId id = room.retryAll({}, again).value();
            const auto isOpen = [&] {
                const QList<store::RetryMember> members = room.members(id);
                return std::any_of(members.begin(), members.end(), [](const auto &member) { return member.intent; });
            };
            QVERIFY(room.runUntil(isOpen));
            room.stop(); // in the middle of the send: its answer is lost
            if (!isOpen())
                continue; // answered in time
            const qsizetype before = arrived.size();
            cutOff += before > 0 ? 1 : 0;
            const QList<records::Envelope> failed = arrived;
            for (const records::Envelope &envelope : failed)
                room.broker->put(QStringLiteral("billing.failed"), envelope);
            if (unreadable) {
                room.broker->put(QStringLiteral("error"), {});
                room.broker->unreadable = {QStringLiteral("error")};
            }
            room.start();
            QVERIFY(room.runToEnd(id));
            const QList<records::Event> events = room.events();
            QCOMPARE(std::any_of(events.begin(), events.end(),
                                 [](const records::Event &one) {
                                     return one.what
                                            == QStringLiteral("Sends without an answer decided without a full look");
                                 }),
                     unreadable);
            QCOMPARE(room.operation(id).counts.sent, 2);
            QCOMPARE(room.operation(id).counts.cameBack, before);
            QCOMPARE(arrived.size(), 2); // nothing was sent a second time
            QCOMPARE(room.operation(id).counts.possibleDuplicates, 2 - before);
        }
        QVERIFY(cutOff > 0);
    }
};

QTEST_GUILESS_MAIN(TestOpenIntents)
#include "tst_openintents.moc"
