// Failed messages: round trips, exact counts under random work.
#include "backend/core/limits.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/messages/groupcounters.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/search/textsearch.h"
#include "tests/backend/store/messageshelf.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::MessageId;
using core::Result;
using records::MessageStatus;
using test::must;

class TestMessageStore final : public test::MessageShelf
{
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void aMessageComesBackAsItWas();
    void hostileTextComesBackAsItWas();
    void theSameUniqueIdTwiceIsAConflict();
    void failedAgainReplacesFactsAndKeepsTenAttempts();
    void statusChangesOnlyFromTheGivenOnes();
    void unknownMessagesAreNotFound();
    void aNewCauseIsAsOldAsItsFirstFailure();
    void countsAreExactAfterRandomWork_data();
    void countsAreExactAfterRandomWork();
    void whatFailedAgainIsFoundByItsNewTextOnly();
    void groupIdsAreStable();
    void causesWithOneTitleHaveTheirOwnGroups_data();
    void causesWithOneTitleHaveTheirOwnGroups();

private:
    [[nodiscard]] bool everyMessageIsFoundByWhatItSays();
};

static void compare(const records::FailedMessage &a, const records::FailedMessage &b)
{
    QCOMPARE(a.uniqueId, b.uniqueId);
    QCOMPARE(a.connection, b.connection);
    QCOMPARE(a.queue, b.queue);
    QCOMPARE(a.dialect, b.dialect);
    QVERIFY(a.status == b.status);
    QCOMPARE(a.nativeId, b.nativeId);
    QCOMPARE(a.messageId, b.messageId);
    QCOMPARE(a.messageType, b.messageType);
    QCOMPARE(a.correlationId, b.correlationId);
    QCOMPARE(a.conversationId, b.conversationId);
    QCOMPARE(a.failure.exceptionType, b.failure.exceptionType);
    QCOMPARE(a.failure.exceptionMessage, b.failure.exceptionMessage);
    QCOMPARE(a.failure.stackTrace, b.failure.stackTrace);
    QCOMPARE(a.failure.endpoint, b.failure.endpoint);
    QCOMPARE(a.failure.host, b.failure.host);
    QVERIFY(a.failure.at == b.failure.at);
    QVERIFY(a.firstFailed == b.firstFailed);
    QVERIFY(a.lastFailed == b.lastFailed);
    QCOMPARE(a.attempts, b.attempts);
    QCOMPARE(a.cameBack, b.cameBack);
    QCOMPARE(a.destination, b.destination);
    QVERIFY(a.flags == b.flags);
    QCOMPARE(a.bodySize, b.bodySize);
}

