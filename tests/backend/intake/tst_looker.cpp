// Only looking: what is seen is stored and stays in its queue, and it is the same message when it is taken at last.
#include "backend/core/limits.h"
#include "backend/intake/looker.h"
#include "backend/store/retrystore.h"
#include "tests/backend/intake/intakeworld.h"
#include "tests/support/storerecount.h"

using core::ErrorKind;
using records::LookCounts;
using records::MessageFlag;
using test::IntakeWorld;

class TestLooker final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsSeenIsStoredAndStaysWhereItIs_data() { kinds(); }
    void whatIsSeenIsStoredAndStaysWhereItIs();
    void lookingTwiceMakesNothingTwice_data() { kinds(); }
    void lookingTwiceMakesNothingTwice();
    void itSaysWhenItWasLastSeen();
    void whatIsTakenLaterIsTheSameMessage_data() { kinds(); }
    void whatIsTakenLaterIsTheSameMessage();
    void twinsStayTwins_data() { kinds(); }
    void twinsStayTwins();
    void aDeliveryCountMakesNoOtherMessage();
    void aLookChangesNothingOfWhatWasTaken();
    void aConfirmationTakesNoEffect();
    void nothingOfOursTouchesWhatWasLookedAt();
    void aLookThatFailsHalfwayKeepsWhatItHas();
    void whatLeftTheQueueIsForgotten_data() { kinds(); }
    void whatLeftTheQueueIsForgotten();
    void whatIsInSomebodysHandIsNotForgotten_data() { kinds(); }
    void whatIsInSomebodysHandIsNotForgotten();
    void muchIsKeptInSlices();
    void oneMessageThatTheStoreRefusesIsKeptAsItIs();
    void refusals_data();
    void refusals();
    void itIsBoundedAndSaysSo();

private:
    static void kinds()
    {
        QTest::addColumn<bool>("locks");
        QTest::newRow("holding queue") << false;
        QTest::newRow("locks") << true;
    }
};

namespace {

core::Result<LookCounts> look(IntakeWorld &world, int limit = core::limits::lookMost)
{
    intake::Looker looker(world.connection, world.broker, world.store, world.clock,
                          [&world] { return world.freeShare; });
    intake::LookOrder order;
    order.queue = QStringLiteral("error");
    order.limit = limit;
    return test::ended(looker.look(order));
}

// One that names itself, one that does not.
void fillTwo(IntakeWorld &world)
{
    world.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    world.broker.put(test::plainMessage("nameless"));
}

int lookedAt(IntakeWorld &world)
{
    const QList<records::FailedMessage> all = world.stored();
    return int(std::count_if(all.cbegin(), all.cend(), [](const records::FailedMessage &one) {
        return one.flags.testFlag(MessageFlag::LookedAt);
    }));
}

// The kept counts against the rows.
QString miscounted(IntakeWorld &world)
{
    return test::countDifference(static_cast<store::SqliteStore &>(*world.real).database());
}

store::QueueCount counted(IntakeWorld &world)
{
    store::QueueCount count;
    const core::Result<> read = world.real->read([&](store::Session &session) -> core::Result<> {
        count = session.messages().queueCounts()->value(0);
        return {};
    });
    Q_ASSERT(read);
    return count;
}

} // namespace

void TestLooker::whatIsSeenIsStoredAndStaysWhereItIs()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    fillTwo(world);
    QCOMPARE(*look(world), (LookCounts{2, 2, 0, 0, 0, false}));
    QCOMPARE(world.bodies(), (QByteArrayList{"named", "nameless"}));
    QCOMPARE(lookedAt(world), 2);
    QCOMPARE(world.broker.messagesLeft(), 2);
    QCOMPARE(world.broker.takes, 0);
    QVERIFY(world.openRuns().isEmpty());
    QCOMPARE(counted(world).unresolved, 2);
    QCOMPARE(counted(world).lookedAt, 2);
}

void TestLooker::lookingTwiceMakesNothingTwice()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    fillTwo(world);
    QVERIFY(look(world));
    world.broker.put(test::plainMessage("later"));
    QCOMPARE(*look(world), (LookCounts{3, 1, 2, 0, 0, false}));
    QCOMPARE(*look(world), (LookCounts{3, 0, 3, 0, 0, false}));
    QCOMPARE(world.bodies(), (QByteArrayList{"later", "named", "nameless"}));
    for (const records::FailedMessage &message : world.stored())
        QCOMPARE(message.attempts, 1);
    QCOMPARE(counted(world).lookedAt, 3);
}

