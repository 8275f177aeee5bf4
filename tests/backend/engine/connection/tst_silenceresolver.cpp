// The quiet period on a whole engine: which sent messages it resolves, and which it must not.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/requests/settings.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/evidencestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QTest>

using records::MessageStatus;
using support::EngineFixture;
using namespace std::chrono_literals;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr core::Milliseconds quiet = 10min;

int countOf(EngineFixture &fixture, MessageStatus status)
{
    int count = 0;
    for (qint64 id = 1; id <= 4; ++id)
        count += fixture.message({id}).status == status ? 1 : 0;
    return count;
}

bool subscribe(EngineFixture &fixture, bool on = true)
{
    return fixture.carryOut(api::ChangeSubscription{fixture.shop, errorQueue, on}, QStringLiteral("ada")).has_value();
}

bool setQuiet(EngineFixture &fixture, std::optional<core::Milliseconds> after)
{
    api::ChangeSettings command;
    command.quiet = records::QuietRule{fixture.shop, after};
    return fixture.carryOut(command).has_value();
}

// As an intake would have measured it.
void tookToFail(EngineFixture &fixture, core::Milliseconds took)
{
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        for (int n = 0; n < 4; ++n) {
            store::NewMessage again = test::sampleMessage(fixture.shop, n);
            again.message.queue = errorQueue;
            again.message.dialect = QStringLiteral("unknown");
            again.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
            again.took = took;
            const core::MessageId id{n + 1};
            const core::Result<records::FailedMessage> known = session.messages().load(id);
            if (!known)
                return core::fail(known.error());
            if (known->status != MessageStatus::Unresolved)
                continue; // on its way
            const core::Result<> written = session.messages().readAgain(id, again);
            if (!written)
                return written;
        }
        return {};
    });
    QVERIFY(done.has_value());
}

// Four messages, sent and gone.
core::OperationId sendAll(EngineFixture &fixture)
{
    const core::Result<core::OperationId> id = fixture.retryAll();
    return id && fixture.runToEnd(*id) ? *id : core::OperationId{};
}

std::unique_ptr<store::Queries> queriesOf(EngineFixture &fixture)
{
    return std::move(
        store::Queries::open(fixture.dependencies.storePath, [&fixture] { return fixture.clock.now(); }).value());
}

bool isInTrail(EngineFixture &fixture, const QString &what)
{
    const QList<records::Event> events = fixture.events();
    return std::any_of(events.cbegin(), events.cend(), [&](const records::Event &one) { return one.what == what; });
}

} // namespace

