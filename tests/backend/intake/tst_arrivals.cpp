#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "tests/backend/intake/intakefixture.h"
#include "tests/support/retrysteps.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

using records::MessageFlag;
using records::MessageStatus;
using test::IntakeFixture;

// What becomes of one arriving message, given what is in the store.
class TestArrivals final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void identity_data();
    void identity();
    void aReturnOfOursUpdatesItsRecord();
    void aCopyOfAnEarlierAttemptIsNotTheCurrentOne();
    void whatAConsumerPassedOnToSeveralQueuesIsKept();
    void aDoubledReturnIsOneRecord();
    void aReturnWithoutOurStampIsCounted_data();
    void aReturnWithoutOurStampIsCounted();
    void whatWasReleasedAndTakenAgainDidNotFail_data();
    void whatWasReleasedAndTakenAgainDidNotFail();
    void theStampOfAnotherStoreIsFlagged();
    void aCopiedStampOnAnotherBodyIsAnotherMessage();
    void aReturnInsideAWrapperUpdatesItsRecord();
    void aReturnWithItsFailureInTheBodyUpdatesItsRecord();
    void confirmationsComeLast();
    void aConfirmationForSomebodyElseIsKept();
    void aConfirmationProvesNoRetryThatSentNothing();
    void twinsStayTwo();
    void aDoubledMessageIsAPossibleDuplicate();
    void theSameMessageInTwoConnectionsHasTwoRecords();
    void groupsAndFactsAreStored();
};

namespace {

records::Envelope stamped(records::Envelope envelope, const QString &store, const QString &uniqueId, int attempt)
{
    const records::Stamp stamp{
        store, uniqueId, {attempt}, attempt, QStringLiteral("staging"), records::bodyDigest(envelope.body)};
    records::set(envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return envelope;
}

// Stored, and sent by the retries 1 and 2: it failed again after the first.
records::FailedMessage issued(IntakeFixture &fixture, const records::Envelope &envelope)
{
    fixture.broker.put(envelope);
    static_cast<void>(fixture.take());
    const records::FailedMessage record = fixture.stored().constFirst();
    test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        (void)test::retrySent(session, fixture.connection.id, {record.id});
        return session.claims().close({record.id}, {records::ClaimClosing::FailedAgain, {}, {}}).map([](int) {});
    }));
    test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        (void)test::retrySent(session, fixture.connection.id, {record.id});
        return {};
    }));
    return record;
}

// The member of its newest retry.
store::RetryMember newestMember(IntakeFixture &fixture, core::OperationId newest = {2})
{
    store::RetryMember member;
    test::must(fixture.real->read([&](store::Session &session) -> core::Result<> {
        member = test::must(session.retryBatches().members(newest, {}, 0, 2)).constFirst();
        return {};
    }));
    return member;
}

// Whether a retry owns the message: no other can claim it then.
bool isClaimed(IntakeFixture &fixture)
{
    auto &sqlite = dynamic_cast<store::SqliteStore &>(*fixture.real);
    store::Statement row = sqlite.database().sql(QStringLiteral("SELECT count(*) FROM claim WHERE live = 1"));
    return test::must(row.step()) && row.integer(0) == 1;
}

records::Envelope failedOnce()
{
    return test::failedMessage(QStringLiteral("m"), "body");
}

} // namespace

void TestArrivals::identity_data()
{
    QTest::addColumn<records::Envelope>("first");
    QTest::addColumn<records::Envelope>("second");
    QTest::addColumn<int>("records");
    QTest::addColumn<int>("attempts"); // of the first record
    const QString id = QStringLiteral("m1");
    const QString later = QStringLiteral("2026-01-01 00:00:00:000000 Z");
    const records::Envelope one = test::failedMessage(id, "body");
    records::Envelope elsewhere = one;
    records::set(elsewhere.headers, QStringLiteral("NServiceBus.ProcessingEndpoint"), QStringLiteral("Shop.Other"));
    QTest::newRow("same id, failed again") << one << test::failedMessage(id, "body", later) << 1 << 2;
    QTest::newRow("same id, very same failure") << one << one << 1 << 1;
    QTest::newRow("same id, other endpoint") << one << elsewhere << 2 << 1;
    QTest::newRow("same id, other body") << one << test::failedMessage(id, "other") << 2 << 1;
    QTest::newRow("other id, same body") << one << test::failedMessage(QStringLiteral("m2"), "body") << 2 << 1;
    QTest::newRow("no id, same body") << test::plainMessage("body") << test::plainMessage("body") << 2 << 1;
}

