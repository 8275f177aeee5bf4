// Redirects on a whole engine with a broker in memory: who may make them, what they change, and what the activity log
// says.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retryplan.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/currentuser.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using records::HandOver;
using records::Redirect;
using support::Asker;
using support::EngineFixture;

namespace {

Redirect redirect(const char *from, const char *to)
{
    return {Redirect::Of::Queue, QString::fromLatin1(from), QString::fromLatin1(to)};
}

// Some messages for "billing" and "sales", and a queue that they may be sent to instead.
void open(EngineFixture &fixture, int messages = 6, records::Rights more = records::Right::Redirect)
{
    fixture.connection.rights = records::defaultRights | more;
    fixture.broker->addQueue(QStringLiteral("billing-2"));
    fixture.broker->addQueue(QStringLiteral("spare"));
    fixture.fill(messages);
    fixture.start();
}

// A message for a missing queue, or without a destination.
void insertFor(EngineFixture &fixture, int n, const QString &queue, records::MessageFlags flags = {})
{
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
        fresh.message.dialect = QStringLiteral("unknown");
        fresh.message.queue = QStringLiteral("error");
        fresh.message.flags = flags;
        fresh.message.destination = {queue, queue.isEmpty() ? records::Certainty::Unknown : records::Certainty::Exact,
                                     QStringLiteral("test")};
        const core::Result<core::MessageId> added = session.messages().insert(fresh);
        return added ? core::Result<>() : core::fail(added.error());
    });
    QVERIFY(done);
}

api::PlanPreview previewOf(EngineFixture &fixture, records::Plan plan = {},
                           records::OperationKind kind = records::OperationKind::Retry)
{
    api::RetryDraft request;
    request.kind = kind;
    request.filter.connection = fixture.shop;
    request.plan = std::move(plan);
    return fixture.carryOut(api::PreviewRetry{request}).value();
}

records::Plan planOf(const QList<Redirect> &redirects)
{
    records::Plan plan;
    plan.redirects = redirects;
    return plan;
}

// "sales -> spare: 3", in the order of the preview.
QStringList ways(const QList<api::PlannedDestination> &destinations)
{
    QStringList lines;
    for (const api::PlannedDestination &one : destinations)
        lines << QStringLiteral("%1 -> %2: %3").arg(one.origin(), one.destination.queue).arg(one.count);
    lines.sort();
    return lines;
}

QMap<QString, int> goals(EngineFixture &fixture, core::OperationId id)
{
    QMap<QString, int> counts;
    for (const store::RetryMember &member : fixture.members(id))
        ++counts[member.destination];
    return counts;
}

} // namespace

