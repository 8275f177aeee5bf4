// A retry that pauses by itself: the whole engine sees what comes back, whoever started it.
#include "backend/store/intakestore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using records::OperationState;
using support::EngineRoom;

namespace {

const QString errorQueue = QStringLiteral("error");

// Consumers that fail what they get, the first `failures` times.
void failAtConsumers(EngineRoom &room, int failures)
{
    room.broker->delivered = [&room, left = failures](const support::FakeBroker::Delivery &delivery) mutable {
        if (delivery.destination == errorQueue || left == 0)
            return;
        --left;
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        room.clock.after(core::Milliseconds{200}, [&room, failed] { room.broker->put(errorQueue, failed); });
    };
}

records::Plan guarded()
{
    records::Plan plan;
    plan.stopWhen = records::StopWhen{2, false};
    plan.perMinute = 60;
    return plan;
}

QStringList followed(EngineRoom &room)
{
    return room.ask<QStringList>([&room](store::Session &session) { return session.intakes().followed(room.shop); });
}

} // namespace

class TestGuardedRetry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itSeesWhatComesBackAsLongAsItGoesOn_data()
    {
        QTest::addColumn<bool>("command");
        QTest::newRow("in a program that stays") << false;
        QTest::newRow("in a command") << true;
    }

    void itSeesWhatComesBackAsLongAsItGoesOn()
    {
        QFETCH(const bool, command);
        EngineRoom room;
        room.fill(40);
        if (command)
            room.world.starter = api::Starter::Command;
        failAtConsumers(room, 2);
        room.start();
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, guarded());
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(room.runUntil([&] { return room.operation(*id).state == OperationState::Paused; }));
        const records::RetryOperation stopped = room.operation(*id);
        QCOMPARE(stopped.counts.cameBack, 2);
        QVERIFY(stopped.stoppedBecause.startsWith(QStringLiteral("2 messages came back")));
        QVERIFY(stopped.counts.sent < 40);
        QVERIFY(followed(room).isEmpty()); // nobody switched that on
        int told = 0;
        for (const records::Event &event : room.events()) {
            if (event.what == QLatin1String("Paused by itself") && event.result == stopped.stoppedBecause
                && event.onWhat == QStringLiteral("operation %1").arg(id->value))
                ++told;
        }
        QCOMPARE(told, 1);

        // Paused, it is still on: what comes back now is its, too. Ended, nothing is taken any more.
        const auto waiting = [&room] { return room.broker->depthOf(errorQueue); };
        room.broker->put(errorQueue, {});
        QVERIFY(room.runUntil([&] { return waiting() == 0; }));
        const core::Result<> cancelled =
            room.engine->retries().act(*id, api::OperationAction::Cancel, QStringLiteral("ada"));
        QVERIFY(cancelled.has_value());
        QVERIFY(room.runToEnd(*id));
        room.advance(std::chrono::seconds(30)); // with what is under way
        room.broker->put(errorQueue, {});
        room.advance(std::chrono::minutes(2));
        QCOMPARE(waiting(), 1);
    }

    void whatCannotBeGuardedIsRefused_data()
    {
        QTest::addColumn<QString>("ramp");
        QTest::addColumn<QString>("stop");
        QTest::addColumn<bool>("release");
        QTest::addColumn<bool>("mayTake");
        QTest::addColumn<QString>("words");
        QTest::newRow("a ramp without an end") << "1,10"
                                               << "" << false << true << "how many may come back";
        QTest::newRow("a release") << ""
                                   << "5%" << true << true << "released";
        QTest::newRow("no right to take") << "1,10"
                                          << "5%" << false << false << "take";
    }

    void whatCannotBeGuardedIsRefused()
    {
        QFETCH(const QString, ramp);
        QFETCH(const QString, stop);
        QFETCH(const bool, release);
        QFETCH(const bool, mayTake);
        QFETCH(const QString, words);
        EngineRoom room;
        room.connection.rights.setFlag(records::Right::Take, mayTake);
        room.fill(4);
        room.start();
        records::Plan plan;
        plan.ramp = records::rampFrom(ramp);
        plan.stopWhen = records::stopWhenFrom(stop);
        const auto kind = release ? records::OperationKind::Release : records::OperationKind::Retry;
        const core::Result<core::OperationId> id = room.retryAll(kind, plan);
        QVERIFY(!id.has_value());
        QVERIFY2(id.error().message.contains(words), qPrintable(id.error().message));
        api::RetryRequest request;
        request.kind = kind;
        request.filter.connection = room.shop;
        request.plan = plan;
        const core::Result<api::PlanPreview> shown =
            room.await<api::PlanPreview>([&request](engine::Engine &it) { return it.retries().preview(request); });
        QVERIFY(shown.has_value());
        QCOMPARE(shown->refusal, id.error().message); // before the button
        QCOMPARE(room.members(core::OperationId{1}).size(), 0);
    }
};

QTEST_GUILESS_MAIN(TestGuardedRetry)
#include "tst_guardedretry.moc"