void TestMessageStore::aMessageComesBackAsItWas()
{
    store::NewMessage fresh = test::sampleMessage(m_connection, 3);
    fresh.message.flags = records::MessageFlag::NotFaithful | records::MessageFlag::ForeignStamp;
    fresh.message.failure.exceptionMessage = QString(5'000, QLatin1Char('x')); // lists cut it, a message has it whole
    write([&](store::MessageStore &messages) {
        const MessageId id = must(messages.insert(fresh));
        const records::FailedMessage loaded = must(messages.load(id));
        compare(loaded, fresh.message);
        QCOMPARE(loaded.change, 1);
        QVERIFY(must(messages.loadEnvelope(id)) == fresh.envelope);
        QCOMPARE(must(messages.findUnique(fresh.message.uniqueId)), std::optional(id));
        fresh.message.failure.at.reset();
        fresh.message.uniqueId = QStringLiteral("other");
        fresh.envelope = {};
        fresh.titles = {};
        const MessageId bare = must(messages.insert(fresh));
        QVERIFY(!must(messages.load(bare)).failure.at);
        QVERIFY(must(messages.loadEnvelope(bare)) == records::Envelope{});
    });
}

void TestMessageStore::hostileTextComesBackAsItWas()
{
    store::NewMessage fresh = test::sampleMessage(m_connection, 3);
    const QString hostile =
        QStringLiteral("'; DROP TABLE failed_message; -- \" % _ ? :a <b>\u202e\u0001 \U0001F4A5\n") + QChar(0x7f);
    fresh.message.queue = hostile;
    fresh.message.uniqueId = hostile;
    fresh.message.messageType = hostile;
    fresh.message.failure.exceptionMessage = hostile;
    fresh.message.failure.stackTrace = QString(1'000'000, QChar(0xfffd));
    fresh.titles.fill(hostile + QString(100'000, QLatin1Char('t')));
    fresh.envelope.body = QByteArray(3, '\0');
    write([&](store::MessageStore &messages) {
        const MessageId id = must(messages.insert(fresh));
        compare(must(messages.load(id)), fresh.message);
        QCOMPARE(must(messages.loadEnvelope(id)).body, fresh.envelope.body);
        records::MessageFilter filter;
        filter.queue = hostile;
        QCOMPARE(must(messages.slice(filter, {}, 5)).ids, QList{id});
    });
}

void TestMessageStore::theSameUniqueIdTwiceIsAConflict()
{
    add(1, 2);
    const Result<> done = m_store->transact([&](store::Session &session) {
        return session.messages().insert(test::sampleMessage(m_connection, 1)).map([](MessageId) {});
    });
    QVERIFY(done.error().kind == ErrorKind::Conflict);
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestMessageStore::failedAgainReplacesFactsAndKeepsTenAttempts()
{
    add(1, 2);
    const MessageId id{1};
    for (int n = 2; n < 15; ++n)
        write([&](store::MessageStore &messages) {
            must(messages.failedAgain(id, test::sampleMessage(m_connection, n), n % 2 == 0));
        });
    const records::FailedMessage newest = test::sampleMessage(m_connection, 14).message;
    write([&](store::MessageStore &messages) {
        const records::FailedMessage loaded = must(messages.load(id));
        QCOMPARE(loaded.uniqueId, test::sampleMessage(m_connection, 1).message.uniqueId); // never changes
        QCOMPARE(loaded.attempts, 14);
        QCOMPARE(loaded.cameBack, 7);
        QCOMPARE(loaded.failure.exceptionMessage, newest.failure.exceptionMessage);
        QVERIFY(loaded.firstFailed == test::sampleMessage(m_connection, 1).message.firstFailed);
        QVERIFY(loaded.lastFailed == newest.lastFailed);
        QVERIFY(must(messages.loadEnvelope(id)) == test::sampleMessage(m_connection, 14).envelope);
        QCOMPARE(loaded.nativeId, newest.nativeId);
    });
    const QList<records::ProcessingAttempt> attempts = must(store::readAttempts(m_store->database(), id));
    QCOMPARE(attempts.size(), core::limits::attemptsKept);
    for (int i = 0; i < attempts.size(); ++i)
        QCOMPARE(attempts.at(i).failure.exceptionMessage,
                 test::sampleMessage(m_connection, 14 - i).message.failure.exceptionMessage);
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestMessageStore::statusChangesOnlyFromTheGivenOnes()
{
    add(1, 4);
    write([](store::MessageStore &messages) {
        const QList<MessageId> ids{{1}, {2}, {3}, {99}};
        QCOMPARE(must(messages.setStatus({{1}}, {MessageStatus::Unresolved}, MessageStatus::Archived)), 1);
        QCOMPARE(must(messages.setStatus(ids, {MessageStatus::Unresolved}, MessageStatus::RetryIssued)), 2);
        QVERIFY(must(messages.load({1})).status == MessageStatus::Archived);
        QCOMPARE(must(messages.setStatus(ids, {MessageStatus::RetryIssued, MessageStatus::Archived},
                                         MessageStatus::Resolved)),
                 3);
        const qint64 change = must(messages.load({3})).change;
        QCOMPARE(must(messages.setStatus(ids, {MessageStatus::Resolved}, MessageStatus::Resolved)), 0);
        QCOMPARE(must(messages.load({3})).change, change); // nothing was written
    });
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestMessageStore::unknownMessagesAreNotFound()
{
    write([&](store::MessageStore &messages) {
        QVERIFY(messages.load({7}).error().kind == ErrorKind::NotFound);
        QVERIFY(messages.loadEnvelope({7}).error().kind == ErrorKind::NotFound);
        QVERIFY(messages.failedAgain({7}, test::sampleMessage(m_connection, 1), true).error().kind
                == ErrorKind::NotFound);
    });
}

// By group and queue, in ms.
using FirstFailures = QMap<std::pair<qint64, QString>, qint64>;

static void note(FirstFailures &first, core::ConnectionId connection, const store::NewMessage &failure)
{
    const qint64 at = core::toMs(failure.message.lastFailed);
    for (size_t i = 0; i < failure.titles.size(); ++i) {
        const core::GroupId group = store::groupId(connection, records::Classifier(i), failure.titles.at(i));
        const auto known = first.find({group.value, failure.message.queue});
        if (known == first.end())
            first.insert({group.value, failure.message.queue}, at);
        else
            *known = std::min(*known, at);
    }
}

static FirstFailures keptFirst(store::Database &database)
{
    FirstFailures first;
    store::Statement rows = database.sql(QStringLiteral("SELECT group_id, queue, first_failed FROM group_count"));
    must(rows.each([&] { first.insert({rows.integer(0), rows.text(1)}, rows.integer(2)); }));
    return first;
}

// A message that failed days ago fails again for another reason, and is archived and restored then.
void TestMessageStore::aNewCauseIsAsOldAsItsFirstFailure()
{
    const store::NewMessage old = test::sampleMessage(m_connection, 1);
    const store::NewMessage fresh = test::sampleMessage(m_connection, 300);
    FirstFailures expected;
    write([&](store::MessageStore &messages) {
        const MessageId id = must(messages.insert(old));
        note(expected, m_connection, old);
        must(messages.failedAgain(id, fresh, true));
        note(expected, m_connection, fresh);
    });
    for (const MessageStatus to : {MessageStatus::Archived, MessageStatus::Unresolved}) {
        write([&](store::MessageStore &messages) {
            (void)must(messages.setStatus({{1}}, {MessageStatus::Unresolved, MessageStatus::Archived}, to));
        });
    }
    QCOMPARE(keptFirst(m_store->database()), expected);
}

void TestMessageStore::countsAreExactAfterRandomWork_data()
{
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= 4; ++seed)
        QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
}

void TestMessageStore::countsAreExactAfterRandomWork()
{
    QFETCH(quint64, seed);
    core::SeededRandom random(seed);
    int next = 0;
    FirstFailures first;
    const auto any = [&] { return MessageId{static_cast<qint64>(random.below(static_cast<quint64>(next) + 1))}; };
    const auto status = [&] { return static_cast<MessageStatus>(random.below(5)); };
    for (int round = 0; round < 30; ++round) {
        const int before = next;
        const FirstFailures firstBefore = first;
        const bool undo = random.below(4) == 0;
        const Result<> done = m_store->transact([&](store::Session &session) -> Result<> {
            for (int i = 0; i < 20; ++i) {
                const auto connection = random.below(2) == 0 ? m_connection : m_other;
                store::NewMessage fresh = test::sampleMessage(connection, next);
                switch (random.below(4)) {
                case 0: {
                    const MessageId id = any();
                    fresh = test::sampleMessage(connection, static_cast<int>(random.below(500)));
                    if (session.messages().failedAgain(id, fresh, random.below(2) == 0))
                        note(first, must(session.messages().load(id)).connection, fresh);
                    break;
                }
                case 1:
                    (void)must(session.messages().setStatus({any(), any()}, {status(), status()}, status()));
                    break;
                default:
                    (void)must(session.messages().insert(fresh));
                    note(first, connection, fresh);
                    ++next;
                }
            }
            return undo ? Result<>(core::fail(ErrorKind::Refused, QStringLiteral("undo"))) : Result<>();
        });
        if (!done) {
            next = before;
            first = firstBefore;
        }
        if (round % 5 != 4)
            continue;
        const QString difference = test::countDifference(m_store->database());
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
        QCOMPARE(keptFirst(m_store->database()), first);
    }
    QVERIFY(next > 100);
    QVERIFY(everyMessageIsFoundByWhatItSays());
}

bool TestMessageStore::everyMessageIsFoundByWhatItSays()
{
    store::Database &database = m_store->database();
    if (!support::StorePlace::isPostgres()) // where the index is a table as any other
        must(database.sql(QStringLiteral("INSERT INTO message_text (message_text) VALUES ('integrity-check')")).run());
    bool all = true;
    store::Statement rows = database.sql(QStringLiteral("SELECT id, exception_message, unique_id FROM failed_message"));
    must(rows.each([&] {
        for (const QString &text : {rows.text(1), rows.text(2)}) {
            records::MessageFilter filter;
            filter.search = text;
            filter.messages = {MessageId{rows.integer(0)}};
            must(m_store->read([&](store::Session &session) -> Result<> {
                all = all && must(session.messages().slice(filter, {}, 2)).ids.size() == 1;
                return {};
            }));
        }
    }));
    return all;
}

void TestMessageStore::whatFailedAgainIsFoundByItsNewTextOnly()
{
    write([&](store::MessageStore &messages) {
        const MessageId old = must(messages.insert(test::sampleMessage(m_connection, 1)));
        must(
            messages.failedAgain(old, test::sampleMessage(m_connection, 700), true)); // in the transaction that made it
    });
    write([&](store::MessageStore &messages) {
        must(messages.failedAgain(MessageId{1}, test::sampleMessage(m_connection, 800), true));
        (void)must(messages.insert(test::sampleMessage(m_connection, 2)));
    });
    const auto hits = [this](const char *text) {
        store::Statement row =
            m_store->database().sql(QStringLiteral("SELECT count(*) FROM message_text WHERE " SQL_HAS_PIECES));
        return must(row.bind(m_store->database().search().piecesQuery(QString::fromLatin1(text))).step())
                   ? row.integer(0)
                   : -1;
    };
    QCOMPARE(hits("The order 800 could"), 1);
    QCOMPARE(hits("The order 2 could"), 1);
    QCOMPARE(hits("The order 700 could"), 0);
    QCOMPARE(hits("The order 1 could"), 0);
}

void TestMessageStore::causesWithOneTitleHaveTheirOwnGroups_data()
{
    QTest::addColumn<bool>("isOlder"); // an older program wrote the first message and did not keep its cause
    QTest::newRow("all new") << false;
    QTest::newRow("store of an older program") << true;
}

// A note is kept by the id of its group: the group that was there first keeps it.
void TestMessageStore::causesWithOneTitleHaveTheirOwnGroups()
{
    QFETCH(bool, isOlder);
    const auto fresh = [this](int n, const char *cause) {
        store::NewMessage message = test::sampleMessage(m_connection, n);
        message.titles.at(0) = QStringLiteral("NotFound: Handler.Handle()");
        message.cause = QString::fromLatin1(cause);
        return message;
    };
    const auto groupOf = [this](core::MessageId id) {
        store::Statement row =
            m_store->database().sql(QStringLiteral("SELECT group0 FROM failed_message WHERE id = ?"));
        return must(row.bind(id).step()) ? row.integer(0) : 0;
    };
    const char *orders = "Shop.Orders.NotFound: Shop.Handler.Handle()";
    const char *mail = "Shop.Mail.NotFound: Shop.Handler.Handle()";
    core::MessageId first;
    write([&](store::MessageStore &messages) { first = must(messages.insert(fresh(1, orders))); });
    if (isOlder) {
        (void)must(m_store->database().execute(QStringLiteral("UPDATE failure_group SET cause = 0"), {}));
        // A rolled-back transaction forgets what is known of groups, as a new start does.
        QVERIFY(!m_store->transact([](store::Session &) -> Result<> { return core::fail(ErrorKind::Rejected, {}); }));
    }
    QList<core::MessageId> more;
    for (int n = 2; n < 8; ++n) {
        write([&](store::MessageStore &messages) {
            more.append(must(messages.insert(fresh(n, n % 3 == 0 ? mail : n % 3 == 1 ? "" : orders))));
        });
    }
    const qint64 ofTitle =
        store::groupId(m_connection, records::Classifier::ExceptionAndStack, fresh(1, "").titles.at(0)).value;
    QCOMPARE(groupOf(first), ofTitle);
    QCOMPARE(groupOf(more.at(0)), ofTitle); // the same cause
    QVERIFY(groupOf(more.at(1)) != ofTitle);
    QVERIFY(groupOf(more.at(2)) != ofTitle); // of this one the title says it all
    QVERIFY(groupOf(more.at(2)) != groupOf(more.at(1)));
    for (int i = 3; i < more.size(); ++i)
        QCOMPARE(groupOf(more.at(i)), groupOf(more.at(i - 3)));
    store::Statement title = m_store->database().sql(QStringLiteral("SELECT title FROM failure_group WHERE id = ?"));
    QVERIFY(must(title.bind(core::GroupId{groupOf(more.at(1))}).step()));
    QCOMPARE(title.text(0), QString::fromLatin1(mail)); // whoever looks can tell them apart
    QCOMPARE(test::countDifference(m_store->database()), QString());
}

void TestMessageStore::groupIdsAreStable()
{
    const auto id = store::groupId({1}, records::Classifier::MessageType, QStringLiteral("Acme.Order"));
    QCOMPARE(id.value, 24866658162681085LL);
    QVERIFY(id != store::groupId({2}, records::Classifier::MessageType, QStringLiteral("Acme.Order")));
    QVERIFY(id != store::groupId({1}, records::Classifier::EndpointName, QStringLiteral("Acme.Order")));
    QVERIFY(!store::groupId({1}, records::Classifier::EndpointName, QString()).isValid());
}

REDRIVE_TEST(TestMessageStore)
#include "tst_messagestore.moc"
