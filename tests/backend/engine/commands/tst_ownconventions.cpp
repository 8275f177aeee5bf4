// Conventions of one's own on a whole engine with a broker in memory: what they do to messages that are taken and to those
// that are there, what a retry sends, who may set them, and what a wrong one cannot do.
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/conventions.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/retryplan.h"
#include "backend/intake/pages/pagewriter.h"
#include "backend/records/conventions/conventionfile.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/retry/retryrecords.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QCborMap>
#include <QTest>

using core::ErrorKind;
using records::Convention;
using records::MessageFlag;
using support::EngineFixture;

namespace {

const QByteArray billing = R"({"name": "billing", "for": {"queues": ["err*"], "headers": {"x-app": "bill*"}},
 "read": {"exception_type": {"header": "x-error", "pointer": "/type"},
          "exception_message": {"header": "x-error", "pointer": "/text"},
          "return_to": {"header": "x-error", "pointer": "/from"}},
 "before_retry": [{"remove": {"header": "x-error"}}, {"zero": {"header": "x-tries"}}]})";

records::Envelope failedMessage(int n)
{
    records::Envelope envelope;
    const QCborMap error{{QStringLiteral("type"), QStringLiteral("Card.Declined")},
                         {QStringLiteral("text"), QStringLiteral("no funds")},
                         {QStringLiteral("from"), QStringLiteral("sales")}};
    envelope.headers = {{QStringLiteral("x-app"), QStringLiteral("billing")},
                        {QStringLiteral("x-error"), QCborValue(error)},
                        {QStringLiteral("x-tries"), QCborValue(7)},
                        {QStringLiteral("x-n"), QCborValue(n)}};
    envelope.body = "{\"n\":" + QByteArray::number(n) + "}";
    return envelope;
}

// As an intake of the queue does it.
void take(EngineFixture &fixture, const QList<broker::ReceivedMessage> &messages)
{
    intake::PageOrigin origin{
        fixture.shop,       records::BrokerKind::RabbitMq, fixture.store->storeId(), QStringLiteral("error"), false,
        fixture.clock.now()};
    origin.connectionName = QStringLiteral("shop");
    origin.conventions = intake::conventionsOf(*fixture.store).value();
    intake::PageWriter writer(origin, messages, {});
    QVERIFY(
        fixture.store->transact<records::IntakeCounts>([&](store::Session &session) { return writer.write(session); }));
}

void takeFailed(EngineFixture &fixture, int from, int count)
{
    QList<broker::ReceivedMessage> page;
    for (int n = from; n < from + count; ++n) {
        broker::ReceivedMessage held;
        held.nativeId = QString::number(n);
        held.envelope = failedMessage(n);
        page.append(held);
    }
    take(fixture, page);
}

// With a header that is null, as RabbitMQ's HTTP interface shows it.
void takeEmpty(EngineFixture &fixture, int count, const QString &cause = QStringLiteral("rejected"))
{
    QList<broker::ReceivedMessage> page;
    for (int n = 0; n < count; ++n) {
        broker::ReceivedMessage held;
        held.nativeId = cause + QString::number(n);
        held.envelope = failedMessage(n);
        held.envelope.headers.append({QStringLiteral("x-tenant"), QStringLiteral("undefined")});
        held.envelope.headers.append({QStringLiteral("x-kind"), QCborValue(QStringLiteral("order"))});
        held.origin = QStringLiteral("sales");
        held.lossyHeaders = QStringList{QStringLiteral("x-tenant")};
        page.append(held);
    }
    take(fixture, page);
}

void open(EngineFixture &fixture,
          records::Rights more = records::Rights(records::Right::Edit) | records::Right::Redirect)
{
    fixture.connection.rights = records::defaultRights | more;
    fixture.fill(0);
    fixture.start();
}