class TestSilenceResolver final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasWatchedForLongEnoughIsResolved_data()
    {
        QTest::addColumn<int>("handOver");
        QTest::newRow("staging queue") << int(records::HandOver::StagingQueue);
        QTest::newRow("intent log") << int(records::HandOver::IntentLog);
    }

    void whatWasWatchedForLongEnoughIsResolved()
    {
        QFETCH(const int, handOver);
        EngineFixture fixture(records::HandOver{handOver});
        fixture.fill(4);
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(setQuiet(fixture, quiet));
        const core::OperationId id = sendAll(fixture);
        QVERIFY(id.isValid());
        fixture.advance(9min);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        fixture.advance(4min);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
        QVERIFY(isInTrail(fixture, QStringLiteral("Resolved after the quiet period")));

        const auto queries = queriesOf(fixture);
        const api::OperationDetail detail = queries->ask(api::OperationDetailQuery{id}).value();
        QCOMPARE(detail.proofs.size(), 1);
        QVERIFY(detail.proofs.first().proof == api::Proof::Quiet);
        QCOMPARE(detail.proofs.first().count, 4);
        QVERIFY(detail.proofs.first().quietFor >= quiet);
        QVERIFY(detail.proofs.first().last <= fixture.clock.now());
        const QList<records::TrailEntry> trail =
            queries->ask(api::MessageDetailQuery{core::MessageId{1}}).value().trail;
        QVERIFY(std::any_of(trail.cbegin(), trail.cend(), [](const records::TrailEntry &entry) {
            return entry.what.contains(QStringLiteral("come back for 1"));
        }));
        QCOMPARE(fixture.operation(id).counts.sent, 4);
    }

    void withoutAnybodyWatchingSilenceProvesNothing()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        QVERIFY(setQuiet(fixture, quiet));
        QVERIFY(sendAll(fixture).isValid());
        fixture.advance(3h);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        QVERIFY(subscribe(fixture)); // and from here on it counts
        fixture.advance(8min);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        fixture.advance(5min);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
    }

    void aGapDoesNotCountAndARestartLosesLittle()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(setQuiet(fixture, quiet));
        QVERIFY(sendAll(fixture).isValid());
        fixture.advance(7min);
        fixture.stop();
        fixture.clock.advance(5h);
        fixture.start();
        fixture.advance(1min);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        fixture.advance(6min); // 7 + 7 minutes, minus what the two ends may cost
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
    }

    void whatCannotBeTakenIsNotWatched()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(setQuiet(fixture, quiet));
        QVERIFY(sendAll(fixture).isValid());
        fixture.broker->unreadable.insert(errorQueue);
        fixture.broker->put(errorQueue, {});
        fixture.advance(3h);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
    }

    void whoDoesNotWantItIsLeftAlone()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(setQuiet(fixture, std::nullopt));
        QVERIFY(sendAll(fixture).isValid());
        fixture.advance(2h);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        QVERIFY(setQuiet(fixture, quiet));
        fixture.advance(15min);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
    }

    void aDayWhereNobodySaidAnything()
    {
        EngineFixture fixture;
        fixture.connection.kind = records::BrokerKind::ServiceBus; // asked every 30 s
        fixture.connection.url = QUrl(QStringLiteral("https://shop.servicebus.windows.net/"));
        fixture.fill(4);
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(sendAll(fixture).isValid());
        fixture.advance(23h);
        QCOMPARE(countOf(fixture, MessageStatus::RetryIssued), 4);
        fixture.advance(2h);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
    }

    void whatComesBackLaterCameBack()
    {
        EngineFixture fixture;
        fixture.fill(4);
        QList<support::FakeBroker::Delivery> delivered;
        fixture.broker->delivered = [&delivered](const support::FakeBroker::Delivery &one) { delivered.append(one); };
        fixture.start();
        QVERIFY(subscribe(fixture));
        QVERIFY(setQuiet(fixture, quiet));
        const core::OperationId id = sendAll(fixture);
        fixture.advance(15min);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 4);
        fixture.broker->put(errorQueue, delivered.first().envelope);
        fixture.advance(1min);
        QCOMPARE(countOf(fixture, MessageStatus::Resolved), 3);
        QCOMPARE(countOf(fixture, MessageStatus::Unresolved), 1);
        QCOMPARE(fixture.operation(id).counts.cameBack, 1);
        QCOMPARE(queriesOf(fixture)->ask(api::OperationDetailQuery{id}).value().proofs.first().count, 3);
    }

    void aStepWaitsForAsLongAsItsMessagesTakeToFail()
    {
        EngineFixture fixture;
        fixture.fill(4);
        tookToFail(fixture, 20s);
        fixture.broker->delivered = [&fixture](const support::FakeBroker::Delivery &delivery) {
            fixture.clock.after(10ms, [&fixture, queue = delivery.destination] { // it is consumed
                fixture.broker->removeQueue(queue);
                fixture.broker->addQueue(queue);
            });
        };
        fixture.start();
        records::Plan plan;
        plan.ramp = records::Ramp{{1}, true};
        plan.stopWhen = records::StopWhen{1, false};
        api::RetryDraft request;
        request.filter.connection = fixture.shop;
        request.plan = plan;
        const core::Result<api::PlanPreview> shown = fixture.carryOut(api::PreviewRetry{request});
        QVERIFY(shown.has_value());
        QVERIFY(shown->takesToFail == core::Milliseconds(20s));
        QVERIFY(shown->quiet == core::Milliseconds(30s));
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).counts.sent == 1; }));
        tookToFail(fixture, 300s); // the set is frozen, and so is this
        fixture.advance(20s);
        const QString reason = fixture.operation(*id).waitingReason; // how long it waits, and because of what time
        QVERIFY2(reason.contains(u"30 s") && reason.contains(u"20 s"), qPrintable(reason));
        QCOMPARE(fixture.operation(*id).counts.sent, 1);
        fixture.restart();
        fixture.advance(25s); // it waits again, as long as before
        QCOMPARE(fixture.operation(*id).counts.sent, 1);
        fixture.advance(40s);
        QCOMPARE(fixture.operation(*id).counts.sent, 4);
        const QList<records::RunMark> marks = queriesOf(fixture)->ask(api::MarkQuery{*id}).value();
        QCOMPARE(marks.size(), 2);
        QCOMPARE(marks.first().step, 1);
        QCOMPARE(marks.last().step, 2);
        QVERIFY(marks.last().at - marks.first().at >= 30s);
    }

    void whatComesBackTellsHowLongItTook()
    {
        EngineFixture fixture;
        fixture.fill(4);
        fixture.broker->delivered = [&fixture](const support::FakeBroker::Delivery &delivery) {
            records::Envelope failed = delivery.envelope;
            const QDateTime at = QDateTime::fromMSecsSinceEpoch(core::toMs(fixture.clock.now()), Qt::UTC).addSecs(40);
            records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
            records::set(failed.headers, QStringLiteral("NServiceBus.TimeSent"),
                         QCborValue(QStringLiteral("2001-01-01 00:00:00:000000 Z")));
            records::set(failed.headers, QStringLiteral("NServiceBus.TimeOfFailure"),
                         QCborValue(at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss:zzz")) + QStringLiteral("000 Z")));
            fixture.clock.after(40s, [&fixture, failed] { fixture.broker->put(errorQueue, failed); });
        };
        fixture.start();
        QVERIFY(subscribe(fixture));
        const core::OperationId id = sendAll(fixture);
        QVERIFY(id.isValid());
        QVERIFY(fixture.runUntil([&] { return fixture.operation(id).counts.cameBack == 4; }));
        const records::FailureLatency times =
            fixture.ask<records::FailureLatency>([](store::Session &session) -> core::Result<records::FailureLatency> {
                records::FailureLatency found;
                const core::Result<> added = session.evidence().addFailingTimes({{1}, {2}, {3}, {4}}, found);
                return added ? core::Result<records::FailureLatency>(found) : core::fail(added.error());
            });
        const std::optional<core::Milliseconds> took = times.quietPeriod().takesToFail;
        QVERIFY(took.has_value());
        QVERIFY(*took >= 40s && *took <= 45s);
    }

    void anAbsurdSettingIsRefused()
    {
        EngineFixture fixture;
        fixture.fill(1);
        fixture.start();
        QVERIFY(!setQuiet(fixture, 0ms));
        QVERIFY(!setQuiet(fixture, -5h));
        QVERIFY(!setQuiet(fixture, core::Milliseconds::max()));
        fixture.shop = {99};
        QVERIFY(!setQuiet(fixture, quiet));
    }
};

REDRIVE_TEST(TestSilenceResolver)
#include "tst_silenceresolver.moc"