void TestArrivals::identity()
{
    QFETCH(records::Envelope, first);
    QFETCH(records::Envelope, second);
    QFETCH(int, records);
    for (const bool onePage : {true, false}) {
        IntakeFixture fixture(false);
        fixture.broker.put(first);
        if (!onePage)
            QVERIFY(fixture.take().has_value());
        fixture.broker.put(second);
        QVERIFY(fixture.take().has_value());
        const QList<records::FailedMessage> stored = fixture.stored();
        QCOMPARE(stored.size(), records);
        QTEST(stored.constFirst().attempts, "attempts");
        QCOMPARE(fixture.broker.messagesLeft(), 0);
    }
}

void TestArrivals::aReturnOfOursUpdatesItsRecord()
{
    IntakeFixture fixture(false);
    const records::FailedMessage before = issued(fixture, failedOnce());
    fixture.broker.put(stamped(failedOnce(), fixture.store.storeId(), before.uniqueId, 2));
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{1, 0, 1, 0, 0}));
    QCOMPARE(fixture.stored().size(), 1);
    const records::FailedMessage after = fixture.stored().constFirst();
    QCOMPARE(after.id, before.id);
    QCOMPARE(after.attempts, 2);
    QCOMPARE(after.cameBack, 1);
    QVERIFY(after.status == MessageStatus::Unresolved);
    QVERIFY(newestMember(fixture).cameBack);
    QVERIFY(!isClaimed(fixture));
}

void TestArrivals::aCopyOfAnEarlierAttemptIsNotTheCurrentOne()
{
    IntakeFixture fixture(false);
    const records::FailedMessage before = issued(fixture, failedOnce());
    fixture.broker.put(stamped(failedOnce(), fixture.store.storeId(), before.uniqueId, 1));
    QCOMPARE(fixture.take()->cameBack, 0);
    const records::FailedMessage after = fixture.stored().constFirst();
    QCOMPARE(after.attempts, 2);
    QCOMPARE(after.cameBack, 0);
    QVERIFY(after.status == MessageStatus::RetryIssued); // attempt 2 is still on its way
    QVERIFY(!newestMember(fixture).cameBack);
    QVERIFY(isClaimed(fixture));
}

