// What a store that was restored from a backup makes of messages it knew: their state is what intake says.
#include "backend/store/backup/restoredstate.h"
#include "tests/backend/intake/intakeworld.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"

using records::MessageFlag;
using records::MessageStatus;
using test::IntakeWorld;
using test::must;

class TestRestored final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStampOfBeforeNamesItsRecord();
    void whatWasReleasedSinceIsThere();
    void whatLiesThereAsItDidWasNotRetried();
    void whatFailedAgainSinceHasFailedAgain();
    void whatWasProcessedSinceIsResolved();
    void aRetryOfTodayIsNotEndedByACopyOfBefore();
    void aCopiedStampOfBeforeIsAnotherMessage();
};

namespace {

const QString before(32, QLatin1Char('b')); // the id of the store when the backup was made

records::Envelope failed(const QString &at = {})
{
    return test::failedMessage(QStringLiteral("m"), "body", at);
}

const QString later = QStringLiteral("2026-01-01 00:00:00:000000 Z");

// One message, taken before the backup; the store has been restored.
records::FailedMessage restored(IntakeWorld &world)
{
    world.broker.put(failed());
    must(world.take());
    must(world.real->transact([&](store::Session &session) -> core::Result<> {
        return store::makeUnknown(session, core::fromMs(0), {}).map([](const store::RestoreCounts &) {});
    }));
    auto &sqlite = dynamic_cast<store::SqliteStore &>(*world.real);
    store::Statement former = sqlite.database().sql(QStringLiteral("INSERT INTO former_store VALUES (?, 0)"));
    must(former.bind(before).run());
    return world.stored().constFirst();
}

// Sent by operation 99, which this store has never heard of.
records::Envelope sentBefore(records::Envelope envelope, const QString &uniqueId)
{
    const records::Stamp stamp{
        before, uniqueId, {99}, 1, QStringLiteral("staging"), records::bodyDigest(envelope.body)};
    records::set(envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return envelope;
}

} // namespace

void TestRestored::aStampOfBeforeNamesItsRecord()
{
    IntakeWorld world(false);
    const records::FailedMessage record = restored(world);
    QVERIFY(record.status == records::MessageStatus::Unknown);
    world.broker.put(sentBefore(failed(later), record.uniqueId));
    QCOMPARE(must(world.take()).cameBack, 1);
    QCOMPARE(world.stored().size(), 1);
    const records::FailedMessage after = world.stored().constFirst();
    QVERIFY(after.status == MessageStatus::Unresolved);
    QCOMPARE(after.attempts, 2);
    QCOMPARE(after.cameBack, 1);
    QVERIFY(!after.flags.testFlag(MessageFlag::ForeignStamp));
}

void TestRestored::whatWasReleasedSinceIsThere()
{
    IntakeWorld world(false);
    const records::FailedMessage record = restored(world);
    world.broker.put(sentBefore(failed(), record.uniqueId));
    QCOMPARE(must(world.take()).cameBack, 0);
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(world.stored().constFirst().attempts, 1);
}

void TestRestored::whatLiesThereAsItDidWasNotRetried()
{
    IntakeWorld world(false);
    restored(world);
    world.broker.put(failed());
    must(world.take());
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(world.stored().constFirst().attempts, 1);
}

void TestRestored::whatFailedAgainSinceHasFailedAgain()
{
    IntakeWorld world(false);
    restored(world);
    world.broker.put(failed(later));
    must(world.take());
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(world.stored().constFirst().attempts, 2);
}

void TestRestored::whatWasProcessedSinceIsResolved()
{
    IntakeWorld world(false);
    const records::FailedMessage record = restored(world);
    records::Envelope acknowledged = test::plainMessage({});
    records::set(acknowledged.headers, QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now"));
    QString dashed = record.uniqueId;
    for (const int at : {20, 16, 12, 8})
        dashed.insert(at, QLatin1Char('-'));
    records::set(acknowledged.headers, QStringLiteral("ServiceControl.Retry.UniqueMessageId"), dashed);
    world.broker.put(acknowledged);
    QCOMPARE(must(world.take()).confirmed, 1);
    QVERIFY(world.stored().constFirst().status == MessageStatus::Resolved);
}

void TestRestored::aRetryOfTodayIsNotEndedByACopyOfBefore()
{
    IntakeWorld world(false);
    const records::FailedMessage record = restored(world);
    must(world.real->transact([&](store::Session &session) -> core::Result<> {
        must(session.messages().setStatus({record.id}, {records::MessageStatus::Unknown}, MessageStatus::Unresolved));
        (void)test::retrySent(session, world.connection.id, {record.id});
        return {};
    }));
    world.broker.put(sentBefore(failed(later), record.uniqueId));
    must(world.take());
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().constFirst().status == MessageStatus::RetryIssued);
    must(world.real->read([&](store::Session &session) -> core::Result<> {
        const auto member = must(session.retries().members({1}, {}, 0, 2)).constFirst();
        [&] { QVERIFY(!member.cameBack); }();
        return {};
    }));
}

void TestRestored::aCopiedStampOfBeforeIsAnotherMessage()
{
    IntakeWorld world(false);
    const records::FailedMessage record = restored(world);
    records::Envelope copied = sentBefore(test::plainMessage("body"), record.uniqueId);
    copied.body = "a reply that copied all headers";
    world.broker.put(copied);
    QCOMPARE(must(world.take()).fresh, 1);
    QCOMPARE(world.stored().size(), 2);
    QVERIFY(world.stored().constFirst().status == records::MessageStatus::Unknown);
}

QTEST_GUILESS_MAIN(TestRestored)
#include "tst_restored.moc"
