// What the engine gives to a rehearsal, and that it asks no broker and changes nothing for it. The rehearsal itself is a
// fake here; tests/backend/rehearsal has the real one.
#include "backend/api/longwork.h"
#include "backend/api/requests/rehearsals.h"
#include "backend/engine/commands/rehearser.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using test::must;

namespace {

class FakeRehearser final : public engine::Rehearser
{
public:
    QFuture<core::Result<api::RehearsalReport>> start(engine::RehearsalJob given,
                                                      std::shared_ptr<engine::RehearsalControl> with) override
    {
        jobs.append(given);
        control = std::move(with);
        if (!isHeld)
            finish(given.begun);
        return reply.future();
    }
    void finish(const core::Result<api::RehearsalReport> &report) { reply.answer(report); }

    bool isHeld = false;
    QList<engine::RehearsalJob> jobs;
    std::shared_ptr<engine::RehearsalControl> control;
    api::Reply<api::RehearsalReport> reply;
};

struct Run : support::EngineFixture
{
    explicit Run(int messages = 10)
    {
        dependencies.rehearser = &rehearser;
        fill(messages);
        start();
    }
    api::Rehearse request() const
    {
        api::Rehearse request;
        request.retry.filter.connection = shop;
        request.ticket = QStringLiteral("t1");
        return request;
    }
    qint64 change()
    {
        return ask<qint64>([](store::Session &session) { return session.changeNumber(); });
    }

    FakeRehearser rehearser;
};

} // namespace

class TestRehearsalService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copiesTheMessagesWithTheirContent();
    void copiesAtMostSoMany();
    void changesNothingAndCallsNoBroker();
    void aStoredPolicyOrAFile();
    void mistakes();
    void browsedOnlyMessagesAreNotCopied();
    void messagesThatCannotBeReadAreNotCopied();
    void oneAtATimeAndCancel();
    void stoppingTheEngineEndsIt();
    void anEngineWithoutRehearserRefuses();
};

void TestRehearsalService::copiesTheMessagesWithTheirContent()
{
    Run run;
    api::Rehearse request = run.request();
    request.retry.plan.perMinute = 30;
    request.faults.share = 500;
    request.mask = true;
    request.seed = 9;
    const api::RehearsalReport report = must(run.carryOut(request));
    QCOMPARE(report.selected, 10);
    QCOMPARE(report.copied, 10);
    QCOMPARE(report.seed, 9);
    QVERIFY(report.masked);
    const engine::RehearsalJob job = run.rehearser.jobs.first();
    QCOMPARE(job.copies.size(), 10);
    QCOMPARE(job.plan.perMinute.value_or(0), 30);
    QVERIFY(job.mask && job.faults == request.faults && !job.policy);
    for (const store::NewMessage &copy : job.copies) {
        const records::FailedMessage stored = run.message(copy.message.id);
        QCOMPARE(copy.message.destination.queue, stored.destination.queue);
        QCOMPARE(copy.message.failure.exceptionType, stored.failure.exceptionType);
        QCOMPARE(copy.message.failure.stackTrace, stored.failure.stackTrace);
        QCOMPARE(copy.envelope.body.size(), stored.bodySize);
        QVERIFY(copy.titles.front().startsWith(stored.failure.exceptionType));
    }
    QVERIFY(job.existing && job.existing->contains(QStringLiteral("billing")));
}

void TestRehearsalService::copiesAtMostSoMany()
{
    Run run(130);
    api::Rehearse request = run.request();
    request.atMost = 60;
    const api::RehearsalReport report = must(run.carryOut(request));
    QCOMPARE(report.selected, 130);
    QCOMPARE(report.copied, 60);
    QCOMPARE(report.beyondLimit, 70);
}

void TestRehearsalService::changesNothingAndCallsNoBroker()
{
    Run run;
    const qint64 before = run.change();
    const qsizetype events = run.events().size();
    const int calls = run.broker->calls;
    must(run.carryOut(run.request()));
    QCOMPARE(run.change(), before);
    QCOMPARE(run.broker->calls, calls);
    const QList<records::Event> all = run.events();
    QCOMPARE(all.size(), events + 1);
    QCOMPARE(all.last().who, QStringLiteral("ada@desk"));
    QVERIFY(all.last().onWhat.contains(QStringLiteral("shop")));
    QVERIFY(run.ask<QList<records::RetryOperation>>(
                   [](store::Session &session) { return session.retryOperations().listed({}, 10); })
                .isEmpty());
}

void TestRehearsalService::aStoredPolicyOrAFile()
{
    Run run;
    const QByteArray stored = "{\"name\": \"stored\", \"immediate\": 2}";
    must(run.store->transact(
        [&](store::Session &session) { return session.policies().save(must(recovery::policyFrom(stored))); }));
    api::Rehearse request = run.request();
    request.policy = QStringLiteral("stored");
    QCOMPARE(must(run.carryOut(request)).policy, QStringLiteral("stored"));
    QCOMPARE(run.rehearser.jobs.last().policy->immediate, 2);
    Run other;
    request = other.request();
    request.policyFile = "{\"name\": \"file\", \"immediate\": 3}";
    must(other.carryOut(request));
    QCOMPARE(other.rehearser.jobs.last().policy->immediate, 3);
    QVERIFY(other.ask<QList<store::StoredPolicy>>([](store::Session &session) { return session.policies().policies(); })
                .isEmpty());
}