static records::Envelope diedIn(records::Envelope envelope, const QString &queue, qint64 second = 1'800'000'000)
{
    const QCborMap death{{QStringLiteral("queue"), queue},
                         {QStringLiteral("reason"), QStringLiteral("rejected")},
                         {QStringLiteral("count"), 1},
                         {QStringLiteral("time"), second}};
    records::set(envelope.headers, QStringLiteral("x-death"), QCborArray{death});
    return envelope;
}

// Headers, stamp and body are the same for each queue, and none of the messages takes the place of another.
void TestArrivals::whatAConsumerPassedOnToSeveralQueuesIsKept()
{
    for (const bool onePage : {true, false}) {
        IntakeFixture fixture(false);
        fixture.connection.kind = records::BrokerKind::RabbitMq;
        fixture.restart();
        const records::Envelope plain = test::plainMessage("body");
        const records::FailedMessage before = issued(fixture, diedIn(plain, QStringLiteral("orders")));
        const records::Envelope back = stamped(plain, fixture.store.storeId(), before.uniqueId, 2);
        records::Envelope split = back;
        records::set(split.headers, QStringLiteral("part"), 2);
        const QList<records::Envelope> copies{
            diedIn(back, QStringLiteral("billing")), diedIn(back, QStringLiteral("mail")),
            diedIn(back, QStringLiteral("audit")), diedIn(split, QStringLiteral("billing")),
            diedIn(back, QStringLiteral("mail"), 1'800'000'009)}; // failed there a second time
        for (const records::Envelope &copy : copies) {
            fixture.broker.put(copy);
            if (!onePage)
                QVERIFY(fixture.take().has_value());
        }
        if (onePage)
            QVERIFY(fixture.take().has_value());
        const QList<records::FailedMessage> stored = fixture.stored();
        QCOMPARE(stored.size(), 4);
        const QStringList queues{QStringLiteral("billing"), QStringLiteral("mail"), QStringLiteral("audit"),
                                 QStringLiteral("billing")};
        for (qsizetype i = 0; i < stored.size(); ++i) {
            QCOMPARE(stored.at(i).destination.queue, queues.at(i));
            QVERIFY(stored.at(i).status == MessageStatus::Unresolved);
            QCOMPARE(stored.at(i).flags.testFlag(MessageFlag::PossibleDuplicate), i > 0);
        }
        QCOMPARE(stored.at(0).cameBack, 1);
        QCOMPARE(stored.at(1).attempts, 2);
        QCOMPARE(fixture.broker.messagesLeft(), 0);
    }
}

// Filling the holding queue was interrupted, so each message may be there twice.
void TestArrivals::aDoubledReturnIsOneRecord()
{
    IntakeFixture fixture(false);
    fixture.connection.kind = records::BrokerKind::RabbitMq;
    fixture.restart();
    const records::Envelope plain = test::plainMessage("body");
    const records::FailedMessage before = issued(fixture, diedIn(plain, QStringLiteral("orders")));
    const records::Envelope back = stamped(plain, fixture.store.storeId(), before.uniqueId, 2);
    fixture.broker.put(diedIn(back, QStringLiteral("billing")));
    fixture.broker.put(diedIn(back, QStringLiteral("mail")));
    fixture.broker.doubleIntoHolding();
    QVERIFY(fixture.take().has_value());
    QCOMPARE(fixture.stored().size(), 2);
    QCOMPARE(fixture.stored().at(0).attempts, 2);
    QCOMPARE(fixture.stored().at(1).attempts, 1);
}

void TestArrivals::aReturnWithoutOurStampIsCounted_data()
{
    QTest::addColumn<int>("failedAfter"); // seconds after it was sent; 0: it does not say
    QTest::addColumn<bool>("cameThroughUs");
    QTest::addColumn<bool>("isReturn");
    QTest::newRow("failed after it was sent") << 60 << false << true;
    QTest::newRow("failed before it was sent") << -60 << false << false;
    QTest::newRow("does not say when") << 0 << false << false;
    QTest::newRow("came through the return exchange") << 0 << true << true;
    QTest::newRow("came through it for an earlier retry") << -60 << true << false;
}

// Celery publishes its own retries without the headers of others.
void TestArrivals::aReturnWithoutOurStampIsCounted()
{
    QFETCH(int, failedAfter);
    QFETCH(bool, cameThroughUs);
    QFETCH(bool, isReturn);
    IntakeFixture fixture(false);
    fixture.clock.pass(std::chrono::hours(1));
    const records::FailedMessage before = issued(fixture, failedOnce());
    const core::TimePoint sent = fixture.clock.now();
    test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        return session.evidence().sendingFrom(test::must(session.retryBatches().ofOperation({2})).constFirst().id,
                                              sent);
    }));
    fixture.clock.pass(std::chrono::hours(1));
    const QString time = QDateTime::fromMSecsSinceEpoch(core::toMs(sent) + failedAfter * 1000, Qt::UTC)
                             .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss:000000 Z"));
    records::Envelope again = test::failedMessage(QStringLiteral("m"), "body", failedAfter == 0 ? QString() : time);
    const QString exchange = QStringLiteral("redrive.%1.return").arg(fixture.store.storeId());
    const QCborMap death{{QStringLiteral("queue"), QStringLiteral("billing")},
                         {QStringLiteral("reason"), QStringLiteral("rejected")},
                         {QStringLiteral("exchange"), cameThroughUs ? exchange : QStringLiteral("celery")}};
    records::set(again.headers, QStringLiteral("x-death"), QCborArray{death});
    fixture.broker.put(again);
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(counts->cameBack, isReturn ? 1 : 0);
    QCOMPARE(fixture.stored().size(), 1);
    QCOMPARE(fixture.stored().constFirst().attempts, 2);
    QCOMPARE(fixture.stored().constFirst().cameBack, isReturn ? 1 : 0);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Unresolved);
    QCOMPARE(newestMember(fixture).cameBack, isReturn);
    QCOMPARE(newestMember(fixture).possibleDuplicate, !isReturn);
    QVERIFY(!isClaimed(fixture));
}

void TestArrivals::whatWasReleasedAndTakenAgainDidNotFail_data()
{
    QTest::addColumn<bool>("named"); // its framework says who it is and when it failed
    QTest::addColumn<bool>("failedThere"); // somebody else took it meanwhile and failed it again
    QTest::newRow("with its own id") << true << false;
    QTest::newRow("without any header") << false << false;
    QTest::newRow("failed again") << true << true;
}

