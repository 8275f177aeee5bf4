// The text index adds new messages by itself, in short steps, and stops when it is complete.
#include "backend/core/limits.h"
#include "backend/engine/upkeep/textindexer.h"
#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::Result;
using test::must;

namespace {

struct Fixture
{
    support::FakeClock clock;
    std::unique_ptr<store::SqliteStore> store;
    core::ConnectionId connection;
    int changes = 0;
    std::unique_ptr<engine::TextIndexer> indexer;

    Fixture()
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
        Fixture fixture;
        fixture.fill(3 * store::TextProgress::stepMessages);
        fixture.indexer->wake();
        QVERIFY(fixture.clock.step());
        QVERIFY(!fixture.progress().isComplete()); // others get their turn between the steps
        QVERIFY(fixture.progress().reached.isValid());
        fixture.clock.advance(core::Milliseconds{5000});
        QVERIFY(fixture.progress().isComplete());
        QCOMPARE(fixture.changes, 3);
        QCOMPARE(fixture.clock.waiting(), size_t(0));
    }

    void manyChangesAreOneStep()
    {
        Fixture fixture;
        for (int i = 0; i < 100; ++i)
            fixture.indexer->wake();
        QCOMPARE(fixture.clock.waiting(), size_t(1));
        fixture.clock.advance(core::Milliseconds{5000});
        QCOMPARE(fixture.changes, 0);
        QCOMPARE(fixture.clock.waiting(), size_t(0));
    }

    void afterStopNothingRuns()
    {
        Fixture fixture;
        fixture.fill(3);
        fixture.indexer->wake();
        fixture.indexer->stop();
        fixture.indexer->wake();
        QCOMPARE(fixture.clock.waiting(), size_t(0));
        QVERIFY(!fixture.progress().isComplete());
    }

    void aFailureIsTriedAgainWithTheNextChange()
    {
        Fixture fixture;
        fixture.fill(3);
        bool fails = true;
        fixture.store->database().setFaultHook([&fails](const QString &statement) -> std::optional<core::Error> {
            if (fails && statement.contains(QLatin1String("content_text")))
                return core::Error{core::ErrorKind::Transient, QStringLiteral("not now"), {}, {}};
            return std::nullopt;
        });
        fixture.indexer->wake();
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("not now")));
        fixture.clock.advance(core::Milliseconds{5000});
        QVERIFY(!fixture.progress().isComplete());
        fails = false;
        fixture.indexer->wake();
        fixture.clock.advance(core::Milliseconds{5000});
        QVERIFY(fixture.progress().isComplete());
    }
};

REDRIVE_TEST(TestTextIndexer)
#include "tst_textindexer.moc"