void TestLooker::itSaysWhenItWasLastSeen()
{
    IntakeWorld world(false);
    fillTwo(world);
    QVERIFY(look(world));
    const QList<records::FailedMessage> before = world.stored();
    world.clock.advance(std::chrono::hours(1));
    QVERIFY(look(world, 1)); // the second one is out of reach: nothing is claimed about it
    const QList<records::FailedMessage> after = world.stored();
    QVERIFY(after.at(0).change > before.at(0).change);
    // Where a message does not say when it failed, that is known from the first look, also when it is taken.
    QVERIFY(look(world));
    world.clock.advance(std::chrono::hours(1));
    QVERIFY(world.take());
    const QList<records::FailedMessage> taken = world.stored();
    QCOMPARE(taken.size(), before.size());
    for (qsizetype i = 0; i < taken.size(); ++i)
        QCOMPARE(core::toMs(taken.at(i).lastFailed), core::toMs(before.at(i).lastFailed));
    QCOMPARE(after.at(1).change, before.at(1).change);
}

void TestLooker::whatIsTakenLaterIsTheSameMessage()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    fillTwo(world);
    QVERIFY(look(world));
    const QList<records::FailedMessage> seen = world.stored();
    QCOMPARE(miscounted(world), QString());
    world.broker.put(test::plainMessage("later"));
    QCOMPARE(*world.take(), (records::IntakeCounts{3, 3, 0, 0, 0}));
    const QList<records::FailedMessage> taken = world.stored();
    QCOMPARE(taken.size(), 3);
    for (qsizetype i = 0; i < seen.size(); ++i) {
        QCOMPARE(taken.at(i).id, seen.at(i).id);
        QCOMPARE(taken.at(i).uniqueId, seen.at(i).uniqueId);
        QCOMPARE(taken.at(i).attempts, 1);
    }
    QCOMPARE(lookedAt(world), 0);
    QCOMPARE(miscounted(world), QString());
    QCOMPARE(counted(world).lookedAt, 0);
    QCOMPARE(counted(world).unresolved, 3);
    QCOMPARE(world.bodies(), (QByteArrayList{"later", "named", "nameless"}));
    QCOMPARE(world.broker.messagesLeft(), 0);
    QCOMPARE(*look(world), LookCounts{}); // and there is nothing to see any more
}

void TestLooker::twinsStayTwins()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    for (int i = 0; i < 3; ++i)
        world.broker.put(test::plainMessage("twin"));
    QCOMPARE(look(world)->fresh, 3);
    QCOMPARE(look(world)->again, 3);
    QCOMPARE(world.take(1)->fresh, 1);
    QCOMPARE(lookedAt(world), 2);
    QCOMPARE(*look(world), (LookCounts{2, 0, 2, 0, 0, false}));
    world.broker.put(test::plainMessage("twin"));
    QCOMPARE(*look(world), (LookCounts{3, 1, 2, 0, 0, false}));
    QVERIFY(world.take());
    QCOMPARE(lookedAt(world), 0);
    QCOMPARE(world.bodies(), (QByteArrayList{"twin", "twin", "twin", "twin"}));
}

// Each look into a quorum queue adds one; the shovel of an intake carries the header along.
void TestLooker::aDeliveryCountMakesNoOtherMessage()
{
    IntakeWorld world(false);
    world.broker.countsDeliveries = true;
    world.broker.put(test::plainMessage("x"));
    QVERIFY(look(world));
    QCOMPARE(look(world)->again, 1);
    QCOMPARE(look(world)->again, 1);
    QVERIFY(world.take());
    QCOMPARE(world.stored().size(), 1);
    QCOMPARE(lookedAt(world), 0);
}

void TestLooker::aLookChangesNothingOfWhatWasTaken()
{
    IntakeWorld world(false);
    world.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    QVERIFY(world.take());
    const records::FailedMessage taken = world.stored().first();
    world.setStatus(taken.id, records::MessageStatus::RetryIssued);
    // It failed again, once as it was and once with our stamp.
    world.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    records::Envelope stamped = test::failedMessage(QStringLiteral("a"), "named");
    records::Stamp stamp;
    stamp.store = world.store.storeId();
    stamp.uniqueId = taken.uniqueId;
    stamp.bodyDigest = records::bodyDigest(stamped.body);
    stamped.headers.append({records::stampHeader.toString(), records::toText(stamp)});
    world.broker.put(stamped);
    QCOMPARE(*look(world), (LookCounts{2, 0, 0, 2, 0, false}));
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().first().status == records::MessageStatus::RetryIssued);
    QCOMPARE(world.stored().first().attempts, 1);
    QVERIFY(!world.stored().first().flags.testFlag(MessageFlag::LookedAt));
}