QList<records::FailedMessage> all(EngineFixture &fixture)
{
    return fixture.ask<QList<records::FailedMessage>>([&](store::Session &session) {
        records::MessageFilter filter;
        filter.connection = fixture.shop;
        QList<records::FailedMessage> found;
        const core::Result<store::Slice> slice = session.messages().slice(filter, {}, 1000);
        for (const core::MessageId id : slice.value().ids)
            found.append(session.messages().load(id).value());
        return core::Result<QList<records::FailedMessage>>(found);
    });
}

core::Result<QString> set(EngineFixture &fixture, const QByteArray &file, bool isNew = false)
{
    return fixture.carryOut(api::SetConvention{file, isNew});
}

core::Result<api::Reread> apply(EngineFixture &fixture)
{
    api::ApplyConventions command;
    command.filter.connection = fixture.shop;
    return fixture.carryOut(command);
}

api::PlanPreview preview(EngineFixture &fixture)
{
    api::RetryDraft draft;
    draft.filter.connection = fixture.shop;
    return fixture.carryOut(api::PreviewRetry{draft}).value();
}

// What the broker gets, by destination.
QMultiMap<QString, records::Envelope> sentBy(EngineFixture &fixture, const core::Result<core::OperationId> &operation)
{
    QMultiMap<QString, records::Envelope> sent;
    fixture.broker->delivered = [&sent](const support::FakeBroker::Delivery &delivery) {
        sent.insert(delivery.destination, delivery.envelope);
    };
    if (operation)
        fixture.runToEnd(*operation);
    fixture.broker->delivered = {};
    return sent;
}

} // namespace

