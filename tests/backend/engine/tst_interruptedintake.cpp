// An intake that was cut short: what the next start brings in belongs to what is told of it.
#include "backend/store/messagestore.h"
#include "tests/support/engineroom.h"

#include <QTest>

using support::EngineRoom;

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
        EngineRoom room;
        cutShort(room);
        room.world.starter = api::Starter::Command;
        room.start();
        const qint64 before = taken(room);
        const core::Result<records::IntakeCounts> counts = take(room);
        QVERIFY2(counts, counts ? "" : qPrintable(counts.error().message));
        QCOMPARE(counts->taken, failed - before);
        QCOMPARE(take(room)->taken, 0);
        QCOMPARE(inTrail(room), failed - before);
    }

    // There it may have been long before.
    void aProgramThatStaysSaysItInTheTrail()
    {
        EngineRoom room;
        cutShort(room);
        const qint64 before = taken(room);
        room.start();
        QVERIFY(room.runUntil([&room] { return taken(room) == failed; }));
        room.advance(std::chrono::seconds(1));
        QCOMPARE(inTrail(room), failed - before);
        QCOMPARE(take(room)->taken, 0);
    }

private:
    static void cutShort(EngineRoom &room)
    {
        room.fill(0);
        for (int n = 0; n < failed; ++n) {
            records::Envelope one;
            one.body = QByteArray::number(n);
            room.broker->put(errorQueue, one);
        }
        room.start();
        std::optional<core::ErrorKind> end;
        room.engine->run([&room, &end]() -> core::Task<> {
            const auto counts = co_await room.engine->connections().intake({room.shop, errorQueue, {}}, {});
            if (!counts)
                end = counts.error().kind;
        });
        QVERIFY(room.runUntil([&room] { return taken(room) > 0; }));
        room.stop();
        QCOMPARE(end, std::optional(core::ErrorKind::Cancelled));
        QVERIFY(taken(room) < failed);
    }
    static core::Result<records::IntakeCounts> take(EngineRoom &room)
    {
        return room.await<records::IntakeCounts>([&room](engine::Engine &it) {
            return it.connections().intake({room.shop, errorQueue, {}}, {});
        });
    }
    static qint64 taken(EngineRoom &room)
    {
        const auto counts = room.ask<QList<store::QueueCount>>(
            [](store::Session &session) { return session.messages().queueCounts(); });
        return counts.isEmpty() ? 0 : counts.first().unresolved;
    }
    // One entry for each run that was left open.
    static qint64 inTrail(EngineRoom &room)
    {
        qint64 sum = 0;
        const QList<records::Event> events = room.events();
        for (const records::Event &event : events) {
            if (event.what == QStringLiteral("Failed messages of an interrupted intake taken"))
                sum += event.result.section(QLatin1Char(' '), 0, 0).toLongLong();
        }
        return sum;
    }
};

QTEST_GUILESS_MAIN(TestInterruptedIntake)
#include "tst_interruptedintake.moc"