void TestRehearsalService::mistakes()
{
    Run run;
    const auto kindOf = [&run](const std::function<void(api::Rehearse &)> &change) {
        api::Rehearse request = run.request();
        change(request);
        return run.carryOut(request).error().kind;
    };
    QVERIFY(kindOf([](api::Rehearse &one) { one.atMost = 0; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.atMost = api::Rehearse::most + 1; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.seed = -1; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.faults.share = 10001; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.faults.lasting = core::Milliseconds{0}; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.policyFile = "{\"name\": 1}"; }) == ErrorKind::Rejected);
    QVERIFY(kindOf([](api::Rehearse &one) { one.policy = QStringLiteral("none"); }) == ErrorKind::NotFound);
    QVERIFY(kindOf([](api::Rehearse &one) { one.retry.filter.queue = QStringLiteral("empty"); })
            == ErrorKind::NotFound);
    QVERIFY(kindOf([](api::Rehearse &one) { one.retry.kind = records::OperationKind::Release; })
            == ErrorKind::Rejected);
    QVERIFY(run.rehearser.jobs.isEmpty());
}

void TestRehearsalService::browsedOnlyMessagesAreNotCopied()
{
    Run run(0);
    must(run.store->transact([&run](store::Session &session) -> core::Result<> {
        for (int n = 0; n < 3; ++n) {
            store::NewMessage browsed = test::sampleMessage(run.shop, n);
            browsed.message.flags = records::MessageFlag::BrowsedOnly;
            TRY(session.messages().insert(browsed));
        }
        return {};
    }));
    const auto refused = run.carryOut(run.request());
    QVERIFY(refused.error().kind == ErrorKind::Refused);
    must(run.store->transact([&run](store::Session &session) -> core::Result<> {
        TRY(session.messages().insert(test::sampleMessage(run.shop, 7)));
        return {};
    }));
    const api::RehearsalReport report = must(run.carryOut(run.request()));
    QCOMPARE(report.copied, 1);
    QCOMPARE(report.browsedOnly, 3);
}

void TestRehearsalService::messagesThatCannotBeReadAreNotCopied()
{
    Run run;
    test::executeRaw(run.dependencies.storePath,
                     {QStringLiteral("UPDATE message_content SET headers = x'ff' WHERE message = 4")});
    const api::RehearsalReport report = must(run.carryOut(run.request()));
    QCOMPARE(report.selected, 10);
    QCOMPARE(report.copied, 9);
    QCOMPARE(report.unreadable.count, 1);
    QVERIFY(report.unreadable.example == core::MessageId{4});
}

void TestRehearsalService::oneAtATimeAndCancel()
{
    Run run;
    run.rehearser.isHeld = true;
    const auto first = std::make_shared<api::Asked<api::Rehearse>>(run.request());
    run.engine->carryOut(first, QStringLiteral("ada@desk"));
    QVERIFY(run.runUntil([&run] { return run.rehearser.control != nullptr; }));
    run.rehearser.control->processed = 4;
    QCOMPARE(must(run.carryOut(api::AskRehearsal{QStringLiteral("t1")})).processed, 4);
    QCOMPARE(must(run.carryOut(api::AskRehearsal{QStringLiteral("t1")})).copied, 10);
    QVERIFY(run.carryOut(api::AskRehearsal{QStringLiteral("t2")}).error().kind == ErrorKind::NotFound);
    QVERIFY(run.carryOut(run.request()).error().kind == ErrorKind::Conflict);
    QVERIFY(run.carryOut(api::CancelWork{QStringLiteral("t2")}).error().kind == ErrorKind::NotFound);
    QVERIFY(!run.rehearser.control->isCancelled);
    must(run.carryOut(api::CancelWork{QStringLiteral("t1")}));
    QVERIFY(run.rehearser.control->isCancelled);
    run.rehearser.finish(core::fail(ErrorKind::Cancelled, QStringLiteral("Cancelled.")));
    const auto answer = first->reply.future();
    QVERIFY(run.runUntil([&answer] { return answer.isFinished(); }));
    QVERIFY(answer.result().error().kind == ErrorKind::Cancelled);
    QVERIFY(run.carryOut(api::AskRehearsal{QStringLiteral("t1")}).error().kind == ErrorKind::NotFound);
}

void TestRehearsalService::stoppingTheEngineEndsIt()
{
    Run run;
    run.rehearser.isHeld = true;
    const auto asked = std::make_shared<api::Asked<api::Rehearse>>(run.request());
    run.engine->carryOut(asked, QStringLiteral("ada@desk"));
    QVERIFY(run.runUntil([&run] { return run.rehearser.control != nullptr; }));
    run.stop();
    QVERIFY(run.rehearser.control->isCancelled);
    QVERIFY(asked->reply.future().result().error().kind == ErrorKind::Cancelled);
}

void TestRehearsalService::anEngineWithoutRehearserRefuses()
{
    support::EngineFixture run;
    run.fill(1);
    run.start();
    api::Rehearse request;
    request.retry.filter.connection = run.shop;
    QVERIFY(run.carryOut(request).error().kind == ErrorKind::Refused);
}

REDRIVE_TEST(TestRehearsalService)
#include "tst_rehearsalservice.moc"
