// A retry that pauses by itself: every kind of engine sees the messages that come back.
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/store/messages/intakestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::OperationState;
using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");

// Consumers that fail the first `failures` messages.
void failAtConsumers(EngineFixture &fixture, int failures)
{
    fixture.broker->delivered = [&fixture, left = failures](const support::FakeBroker::Delivery &delivery) mutable {
        if (delivery.destination == errorQueue || left == 0)
            return;
        --left;
        records::Envelope failed = delivery.envelope;
        records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
        records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"),
                     QCborValue(QStringLiteral("System.TimeoutException")));
        fixture.clock.after(core::Milliseconds{200}, [&fixture, failed] { fixture.broker->put(errorQueue, failed); });
    };
}

records::Plan guarded()
{
    records::Plan plan;
    plan.stopWhen = records::StopWhen{2, false};
    plan.perMinute = 60;
    return plan;
}

QStringList subscribed(EngineFixture &fixture)
{
    return fixture.ask<QStringList>(
        [&fixture](store::Session &session) { return session.intakes().subscribed(fixture.shop); });
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
        EngineFixture fixture;
        fixture.fill(40);
        if (command)
            fixture.dependencies.starter = api::Starter::Command;
        failAtConsumers(fixture, 2);
        fixture.start();
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, guarded());
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(fixture.runUntil([&] { return fixture.operation(*id).state == OperationState::Paused; }));
        const records::RetryOperation stopped = fixture.operation(*id);
        QCOMPARE(stopped.counts.cameBack, 2);
        QVERIFY(stopped.stoppedBecause.startsWith(QStringLiteral("2 of "))
                && stopped.stoppedBecause.contains(QStringLiteral("came back")));
        QVERIFY(stopped.counts.sent < 40);
        QVERIFY(subscribed(fixture).isEmpty()); // watching is no subscription
        int told = 0;
        for (const records::Event &event : fixture.events()) {
            if (event.what == QLatin1String("Paused automatically") && event.result == stopped.stoppedBecause
                && event.onWhat == QStringLiteral("operation %1").arg(id->value))
                ++told;
        }
        QCOMPARE(told, 1);

        // A paused retry still watches for messages that come back. After it has ended nothing is taken any more.
        const auto waiting = [&fixture] { return fixture.broker->depthOf(errorQueue); };
        fixture.broker->put(errorQueue, {});
        QVERIFY(fixture.runUntil([&] { return waiting() == 0; }));
        const core::Result<> cancelled =
            fixture.carryOut(api::ChangeOperation{*id, api::OperationAction::Cancel}, QStringLiteral("ada"));
        QVERIFY(cancelled.has_value());
        QVERIFY(fixture.runToEnd(*id));
        fixture.advance(std::chrono::seconds(30)); // until running work has ended
        fixture.broker->put(errorQueue, {});
        fixture.advance(std::chrono::minutes(2));
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
                                               << "" << false << true << "stop rule";
        QTest::newRow("a release") << ""
                                   << "5%" << true << true << "release";
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
        EngineFixture fixture;
        fixture.connection.rights.setFlag(records::Right::Take, mayTake);
        fixture.fill(4);
        fixture.start();
        records::Plan plan;
        plan.ramp = records::rampFrom(ramp);
        plan.stopWhen = records::stopWhenFrom(stop);
        const auto kind = release ? records::OperationKind::Release : records::OperationKind::Retry;
        const core::Result<core::OperationId> id = fixture.retryAll(kind, plan);
        QVERIFY(!id.has_value());
        QVERIFY2(id.error().message.contains(words), qPrintable(id.error().message));
        api::RetryDraft request;
        request.kind = kind;
        request.filter.connection = fixture.shop;
        request.plan = plan;
        const core::Result<api::PlanPreview> shown = fixture.carryOut(api::PreviewRetry{request});
        QVERIFY(shown.has_value());
        QCOMPARE(shown->refusal, id.error().message); // the preview already says so
        QCOMPARE(fixture.members(core::OperationId{1}).size(), 0);
    }
};

REDRIVE_TEST(TestGuardedRetry)
#include "tst_guardedretry.moc"
