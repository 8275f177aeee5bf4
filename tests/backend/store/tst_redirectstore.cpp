// Standing redirects in the store, and what redirects make of a set: counted as it is frozen.
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/frozensetstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using records::Certainty;
using records::Redirect;
using test::must;

namespace {

Redirect redirect(const char *from, const char *to)
{
    return {Redirect::Of::Queue, QString::fromLatin1(from), QString::fromLatin1(to)};
}

// "orders -> spare: 2", sorted.
QStringList ways(const QList<records::FrozenShare> &shares)
{
    QStringList lines;
    for (const records::FrozenShare &share : shares)
        lines << QStringLiteral("%1 -> %2: %3").arg(share.origin(), share.destination.queue).arg(share.count);
    lines.sort();
    return lines;
}

} // namespace

class TestRedirectStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        REDRIVE_SKIP_WITHOUT_DATABASE();
        m_messages.clear();
        m_store = m_place.open(m_random);
        must(m_store->transact([this](store::Session &session) -> Result<> {
            m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("c"))));
            return {};
        }));
    }

    void standingOnesAreKeptForEachConnection();
    void aConnectionIsRemovedWithItsRedirects();
    void thoseOfAPlanAreKeptWithItsOperation();
    void theSetIsFrozenAsItWasWeighed_data();
    void theSetIsFrozenAsItWasWeighed();
    void aReleaseIsRedirectedFromWhereItLay();
    void whatTakesNothingIsLeftOutWhereNoQueueIsListed();
    void aChosenDestinationIsNoGuess();
    void aShareHasAnExampleAndOneEvidence();
    void theLimitCountsWhatGoes();

private:
    core::MessageId insert(const char *destination, Certainty certainty = Certainty::Exact,
                           records::MessageFlags flags = {}, const char *knownFrom = "header");
    // Of all messages: weighed, and frozen for comparison.
    store::FreezeTally frozen(const store::FreezeRules &rules);
    [[nodiscard]] QMap<QString, int> goals();

    core::SeededRandom m_random{5};
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
    core::OperationId m_operation;
    QList<core::MessageId> m_messages;
};

core::MessageId TestRedirectStore::insert(const char *destination, Certainty certainty, records::MessageFlags flags,
                                          const char *knownFrom)
{
    core::MessageId id;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        store::NewMessage fresh = test::sampleMessage(m_connection, int(m_messages.size()));
        fresh.message.queue = QStringLiteral("error");
        fresh.message.flags = flags;
        fresh.message.destination = {QString::fromLatin1(destination), certainty, QString::fromLatin1(knownFrom)};
        id = must(session.messages().insert(fresh));
        return {};
    }));
    m_messages.append(id);
    return id;
}

store::FreezeTally TestRedirectStore::frozen(const store::FreezeRules &rules)
{
    store::FreezeTally evaluated;
    store::FreezeTally tally;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        store::FreezeRules now = rules;
        now.asOfChange = must(session.changeNumber());
        evaluated = must(session.frozenSets().evaluate(m_messages, now, 0));
        records::RetryOperation operation;
        operation.connection = m_connection;
        m_operation = must(session.retryOperations().add(operation));
        tally = must(session.frozenSets().freeze(m_operation, m_messages, now));
        return {};
    }));
    if (!(evaluated == tally))
        qFatal("weighed otherwise than frozen");
    return tally;
}

QMap<QString, int> TestRedirectStore::goals()
{
    QMap<QString, int> counts;
    must(m_store->read([&](store::Session &session) -> Result<> {
        for (const store::RetryMember &member : must(session.retryBatches().members(m_operation, {}, 0, 1000)))
            ++counts[member.destination];
        return {};
    }));
    return counts;
}