// It lies where it lay: attempts count failures.
void TestArrivals::whatWasReleasedAndTakenAgainDidNotFail()
{
    QFETCH(bool, named);
    QFETCH(bool, failedThere);
    IntakeFixture fixture(false);
    const records::Envelope failed = named ? failedOnce() : test::plainMessage("plain");
    fixture.broker.put(failed);
    QVERIFY(fixture.take());
    const records::FailedMessage before = fixture.stored().constFirst();
    core::OperationId released;
    test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        released = test::retrySent(session, fixture.connection.id, {before.id}, records::OperationKind::Release);
        return {};
    }));
    fixture.clock.pass(std::chrono::hours(1));
    for (int round = 0; round < 2; ++round) {
        records::Envelope back = stamped(failed, fixture.store.storeId(), before.uniqueId, 1);
        records::set(back.headers, QStringLiteral("x-delivery-count"), round);
        if (failedThere)
            records::set(back.headers, QStringLiteral("NServiceBus.TimeOfFailure"),
                         QStringLiteral("2026-01-0%1 00:00:00:000000 Z").arg(round + 2));
        fixture.broker.put(back);
        QVERIFY(fixture.take());
        QCOMPARE(fixture.stored().size(), 1);
        const records::FailedMessage after = fixture.stored().constFirst();
        QVERIFY(after.status == records::MessageStatus::Unresolved);
        QCOMPARE(after.attempts, failedThere ? 2 + round : 1);
        if (!failedThere) {
            QCOMPARE(after.cameBack, 0);
            QCOMPARE(core::toMs(after.lastFailed), core::toMs(before.lastFailed));
            QVERIFY(!newestMember(fixture, released).cameBack);
        }
        test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
            return session.messages()
                .setStatus({before.id}, {records::MessageStatus::Unresolved}, records::MessageStatus::Released)
                .map([](int) {});
        }));
    }
}

void TestArrivals::theStampOfAnotherStoreIsFlagged()
{
    IntakeFixture fixture(false);
    fixture.broker.put(stamped(test::plainMessage("body"), QString(32, QLatin1Char('a')), QStringLiteral("u"), 1));
    QCOMPARE(fixture.take()->fresh, 1);
    QVERIFY(fixture.stored().constFirst().flags.testFlag(MessageFlag::ForeignStamp));
}

void TestArrivals::aCopiedStampOnAnotherBodyIsAnotherMessage()
{
    IntakeFixture fixture(false);
    const records::FailedMessage before = issued(fixture, failedOnce());
    records::Envelope copied = stamped(failedOnce(), fixture.store.storeId(), before.uniqueId, 2);
    copied.body = "a reply that copied all headers";
    fixture.broker.put(copied);
    QCOMPARE(fixture.take()->fresh, 1);
    QCOMPARE(fixture.stored().size(), 2);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::RetryIssued);
    QVERIFY(!newestMember(fixture).cameBack);
    QVERIFY(isClaimed(fixture));
}

static records::Envelope confirmation(const QString &uniqueId)
{
    records::Envelope envelope;
    envelope.headers = {{QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now")},
                        {QStringLiteral("ServiceControl.Retry.UniqueMessageId"), uniqueId}};
    return envelope;
}

// As endpoints write it.
static QString dashed(QString uniqueId)
{
    for (const int at : {20, 16, 12, 8})
        uniqueId.insert(at, QLatin1Char('-'));
    return uniqueId;
}

// EasyNetQ puts the whole message, stamp and all, into one of its own, with another time in it for each failure.
void TestArrivals::aReturnInsideAWrapperUpdatesItsRecord()
{
    const auto wrapped = [](const QString &stamp, const char *body) {
        QJsonObject headers;
        if (!stamp.isEmpty())
            headers.insert(records::stampHeader.toString(),
                           QJsonObject{{QStringLiteral("Type"), 14},
                                       {QStringLiteral("Value"), QString::fromLatin1(stamp.toUtf8().toBase64())}});
        const QJsonObject error{{QStringLiteral("RoutingKey"), QString()},
                                {QStringLiteral("Exchange"), QString()},
                                {QStringLiteral("Queue"), QStringLiteral("billing")},
                                {QStringLiteral("Exception"), QStringLiteral("Shop.Bad: no")},
                                {QStringLiteral("Message"), QString::fromUtf8(body)},
                                {QStringLiteral("DateTime"), stamp.isEmpty() ? QStringLiteral("2026-01-02T03:04:05Z")
                                                                             : QStringLiteral("2026-01-02T04:04:05Z")},
                                {QStringLiteral("BasicProperties"), QJsonObject{{QStringLiteral("Headers"), headers}}}};
        return test::plainMessage(QJsonDocument(error).toJson());
    };
    IntakeFixture fixture(false);
    const records::FailedMessage before = issued(fixture, wrapped({}, "body"));
    QCOMPARE(before.dialect, QStringLiteral("EasyNetQ"));
    records::Envelope inside = test::plainMessage("body");
    inside = stamped(inside, fixture.store.storeId(), before.uniqueId, 2);
    fixture.broker.put(wrapped(records::text(inside.headers, records::stampHeader), "body"));
    fixture.broker.put(wrapped(records::text(inside.headers, records::stampHeader), "another body"));
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2, 1, 1, 0, 0}));
    QCOMPARE(fixture.stored().size(), 2);
    QCOMPARE(fixture.stored().constFirst().cameBack, 1);
    QVERIFY(newestMember(fixture).cameBack);
}

