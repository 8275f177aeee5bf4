// Only looking: what is seen is stored and stays in its queue, and it is the same message when it is taken at last.
#include "backend/core/limits.h"
#include "backend/intake/queuebrowser.h"
#include "backend/store/retry/frozensetstore.h"
#include "tests/backend/intake/intakefixture.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

using core::ErrorKind;
using records::BrowseCounts;
using records::MessageFlag;
using test::IntakeFixture;

class TestQueueBrowser final : public QObject
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
    void browsingChangesNothingOfWhatWasTaken();
    void aConfirmationTakesNoEffect();
    void nothingOfOursTouchesWhatWasBrowsed();
    void browsingThatFailsHalfwayKeepsWhatItHas();
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

core::Result<BrowseCounts> browse(IntakeFixture &fixture, int limit = core::limits::browseMost)
{
    broker::BrokerState state(fixture.broker, fixture.clock);
    intake::QueueBrowser browser(fixture.connection, state, fixture.store, fixture.clock,
                                 [&fixture] { return fixture.freeShare; });
    intake::BrowseOrder order;
    order.queue = QStringLiteral("error");
    order.limit = limit;
    return test::ended(browser.browse(order));
}

// One that names itself, one that does not.
void fillTwo(IntakeFixture &fixture)
{
    fixture.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    fixture.broker.put(test::plainMessage("nameless"));
}

int browsedOnly(IntakeFixture &fixture)
{
    const QList<records::FailedMessage> all = fixture.stored();
    return int(std::count_if(all.cbegin(), all.cend(), [](const records::FailedMessage &one) {
        return one.flags.testFlag(MessageFlag::BrowsedOnly);
    }));
}

// The kept counts against the rows.
QString miscounted(IntakeFixture &fixture)
{
    return test::countDifference(static_cast<store::SqliteStore &>(*fixture.real).database());
}

store::QueueCount counted(IntakeFixture &fixture)
{
    store::QueueCount count;
    const core::Result<> read = fixture.real->read([&](store::Session &session) -> core::Result<> {
        count = session.messages().queueCounts()->value(0);
        return {};
    });
    Q_ASSERT(read);
    return count;
}

} // namespace

void TestQueueBrowser::whatIsSeenIsStoredAndStaysWhereItIs()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    fillTwo(fixture);
    QCOMPARE(*browse(fixture), (BrowseCounts{2, 2, 0, 0, 0, false}));
    QCOMPARE(fixture.bodies(), (QByteArrayList{"named", "nameless"}));
    QCOMPARE(browsedOnly(fixture), 2);
    QCOMPARE(fixture.broker.messagesLeft(), 2);
    QCOMPARE(fixture.broker.takes, 0);
    QVERIFY(fixture.openRuns().isEmpty());
    QCOMPARE(counted(fixture).unresolved, 2);
    QCOMPARE(counted(fixture).browsedOnly, 2);
}

void TestQueueBrowser::lookingTwiceMakesNothingTwice()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    fillTwo(fixture);
    QVERIFY(browse(fixture));
    fixture.broker.put(test::plainMessage("later"));
    QCOMPARE(*browse(fixture), (BrowseCounts{3, 1, 2, 0, 0, false}));
    QCOMPARE(*browse(fixture), (BrowseCounts{3, 0, 3, 0, 0, false}));
    QCOMPARE(fixture.bodies(), (QByteArrayList{"later", "named", "nameless"}));
    for (const records::FailedMessage &message : fixture.stored())
        QCOMPARE(message.attempts, 1);
    QCOMPARE(counted(fixture).browsedOnly, 3);
}

void TestQueueBrowser::itSaysWhenItWasLastSeen()
{
    IntakeFixture fixture(false);
    fillTwo(fixture);
    QVERIFY(browse(fixture));
    const QList<records::FailedMessage> before = fixture.stored();
    fixture.clock.advance(std::chrono::hours(1));
    QVERIFY(browse(fixture, 1)); // the second one is out of reach: nothing is claimed about it
    const QList<records::FailedMessage> after = fixture.stored();
    QVERIFY(after.at(0).change > before.at(0).change);
    // Where a message does not say when it failed, that is known from the first look, also when it is taken.
    QVERIFY(browse(fixture));
    fixture.clock.advance(std::chrono::hours(1));
    QVERIFY(fixture.take());
    const QList<records::FailedMessage> taken = fixture.stored();
    QCOMPARE(taken.size(), before.size());
    for (qsizetype i = 0; i < taken.size(); ++i)
        QCOMPARE(core::toMs(taken.at(i).lastFailed), core::toMs(before.at(i).lastFailed));
    QCOMPARE(after.at(1).change, before.at(1).change);
}