class TestRedirects final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoMayMakeAndRemoveThemDoesAndTheTrailSaysSo()
    {
        EngineFixture fixture;
        open(fixture);
        auto caller = std::make_unique<Asker>(fixture);
        Asker &ask = *caller;
        const auto change = [&](const Redirect &one, bool remove = false) {
            return ask(ask.client.ask(api::ChangeRedirect{fixture.shop, one, remove}));
        };
        const core::Result<api::RedirectAnswer> added = change(redirect("billing", "billing-2"));
        QVERIFY(added);
        QCOMPARE(added->notKnown, QString());
        QVERIFY(fixture.runUntil([&] { return !ask.last->connections.first().redirects.isEmpty(); }));
        QCOMPARE(ask.last->connections.first().redirects, QList<Redirect>{redirect("billing", "billing-2")});

        QVERIFY(change(redirect("sales", "billing")).error().kind == ErrorKind::Conflict);
        QVERIFY(change(redirect("billing", "spare"))
                    .error()
                    .message.contains(u"billing is already redirected to billing-2"));
        QVERIFY(change(redirect("sales", "gone")).error().kind == ErrorKind::NotFound);
        QVERIFY(change(redirect("sales", "error")).error().kind == ErrorKind::Rejected);
        QVERIFY(!change({Redirect::Of::Everything, {}, QStringLiteral("spare")})); // only a plan can do that
        QVERIFY(change(redirect("sales", ""), true).error().kind == ErrorKind::NotFound);
        QVERIFY(change(redirect("gone", "spare"))); // from a queue that is gone: the usual reason for a redirect

        caller.reset();
        fixture.restart();
        Asker again(fixture);
        QVERIFY(fixture.runUntil([&] { return again.last && again.last->connections.size() == 1; }));
        QCOMPARE(again.last->connections.first().redirects,
                 (QList<Redirect>{redirect("billing", "billing-2"), redirect("gone", "spare")}));
        QVERIFY(again(again.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", ""), true})));
        QVERIFY(fixture.runUntil([&] { return again.last->connections.first().redirects.size() == 1; }));
        QCOMPARE(again.last->connections.first().redirects, QList<Redirect>{redirect("gone", "spare")});

        QStringList told;
        for (const records::Event &event : fixture.events()) {
            if (event.what.startsWith(u"Redirect") && event.severity == records::Severity::Info)
                told << event.who + QStringLiteral(": ") + event.what + u' ' + event.onWhat;
        }
        QCOMPARE(told, (QStringList{
                           QStringLiteral("ada@desk: Redirect added shop: from billing to billing-2"),
                           QStringLiteral("ada@desk: Redirect added shop: from gone to spare"),
                           QStringLiteral("ada@desk: Redirect removed shop: from billing to billing-2"),
                       }));
    }

    void withoutTheRightNothingIsRedirected()
    {
        EngineFixture fixture;
        open(fixture, 4, {});
        Asker ask(fixture);
        const core::Result<api::RedirectAnswer> refused =
            ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "spare"), false}));
        QVERIFY(refused.error().kind == ErrorKind::Refused);
        QVERIFY(refused.error().message.contains(u"\"redirect\""));
        QVERIFY(!ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", ""), true})));
        const records::Event last = fixture.events().last();
        QCOMPARE(last.who, QStringLiteral("ada@desk"));
        QVERIFY(last.severity == records::Severity::Problem);

        const records::Plan plan = planOf({redirect("billing", "spare")});
        const api::PlanPreview shown = previewOf(fixture, plan);
        QVERIFY(shown.refusalKind == ErrorKind::Refused);
        QVERIFY(shown.refusal.contains(u"\"redirect\""));
        QVERIFY(shown.cannotRedirect.contains(u"\"redirect\""));
        QVERIFY(fixture.retryAll(records::OperationKind::Retry, plan).error().kind == ErrorKind::Refused);
        QVERIFY(fixture.retryAll()); // everything else goes on
    }

    void aBrokerThatDoesNotAnswerLeavesItUnsaid()
    {
        EngineFixture fixture;
        fixture.broker->noLogin = core::Error{ErrorKind::Unauthorized, QStringLiteral("wrong key"), {}, {}};
        fixture.connection.rights = records::defaultRights | records::Right::Redirect;
        fixture.fill(1);
        fixture.dependencies.session = QStringLiteral("s");
        fixture.engine = std::make_unique<engine::Engine>(fixture.dependencies);
        fixture.engine->start();
        fixture.advance(std::chrono::seconds(1));
        Asker ask(fixture);
        const core::Result<api::RedirectAnswer> added =
            ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "nobody-knows"), false}));
        QVERIFY(added);
        QVERIFY2(added->notKnown.contains(u"does not answer"), qPrintable(added->notKnown));
    }

    void thePlanShowsWhereWhatGoes()
    {
        EngineFixture fixture;
        open(fixture); // three for billing, three for sales
        insertFor(fixture, 100, QStringLiteral("gone"));
        insertFor(fixture, 101, {});
        insertFor(fixture, 102, {}, records::MessageFlag::OtherTool);
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "billing-2"), false})));

        const api::PlanPreview before = previewOf(fixture);
        QCOMPARE(ways(before.destinations),
                 (QStringList{QStringLiteral("billing -> billing-2: 3"), QStringLiteral("sales -> sales: 3")}));
        QCOMPARE(before.redirected, 3);
        QCOMPARE(before.leftOut[records::LeftOut::NoSuchQueue], 1);
        QCOMPARE(before.leftOut[records::LeftOut::NoDestination], 2);
        QCOMPARE(before.unknown.count, 1); // the other is for a tool of its own
        QCOMPARE(before.targets, (QStringList{QStringLiteral("billing"), QStringLiteral("billing-2"),
                                              QStringLiteral("sales"), QStringLiteral("spare")}));
        QCOMPARE(before.cannotRedirect, QString());

        const records::Plan plan = planOf({redirect("gone", "sales"),
                                           redirect("billing", "billing"),
                                           {Redirect::Of::Unknown, {}, QStringLiteral("spare")}});
        const api::PlanPreview shown = previewOf(fixture, plan);
        QCOMPARE(ways(shown.destinations),
                 (QStringList{QStringLiteral(" -> spare: 1"), QStringLiteral("billing -> billing: 3"),
                              QStringLiteral("gone -> sales: 1"), QStringLiteral("sales -> sales: 3")}));
        QCOMPARE(shown.frozenCount, 8);
        QCOMPARE(shown.redirected, 2);
        QCOMPARE(shown.leftOut[records::LeftOut::NoSuchQueue], 0);
        QCOMPARE(shown.leftOut[records::LeftOut::NoDestination], 1);
        QVERIFY2(shown.sentence.contains(u"those for “gone” sent to “sales”"), qPrintable(shown.sentence));
        for (const api::PlannedDestination &one : shown.destinations) {
            QCOMPARE(one.exists, std::optional(true));
            QVERIFY(!one.standing);
        }
        for (const api::PlannedDestination &one : before.destinations)
            QCOMPARE(one.standing, one.origin() == QStringLiteral("billing"));

        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id);
        QCOMPARE(goals(fixture, *id),
                 (QMap<QString, int>{
                     {QStringLiteral("billing"), 3}, {QStringLiteral("sales"), 4}, {QStringLiteral("spare"), 1}}));
        QCOMPARE(fixture.operation(*id).plan.redirects, plan.redirects); // frozen with the operation
        QString told;
        for (const records::Event &event : fixture.events())
            told = event.what == QStringLiteral("Retry requested") ? event.result : told;
        QVERIFY2(told.contains(u"“gone” to “sales” (1)"), qPrintable(told));
    }

    void aRedirectThatTheBrokerCannotServeIsSaidAndRefused()
    {
        EngineFixture fixture;
        open(fixture);
        const records::Plan plan = planOf({{Redirect::Of::Everything, {}, QStringLiteral("gone")}});
        const api::PlanPreview shown = previewOf(fixture, plan);
        QVERIFY(shown.refusal.contains(u"There is no queue gone on shop"));
        QVERIFY(fixture.retryAll(records::OperationKind::Retry, plan).error().kind == ErrorKind::NotFound);

        Asker ask(fixture); // a standing one whose queue was deleted later
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "spare"), false})));
        fixture.broker->removeQueue(QStringLiteral("spare"));
        QVERIFY(ask(ask.client.ask(api::RefreshQueues{})));
        const api::PlanPreview later = previewOf(fixture);
        QCOMPARE(ways(later.missingDestinations), QStringList{QStringLiteral("billing -> spare: 3")});
        QCOMPARE(later.frozenCount, 3);
    }

    void whatWasShownIsWhatHappens()
    {
        EngineFixture fixture;
        open(fixture);
        Asker ask(fixture);
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        const api::PlanPreview shown = previewOf(fixture);
        command.draft.asOfChange = shown.asOfChange;
        command.expectedCount = shown.frozenCount;
        command.standingShown = shown.standing;
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "spare"), false})));
        const core::Result<core::OperationId> refused = ask(ask.client.ask(command));
        QVERIFY(refused.error().kind == ErrorKind::Conflict); // the count is the same, the destination is not
        QVERIFY(refused.error().message.contains(u"redirects"));
        command.standingShown = previewOf(fixture).standing;
        QVERIFY(ask(ask.client.ask(command)));
    }

    void aRedirectOfThePlanIsRememberedWithTheRetry()
    {
        EngineFixture fixture;
        open(fixture);
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "billing-2"), false})));
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan = planOf({redirect("billing", "spare"), redirect("sales", "spare")});
        const api::PlanPreview shown = previewOf(fixture, command.draft.plan);
        command.draft.asOfChange = shown.asOfChange;
        command.expectedCount = shown.frozenCount;
        command.standingShown = shown.standing;
        command.remember = {QStringLiteral("orders")};
        QVERIFY(ask(ask.client.ask(command)).error().kind == ErrorKind::Rejected); // the plan does not redirect it
        command.remember = {QStringLiteral("billing")};
        command.expectedCount = 1;
        QVERIFY(ask(ask.client.ask(command)).error().kind == ErrorKind::Conflict); // then nothing is remembered
        QCOMPARE(previewOf(fixture).standing, QList<Redirect>{redirect("billing", "billing-2")});

        command.expectedCount = shown.frozenCount;
        QVERIFY(ask(ask.client.ask(command)));
        QVERIFY(fixture.runUntil([&] {
            return ask.last->connections.first().redirects == QList<Redirect>{redirect("billing", "spare")};
        })); // instead of the old one, and not that of sales
        QString told;
        for (const records::Event &event : fixture.events())
            told = event.what == QStringLiteral("Retry requested") ? event.result : told;
        QVERIFY2(told.contains(u"Remembered: “billing” to “spare”."), qPrintable(told));
    }

    void theWayHomeIsRememberedAsNoRedirect()
    {
        EngineFixture fixture;
        open(fixture);
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "billing-2"), false})));
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan = planOf({redirect("billing", "billing")});
        const api::PlanPreview shown = previewOf(fixture, command.draft.plan);
        command.draft.asOfChange = shown.asOfChange;
        command.expectedCount = shown.frozenCount;
        command.remember = {QStringLiteral("billing")};
        QVERIFY(ask(ask.client.ask(command)));
        QVERIFY(fixture.runUntil([&] { return ask.last->connections.first().redirects.isEmpty(); }));
    }

    void aChainIsNotRemembered()
    {
        EngineFixture fixture;
        open(fixture);
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("sales", "billing"), false})));
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan = planOf({redirect("billing", "spare")});
        const api::PlanPreview shown = previewOf(fixture, command.draft.plan);
        command.draft.asOfChange = shown.asOfChange;
        command.expectedCount = shown.frozenCount;
        command.remember = {QStringLiteral("billing")};
        const core::Result<core::OperationId> refused = ask(ask.client.ask(command));
        QVERIFY(refused.error().kind == ErrorKind::Conflict);
        QVERIFY2(refused.error().message.contains(u"not chained"), qPrintable(refused.error().message));
        command.remember.clear();
        QVERIFY(ask(ask.client.ask(command))); // for this retry alone it is fine
    }

    void theWayBackIgnoresThem()
    {
        EngineFixture fixture;
        open(fixture);
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "spare"), false})));
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("error", "spare"), false})));
        const api::PlanPreview shown = previewOf(fixture, {}, records::OperationKind::Release);
        QCOMPARE(ways(shown.destinations), QStringList{QStringLiteral("error -> error: 6")});
        QCOMPARE(shown.redirected, 0);
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Release);
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.broker->depthOf(QStringLiteral("error")), 6);
        QCOMPARE(fixture.broker->depthOf(QStringLiteral("spare")), 0);
    }

    void theyArriveOnceAndUnchanged_data()
    {
        QTest::addColumn<HandOver>("handOver");
        QTest::newRow("staging queue") << HandOver::StagingQueue;
        QTest::newRow("intent log") << HandOver::IntentLog;
    }

    void theyArriveOnceAndUnchanged()
    {
        QFETCH(const HandOver, handOver);
        EngineFixture fixture(handOver);
        open(fixture, 10);
        QMap<QString, QList<QByteArray>> bodies; // by queue
        int changed = 0;
        fixture.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) {
            bodies[delivery.destination].append(delivery.envelope.body);
            const records::Envelope &copy = delivery.envelope;
            const bool kept = records::find(copy.headers, u"priority") != nullptr
                              && records::find(copy.headers, u"priority")->isDouble()
                              && records::find(copy.headers, u"bytes") != nullptr
                              && records::find(copy.headers, u"bytes")->toByteArray() == QByteArray("\0\xff", 2);
            changed += kept ? 0 : 1;
        };
        Asker ask(fixture);
        QVERIFY(ask(ask.client.ask(api::ChangeRedirect{fixture.shop, redirect("billing", "billing-2"), false})));
        const core::Result<core::OperationId> id =
            fixture.retryAll(records::OperationKind::Retry, planOf({redirect("sales", "spare")}));
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 10);
        QCOMPARE(bodies.keys(), (QStringList{QStringLiteral("billing-2"), QStringLiteral("spare")}));
        QCOMPARE(changed, 0);
        QList<QByteArray> even;
        for (int n = 0; n < 10; n += 2)
            even.append(test::sampleMessage(fixture.shop, n).envelope.body);
        std::sort(even.begin(), even.end());
        std::sort(bodies[QStringLiteral("billing-2")].begin(), bodies[QStringLiteral("billing-2")].end());
        QCOMPARE(bodies.value(QStringLiteral("billing-2")), even);
        QCOMPARE(bodies.value(QStringLiteral("spare")).size(), 5);
    }
};

REDRIVE_TEST(TestRedirects)
#include "tst_redirects.moc"
