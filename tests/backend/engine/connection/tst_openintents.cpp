// Sends without an answer when the program ended: a message that came back meanwhile was sent, and is not sent again.
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::HandOver;
using support::EngineFixture;

class TestOpenIntents final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStampInAnyErrorQueueCountsAsSent_data()
    {
        QTest::addColumn<bool>("countsLag");
        QTest::addColumn<bool>("unreadable");
        QTest::newRow("counts are exact") << false << false;
        QTest::newRow("every queue is said to be empty")
            << true << false; // message counts of cloud brokers can be minutes old
        QTest::newRow("another queue holds what nobody can read") << false << true;
    }
    // The message of an open intent came back in a queue that is not subscribed and was never taken from.
    void aStampInAnyErrorQueueCountsAsSent()
    {
        QFETCH(bool, countsLag);
        QFETCH(bool, unreadable);
        int cutOff = 0; // runs in which the broker took a message but could not answer any more
        for (quint64 seed = 1; seed <= 12; ++seed) {
            EngineFixture fixture(HandOver::IntentLog, seed);
            fixture.broker->countsLag = countsLag;
            fixture.connection.errorQueues = {QStringLiteral("error"), QStringLiteral("billing.failed")};
            fixture.broker->addQueue(QStringLiteral("billing.failed"));
            fixture.fill(2);
            QList<records::Envelope> arrived;
            fixture.broker->delivered = [&arrived](const support::FakeBroker::Delivery &delivery) {
                arrived.append(delivery.envelope);
            };
            fixture.start();
            fixture.broker->slowest = core::Milliseconds{10000}; // longer than stopping waits
            records::Plan again;
            again.onUnknown = records::OnUnknown::SendAgain;
            const core::OperationId id = fixture.retryAll({}, again).value();
            const auto isOpen = [&] {
                const QList<store::RetryMember> members = fixture.members(id);
                return std::any_of(members.begin(), members.end(), [](const auto &member) { return member.intent; });
            };
            QVERIFY(fixture.runUntil(isOpen));
            fixture.stop(); // in the middle of the send: its answer is lost
            if (!isOpen())
                continue; // answered in time
            const qsizetype before = arrived.size();
            cutOff += before > 0 ? 1 : 0;
            const QList<records::Envelope> failed = arrived;
            for (const records::Envelope &envelope : failed)
                fixture.broker->put(QStringLiteral("billing.failed"), envelope);
            if (unreadable) {
                fixture.broker->put(QStringLiteral("error"), {});
                fixture.broker->unreadable = {QStringLiteral("error")};
            }
            fixture.start();
            QVERIFY(fixture.runToEnd(id));
            const QList<records::Event> events = fixture.events();
            QCOMPARE(std::any_of(events.begin(), events.end(),
                                 [](const records::Event &one) {
                                     return one.what
                                            == QStringLiteral("Unanswered sends settled without a complete check");
                                 }),
                     unreadable);
            QCOMPARE(fixture.operation(id).counts.sent, 2);
            QCOMPARE(fixture.operation(id).counts.cameBack, before);
            QCOMPARE(arrived.size(), 2); // nothing was sent a second time
            QCOMPARE(fixture.operation(id).counts.possibleDuplicates, 2 - before);
        }
        QVERIFY(cutOff > 0);
    }
};

REDRIVE_TEST(TestOpenIntents)
#include "tst_openintents.moc"