void TestQueueBrowser::whatIsTakenLaterIsTheSameMessage()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    fillTwo(fixture);
    QVERIFY(browse(fixture));
    const QList<records::FailedMessage> seen = fixture.stored();
    QCOMPARE(miscounted(fixture), QString());
    fixture.broker.put(test::plainMessage("later"));
    QCOMPARE(*fixture.take(), (records::IntakeCounts{3, 3, 0, 0, 0}));
    const QList<records::FailedMessage> taken = fixture.stored();
    QCOMPARE(taken.size(), 3);
    for (qsizetype i = 0; i < seen.size(); ++i) {
        QCOMPARE(taken.at(i).id, seen.at(i).id);
        QCOMPARE(taken.at(i).uniqueId, seen.at(i).uniqueId);
        QCOMPARE(taken.at(i).attempts, 1);
    }
    QCOMPARE(browsedOnly(fixture), 0);
    QCOMPARE(miscounted(fixture), QString());
    QCOMPARE(counted(fixture).browsedOnly, 0);
    QCOMPARE(counted(fixture).unresolved, 3);
    QCOMPARE(fixture.bodies(), (QByteArrayList{"later", "named", "nameless"}));
    QCOMPARE(fixture.broker.messagesLeft(), 0);
    QCOMPARE(*browse(fixture), BrowseCounts{}); // and there is nothing to see any more
}

void TestQueueBrowser::twinsStayTwins()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    for (int i = 0; i < 3; ++i)
        fixture.broker.put(test::plainMessage("twin"));
    QCOMPARE(browse(fixture)->fresh, 3);
    QCOMPARE(browse(fixture)->again, 3);
    QCOMPARE(fixture.take(1)->fresh, 1);
    QCOMPARE(browsedOnly(fixture), 2);
    QCOMPARE(*browse(fixture), (BrowseCounts{2, 0, 2, 0, 0, false}));
    fixture.broker.put(test::plainMessage("twin"));
    QCOMPARE(*browse(fixture), (BrowseCounts{3, 1, 2, 0, 0, false}));
    QVERIFY(fixture.take());
    QCOMPARE(browsedOnly(fixture), 0);
    QCOMPARE(fixture.bodies(), (QByteArrayList{"twin", "twin", "twin", "twin"}));
}

// Each look into a quorum queue adds one; the shovel of an intake carries the header along.
void TestQueueBrowser::aDeliveryCountMakesNoOtherMessage()
{
    IntakeFixture fixture(false);
    fixture.broker.countsDeliveries = true;
    fixture.broker.put(test::plainMessage("x"));
    QVERIFY(browse(fixture));
    QCOMPARE(browse(fixture)->again, 1);
    QCOMPARE(browse(fixture)->again, 1);
    QVERIFY(fixture.take());
    QCOMPARE(fixture.stored().size(), 1);
    QCOMPARE(browsedOnly(fixture), 0);
}

void TestQueueBrowser::browsingChangesNothingOfWhatWasTaken()
{
    IntakeFixture fixture(false);
    fixture.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    QVERIFY(fixture.take());
    const records::FailedMessage taken = fixture.stored().first();
    fixture.setStatus(taken.id, records::MessageStatus::RetryIssued);
    // It failed again, once as it was and once with our stamp.
    fixture.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    records::Envelope stamped = test::failedMessage(QStringLiteral("a"), "named");
    records::Stamp stamp;
    stamp.store = fixture.store.storeId();
    stamp.uniqueId = taken.uniqueId;
    stamp.bodyDigest = records::bodyDigest(stamped.body);
    stamped.headers.append({records::stampHeader.toString(), records::toText(stamp)});
    fixture.broker.put(stamped);
    QCOMPARE(*browse(fixture), (BrowseCounts{2, 0, 0, 2, 0, false}));
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().first().status == records::MessageStatus::RetryIssued);
    QCOMPARE(fixture.stored().first().attempts, 1);
    QVERIFY(!fixture.stored().first().flags.testFlag(MessageFlag::BrowsedOnly));
}

void TestQueueBrowser::aConfirmationTakesNoEffect()
{
    IntakeFixture fixture(false);
    fixture.broker.put(test::failedMessage(QStringLiteral("a"), "named"));
    QVERIFY(fixture.take());
    QString dashed = fixture.stored().first().uniqueId;
    for (const int at : {20, 16, 12, 8})
        dashed.insert(at, QLatin1Char('-'));
    records::Envelope confirmation;
    confirmation.headers = {{QStringLiteral("ServiceControl.Retry.Successful"), QStringLiteral("now")},
                            {QStringLiteral("ServiceControl.Retry.UniqueMessageId"), dashed}};
    fixture.broker.put(confirmation);
    QCOMPARE(*browse(fixture), (BrowseCounts{1, 0, 0, 1, 0, false}));
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().first().status == records::MessageStatus::Unresolved);
}

