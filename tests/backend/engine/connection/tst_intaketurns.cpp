// Several intakes of one connection: a queue that fills as fast as it is emptied leaves the others their turns.
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/engine/commands/connectionservice.h"
#include "backend/records/intake.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <optional>

using support::EngineFixture;

namespace {

const QString busy = QStringLiteral("error");
const QString other = QStringLiteral("other");
const QString ticket = QStringLiteral("an-intake");

} // namespace

class TestIntakeTurns final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBusySubscribedQueueStarvesNoCommand()
    {
        EngineFixture fixture;
        begin(fixture, {busy});
        const auto intake = std::make_shared<api::Asked<api::TakeMessages>>(api::TakeMessages{fixture.shop, other, {}});
        const auto counts = intake->reply.future();
        fixture.engine->carryOut(intake, {});
        QVERIFY(fixture.runUntil([&] { return stayBusy(fixture) && counts.isFinished(); }, mostSteps));
        QVERIFY2(counts.result(), counts.result() ? "" : qPrintable(counts.result().error().message));
        QCOMPARE(counts.result()->taken, 1);
    }

    void aBusySubscribedQueueStarvesNoOtherSubscription()
    {
        EngineFixture fixture;
        begin(fixture, {busy, other});
        for (int n = 1; n <= 3; ++n) {
            QVERIFY(fixture.runUntil([&] { return stayBusy(fixture) && takenFrom(fixture, other) == n; }, mostSteps));
            put(fixture, other, 1);
        }
    }

    void takingSaysOfAboutHowMany_data()
    {
        QTest::addColumn<std::optional<qint64>>("limit");
        QTest::addColumn<QString>("about");
        QTest::newRow("the whole queue") << std::optional<qint64>() << QStringLiteral("of about 2,500");
        QTest::newRow("some of it") << std::optional<qint64>(1500) << QStringLiteral("of about 1,500");
        QTest::newRow("more than there are") << std::optional<qint64>(9000) << QStringLiteral("of about 2,500");
    }

    void takingSaysOfAboutHowMany()
    {
        QFETCH(const std::optional<qint64>, limit);
        QFETCH(const QString, about);
        EngineFixture fixture;
        begin(fixture, {});
        const auto intake =
            std::make_shared<api::Asked<api::TakeMessages>>(api::TakeMessages{fixture.shop, busy, limit});
        const auto counts = intake->reply.future();
        fixture.engine->carryOut(intake, {});
        QVERIFY(fixture.runUntil([&] { return activityOf(fixture).contains(about); }, mostSteps));
        QVERIFY(fixture.runUntil([&] { return counts.isFinished(); }, mostSteps));
        QCOMPARE(activityOf(fixture), QString());
    }

    // Two that take from one queue do so one after the other, and what uses the queue waits for the one at work.
    void aSecondIntakeOfAQueueWaitsForTheFirst()
    {
        EngineFixture fixture;
        begin(fixture, {});
        QList<QFuture<core::Result<records::IntakeCounts>>> answers;
        for (int n = 0; n < 2; ++n) {
            const auto intake =
                std::make_shared<api::Asked<api::TakeMessages>>(api::TakeMessages{fixture.shop, busy, {}});
            answers.append(intake->reply.future());
            fixture.engine->carryOut(intake, {});
        }
        QVERIFY(fixture.runUntil([&] { return answers.at(0).isFinished() && answers.at(1).isFinished(); }));
        for (const auto &answer : std::as_const(answers))
            QVERIFY2(answer.result(), answer.result() ? "" : qPrintable(answer.result().error().message));
        QCOMPARE(answers.at(0).result()->taken + answers.at(1).result()->taken, qint64{stock});
    }

    // Cancelled in the middle, it takes what is held, says how much, and leaves the rest to the next intake.
    void aCancelledIntakeLosesNothing()
    {
        EngineFixture fixture;
        constexpr int many = 6500; // the page after the current one is held already
        begin(fixture, {}, many);
        const auto counts = beginIntake(fixture, {}, ticket); // both queues
        const auto progress = [&fixture] { return fixture.carryOut(api::AskWork{ticket}); };
        QVERIFY(fixture.runUntil([&] { return activityOf(fixture).contains(QStringLiteral("1,000 of")); }, mostSteps));
        const core::Result<api::WorkProgress> halfway = progress();
        QVERIFY(halfway && halfway->done >= 1000 && halfway->done < many && halfway->isAbout);
        QCOMPARE(halfway->of, std::optional<qint64>(many + 1));
        QVERIFY(fixture.carryOut(api::CancelWork{ticket}));
        QVERIFY(fixture.runUntil([&] { return counts.isFinished(); }, mostSteps));
        QVERIFY2(counts.result(), counts.result() ? "" : qPrintable(counts.result().error().message));
        const records::IntakeCounts cut = *counts.result();
        QVERIFY(cut.isCancelled);
        QVERIFY(cut.taken >= 1000 && cut.taken < many);
        QCOMPARE(takenFrom(fixture, busy), cut.taken);
        QCOMPARE(qint64(fixture.broker->depthOf(busy)), many - cut.taken);
        QCOMPARE(takenFrom(fixture, other), 0); // it was not asked any more
        const core::Result<api::WorkProgress> over = progress();
        QVERIFY(!over && over.error().kind == core::ErrorKind::NotFound);
        const auto rest = fixture.carryOut(api::TakeMessages{fixture.shop, {}, {}});
        QVERIFY2(rest, rest ? "" : qPrintable(rest.error().message));
        QVERIFY(!rest->isCancelled);
        QCOMPARE(rest->taken, many - cut.taken + 1);
        QCOMPARE(takenFrom(fixture, busy), qint64{many});
    }

    // It does not wait for the end of the one at work, and whoever comes after it gets the turn.
    void anIntakeThatWaitsForItsTurnIsCancelled()
    {
        EngineFixture fixture;
        begin(fixture, {});
        const auto whole = beginIntake(fixture, busy, {});
        QVERIFY(fixture.runUntil([&] { return activityOf(fixture).contains(QStringLiteral("1,000 of")); }, mostSteps));
        const auto second = beginIntake(fixture, busy, ticket);
        const auto third = beginIntake(fixture, busy, {});
        QVERIFY(fixture.carryOut(api::CancelWork{ticket}));
        QVERIFY(fixture.runUntil([&] { return second.isFinished(); }));
        QVERIFY(!whole.isFinished());
        QVERIFY(!third.isFinished());
        QVERIFY2(second.result(), second.result() ? "" : qPrintable(second.result().error().message));
        QCOMPARE(second.result()->taken, 0);
        QVERIFY(second.result()->isCancelled);
        QVERIFY(fixture.runUntil([&] { return whole.isFinished() && third.isFinished(); }));
        QCOMPARE(whole.result()->taken, qint64{stock});
        QVERIFY(third.result() && !third.result()->isCancelled);
    }

