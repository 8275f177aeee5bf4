// What a store that was restored from a backup makes of messages it knew: their state is what intake says.
#include "backend/store/backup/restoredstate.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/intake/intakefixture.h"
#include "tests/support/must.h"
#include "tests/support/retrysteps.h"
#include "tests/support/testmain/testmain.h"

using records::MessageFlag;
using records::MessageStatus;
using test::IntakeFixture;
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
records::FailedMessage restored(IntakeFixture &fixture)
{
    fixture.broker.put(failed());
    must(fixture.take());
    must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        return store::makeUnknown(session, core::fromMs(0), {}).map([](const store::RestoreCounts &) {});
    }));
    auto &sqlite = dynamic_cast<store::SqliteStore &>(*fixture.real);
    store::Statement former = sqlite.database().sql(QStringLiteral("INSERT INTO former_store VALUES (?, 0)"));
    must(former.bind(before).run());
    return fixture.stored().constFirst();
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
    IntakeFixture fixture(false);
    const records::FailedMessage record = restored(fixture);
    QVERIFY(record.status == records::MessageStatus::Unknown);
    fixture.broker.put(sentBefore(failed(later), record.uniqueId));
    QCOMPARE(must(fixture.take()).cameBack, 1);
    QCOMPARE(fixture.stored().size(), 1);
    const records::FailedMessage after = fixture.stored().constFirst();
    QVERIFY(after.status == MessageStatus::Unresolved);
    QCOMPARE(after.attempts, 2);
    QCOMPARE(after.cameBack, 1);
    QVERIFY(!after.flags.testFlag(MessageFlag::ForeignStamp));
}

void TestRestored::whatWasReleasedSinceIsThere()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = restored(fixture);
    fixture.broker.put(sentBefore(failed(), record.uniqueId));
    QCOMPARE(must(fixture.take()).cameBack, 0);
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(fixture.stored().constFirst().attempts, 1);
}

void TestRestored::whatLiesThereAsItDidWasNotRetried()
{
    IntakeFixture fixture(false);
    restored(fixture);
    fixture.broker.put(failed());
    must(fixture.take());
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(fixture.stored().constFirst().attempts, 1);
}

void TestRestored::whatFailedAgainSinceHasFailedAgain()
{
    IntakeFixture fixture(false);
    restored(fixture);
    fixture.broker.put(failed(later));
    must(fixture.take());
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(fixture.stored().constFirst().attempts, 2);
}

void TestRestored::whatWasProcessedSinceIsResolved()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = restored(fixture);
    records::Envelope acknowledged = test::plainMessage({});
    records::set(acknowledged.headers, QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now"));
    QString dashed = record.uniqueId;
    for (const int at : {20, 16, 12, 8})
        dashed.insert(at, QLatin1Char('-'));
    records::set(acknowledged.headers, QStringLiteral("ServiceControl.Retry.UniqueMessageId"), dashed);
    fixture.broker.put(acknowledged);
    QCOMPARE(must(fixture.take()).confirmed, 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Resolved);
}

void TestRestored::aRetryOfTodayIsNotEndedByACopyOfBefore()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = restored(fixture);
    must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        must(session.messages().setStatus({record.id}, {records::MessageStatus::Unknown}, MessageStatus::Unresolved));
        (void)test::retrySent(session, fixture.connection.id, {record.id});
        return {};
    }));
    fixture.broker.put(sentBefore(failed(later), record.uniqueId));
    must(fixture.take());
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::RetryIssued);
    must(fixture.real->read([&](store::Session &session) -> core::Result<> {
        const auto member = must(session.retryBatches().members({1}, {}, 0, 2)).constFirst();
        [&] { QVERIFY(!member.cameBack); }();
        return {};
    }));
}

void TestRestored::aCopiedStampOfBeforeIsAnotherMessage()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = restored(fixture);
    records::Envelope copied = sentBefore(test::plainMessage("body"), record.uniqueId);
    copied.body = "a reply that copied all headers";
    fixture.broker.put(copied);
    QCOMPARE(must(fixture.take()).fresh, 1);
    QCOMPARE(fixture.stored().size(), 2);
    QVERIFY(fixture.stored().constFirst().status == records::MessageStatus::Unknown);
}

REDRIVE_TEST(TestRestored)
#include "tst_restored.moc"