void TestLooker::aConfirmationTakesNoEffect()
{
    IntakeWorld world(false);
    world.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    QVERIFY(world.take());
    QString dashed = world.stored().first().uniqueId;
    for (const int at : {20, 16, 12, 8})
        dashed.insert(at, QLatin1Char('-'));
    records::Envelope confirmation;
    confirmation.headers = {{QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now")},
                            {QStringLiteral("ServiceControl.Retry.UniqueMessageId"), dashed}};
    world.broker.put(confirmation);
    QCOMPARE(*look(world), (LookCounts{1, 0, 0, 1, 0, false}));
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().first().status == records::MessageStatus::Unresolved);
}

void TestLooker::nothingOfOursTouchesWhatWasLookedAt()
{
    IntakeWorld world(false);
    fillTwo(world);
    QVERIFY(look(world));
    world.broker.put(test::plainMessage("taken"));
    const core::MessageId id = world.stored().first().id;
    for (const auto status : {records::MessageStatus::Archived, records::MessageStatus::RetryIssued,
                              records::MessageStatus::Resolved, records::MessageStatus::Released}) {
        world.setStatus(id, status);
        QVERIFY(world.stored().first().status == records::MessageStatus::Unresolved);
    }
    QList<core::MessageId> ids;
    for (const records::FailedMessage &message : world.stored())
        ids.append(message.id);
    for (const auto kind : {records::OperationKind::Retry, records::OperationKind::Release}) {
        store::FreezeRules rules;
        rules.kind = kind;
        rules.asOfChange = std::numeric_limits<qint64>::max();
        rules.includeLooped = true;
        store::FreezeTally tally;
        const core::Result<> read = world.real->read([&](store::Session &session) -> core::Result<> {
            tally = *session.retries().weigh(ids, rules, 0);
            return {};
        });
        QVERIFY(read);
        QCOMPARE(tally.frozen, 0);
        QCOMPARE(tally.lookedAt, 2);
    }
    // The connection may go all the same: nothing of it lies here and nowhere else.
    const core::Result<> removed = world.real->transact(
        [&](store::Session &session) { return session.connections().remove(world.connection.id); });
    QVERIFY2(removed, removed ? "" : qPrintable(removed.error().message));
}

void TestLooker::aLookThatFailsHalfwayKeepsWhatItHas()
{
    for (int at = 1;; ++at) {
        IntakeWorld world(false);
        fillTwo(world);
        world.fate.at = at;
        if (look(world) && world.fate.passed < at) {
            QVERIFY(at > 1);
            break;
        }
        world.fate.revive();
        QVERIFY(look(world));
        QCOMPARE(world.bodies(), (QByteArrayList{"named", "nameless"}));
        QCOMPARE(lookedAt(world), 2);
    }
}

// Locked, hidden for a time, given to a consumer: counted by the broker and not shown.
void TestLooker::whatIsInSomebodysHandIsNotForgotten()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    fillTwo(world);
    QVERIFY(look(world));
    const qsizetype seen = world.stored().size();
    world.broker.loseFirst();
    world.broker.hidden = 1;
    QCOMPARE(look(world)->gone, 0);
    QCOMPARE(world.stored().size(), seen);
    QCOMPARE(world.take()->taken, 1);
    QCOMPARE(world.stored().size(), seen);
    QCOMPARE(lookedAt(world), 1);

    world.broker.hidden = 0; // it has gone indeed
    QCOMPARE(look(world)->gone, 1);
    QCOMPARE(world.stored().size(), seen - 1);
}

// Whoever sees all of a queue knows what is not there. What was taken stays, whatever lies in the queue.
void TestLooker::whatLeftTheQueueIsForgotten()
{
    QFETCH(bool, locks);
    IntakeWorld world(locks);
    world.broker.put(test::plainMessage("taken"));
    QVERIFY(world.take());
    fillTwo(world);
    world.broker.put(test::plainMessage("later"));
    QVERIFY(look(world));
    QVERIFY(world.real->transact([](store::Session &session) -> core::Result<> {
        const auto indexed = session.messages().indexText(); // it forgets them too
        return indexed ? core::Result<>() : core::fail(indexed.error());
    }));
    world.broker.loseFirst();
    QCOMPARE(*look(world, 1), (LookCounts{1, 0, 1, 0, 0, true})); // there may be more
    QCOMPARE(world.stored().size(), 4);
    QCOMPARE(*look(world), (LookCounts{2, 0, 2, 0, 0, false, 1}));
    QCOMPARE(world.bodies(), (QByteArrayList{"later", "nameless", "taken"}));
    QCOMPARE(counted(world).lookedAt, 2);
    QCOMPARE(miscounted(world), QString());

    world.broker.loseFirst();
    QCOMPARE(world.take()->taken, 1);
    QCOMPARE(world.bodies(), (QByteArrayList{"later", "taken"}));
    QCOMPARE(lookedAt(world), 0);
    QCOMPARE(miscounted(world), QString());
    QCOMPARE(*look(world), LookCounts{}); // an empty queue says nothing of what was taken from it
    QCOMPARE(world.stored().size(), 2);
    store::Statement told =
        static_cast<store::SqliteStore &>(*world.real)
            .database()
            .sql(QStringLiteral("SELECT count(*) FROM event_log WHERE result LIKE '1 no longer in the queue%'"));
    QVERIFY(told.step());
    QCOMPARE(told.integer(0), 2);
}