private:
    static constexpr int stock = 2500; // some pages
    static constexpr int mostSteps = 5000;

    static void begin(EngineFixture &fixture, const QStringList &subscribed, int messages = stock)
    {
        fixture.connection.errorQueues.append(other);
        fixture.broker->addQueue(other);
        fixture.fill(0);
        put(fixture, busy, messages);
        put(fixture, other, 1);
        fixture.start();
        for (const QString &queue : subscribed)
            QVERIFY(fixture.carryOut(api::ChangeSubscription{fixture.shop, queue, true}));
    }
    static QFuture<core::Result<records::IntakeCounts>> beginIntake(EngineFixture &fixture, const QString &queue,
                                                                    const QString &asked)
    {
        const auto intake =
            std::make_shared<api::Asked<api::TakeMessages>>(api::TakeMessages{fixture.shop, queue, {}, asked});
        const auto counts = intake->reply.future();
        fixture.engine->carryOut(intake, {});
        return counts;
    }
    static QString activityOf(EngineFixture &fixture)
    {
        const auto runtimes = fixture.engine->connections().all();
        return (*runtimes.begin())->activity(busy);
    }
    static bool stayBusy(EngineFixture &fixture)
    {
        if (fixture.broker->depthOf(busy) < stock) {
            put(fixture, busy, stock);
            fixture.clock.pass(
                std::chrono::seconds(4)); // a page takes its time: a round leaves a busy queue after some
        }
        return true;
    }
    static void put(EngineFixture &fixture, const QString &queue, int messages)
    {
        static int number = 0;
        for (int n = 0; n < messages; ++n) {
            records::Envelope one;
            one.body = QByteArray::number(++number);
            fixture.broker->put(queue, one);
        }
    }
    static qint64 takenFrom(EngineFixture &fixture, const QString &queue)
    {
        const auto counts = fixture.ask<QList<store::QueueCount>>(
            [](store::Session &session) { return session.messages().queueCounts(); });
        const auto found = std::find_if(counts.cbegin(), counts.cend(),
                                        [&queue](const store::QueueCount &one) { return one.queue == queue; });
        return found == counts.cend() ? 0 : found->unresolved;
    }
};

REDRIVE_TEST(TestIntakeTurns)
#include "tst_intaketurns.moc"
