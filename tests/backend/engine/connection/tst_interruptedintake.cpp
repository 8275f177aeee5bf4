// An interrupted intake: the next start reports the messages that it takes from it.
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/records/intake.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using support::EngineFixture;

namespace {

const QString errorQueue = QStringLiteral("error");
constexpr int failed = 2600; // some pages

} // namespace

class TestInterruptedIntake final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNextCommandCountsWhatWasLeft()
    {
        EngineFixture fixture;
        cutShort(fixture);
        fixture.dependencies.starter = api::Starter::Command;
        fixture.start();
        const qint64 before = taken(fixture);
        const core::Result<records::IntakeCounts> counts = take(fixture);
        QVERIFY2(counts, counts ? "" : qPrintable(counts.error().message));
        QCOMPARE(counts->taken, failed - before);
        QCOMPARE(take(fixture)->taken, 0);
        QCOMPARE(inTrail(fixture), failed - before);
    }

    void theProgressOfThatCommandCountsItToo()
    {
        EngineFixture fixture;
        cutShort(fixture);
        fixture.dependencies.starter = api::Starter::Command;
        fixture.start();
        const qint64 left = failed - taken(fixture);
        QVERIFY(fixture.runUntil([&fixture] { return taken(fixture) == failed; }));
        fixture.advance(std::chrono::seconds(1));
        put(fixture, failed); // others
        QVERIFY(fixture.carryOut(api::RefreshQueues{}));
        constexpr qint64 more = 500;
        const QString ticket = QStringLiteral("an-intake");
        const auto intake = std::make_shared<api::Asked<api::TakeMessages>>(
            api::TakeMessages{fixture.shop, errorQueue, left + more, ticket});
        const auto counts = intake->reply.future();
        fixture.engine->carryOut(intake, {});
        const core::Result<api::WorkProgress> progress = fixture.carryOut(api::AskWork{ticket});
        QVERIFY2(progress, progress ? "" : qPrintable(progress.error().message));
        QCOMPARE(progress->done, left);
        QCOMPARE(progress->of, std::optional<qint64>(left + more));
        QVERIFY(fixture.runUntil([&counts] { return counts.isFinished(); }));
        QVERIFY2(counts.result(), counts.result() ? "" : qPrintable(counts.result().error().message));
        QCOMPARE(counts.result()->taken, left + more);
    }

    // It may have been there long before.
    void aProgramThatStaysSaysItInTheTrail()
    {
        EngineFixture fixture;
        cutShort(fixture);
        const qint64 before = taken(fixture);
        fixture.start();
        QVERIFY(fixture.runUntil([&fixture] { return taken(fixture) == failed; }));
        fixture.advance(std::chrono::seconds(1));
        QCOMPARE(inTrail(fixture), failed - before);
        QCOMPARE(take(fixture)->taken, 0);
    }

private:
    static void cutShort(EngineFixture &fixture)
    {
        fixture.fill(0);
        put(fixture);
        fixture.start();
        const auto intake =
            std::make_shared<api::Asked<api::TakeMessages>>(api::TakeMessages{fixture.shop, errorQueue, {}});
        const auto counts = intake->reply.future();
        fixture.engine->carryOut(intake, {});
        QVERIFY(fixture.runUntil([&fixture] { return taken(fixture) > 0; }));
        fixture.stop();
        QVERIFY(counts.isFinished() && counts.result().error().kind == core::ErrorKind::Cancelled);
        QVERIFY(taken(fixture) < failed);
    }
    static void put(EngineFixture &fixture, int first = 0)
    {
        for (int n = 0; n < failed; ++n) {
            records::Envelope one;
            one.body = QByteArray::number(first + n);
            fixture.broker->put(errorQueue, one);
        }
    }
    static core::Result<records::IntakeCounts> take(EngineFixture &fixture)
    {
        return fixture.carryOut(api::TakeMessages{fixture.shop, errorQueue, {}});
    }
    static qint64 taken(EngineFixture &fixture)
    {
        const auto counts = fixture.ask<QList<store::QueueCount>>(
            [](store::Session &session) { return session.messages().queueCounts(); });
        return counts.isEmpty() ? 0 : counts.first().unresolved;
    }
    // One entry for each open intake run.
    static qint64 inTrail(EngineFixture &fixture)
    {
        qint64 sum = 0;
        const QList<records::Event> events = fixture.events();
        for (const records::Event &event : events) {
            if (event.what == QStringLiteral("Failed messages taken from an interrupted intake"))
                sum += event.result.section(QLatin1Char(' '), 0, 0).toLongLong();
        }
        return sum;
    }
};

REDRIVE_TEST(TestInterruptedIntake)
#include "tst_interruptedintake.moc"