void TestRedirectStore::standingOnesAreKeptForEachConnection()
{
    must(m_store->transact([this](store::Session &session) -> Result<> {
        store::ConnectionStore &connections = session.connections();
        const core::ConnectionId other = must(connections.add(test::sampleConnection(QStringLiteral("other"))));
        must(connections.addRedirect(m_connection, redirect("b", "ü 2")));
        must(connections.addRedirect(m_connection, redirect("a", "x")));
        must(connections.addRedirect(other, redirect("a", "y")));
        return {};
    }));
    const Result<> twice = m_store->transact([this](store::Session &session) {
        return session.connections().addRedirect(m_connection, redirect("a", "z"));
    });
    QVERIFY(twice.error().kind == ErrorKind::Conflict);
    must(m_store->transact([this](store::Session &session) -> Result<> {
        store::ConnectionStore &connections = session.connections();
        const QList<Redirect> kept = must(connections.redirects(m_connection));
        const QList<Redirect> expected{redirect("a", "x"),
                                       {Redirect::Of::Queue, QStringLiteral("b"), QString::fromLatin1("ü 2")}};
        if (kept != expected)
            qFatal("not the redirects of this connection");
        must(connections.removeRedirect(m_connection, QStringLiteral("a")));
        if (must(connections.redirects(m_connection)).size() != 1)
            qFatal("not removed");
        return {};
    }));
    const Result<> gone = m_store->transact([this](store::Session &session) {
        return session.connections().removeRedirect(m_connection, QStringLiteral("a"));
    });
    QVERIFY(gone.error().kind == ErrorKind::NotFound);
}

void TestRedirectStore::aConnectionIsRemovedWithItsRedirects()
{
    must(m_store->transact([this](store::Session &session) -> Result<> {
        must(session.connections().addRedirect(m_connection, redirect("a", "b")));
        return session.connections().remove(m_connection);
    }));
    store::Statement count = m_store->database().sql(QStringLiteral("SELECT count(*) FROM redirect"));
    QVERIFY(must(count.step()));
    QCOMPARE(count.integer(0), 0);
}

void TestRedirectStore::thoseOfAPlanAreKeptWithItsOperation()
{
    records::RetryOperation operation;
    operation.connection = m_connection;
    operation.plan.redirects = {redirect("a", "b"),
                                {Redirect::Of::Unknown, {}, QStringLiteral("c")},
                                {Redirect::Of::Everything, {}, QStringLiteral("d \"'\n")}};
    must(m_store->transact([&](store::Session &session) -> Result<> {
        operation.id = must(session.retryOperations().add(operation));
        const records::RetryOperation kept = must(session.retryOperations().load(operation.id));
        if (kept.plan.redirects != operation.plan.redirects)
            qFatal("other redirects came back");
        return {};
    }));
}

void TestRedirectStore::theSetIsFrozenAsItWasWeighed_data()
{
    QTest::addColumn<QList<Redirect>>("redirects");
    QTest::addColumn<bool>("ignoreCase");
    QTest::addColumn<QStringList>("goes");
    QTest::addColumn<QStringList>("missing");
    QTest::addColumn<qint64>("noDestination");
    const auto texts = [](std::initializer_list<const char *> lines) {
        QStringList list;
        for (const char *line : lines)
            list << QString::fromLatin1(line);
        return list;
    };
    using List = QList<Redirect>;
    const Redirect unknown{Redirect::Of::Unknown, {}, QStringLiteral("spare")};
    const Redirect everything{Redirect::Of::Everything, {}, QStringLiteral("spare")};
    QTest::newRow("none") << List{} << false << texts({"billing -> billing: 1", "orders -> orders: 2"})
                          << texts({"Orders -> Orders: 1", "gone -> gone: 2"}) << qint64(2);
    QTest::newRow("one queue") << List{redirect("orders", "spare")} << false
                               << texts({"billing -> billing: 1", "orders -> spare: 2"})
                               << texts({"Orders -> Orders: 1", "gone -> gone: 2"}) << qint64(2);
    QTest::newRow("in any letters") << List{redirect("ORDERS", "spare")} << true
                                    << texts({"Orders -> spare: 1", "billing -> billing: 1", "orders -> spare: 2"})
                                    << texts({"gone -> gone: 2"}) << qint64(2);
    QTest::newRow("no chain") << List{redirect("orders", "billing"), redirect("billing", "spare")} << false
                              << texts({"billing -> spare: 1", "orders -> billing: 2"})
                              << texts({"Orders -> Orders: 1", "gone -> gone: 2"}) << qint64(2);
    QTest::newRow("what was missing goes")
        << List{redirect("gone", "orders")} << false
        << texts({"billing -> billing: 1", "gone -> orders: 2", "orders -> orders: 2"})
        << texts({"Orders -> Orders: 1"}) << qint64(2);
    QTest::newRow("to what is missing") << List{redirect("orders", "nowhere")} << false
                                        << texts({"billing -> billing: 1"})
                                        << texts({"Orders -> Orders: 1", "gone -> gone: 2", "orders -> nowhere: 2"})
                                        << qint64(2);
    QTest::newRow("unknown") << List{unknown} << false
                             << texts({" -> spare: 1", "billing -> billing: 1", "orders -> orders: 2"})
                             << texts({"Orders -> Orders: 1", "gone -> gone: 2"})
                             << qint64(1); // what only its own tool can return
    QTest::newRow("everything else") << List{redirect("orders", "orders"), everything} << false
                                     << texts({" -> spare: 1", "Orders -> spare: 1", "billing -> spare: 1",
                                               "gone -> spare: 2", "orders -> orders: 2"})
                                     << QStringList() << qint64(1);
}