void TestQueueBrowser::nothingOfOursTouchesWhatWasBrowsed()
{
    IntakeFixture fixture(false);
    fillTwo(fixture);
    QVERIFY(browse(fixture));
    fixture.broker.put(test::plainMessage("taken"));
    const core::MessageId id = fixture.stored().first().id;
    for (const auto status : {records::MessageStatus::Archived, records::MessageStatus::RetryIssued,
                              records::MessageStatus::Resolved, records::MessageStatus::Released}) {
        fixture.setStatus(id, status);
        QVERIFY(fixture.stored().first().status == records::MessageStatus::Unresolved);
    }
    QList<core::MessageId> ids;
    for (const records::FailedMessage &message : fixture.stored())
        ids.append(message.id);
    for (const auto kind : {records::OperationKind::Retry, records::OperationKind::Release}) {
        store::FreezeRules rules;
        rules.kind = kind;
        rules.asOfChange = std::numeric_limits<qint64>::max();
        rules.includeLooped = true;
        store::FreezeTally tally;
        const core::Result<> read = fixture.real->read([&](store::Session &session) -> core::Result<> {
            tally = *session.frozenSets().evaluate(ids, rules, 0);
            return {};
        });
        QVERIFY(read);
        QCOMPARE(tally.frozen, 0);
        QCOMPARE(tally.leftOut[records::LeftOut::BrowsedOnly], 2);
    }
    // The connection may go all the same: nothing of it lies here and nowhere else.
    const core::Result<> removed = fixture.real->transact(
        [&](store::Session &session) { return session.connections().remove(fixture.connection.id); });
    QVERIFY2(removed, removed ? "" : qPrintable(removed.error().message));
}

void TestQueueBrowser::browsingThatFailsHalfwayKeepsWhatItHas()
{
    for (int at = 1;; ++at) {
        IntakeFixture fixture(false);
        fillTwo(fixture);
        fixture.fate.at = at;
        if (browse(fixture) && fixture.fate.passed < at) {
            QVERIFY(at > 1);
            break;
        }
        fixture.fate.revive();
        QVERIFY(browse(fixture));
        QCOMPARE(fixture.bodies(), (QByteArrayList{"named", "nameless"}));
        QCOMPARE(browsedOnly(fixture), 2);
    }
}

// Locked, hidden for a time, given to a consumer: counted by the broker and not shown.
void TestQueueBrowser::whatIsInSomebodysHandIsNotForgotten()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    fillTwo(fixture);
    QVERIFY(browse(fixture));
    const qsizetype seen = fixture.stored().size();
    fixture.broker.loseFirst();
    fixture.broker.hidden = 1;
    QCOMPARE(browse(fixture)->gone, 0);
    QCOMPARE(fixture.stored().size(), seen);
    QCOMPARE(fixture.take()->taken, 1);
    QCOMPARE(fixture.stored().size(), seen);
    QCOMPARE(browsedOnly(fixture), 1);

    fixture.broker.hidden = 0; // it has gone indeed
    QCOMPARE(browse(fixture)->gone, 1);
    QCOMPARE(fixture.stored().size(), seen - 1);
}

// Whoever sees all of a queue knows what is not there. What was taken stays, whatever lies in the queue.
void TestQueueBrowser::whatLeftTheQueueIsForgotten()
{
    QFETCH(bool, locks);
    IntakeFixture fixture(locks);
    fixture.broker.put(test::plainMessage("taken"));
    QVERIFY(fixture.take());
    fillTwo(fixture);
    fixture.broker.put(test::plainMessage("later"));
    QVERIFY(browse(fixture));
    QVERIFY(fixture.real->transact([](store::Session &session) -> core::Result<> {
        const auto indexed = session.messages().indexText(); // it forgets them too
        return indexed ? core::Result<>() : core::fail(indexed.error());
    }));
    fixture.broker.loseFirst();
    QCOMPARE(*browse(fixture, 1), (BrowseCounts{1, 0, 1, 0, 0, true})); // there may be more
    QCOMPARE(fixture.stored().size(), 4);
    QCOMPARE(*browse(fixture), (BrowseCounts{2, 0, 2, 0, 0, false, 1}));
    QCOMPARE(fixture.bodies(), (QByteArrayList{"later", "nameless", "taken"}));
    QCOMPARE(counted(fixture).browsedOnly, 2);
    QCOMPARE(miscounted(fixture), QString());

    fixture.broker.loseFirst();
    QCOMPARE(fixture.take()->taken, 1);
    QCOMPARE(fixture.bodies(), (QByteArrayList{"later", "taken"}));
    QCOMPARE(browsedOnly(fixture), 0);
    QCOMPARE(miscounted(fixture), QString());
    QCOMPARE(*browse(fixture), BrowseCounts{}); // an empty queue says nothing of what was taken from it
    QCOMPARE(fixture.stored().size(), 2);
    store::Statement told =
        static_cast<store::SqliteStore &>(*fixture.real)
            .database()
            .sql(QStringLiteral("SELECT count(*) FROM event_log WHERE result LIKE '1 no longer in the queue%'"));
    QVERIFY(told.step());
    QCOMPARE(told.integer(0), 2);
}

