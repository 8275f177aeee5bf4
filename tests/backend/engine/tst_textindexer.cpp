// The text index follows new messages by itself, in short steps, and rests when there is nothing to do.
#include "backend/core/limits.h"
#include "backend/engine/textindexer.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/samplemessages.h"

#include <QTest>

using core::Result;
using test::must;

namespace {

struct Desk
{
    support::FakeClock clock;
    std::unique_ptr<store::SqliteStore> store;
    core::ConnectionId connection;
    int changes = 0;
    std::unique_ptr<engine::TextIndexer> indexer;

    Desk()
    {
        core::SeededRandom random(5);
        store = must(store::SqliteStore::open(QStringLiteral(":memory:"), random));
        must(store->transact([this](store::Session &session) -> Result<> {
            connection = must(session.connections().add(test::sampleConnection(QStringLiteral("one"))));
            return {};
        }));
        indexer = std::make_unique<engine::TextIndexer>(*store, clock, [this] {
            ++changes;
            indexer->wake(); // as the engine does for every change
        });
    }
    void fill(int messages)
    {
        must(store->transact([&](store::Session &session) -> Result<> {
            for (int n = 0; n < messages; ++n)
                (void)must(session.messages().insert(test::sampleMessage(connection, n)));
            return {};
        }));
    }
    [[nodiscard]] store::TextProgress progress() const
    {
        store::TextProgress now;
        must(store->read([&now](store::Session &session) -> Result<> {
            now = must(session.messages().textProgress());
            return {};
        }));
        return now;
    }
};

} // namespace

class TestTextIndexer final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEverythingInStepsThenRests()
    {
        Desk desk;
        desk.fill(3 * store::TextProgress::stepMessages);
        desk.indexer->wake();
        QVERIFY(desk.clock.step());
        QVERIFY(!desk.progress().isComplete()); // others get their turn between the steps
        QVERIFY(desk.progress().reached.isValid());
        desk.clock.advance(core::Milliseconds{5000});
        QVERIFY(desk.progress().isComplete());
        QCOMPARE(desk.changes, 3);
        QCOMPARE(desk.clock.waiting(), size_t(0));
    }

    void manyChangesAreOneLook()
    {
        Desk desk;
        for (int i = 0; i < 100; ++i)
            desk.indexer->wake();
        QCOMPARE(desk.clock.waiting(), size_t(1));
        desk.clock.advance(core::Milliseconds{5000});
        QCOMPARE(desk.changes, 0);
        QCOMPARE(desk.clock.waiting(), size_t(0));
    }

    void afterStopNothingRuns()
    {
        Desk desk;
        desk.fill(3);
        desk.indexer->wake();
        desk.indexer->stop();
        desk.indexer->wake();
        QCOMPARE(desk.clock.waiting(), size_t(0));
        QVERIFY(!desk.progress().isComplete());
    }

    void aFailureIsTriedAgainWithTheNextChange()
    {
        Desk desk;
        desk.fill(3);
        bool fails = true;
        desk.store->database().setFaultHook([&fails](const QString &statement) -> std::optional<core::Error> {
            if (fails && statement.contains(QLatin1String("content_text")))
                return core::Error{core::ErrorKind::Transient, QStringLiteral("not now"), {}, {}};
            return std::nullopt;
        });
        desk.indexer->wake();
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("not now")));
        desk.clock.advance(core::Milliseconds{5000});
        QVERIFY(!desk.progress().isComplete());
        fails = false;
        desk.indexer->wake();
        desk.clock.advance(core::Milliseconds{5000});
        QVERIFY(desk.progress().isComplete());
    }
};

QTEST_GUILESS_MAIN(TestTextIndexer)
#include "tst_textindexer.moc"