// On SQS NServiceBus has its headers in the body, so that this is another one when the message fails again.
void TestArrivals::aReturnWithItsFailureInTheBodyUpdatesItsRecord()
{
    const auto packed = [](bool failed, const char *content) {
        QJsonObject headers{{QStringLiteral("NServiceBus.EnclosedMessageTypes"), QStringLiteral("Shop.PlaceOrder")}};
        if (failed) {
            headers.insert(QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing"));
            headers.insert(QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.Bad"));
        }
        const QJsonObject body{{QStringLiteral("Headers"), headers}, {QStringLiteral("Body"), QLatin1String(content)}};
        records::Envelope envelope;
        envelope.properties = {{QStringLiteral("ApproximateReceiveCount"), QStringLiteral("1")}};
        envelope.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
        return envelope;
    };
    IntakeFixture fixture(false);
    const records::FailedMessage before = issued(fixture, packed(true, "eyJhIjoxfQ=="));
    QCOMPARE(before.dialect, QStringLiteral("NServiceBus"));
    const records::Envelope sent = stamped(packed(false, "eyJhIjoxfQ=="), fixture.store.storeId(), before.uniqueId, 2);
    for (const char *content : {"eyJhIjoxfQ==", "eyJhIjoyfQ=="}) { // the other has a copied stamp
        records::Envelope again = packed(true, content);
        again.headers = sent.headers;
        fixture.broker.put(again);
    }
    const auto counts = fixture.take();
    QVERIFY(counts.has_value());
    QCOMPARE(*counts, (records::IntakeCounts{2, 1, 1, 0, 0}));
    QCOMPARE(fixture.stored().size(), 2);
    QCOMPARE(fixture.stored().constFirst().cameBack, 1);
    QVERIFY(newestMember(fixture).cameBack);
}

void TestArrivals::confirmationsComeLast()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = issued(fixture, test::failedMessage(QStringLiteral("m"), "body"));
    fixture.broker.put(confirmation(dashed(record.uniqueId.toUpper())));
    fixture.broker.put(
        stamped(test::failedMessage(QStringLiteral("m"), "body"), fixture.store.storeId(), record.uniqueId, 2));
    QCOMPARE(*fixture.take(), (records::IntakeCounts{2, 0, 1, 1, 0}));
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Resolved);
    QVERIFY(!isClaimed(fixture));
}

void TestArrivals::aConfirmationForSomebodyElseIsKept()
{
    IntakeFixture fixture(false);
    fixture.broker.put(confirmation(QStringLiteral("00112233-4455-6677-8899-aabbccddeeff")));
    QCOMPARE(*fixture.take(), (records::IntakeCounts{1, 1, 0, 0, 0}));
    QCOMPARE(fixture.stored().size(), 1);
}