void TestRedirectStore::theSetIsFrozenAsItWasWeighed()
{
    QFETCH(const QList<Redirect>, redirects);
    QFETCH(const bool, ignoreCase);
    for (const char *destination : {"orders", "gone", "billing", "orders", "gone", "Orders", ""})
        insert(destination, *destination == 0 ? Certainty::Unknown : Certainty::Exact);
    insert("", Certainty::Unknown, records::MessageFlag::OtherTool);
    store::FreezeRules rules;
    rules.existing = {QStringLiteral("orders"), QStringLiteral("billing"), QStringLiteral("spare")};
    rules.namesIgnoreCase = ignoreCase;
    rules.redirects = redirects;
    const store::FreezeTally tally = frozen(rules);
    QTEST(ways(tally.shares), "goes");
    QTEST(ways(tally.missing), "missing");
    QTEST(tally.leftOut[records::LeftOut::NoDestination], "noDestination");
    QMap<QString, int> expected;
    qint64 total = 0;
    for (const records::FrozenShare &share : tally.shares) {
        expected[share.destination.queue] += int(share.count);
        total += share.count;
    }
    QCOMPARE(goals(), expected);
    QCOMPARE(tally.frozen, total);

    rules.kind = records::OperationKind::Release; // back to where they lay; a redirect is from there
    rules.existing = {QStringLiteral("error")};
    rules.redirects = {{Redirect::Of::Queue, QStringLiteral("orders"), QStringLiteral("spare")}};
    QCOMPARE(ways(frozen(rules).shares), QStringList{QStringLiteral("error -> error: 8")});
}

void TestRedirectStore::aReleaseIsRedirectedFromWhereItLay()
{
    insert("orders", Certainty::Exact);
    insert("topic", Certainty::FanOut);
    store::FreezeRules rules;
    rules.kind = records::OperationKind::Release;
    rules.existing = {QStringLiteral("spare")};
    store::FreezeTally tally = frozen(rules);
    QCOMPARE(tally.frozen, 0);
    QCOMPARE(ways(tally.missing), QStringList{QStringLiteral("error -> error: 2")});
    rules.namesIgnoreCase = true;
    rules.redirects = {{Redirect::Of::Queue, QStringLiteral("ERROR"), QStringLiteral("spare")}};
    tally = frozen(rules);
    QCOMPARE(ways(tally.shares), QStringList{QStringLiteral("error -> spare: 2")});
    QCOMPARE(goals(), (QMap<QString, int>{{QStringLiteral("spare"), 2}}));
}