class TestOwnConventions final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesThatAreTakenAreReadWithIt()
    {
        EngineFixture fixture;
        open(fixture);
        QVERIFY(set(fixture, billing));
        takeFailed(fixture, 0, 3);
        const QList<records::FailedMessage> messages = all(fixture);
        QCOMPARE(messages.size(), 3);
        for (const records::FailedMessage &message : messages) {
            QCOMPARE(message.failure.exceptionType, QStringLiteral("Card.Declined"));
            QCOMPARE(message.failure.exceptionMessage, QStringLiteral("no funds"));
            QCOMPARE(message.destination.queue, QStringLiteral("sales"));
            QCOMPARE(message.destination.knownFrom, QStringLiteral("convention billing"));
            QCOMPARE(message.conventions, QStringList{QStringLiteral("billing")});
        }
        const auto sent = sentBy(fixture, fixture.retryAll());
        QCOMPARE(sent.count(QStringLiteral("sales")), 3);
        for (const records::Envelope &copy : sent) {
            QVERIFY(records::find(copy.headers, u"x-error") == nullptr);
            QCOMPARE(records::find(copy.headers, u"x-tries")->toInteger(-1), 0);
            QVERIFY(records::find(copy.headers, u"x-n") != nullptr);
        }
    }

    void itFollowsAConnectionThatIsRenamed()
    {
        EngineFixture fixture;
        open(fixture);
        QVERIFY(set(fixture, QByteArray(billing).replace(R"("for": {)", R"("for": {"connection": "shop", )")));
        QVERIFY(set(fixture, R"({"name": "everywhere", "read": {"host": {"header": "x-host"}}})"));
        api::ConnectionDraft draft{fixture.connection, {}};
        draft.connection.id = fixture.shop;
        draft.connection.name = QStringLiteral("store front");
        QVERIFY(fixture.carryOut(api::SaveConnection{draft}));
        const auto conventions =
            fixture.ask<records::Conventions>([](store::Session &session) { return session.conventions().all(); });
        QCOMPARE(conventions.size(), 2);
        QCOMPARE(conventions.at(0).isFor.connection, QStringLiteral("store front"));
        QVERIFY(conventions.at(1).isFor.connection.isEmpty());
    }

    void aDialectThatDoesNotExistIsRefused()
    {
        EngineFixture fixture;
        open(fixture);
        const core::Result<QString> wrong =
            set(fixture, R"({"name": "own", "for": {"dialects": ["unknown", "Rabitmq"]}})");
        QVERIFY(!wrong && wrong.error().kind == ErrorKind::Rejected);
        QVERIFY(wrong.error().message.contains(QStringLiteral("for.dialects[1]")));
        QVERIFY(wrong.error().message.contains(QStringLiteral("\"RabbitMQ\"")));
        QVERIFY(set(fixture, R"({"name": "own", "for": {"dialects": ["unknown", "RabbitMQ"]}})"));
    }

    void messagesThatAreThereAreReadAgainOnRequest()
    {
        EngineFixture fixture;
        open(fixture);
        takeFailed(fixture, 0, 450); // more than one slice
        const QList<records::FailedMessage> before = all(fixture);
        QVERIFY(before.first().destination.queue.isEmpty());
        QCOMPARE(preview(fixture).leftOut[records::LeftOut::NoDestination], 450);
        QVERIFY(set(fixture, billing));
        QCOMPARE(all(fixture).first().failure, before.first().failure); // only on request
        QCOMPARE(*apply(fixture), (api::Reread{450, 450, 0}));
        QCOMPARE(*apply(fixture), (api::Reread{450, 0, 0}));
        const records::FailedMessage after = all(fixture).first();
        QCOMPARE(after.failure.exceptionType, QStringLiteral("Card.Declined"));
        QCOMPARE(after.attempts, before.first().attempts);
        QVERIFY(after.status == records::MessageStatus::Unresolved);
        QCOMPARE(after.uniqueId, before.first().uniqueId);
        QCOMPARE(preview(fixture).frozenCount, 450);
        // Removed and read again, they are as before.
        QVERIFY(fixture.carryOut(api::RemoveConvention{QStringLiteral("billing")}));
        QCOMPARE(apply(fixture)->changed, 450);
        QCOMPARE(all(fixture).first().failure, before.first().failure);
        QVERIFY(all(fixture).first().destination.queue.isEmpty());
        QVERIFY(all(fixture).first().conventions.isEmpty());
    }

    void readingAgainTellsHowFarItIsAndCanBeCancelled()
    {
        EngineFixture fixture;
        open(fixture);
        takeFailed(fixture, 0, 450); // more than one slice
        QVERIFY(set(fixture, billing));
        api::ApplyConventions command;
        command.filter.connection = fixture.shop;
        command.ticket = QStringLiteral("t1");
        const auto asked = std::make_shared<api::Asked<api::ApplyConventions>>(command);
        fixture.engine->carryOut(asked, QStringLiteral("ada@desk"));
        const core::Result<api::WorkProgress> soFar = fixture.carryOut(api::AskWork{command.ticket});
        QVERIFY(soFar);
        QVERIFY(soFar->done < 450);
        QVERIFY(soFar->of == std::optional<qint64>(450));
        QVERIFY(fixture.carryOut(api::CancelWork{command.ticket}));
        const auto answer = asked->reply.future();
        QVERIFY(fixture.runUntil([&answer] { return answer.isFinished(); }));
        QVERIFY(!answer.result() && answer.result().error().kind == ErrorKind::Cancelled);
        QVERIFY(fixture.carryOut(api::AskWork{command.ticket}).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.carryOut(api::CancelWork{command.ticket}).error().kind == ErrorKind::NotFound);
        const core::Result<api::Reread> rest = apply(fixture); // the same again completes it
        QVERIFY(rest);
        QCOMPARE(rest->read, 450);
        QVERIFY(rest->changed > 0 && rest->changed <= 450);
    }

    // A date of birth, a number in another unit, an appointment: what a wrong header can do to the times.
    void aWrongTimeGoesWithItsConvention_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isPossible");
        QTest::newRow("a date in another year") << QStringLiteral("2016-02-03T04:05:06Z") << true;
        QTest::newRow("milliseconds that are seconds") << QStringLiteral("1970-01-20T14:00:00Z") << false;
        QTest::newRow("in the future") << QStringLiteral("2096-02-03T04:05:06Z") << false;
    }
    void aWrongTimeGoesWithItsConvention()
    {
        QFETCH(QString, value);
        QFETCH(bool, isPossible);
        EngineFixture fixture;
        open(fixture);
        broker::ReceivedMessage held;
        held.nativeId = QStringLiteral("1");
        held.envelope = failedMessage(1);
        held.envelope.headers.append({QStringLiteral("x-when"), value});
        take(fixture, {held});
        const records::FailedMessage before = all(fixture).first();
        QVERIFY(set(fixture, R"({"name": "when", "read": {"failed_at": {"header": "x-when"}}})"));
        QVERIFY(apply(fixture));
        const records::FailedMessage wrong = all(fixture).first();
        QCOMPARE(wrong.failure.at.has_value(), isPossible);
        QCOMPARE(wrong.lastFailed < before.lastFailed, isPossible);
        QVERIFY(fixture.carryOut(api::RemoveConvention{QStringLiteral("when")}));
        QVERIFY(apply(fixture));
        const records::FailedMessage after = all(fixture).first();
        QVERIFY(!after.failure.at);
        QCOMPARE(core::toMs(after.firstFailed), core::toMs(before.firstFailed));
        QCOMPARE(core::toMs(after.lastFailed), core::toMs(before.lastFailed));
    }

    void aTrialShowsBeforeAndAfterAndChangesNothing()
    {
        EngineFixture fixture;
        open(fixture);
        takeFailed(fixture, 0, 4);
        const qint64 change = fixture.ask<qint64>([](store::Session &session) { return session.changeNumber(); });
        api::TryConvention request;
        request.file = billing;
        request.filter.connection = fixture.shop;
        request.limit = 2;
        const auto trials = fixture.carryOut(request);
        QVERIFY(trials);
        QCOMPARE(trials->size(), 2);
        const api::ConventionTrial &trial = trials->first();
        QVERIFY(trial.applies);
        QVERIFY(trial.before.destination.queue.isEmpty());
        QVERIFY(!trial.before.cannotGoBack.isEmpty());
        QCOMPARE(trial.after.destination.queue, QStringLiteral("sales"));
        QVERIFY(trial.after.cannotGoBack.isEmpty());
        QVERIFY(trial.before.group != trial.after.group);
        QVERIFY(records::find(trial.sentBefore.headers, u"x-error") != nullptr);
        QVERIFY(records::find(trial.sentAfter.headers, u"x-error") == nullptr);
        QCOMPARE(fixture.ask<qint64>([](store::Session &session) { return session.changeNumber(); }), change);
        QVERIFY(all(fixture).first().conventions.isEmpty());
        // Saved, it does not hold yet for what is there.
        QVERIFY(set(fixture, billing));
        QCOMPARE(fixture.carryOut(request)->constFirst().before.group, trial.before.group);
        QVERIFY(apply(fixture));
        QCOMPARE(fixture.carryOut(request)->constFirst().before.group, trial.after.group);
        request.limit = 51;
        QVERIFY(fixture.carryOut(request).error().kind == ErrorKind::Rejected);
    }

    // Each retry sets the counters of policies to zero, so that is no work of the convention.
    void aTrialSendsTheCountersOfPoliciesAsARetryDoes()
    {
        EngineFixture fixture;
        open(fixture);
        takeFailed(fixture, 0, 1);
        QVERIFY(fixture.carryOut(api::SetPolicy{R"({"name": "counting", "counter": "x-tries"})"}));
        api::TryConvention request;
        request.file = billing;
        request.filter.connection = fixture.shop;
        const auto trials = fixture.carryOut(request);
        QVERIFY(trials && trials->size() == 1 && trials->constFirst().applies);
        for (const records::Envelope &sent : {trials->constFirst().sentBefore, trials->constFirst().sentAfter}) {
            const QCborValue *const count = records::find(sent.headers, u"x-tries");
            QVERIFY(count != nullptr);
            QCOMPARE(*count, QCborValue(0));
        }
    }

    void emptyHeadersAreFoundSaidOnceAndLeftOut()
    {
        EngineFixture fixture;
        open(fixture, {}); // "empty means missing" needs no more than a retry
        takeEmpty(fixture, 60);
        api::PlanPreview plan = preview(fixture);
        QCOMPARE(plan.frozenCount, 0);
        QCOMPARE(plan.leftOut[records::LeftOut::NotFaithful], 60);
        QCOMPARE(plan.emptyHeaders, 60);
        api::FindEmptyHeaders request;
        request.filter.connection = fixture.shop;
        const core::Result<api::EmptyHeaders> found = fixture.carryOut(request);
        QVERIFY(found);
        QCOMPARE(found->messages, 60);
        QCOMPARE(found->headers, (QList<api::EmptyHeader>{{QStringLiteral("x-tenant"), 60}}));
        const core::Result<Convention> proposed = records::conventionFrom(found->convention);
        QVERIFY2(proposed, proposed ? "" : qPrintable(proposed.error().message));
        QVERIFY(proposed->isFor.group);
        QVERIFY(set(fixture, found->convention));
        QCOMPARE(apply(fixture)->changed, 60);
        plan = preview(fixture);
        QCOMPARE(plan.frozenCount, 60);
        QCOMPARE(plan.leftOut[records::LeftOut::NotFaithful], 0);
        api::PreviewEdit question;
        question.filter.connection = fixture.shop;
        QCOMPARE(fixture.carryOut(question)->emptyHeaders, QStringList{QStringLiteral("x-tenant")});
        const auto sent = sentBy(fixture, fixture.retryAll());
        QCOMPARE(sent.size(), 60);
        for (const records::Envelope &copy : sent) {
            QVERIFY(records::find(copy.headers, u"x-tenant") == nullptr);
            QVERIFY(records::find(copy.headers, u"x-kind") != nullptr);
        }
    }

    // The headers that nobody spoke of stay in the way, and the proposal is extended.
    void anotherEmptyHeaderOfTheGroupIsAskedAboutAgain()
    {
        EngineFixture fixture;
        open(fixture, {});
        takeEmpty(fixture, 1);
        api::FindEmptyHeaders request;
        request.filter.connection = fixture.shop;
        QVERIFY(set(fixture, fixture.carryOut(request)->convention));
        QVERIFY(apply(fixture));
        broker::ReceivedMessage held;
        held.nativeId = QStringLiteral("other");
        held.envelope = failedMessage(1);
        held.envelope.headers.append({QStringLiteral("x-tenant"), QStringLiteral("undefined")});
        held.envelope.headers.append({QStringLiteral("x-region"), QStringLiteral("undefined")});
        held.origin = QStringLiteral("sales");
        held.lossyHeaders = QStringList{QStringLiteral("x-tenant"), QStringLiteral("x-region")};
        take(fixture, {held});
        QCOMPARE(preview(fixture).emptyHeaders, 1);
        const core::Result<api::EmptyHeaders> found = fixture.carryOut(request);
        QCOMPARE(found->headers, (QList<api::EmptyHeader>{{QStringLiteral("x-region"), 1}}));
        const Convention extended = records::conventionFrom(found->convention).value();
        QCOMPARE(extended.beforeRetry.size(), 2);
    }

    // A text that only looks like a lossy one is no empty header.
    void whatCannotBeToldApartStaysLeftOut()
    {
        EngineFixture fixture;
        open(fixture);
        broker::ReceivedMessage held;
        held.nativeId = QStringLiteral("1");
        held.envelope = failedMessage(1);
        held.envelope.headers.append({QStringLiteral("x-blob"), QStringLiteral("Not UTF-8, base64 is: /w==")});
        held.origin = QStringLiteral("sales");
        held.lossyHeaders = QStringList{QStringLiteral("x-blob")};
        take(fixture, {held});
        QCOMPARE(preview(fixture).leftOut[records::LeftOut::NotFaithful], 1);
        QCOMPARE(preview(fixture).emptyHeaders, 0);
        QVERIFY(set(fixture, R"({"name": "blob", "before_retry": [{"empty_is_missing": {"header": "x-blob"}}]})"));
        QVERIFY(apply(fixture));
        QCOMPARE(preview(fixture).leftOut[records::LeftOut::NotFaithful], 1);
    }

    // A retry sends what its plan showed, whatever happens to the convention later.
    void anOperationKeepsTheConventionsItWasFrozenWith()
    {
        EngineFixture fixture;
        open(fixture);
        QVERIFY(set(fixture, billing));
        takeFailed(fixture, 0, 3);
        records::Plan plan;
        plan.notBefore = fixture.clock.now() + std::chrono::minutes(10);
        const core::Result<core::OperationId> operation = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(operation);
        QVERIFY(fixture.carryOut(api::RemoveConvention{QStringLiteral("billing")}));
        QCOMPARE(*apply(fixture), (api::Reread{0, 0, 3})); // they stay as they are while they are sent
        fixture.restart();
        const auto sent = sentBy(fixture, operation);
        QCOMPARE(sent.count(QStringLiteral("sales")), 3);
        for (const records::Envelope &copy : sent)
            QVERIFY(records::find(copy.headers, u"x-error") == nullptr);
        QCOMPARE(fixture.operation(*operation).conventions.size(), 1);
    }

    void whoMaySetIt()
    {
        EngineFixture fixture;
        open(fixture, {});
        const QByteArray reads =
            R"({"name": "a", "read": {"exception_type": {"header": "x-error", "pointer": "/type"}}})";
        QVERIFY(set(fixture, reads));
        QVERIFY(set(fixture, reads, true).error().kind == ErrorKind::Conflict);
        QVERIFY(set(fixture, reads, false));
        const core::Result<QString> redirects = set(fixture, R"({"name": "b", "return_to_queue": "sales"})");
        QVERIFY(redirects.error().kind == ErrorKind::Refused);
        QVERIFY2(redirects.error().message.contains(u"\"redirect\""), qPrintable(redirects.error().message));
        const core::Result<QString> edits =
            set(fixture, R"({"name": "c", "before_retry": [{"remove": {"header": "x-error"}}]})");
        QVERIFY2(edits.error().message.contains(u"\"edit\""), qPrintable(edits.error().message));
        const core::Result<QString> elsewhere = set(fixture, R"({"name": "d", "for": {"connection": "nowhere"}})");
        QVERIFY(elsewhere.error().kind == ErrorKind::NotFound);
        QVERIFY2(elsewhere.error().message.contains(u"nowhere"), qPrintable(elsewhere.error().message));
        QVERIFY(fixture.carryOut(api::RemoveConvention{QStringLiteral("none")}).error().kind == ErrorKind::NotFound);
        QVERIFY(set(fixture, "{").error().kind == ErrorKind::Rejected);
    }

    void aWrongOneHidesNothing()
    {
        EngineFixture fixture;
        open(fixture);
        QVERIFY(set(fixture, R"({"name": "wrong", "read": {"exception_type": {"header": "nothing"},
                                 "failed_at": {"header": "x-app"}, "attempts": {"header": "x-app"},
                                 "return_to": {"body": "/no/such"}},
                                 "before_retry": [{"remove": {"body": "/no/such"}}, {"zero": {"header": "x-app"}}]})"));
        broker::ReceivedMessage held;
        held.nativeId = QStringLiteral("1");
        held.envelope = failedMessage(1);
        held.origin = QStringLiteral("sales");
        take(fixture, {held});
        QCOMPARE(preview(fixture).frozenCount, 1);
        const auto sent = sentBy(fixture, fixture.retryAll());
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent.first().body, held.envelope.body);
        QCOMPARE(records::text(sent.first().headers, u"x-app"), QStringLiteral("billing"));
    }
};

REDRIVE_TEST(TestOwnConventions)
#include "tst_ownconventions.moc"