// It is about the copy of an earlier retry, and the copy that comes may have been edited since.
void TestArrivals::aConfirmationProvesNoRetryThatSentNothing()
{
    IntakeFixture fixture(false);
    const records::FailedMessage record = issued(fixture, failedOnce());
    test::must(fixture.real->transact([&](store::Session &session) -> core::Result<> {
        (void)test::must(session.claims().close({record.id}, {records::ClaimClosing::TakenBack, {}, {}}));
        records::RetryOperation operation;
        operation.connection = fixture.connection.id;
        const core::OperationId id = test::must(session.retryOperations().add(operation));
        const store::FreezeRules rules{{}, test::must(session.changeNumber()), true, {}, {}};
        test::must(session.frozenSets().freeze(id, {record.id}, rules));
        operation = test::must(session.retryOperations().load(id));
        operation.state = records::OperationState::Running;
        test::must(session.retryOperations().update(operation));
        const auto batch = test::must(session.staging().addBatch(id, QStringLiteral("session"), 1));
        test::must(session.staging().claimMembers(batch->id));
        return session.staging().beginStaging(batch->id);
    }));
    fixture.broker.put(confirmation(dashed(record.uniqueId)));
    QCOMPARE(*fixture.take(), (records::IntakeCounts{1, 0, 0, 1, 0}));
    QVERIFY(newestMember(fixture, {3}).outcome == records::Outcome::Claimed);
    QVERIFY(isClaimed(fixture));
    QVERIFY(fixture.stored().constFirst().status == MessageStatus::Unresolved);
}

// A queue that was deleted and made again numbers its messages from 1.
void TestArrivals::twinsStayTwo()
{
    IntakeFixture fixture(true);
    fixture.broker.put(test::plainMessage("first life"));
    QVERIFY(fixture.take().has_value());
    fixture.broker.startNumbersAgain();
    fixture.broker.put(test::plainMessage("second life"));
    QVERIFY(fixture.take().has_value());
    QCOMPARE(fixture.bodies(), (QByteArrayList{"first life", "second life"}));
}

void TestArrivals::aDoubledMessageIsAPossibleDuplicate()
{
    IntakeFixture fixture(false);
    fixture.broker.put(test::plainMessage("no id"));
    fixture.broker.put(test::failedMessage(QStringLiteral("m"), "with id"));
    fixture.broker.doubleIntoHolding();
    QVERIFY(fixture.take().has_value());
    const QList<records::FailedMessage> stored = fixture.stored();
    QCOMPARE(stored.size(), 3); // an id says that it is the same message; without one a person decides
    QVERIFY(!stored.at(0).flags.testFlag(MessageFlag::PossibleDuplicate));
    QVERIFY(!stored.at(1).flags.testFlag(MessageFlag::PossibleDuplicate));
    QVERIFY(stored.at(2).flags.testFlag(MessageFlag::PossibleDuplicate));
    QCOMPARE(stored.at(1).attempts, 1);
}

void TestArrivals::theSameMessageInTwoConnectionsHasTwoRecords()
{
    IntakeFixture fixture(false);
    fixture.broker.put(test::failedMessage(QStringLiteral("m"), "body"));
    QVERIFY(fixture.take().has_value());
    fixture.connection.name = QStringLiteral("test copy");
    const core::Result<> added = fixture.real->transact([&](store::Session &session) -> core::Result<> {
        fixture.connection.id = *session.connections().add(fixture.connection);
        return {};
    });
    QVERIFY(added.has_value());
    fixture.restart();
    fixture.broker.put(test::failedMessage(QStringLiteral("m"), "body"));
    QVERIFY(fixture.take().has_value());
    QCOMPARE(fixture.stored().size(), 2);
    QVERIFY(fixture.stored().at(0).connection != fixture.stored().at(1).connection);
}

void TestArrivals::groupsAndFactsAreStored()
{
    IntakeFixture fixture(false);
    fixture.broker.put(
        test::failedMessage(QStringLiteral("m"), "body", QStringLiteral("2025-12-31 23:59:59:000000 Z")));
    fixture.broker.put(
        test::failedMessage(QStringLiteral("n"), "body", QStringLiteral("2099-12-31 23:59:59:000000 Z")));
    QVERIFY(fixture.take().has_value());
    const records::FailedMessage message = fixture.stored().constFirst();
    QCOMPARE(message.dialect, QStringLiteral("NServiceBus"));
    QCOMPARE(message.destination.queue, QStringLiteral("billing"));
    QCOMPARE(message.failure.exceptionType, QStringLiteral("System.TimeoutException"));
    QCOMPARE(core::toMs(message.lastFailed), 1767225599000);
    QVERIFY(fixture.stored().at(1).lastFailed == fixture.clock.now()); // nothing fails in the future
}

REDRIVE_TEST(TestArrivals)
#include "tst_arrivals.moc"
