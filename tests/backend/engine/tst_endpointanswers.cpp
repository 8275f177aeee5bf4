// A retry that asks its endpoints to confirm: their answers are its evidence, at once, late, twice or for somebody else.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/retryplan.h"
#include "backend/dialect/confirmation.h"
#include "backend/engine/planning/editrules.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryguardstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QTest>

using records::MessageStatus;
using records::OperationState;
using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr core::Milliseconds handling{200};

void insert(EngineFixture &fixture, int n, const QString &dialectName = QStringLiteral("NServiceBus"),
            const QString &queue = errorQueue, const records::Headers &more = {})
{
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
        fresh.message.dialect = dialectName;
        fresh.message.queue = queue;
        fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
        fresh.envelope.headers.append({QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("billing")});
        fresh.envelope.headers += more;
        const core::Result<core::MessageId> added = session.messages().insert(fresh);
        return added ? core::Result<>() : core::fail(added.error());
    });
    QVERIFY(done);
}

void open(EngineFixture &fixture, int messages)
{
    fixture.fill(0);
    for (int n = 0; n < messages; ++n)
        insert(fixture, n + 1); // the id of message 0 is the empty GUID
}

records::Plan askingInSteps()
{
    records::Plan plan;
    plan.askEndpoints = true;
    plan.ramp = records::Ramp{{1, 3}, true};
    plan.stopWhen = records::StopWhen{1, false};
    return plan;
}

// What an endpoint sends that handled the message at this time.
records::Envelope answerFor(const QString &id, core::TimePoint at)
{
    records::Envelope answer;
    answer.headers = {{QStringLiteral("ServiceControl.Retry.Successful"),
                       QDateTime::fromMSecsSinceEpoch(core::toMs(at), Qt::UTC)
                           .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss:zzz000 'Z'"))},
                      {dialect::confirmationIdHeader.toString(), id},
                      {QStringLiteral("NServiceBus.ControlMessage"), QStringLiteral("True")}};
    return answer;
}

// An endpoint as NServiceBus builds them: it handles the message, and answers where the message asks it to.
struct Endpoint
{
    explicit Endpoint(EngineFixture &fixture)
    {
        fixture.broker->delivered = [this, &fixture](const support::FakeBroker::Delivery &delivery) {
            const records::Headers &headers = delivery.envelope.headers;
            const QString queue = records::text(headers, dialect::confirmationQueueHeader);
            const QString id = records::text(headers, dialect::confirmationIdHeader);
            ++handled;
            if (queue.isEmpty() || id.isEmpty())
                return;
            asked.append(id);
            for (int i = 0; i < answersEach; ++i)
                fixture.clock.after(
                    takes, [&fixture, queue, id] { fixture.broker->put(queue, answerFor(id, fixture.clock.now())); });
        };
    }

    core::Milliseconds takes = handling;
    int answersEach = 1;
    int handled = 0;
    QStringList asked;
};

QList<records::FailedMessage> messagesOf(EngineFixture &fixture)
{
    return fixture.ask<QList<records::FailedMessage>>(
        [&](store::Session &session) -> core::Result<QList<records::FailedMessage>> {
            records::MessageFilter all;
            all.connection = fixture.shop;
            QList<records::FailedMessage> messages;
            TRY(const store::Slice slice, session.messages().slice(all, {}, 1000));
            for (const core::MessageId id : slice.ids) {
                TRY(const records::FailedMessage message, session.messages().load(id));
                messages.append(message);
            }
            return messages;
        });
}

qint64 resolved(EngineFixture &fixture)
{
    const QList<records::FailedMessage> all = messagesOf(fixture);
    return std::count_if(all.cbegin(), all.cend(),
                         [](const auto &message) { return message.status == MessageStatus::Resolved; });
}

} // namespace

