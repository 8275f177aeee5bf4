// What did not come back, and who watched: the whole engine lets silence prove what it proves, and nothing more.
#include "backend/store/evidencestore.h"
#include "backend/store/messagestore.h"
#include "tests/support/engineroom.h"
#include "tests/support/samplemessages.h"

#include <QDateTime>
#include <QTest>

using records::MessageStatus;
using support::EngineRoom;
using namespace std::chrono_literals;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr core::Milliseconds quiet = 10min;

int countOf(EngineRoom &room, MessageStatus status)
{
    int count = 0;
    for (qint64 id = 1; id <= 4; ++id)
        count += room.message({id}).status == status ? 1 : 0;
    return count;
}

bool follow(EngineRoom &room, bool on = true)
{
    return room.engine->connections().follow({room.shop, errorQueue, on}, QStringLiteral("ada")).has_value();
}

bool setQuiet(EngineRoom &room, std::optional<core::Milliseconds> after)
{
    api::SettingsCommand command;
    command.quiet = records::QuietRule{room.shop, after};
    command.who = QStringLiteral("ada");
    return room.engine->housekeeper().settings(command).has_value();
}

// As an intake would have measured it.
void tookToFail(EngineRoom &room, core::Milliseconds took)
{
    const core::Result<> done = room.store->transact([&](store::Session &session) -> core::Result<> {
        for (int n = 0; n < 4; ++n) {
            store::NewMessage again = test::sampleMessage(room.shop, n);
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
core::OperationId sendAll(EngineRoom &room)
{
    const core::Result<core::OperationId> id = room.retryAll();
    return id && room.runToEnd(*id) ? *id : core::OperationId{};
}

std::unique_ptr<store::Queries> queriesOf(EngineRoom &room)
{
    return std::move(store::Queries::open(room.world.storePath, [&room] { return room.clock.now(); }).value());
}

bool isInTrail(EngineRoom &room, const QString &what)
{
    const QList<records::Event> events = room.events();
    return std::any_of(events.cbegin(), events.cend(), [&](const records::Event &one) { return one.what == what; });
}

} // namespace

class TestQuietProof final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasWatchedForLongEnoughIsResolved_data()
    {
        QTest::addColumn<int>("handOver");
        QTest::newRow("staging queue") << int(records::HandOver::StagingQueue);
        QTest::newRow("ledger") << int(records::HandOver::Ledger);
    }

    void whatWasWatchedForLongEnoughIsResolved()
    {
        QFETCH(const int, handOver);
        EngineRoom room(records::HandOver{handOver});
        room.fill(4);
        room.start();
        QVERIFY(follow(room));
        QVERIFY(setQuiet(room, quiet));
        const core::OperationId id = sendAll(room);
        QVERIFY(id.isValid());
        room.advance(9min);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        room.advance(4min);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
        QVERIFY(isInTrail(room, QStringLiteral("Resolved by silence")));

        const auto queries = queriesOf(room);
        const api::OperationDetail detail = queries->operation(id).value();
        QCOMPARE(detail.proofs.size(), 1);
        QVERIFY(detail.proofs.first().proof == api::Proof::Quiet);
        QCOMPARE(detail.proofs.first().count, 4);
        QVERIFY(detail.proofs.first().quietFor >= quiet);
        QVERIFY(detail.proofs.first().last <= room.clock.now());
        const QList<api::TrailEntry> trail = queries->message(core::MessageId{1}).value().trail;
        QVERIFY(std::any_of(trail.cbegin(), trail.cend(), [](const api::TrailEntry &entry) {
            return entry.what.contains(QStringLiteral("quiet for 1"));
        }));
        QCOMPARE(room.operation(id).counts.sent, 4);
    }

    void withoutAnybodyWatchingSilenceProvesNothing()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        QVERIFY(setQuiet(room, quiet));
        QVERIFY(sendAll(room).isValid());
        room.advance(3h);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        QVERIFY(follow(room)); // and from here on it counts
        room.advance(8min);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        room.advance(5min);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
    }

    void aGapDoesNotCountAndARestartLosesLittle()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        QVERIFY(follow(room));
        QVERIFY(setQuiet(room, quiet));
        QVERIFY(sendAll(room).isValid());
        room.advance(7min);
        room.stop();
        room.clock.advance(5h);
        room.start();
        room.advance(1min);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        room.advance(6min); // 7 + 7 in all, less what the two ends may cost
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
    }

    void whatCannotBeTakenIsNotWatched()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        QVERIFY(follow(room));
        QVERIFY(setQuiet(room, quiet));
        QVERIFY(sendAll(room).isValid());
        room.broker->unreadable.insert(errorQueue);
        room.broker->put(errorQueue, {});
        room.advance(3h);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
    }

    void whoDoesNotWantItIsLeftAlone()
    {
        EngineRoom room;
        room.fill(4);
        room.start();
        QVERIFY(follow(room));
        QVERIFY(setQuiet(room, std::nullopt));
        QVERIFY(sendAll(room).isValid());
        room.advance(2h);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        QVERIFY(setQuiet(room, quiet));
        room.advance(15min);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
    }

    void aDayWhereNobodySaidAnything()
    {
        EngineRoom room;
        room.connection.kind = records::BrokerKind::ServiceBus; // asked every 30 s
        room.connection.url = QUrl(QStringLiteral("https://shop.servicebus.windows.net/"));
        room.fill(4);
        room.start();
        QVERIFY(follow(room));
        QVERIFY(sendAll(room).isValid());
        room.advance(23h);
        QCOMPARE(countOf(room, MessageStatus::RetryIssued), 4);
        room.advance(2h);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
    }

    void whatComesBackLaterCameBack()
    {
        EngineRoom room;
        room.fill(4);
        QList<support::FakeBroker::Delivery> delivered;
        room.broker->delivered = [&delivered](const support::FakeBroker::Delivery &one) { delivered.append(one); };
        room.start();
        QVERIFY(follow(room));
        QVERIFY(setQuiet(room, quiet));
        const core::OperationId id = sendAll(room);
        room.advance(15min);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 4);
        room.broker->put(errorQueue, delivered.first().envelope);
        room.advance(1min);
        QCOMPARE(countOf(room, MessageStatus::Resolved), 3);
        QCOMPARE(countOf(room, MessageStatus::Unresolved), 1);
        QCOMPARE(room.operation(id).counts.cameBack, 1);
        QCOMPARE(queriesOf(room)->operation(id).value().proofs.first().count, 3);
    }

    void aStepWaitsForAsLongAsItsMessagesTakeToFail()
    {
        EngineRoom room;
        room.fill(4);
        tookToFail(room, 20s);
        room.broker->delivered = [&room](const support::FakeBroker::Delivery &delivery) {
            room.clock.after(10ms, [&room, queue = delivery.destination] { // it is consumed
                room.broker->removeQueue(queue);
                room.broker->addQueue(queue);
            });
        };
        room.start();
        records::Plan plan;
        plan.ramp = records::Ramp{{1}, true};
        plan.stopWhen = records::StopWhen{1, false};
        api::RetryRequest request;
        request.filter.connection = room.shop;
        request.plan = plan;
        const core::Result<api::PlanPreview> shown =
            room.await<api::PlanPreview>([&](engine::Engine &it) { return it.retries().preview(request); });
        QVERIFY(shown.has_value());
        QVERIFY(shown->takesToFail == core::Milliseconds(20s));
        QVERIFY(shown->quiet == core::Milliseconds(30s));
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, plan);
        QVERIFY(id.has_value());
        QVERIFY(room.runUntil([&] { return room.operation(*id).counts.sent == 1; }));
        tookToFail(room, 300s); // the set is frozen, and so is this
        room.advance(20s);
        const QString words = QStringLiteral("for 30 s: these messages take up to 20 s to fail");
        QVERIFY2(room.operation(*id).waitingReason.contains(words), qPrintable(room.operation(*id).waitingReason));
        QCOMPARE(room.operation(*id).counts.sent, 1);
        room.restart();
        room.advance(25s); // it waits anew, as long as before
        QCOMPARE(room.operation(*id).counts.sent, 1);
        room.advance(40s);
        QCOMPARE(room.operation(*id).counts.sent, 4);
        const QList<api::RunMark> marks = queriesOf(room)->marks(*id).value();
        QCOMPARE(marks.size(), 2);
        QCOMPARE(marks.first().step, 1);
        QCOMPARE(marks.last().step, 2);
        QVERIFY(marks.last().at - marks.first().at >= 30s);
    }

    void whatComesBackTellsHowLongItTook()
    {
        EngineRoom room;
        room.fill(4);
        room.broker->delivered = [&room](const support::FakeBroker::Delivery &delivery) {
            records::Envelope failed = delivery.envelope;
            const QDateTime at = QDateTime::fromMSecsSinceEpoch(core::toMs(room.clock.now()), Qt::UTC).addSecs(40);
            records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
            records::set(failed.headers, QStringLiteral("NServiceBus.TimeSent"),
                         QCborValue(QStringLiteral("2001-01-01 00:00:00:000000 Z")));
            records::set(failed.headers, QStringLiteral("NServiceBus.TimeOfFailure"),
                         QCborValue(at.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss:zzz")) + QStringLiteral("000 Z")));
            room.clock.after(40s, [&room, failed] { room.broker->put(errorQueue, failed); });
        };
        room.start();
        QVERIFY(follow(room));
        const core::OperationId id = sendAll(room);
        QVERIFY(id.isValid());
        QVERIFY(room.runUntil([&] { return room.operation(id).counts.cameBack == 4; }));
        const records::FailingTimes times =
            room.ask<records::FailingTimes>([](store::Session &session) -> core::Result<records::FailingTimes> {
                records::FailingTimes found;
                const core::Result<> added = session.evidence().addFailingTimes({{1}, {2}, {3}, {4}}, found);
                return added ? core::Result<records::FailingTimes>(found) : core::fail(added.error());
            });
        const std::optional<core::Milliseconds> took = times.patience().takesToFail;
        QVERIFY(took.has_value());
        QVERIFY(*took >= 40s && *took <= 45s);
    }

    void anAbsurdSettingIsRefused()
    {
        EngineRoom room;
        room.fill(1);
        room.start();
        QVERIFY(!setQuiet(room, 0ms));
        QVERIFY(!setQuiet(room, -5h));
        QVERIFY(!setQuiet(room, core::Milliseconds::max()));
        room.shop = {99};
        QVERIFY(!setQuiet(room, quiet));
    }
};

QTEST_GUILESS_MAIN(TestQuietProof)
#include "tst_quietproof.moc"