void TestLooker::muchIsKeptInSlices()
{
    IntakeWorld world(false);
    constexpr int many = 2 * core::limits::lookedAtOnce + 1;
    for (int i = 0; i < many; ++i)
        world.broker.put(test::plainMessage("twin"));
    for (const bool again : {false, true}) {
        intake::Looker looker(world.connection, world.broker, world.store, world.clock, [] { return 1.0; });
        std::optional<core::Result<LookCounts>> counts;
        const auto keep = [](core::Task<core::Result<LookCounts>> task, auto &into) -> core::Task<> {
            into = co_await task;
        };
        const core::Task<> looking = keep(looker.look({QStringLiteral("error"), many, {}}), counts);
        QVERIFY(!counts); // others get their turn
        while (!counts)
            QVERIFY(world.clock.step());
        QCOMPARE(**counts, (LookCounts{many, again ? 0 : many, again ? many : 0, 0, 0, false}));
    }
    QCOMPARE(lookedAt(world), many);
}

void TestLooker::oneMessageThatTheStoreRefusesIsKeptAsItIs()
{
    IntakeWorld world(false);
    records::Envelope odd = test::plainMessage("odd");
    for (int i = 0; i < 10001; ++i)
        odd.headers.append({QString::number(i), i});
    world.broker.put(odd);
    QCOMPARE(*look(world), (LookCounts{1, 1, 0, 0, 1, false}));
    QCOMPARE(look(world)->again, 1);
    QVERIFY(world.take());
    QCOMPARE(world.stored().size(), 1);
    QVERIFY(world.stored().first().flags == records::MessageFlags(MessageFlag::Undecodable));
}

void TestLooker::refusals_data()
{
    QTest::addColumn<std::function<void(IntakeWorld &)>>("arrange");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, std::function<void(IntakeWorld &)> arrange, ErrorKind kind,
                        const char *says) {
        QTest::newRow(name) << std::move(arrange) << kind << QString::fromLatin1(says);
    };
    row(
        "connection", [](IntakeWorld &world) { world.connection.rights = {}; }, ErrorKind::Refused,
        "does not allow looking");
    row(
        "account",
        [](IntakeWorld &world) {
            world.broker.capabilities.canBrowse = false;
            world.broker.capabilities.missing = {QStringLiteral("the right to read")};
        },
        ErrorKind::Refused, "the right to read");
    row(
        "queue that a look would harm",
        [](IntakeWorld &world) { world.broker.known.first().refusal = QStringLiteral("each look costs"); },
        ErrorKind::Refused, "each look costs");
    row(
        "queue of work", [](IntakeWorld &world) { world.broker.known.first().role = broker::QueueRole::Work; },
        ErrorKind::Refused, "not an error queue");
    row(
        "no queue", [](IntakeWorld &world) { world.broker.known.clear(); }, ErrorKind::NotFound, "does not exist");
    row(
        "full disk", [](IntakeWorld &world) { world.freeShare = 0.01; }, ErrorKind::Refused, "disk");
}

void TestLooker::refusals()
{
    QFETCH(const std::function<void(IntakeWorld &)>, arrange);
    QFETCH(const ErrorKind, kind);
    QFETCH(const QString, says);
    IntakeWorld world(false);
    fillTwo(world);
    arrange(world);
    const core::Result<LookCounts> refused = look(world);
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == kind);
    QVERIFY2(refused.error().message.contains(says), qPrintable(refused.error().message));
    QVERIFY(world.stored().isEmpty());
}

void TestLooker::itIsBoundedAndSaysSo()
{
    IntakeWorld world(false);
    fillTwo(world);
    const core::Result<LookCounts> first = look(world, 1);
    QCOMPARE(*first, (LookCounts{1, 1, 0, 0, 0, true}));
    QCOMPARE(world.bodies(), (QByteArrayList{"named"}));
}

QTEST_GUILESS_MAIN(TestLooker)
#include "tst_looker.moc"