class TestEndpointAnswers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersProveTheStepsOfARamp()
    {
        EngineFixture fixture;
        open(fixture, 12);
        Endpoint endpoint(fixture);
        fixture.start();
        const core::TimePoint begun = fixture.clock.now();
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, askingInSteps());
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(fixture.runToEnd(*id));
        QVERIFY(fixture.clock.now() - begun < records::quietTime); // simulated: two quiet periods without the answers
        const records::RetryOperation ended = fixture.operation(*id);
        QCOMPARE(ended.provedSteps, 2);
        QCOMPARE(ended.counts.sent, 12);
        QCOMPARE(ended.counts.cameBack, 0);
        QCOMPARE(endpoint.asked.size(), 12);
        // The answers of the last step come after the end, and are taken, too.
        QVERIFY(fixture.runUntil([&] { return resolved(fixture) == 12; }));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 0);
        QCOMPARE(messagesOf(fixture).size(), 12); // no answer became a failed message
    }

    void withoutThePlanTheFirstStepWaitsForItsQuietPeriod()
    {
        EngineFixture fixture;
        open(fixture, 12);
        Endpoint endpoint(fixture);
        fixture.start();
        records::Plan plan = askingInSteps();
        plan.askEndpoints = false;
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        QVERIFY(fixture.runUntil([&] { return endpoint.handled == 1; }));
        fixture.advance(records::quietTime - std::chrono::seconds(5));
        QCOMPARE(fixture.operation(*id).counts.sent, 1);
        QVERIFY(endpoint.asked.isEmpty());
        QCOMPARE(resolved(fixture), 0);
    }

    // A message that fails again names its request still, and is known by the stamp.
    void aReturnStopsTheRampAllTheSame()
    {
        EngineFixture fixture;
        open(fixture, 6);
        fixture.broker->delivered = [&fixture](const support::FakeBroker::Delivery &delivery) {
            if (delivery.destination == errorQueue)
                return;
            records::Envelope failed = delivery.envelope;
            records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), delivery.destination);
            fixture.clock.after(handling, [&fixture, failed] { fixture.broker->put(errorQueue, failed); });
        };
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, askingInSteps());
        QVERIFY(id.has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).state == OperationState::Paused; }));
        QCOMPARE(fixture.operation(*id).counts.cameBack, 1);
        QCOMPARE(messagesOf(fixture).size(), 6);
        QCOMPARE(resolved(fixture), 0);
    }

    void aLateAnswerCountsWhenItIsTaken()
    {
        EngineFixture fixture;
        open(fixture, 1);
        Endpoint endpoint(fixture);
        endpoint.takes = std::chrono::minutes(10); // after the quiet period: nobody takes from the queue any more
        fixture.start();
        records::Plan plan;
        plan.askEndpoints = true;
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        QVERIFY(fixture.runToEnd(*id));
        fixture.advance(std::chrono::minutes(11));
        QCOMPARE(fixture.broker->depthOf(errorQueue), 1);
        QCOMPARE(resolved(fixture), 0);
        const auto taken = fixture.carryOut(api::TakeMessages{fixture.shop, errorQueue, std::nullopt});
        QVERIFY(taken.has_value());
        QCOMPARE(taken->confirmed, 1);
        QCOMPARE(resolved(fixture), 1);
        QCOMPARE(messagesOf(fixture).size(), 1);
    }

    void twoAnswersCountAsOne()
    {
        EngineFixture fixture;
        open(fixture, 4);
        Endpoint endpoint(fixture);
        endpoint.answersEach = 2;
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, askingInSteps());
        QVERIFY(id.has_value());
        QVERIFY(fixture.runToEnd(*id));
        QVERIFY(fixture.runUntil([&] { return resolved(fixture) == 4 && fixture.broker->depthOf(errorQueue) == 0; }));
        QCOMPARE(fixture.operation(*id).counts.sent, 4);
        QCOMPARE(messagesOf(fixture).size(), 4);
    }

    // It names no retry: the time in it shows that it is about a copy that was handled before.
    void anAnswerToAnEarlierRetryProvesNoLaterOne()
    {
        EngineFixture fixture;
        open(fixture, 2);
        Endpoint endpoint(fixture);
        endpoint.answersEach = 0;
        fixture.start();
        records::Plan plan;
        plan.askEndpoints = true;
        const core::Result<core::OperationId> first = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(first.has_value());
        QVERIFY(fixture.runToEnd(*first));
        QVERIFY(fixture.runUntil([&] { return endpoint.handled == 2; }));
        const core::TimePoint handled = fixture.clock.now();
        api::DecideMessages back;
        back.filter.connection = fixture.shop;
        back.decision = api::Decision::TakeBack;
        const auto taken = fixture.carryOut(back);
        QVERIFY(taken.has_value());
        QCOMPARE(taken->changed, 2);
        fixture.advance(std::chrono::minutes(20));

        plan.ramp = records::Ramp{{1}, true};
        plan.stopWhen = records::StopWhen{1, false};
        const core::Result<core::OperationId> second = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY2(second, second ? "" : qPrintable(second.error().message));
        QVERIFY(fixture.runUntil([&] { return endpoint.handled == 3; }));
        const QString id = endpoint.asked.last();
        fixture.broker->put(errorQueue, answerFor(id, handled));
        QVERIFY(fixture.runUntil([&] { return fixture.broker->depthOf(errorQueue) == 0; }));
        fixture.advance(std::chrono::seconds(1));
        QCOMPARE(fixture.operation(*second).provedSteps, 0);
        QCOMPARE(resolved(fixture), 0);
        fixture.broker->put(errorQueue, answerFor(id, fixture.clock.now()));
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*second).provedSteps == 1; }));
        QCOMPARE(resolved(fixture), 1);
    }

    // It may be meant for a ServiceControl that reads the same queue: kept, and no evidence for anything.
    void anAnswerForSomebodyElseProvesNothing()
    {
        EngineFixture fixture;
        open(fixture, 4);
        fixture.broker->delivered = [&fixture](const support::FakeBroker::Delivery &) {
            fixture.clock.after(handling, [&fixture] {
                fixture.broker->put(
                    errorQueue, answerFor(QStringLiteral("deadbeef-0000-4000-8000-000000000001"), fixture.clock.now()));
            });
        };
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, askingInSteps());
        QVERIFY(id.has_value());
        QVERIFY(fixture.runUntil([&] { return messagesOf(fixture).size() == 5; }));
        QCOMPARE(resolved(fixture), 0);
        QCOMPARE(fixture.operation(*id).provedSteps, 0);
    }

    void whereNoAnswerCouldBeTakenThePlanIsRefused_data()
    {
        QTest::addColumn<bool>("release");
        QTest::addColumn<bool>("mayTake");
        QTest::newRow("a release") << true << true;
        QTest::newRow("no right to take") << false << false;
    }

    void whereNoAnswerCouldBeTakenThePlanIsRefused()
    {
        QFETCH(const bool, release);
        QFETCH(const bool, mayTake);
        EngineFixture fixture;
        fixture.connection.rights.setFlag(records::Right::Take, mayTake);
        open(fixture, 1);
        fixture.start();
        records::Plan plan;
        plan.askEndpoints = true;
        const auto kind = release ? records::OperationKind::Release : records::OperationKind::Retry;
        const core::Result<core::OperationId> id = fixture.retryAll(kind, plan);
        QVERIFY(!id.has_value());
        QVERIFY(id.error().kind == core::ErrorKind::Refused);
    }

    void thePlanSaysForHowManyItAsks()
    {
        EngineFixture fixture;
        open(fixture, 2);
        insert(fixture, 3, QStringLiteral("Celery"));
        insert(fixture, 4, QStringLiteral("NServiceBus"), QStringLiteral("error.of.last.year"));
        fixture.start();
        api::PreviewRetry question;
        question.draft.filter.connection = fixture.shop;
        question.draft.plan.askEndpoints = true;
        const core::Result<api::PlanPreview> preview = fixture.carryOut(question);
        QVERIFY(preview.has_value());
        QVERIFY(preview->refusal.isEmpty());
        QVERIFY2(preview->guarantee.contains(QStringLiteral("2 of 4 messages")), qPrintable(preview->guarantee));
        QVERIFY(preview->guarantee.contains(QStringLiteral("second Redrive"))); // it would get some of the answers
    }

    void whereNobodyCanBeAskedThePlanIsRefused()
    {
        EngineFixture fixture;
        open(fixture, 0);
        insert(fixture, 1, QStringLiteral("Celery"));
        fixture.start();
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan.askEndpoints = true;
        command.expectedCount = 1;
        const core::Result<api::PlanPreview> preview = fixture.carryOut(api::PreviewRetry{command.draft});
        QVERIFY(preview.has_value());
        QVERIFY(!preview->refusal.isEmpty());
        const core::Result<core::OperationId> id = fixture.carryOut(command);
        QVERIFY(!id.has_value());
        QVERIFY(id.error().kind == core::ErrorKind::Refused);
        command.draft.plan.askEndpoints = false;
        QVERIFY(fixture.carryOut(command).has_value());
    }

    void onlyTheQueuesOfAnswersAreWatched_data()
    {
        QTest::addColumn<bool>("guarded");
        QTest::addColumn<int>("watchBackMinutes");
        QTest::addColumn<QStringList>("during");
        QTest::addColumn<QStringList>("after");
        const QStringList answers{errorQueue};
        const QStringList all{QStringLiteral("celery.dead"), errorQueue};
        QTest::newRow("asks") << false << 0 << answers << answers;
        QTest::newRow("asks and is guarded") << true << 0 << all << answers;
        QTest::newRow("asks and is watched") << false << 10 << all << all;
    }

    void onlyTheQueuesOfAnswersAreWatched()
    {
        QFETCH(const bool, guarded);
        QFETCH(const int, watchBackMinutes);
        EngineFixture fixture;
        fixture.connection.errorQueues.append(QStringLiteral("celery.dead"));
        fixture.broker->addQueue(QStringLiteral("celery.dead"));
        open(fixture, 1);
        insert(fixture, 2, QStringLiteral("Celery"), QStringLiteral("celery.dead"));
        Endpoint endpoint(fixture);
        fixture.start();
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan.askEndpoints = true;
        if (guarded)
            command.draft.plan.stopWhen = records::StopWhen{1, false};
        command.watchBack = std::chrono::minutes(watchBackMinutes);
        command.expectedCount = 2;
        const core::Result<core::OperationId> id = fixture.carryOut(command);
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        const auto during = fixture.ask<store::Returns>(
            [&](store::Session &session) { return session.retryGuards().returns(fixture.shop, {}); });
        QTEST(during.sources, "during");
        QVERIFY(fixture.runToEnd(*id));
        const store::Returns after = fixture.ask<store::Returns>([&](store::Session &session) {
            return session.evidence().stillWatched(fixture.shop, fixture.clock.now());
        });
        QTEST(after.sources, "after");
    }

    void theSampleNamesTheHeadersAndTheQueue()
    {
        EngineFixture fixture;
        open(fixture, 1);
        fixture.start();
        api::PreviewEdit question;
        question.filter.connection = fixture.shop;
        QVERIFY(fixture.carryOut(question)->confirmationHeaders.isEmpty());
        question.askEndpoints = true;
        const core::Result<api::EditSample> sample = fixture.carryOut(question);
        QVERIFY(sample.has_value());
        QCOMPARE(sample->confirmationHeaders,
                 QStringList({dialect::confirmationIdHeader.toString(), dialect::confirmationQueueHeader.toString()}));
        QCOMPARE(sample->answerQueue, errorQueue);
        QCOMPARE(sample->addedHeader, records::stampHeader.toString());
    }

    // A copy that asks nobody goes without the request of an earlier retry, and the sample says so.
    void theSampleShowsWhichRequestGoes()
    {
        EngineFixture fixture;
        open(fixture, 1);
        Endpoint endpoint(fixture);
        fixture.start();
        records::Plan plan;
        plan.askEndpoints = true;
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        QVERIFY(fixture.runToEnd(*id));
        const auto header = [](QStringView name, const QString &text) {
            return records::Header{name.toString(), text};
        };
        const auto request = [&](const QString &of) {
            return records::Headers{header(dialect::confirmationIdHeader, of),
                                    header(dialect::confirmationQueueHeader, errorQueue)};
        };
        insert(fixture, 2, QStringLiteral("NServiceBus"), errorQueue, request(endpoint.asked.first()));
        insert(fixture, 3, QStringLiteral("NServiceBus"), errorQueue,
               request(QStringLiteral("deadbeef-0000-4000-8000-000000000001"))); // of a ServiceControl
        const auto shown = [&fixture](qint64 message) {
            api::PreviewEdit question;
            question.filter.connection = fixture.shop;
            question.message = core::MessageId{message};
            return fixture.carryOut(question).value();
        };
        const api::EditSample ours = shown(2);
        QVERIFY(records::find(ours.before.headers, dialect::confirmationIdHeader) == nullptr);
        QCOMPARE(ours.after, ours.before);
        QCOMPARE(ours.withheld.size(), 2);
        QCOMPARE(ours.withheld.first().before, endpoint.asked.first());
        const api::EditSample theirs = shown(3);
        QVERIFY(records::find(theirs.before.headers, dialect::confirmationIdHeader) != nullptr);
        QVERIFY(theirs.withheld.isEmpty());
    }

    void theSampleAsksOnlyWhereThereIsRoom()
    {
        records::Connection connection;
        connection.kind = records::BrokerKind::Sqs; // ten attributes at most
        connection.errorQueues = {errorQueue};
        const auto asked = [&connection](int headers) {
            store::Original original;
            original.dialect = QStringLiteral("NServiceBus");
            original.queue = errorQueue;
            for (int i = 0; i < headers; ++i)
                original.envelope.headers.append({QStringLiteral("h%1").arg(i), QStringLiteral("value")});
            original.envelope.body = "order";
            return engine::sampleOf(connection, {}, original, {}, {true, false}, original.envelope);
        };
        QCOMPARE(asked(7).confirmationHeaders.size(), 2);
        QCOMPARE(asked(7).answerQueue, errorQueue);
        QVERIFY(asked(8).confirmationHeaders.isEmpty());
        QVERIFY(asked(8).answerQueue.isEmpty());
    }
};

REDRIVE_TEST(TestEndpointAnswers)
#include "tst_endpointanswers.moc"