void TestQueueBrowser::muchIsKeptInSlices()
{
    IntakeFixture fixture(false);
    constexpr int many = 2 * core::limits::browsedAtOnce + 1;
    for (int i = 0; i < many; ++i)
        fixture.broker.put(test::plainMessage("twin"));
    for (const bool again : {false, true}) {
        broker::BrokerState state(fixture.broker, fixture.clock);
        intake::QueueBrowser browser(fixture.connection, state, fixture.store, fixture.clock, [] { return 1.0; });
        std::optional<core::Result<BrowseCounts>> counts;
        const auto keep = [](core::Task<core::Result<BrowseCounts>> task, auto &into) -> core::Task<> {
            into = co_await task;
        };
        const core::Task<> browsing = keep(browser.browse({QStringLiteral("error"), many, {}}), counts);
        QVERIFY(!counts); // others get their turn
        while (!counts)
            QVERIFY(fixture.clock.step());
        QCOMPARE(**counts, (BrowseCounts{many, again ? 0 : many, again ? many : 0, 0, 0, false}));
    }
    QCOMPARE(browsedOnly(fixture), many);
}

void TestQueueBrowser::oneMessageThatTheStoreRefusesIsKeptAsItIs()
{
    IntakeFixture fixture(false);
    records::Envelope odd = test::plainMessage("odd");
    for (int i = 0; i < 10001; ++i)
        odd.headers.append({QString::number(i), i});
    fixture.broker.put(odd);
    QCOMPARE(*browse(fixture), (BrowseCounts{1, 1, 0, 0, 1, false}));
    QCOMPARE(browse(fixture)->again, 1);
    QVERIFY(fixture.take());
    QCOMPARE(fixture.stored().size(), 1);
    QVERIFY(fixture.stored().first().flags == records::MessageFlags(MessageFlag::Undecodable));
}

void TestQueueBrowser::refusals_data()
{
    QTest::addColumn<std::function<void(IntakeFixture &)>>("arrange");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, std::function<void(IntakeFixture &)> arrange, ErrorKind kind,
                        const char *says) {
        QTest::newRow(name) << std::move(arrange) << kind << QString::fromLatin1(says);
    };
    row(
        "connection", [](IntakeFixture &fixture) { fixture.connection.rights = {}; }, ErrorKind::Refused,
        "does not allow browsing");
    row(
        "account",
        [](IntakeFixture &fixture) {
            fixture.broker.capabilities.canBrowse = false;
            fixture.broker.capabilities.missing = {QStringLiteral("the right to read")};
        },
        ErrorKind::Refused, "the right to read");
    row(
        "queue that a look would harm",
        [](IntakeFixture &fixture) { fixture.broker.known.first().refusal = QStringLiteral("each look costs"); },
        ErrorKind::Refused, "each look costs");
    row(
        "queue of work", [](IntakeFixture &fixture) { fixture.broker.known.first().role = broker::QueueRole::Work; },
        ErrorKind::Refused, "not an error queue");
    row(
        "no queue", [](IntakeFixture &fixture) { fixture.broker.known.clear(); }, ErrorKind::NotFound,
        "does not exist");
    row(
        "full disk", [](IntakeFixture &fixture) { fixture.freeShare = 0.01; }, ErrorKind::Refused, "disk");
}

void TestQueueBrowser::refusals()
{
    QFETCH(const std::function<void(IntakeFixture &)>, arrange);
    QFETCH(const ErrorKind, kind);
    QFETCH(const QString, says);
    IntakeFixture fixture(false);
    fillTwo(fixture);
    arrange(fixture);
    const core::Result<BrowseCounts> refused = browse(fixture);
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == kind);
    QVERIFY2(refused.error().message.contains(says), qPrintable(refused.error().message));
    QVERIFY(fixture.stored().isEmpty());
}

void TestQueueBrowser::itIsBoundedAndSaysSo()
{
    IntakeFixture fixture(false);
    fillTwo(fixture);
    const core::Result<BrowseCounts> first = browse(fixture, 1);
    QCOMPARE(*first, (BrowseCounts{1, 1, 0, 0, 0, true}));
    QCOMPARE(fixture.bodies(), (QByteArrayList{"named"}));
}

REDRIVE_TEST(TestQueueBrowser)
#include "tst_queuebrowser.moc"