void TestRedirectStore::whatTakesNothingIsLeftOutWhereNoQueueIsListed()
{
    insert("orders");
    insert("Closed");
    store::FreezeRules rules;
    rules.closed = {QStringLiteral("closed"), QStringLiteral("ERROR")};
    rules.namesIgnoreCase = true;
    QCOMPARE(ways(frozen(rules).shares), QStringList{QStringLiteral("orders -> orders: 1")});
    rules.kind = records::OperationKind::Release;
    store::FreezeTally tally = frozen(rules);
    QCOMPARE(tally.frozen, 0);
    QCOMPARE(ways(tally.missing), QStringList{QStringLiteral("error -> error: 2")});
    rules.redirects = {{Redirect::Of::Queue, QStringLiteral("error"), QStringLiteral("spare")}};
    QCOMPARE(ways(frozen(rules).shares), QStringList{QStringLiteral("error -> spare: 2")});
}

// What a message says of itself no longer counts: nobody has concluded where it goes, and no topic gets it.
void TestRedirectStore::aChosenDestinationIsNoGuess()
{
    insert("topic", Certainty::FanOut);
    insert("guessed", Certainty::Derived);
    insert("error", Certainty::Exact); // straight back
    store::FreezeRules rules;
    QCOMPARE(frozen(rules).hazards.fanOut, 1);
    rules.redirects = {{Redirect::Of::Everything, {}, QStringLiteral("spare")}};
    store::FreezeTally tally;
    must(m_store->read([&](store::Session &session) -> Result<> {
        rules.asOfChange = must(session.changeNumber());
        tally = must(session.frozenSets().evaluate(m_messages, rules, 0));
        return {};
    }));
    QCOMPARE(tally.hazards, store::FreezeHazards());
    QCOMPARE(tally.shares.size(), 3);
    for (const records::FrozenShare &share : std::as_const(tally.shares)) {
        QVERIFY(share.destination.certainty == Certainty::Exact);
        QCOMPARE(share.straightBack, 0);
        QCOMPARE(share.insteadOf->knownFrom, QStringLiteral("header"));
    }
}

// The least certain message decides what is shown, with its own evidence.
void TestRedirectStore::aShareHasAnExampleAndOneEvidence()
{
    const core::MessageId first = insert("orders", Certainty::Exact, {}, "a header");
    insert("orders", Certainty::Derived, {}, "name of the queue");
    insert("orders", Certainty::Exact, {}, "z");
    insert("billing");
    insert("", Certainty::Unknown, records::MessageFlag::OtherTool, "why");
    const core::MessageId unknown = insert("", Certainty::Unknown, {}, "");
    const store::FreezeTally tally = frozen({});
    QCOMPARE(tally.shares.size(), 2);
    const records::FrozenShare &orders = tally.shares.constFirst();
    QCOMPARE(orders.destination,
             (records::Destination{QStringLiteral("orders"), Certainty::Derived, QStringLiteral("name of the queue")}));
    QCOMPARE(orders.example, first);
    QVERIFY(orders.mixed);
    QVERIFY(!tally.shares.last().mixed);
    QCOMPARE(tally.leftOut[records::LeftOut::NoDestination], 2);
    QCOMPARE(tally.unknownExample, unknown); // the other one is for a tool of its own
}

void TestRedirectStore::theLimitCountsWhatGoes()
{
    for (const char *destination : {"gone", "orders", "gone", "orders"})
        insert(destination);
    store::FreezeRules rules;
    rules.existing = {QStringLiteral("orders")};
    rules.limit = 3;
    rules.redirects = {redirect("gone", "orders")};
    const store::FreezeTally tally = frozen(rules);
    QCOMPARE(tally.frozen, 3);
    QCOMPARE(tally.leftOut[records::LeftOut::BeyondLimit], 1);
    QCOMPARE(ways(tally.shares),
             (QStringList{QStringLiteral("gone -> orders: 2"), QStringLiteral("orders -> orders: 1")}));
    QCOMPARE(goals(), (QMap<QString, int>{{QStringLiteral("orders"), 3}}));
}

REDRIVE_TEST(TestRedirectStore)
#include "tst_redirectstore.moc"
