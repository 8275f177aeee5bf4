// A store that the released 0.1.0 wrote (data/README.md) is still the same store today: nothing of it is lost, what was at
// work goes on, and it can be restored from.
#include "backend/store/backup/storerestore.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/migrations/schema.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::ConnectionId;
using core::MessageId;
using core::OperationId;
using core::Result;
using records::MessageStatus;
using records::OperationState;
using store::Session;
using test::must;
using test::why;

class TestReleasedStore final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void messagesAreAllThere();
    void aMessageIsReadAsItWas();
    void searchFindsThem();
    void countsAreExact();
    void whatPeopleSaidHolds();
    void retriesGoOnWhereTheyWere();
    void whatAnIntakeLeftIsFound();
    void theActivityLogIsWhole();
    void itCanBeRestoredFrom();

private:
    static constexpr ConnectionId shop{1};
    static constexpr ConnectionId mail{2};

    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("redrive.db")); }
    [[nodiscard]] std::unique_ptr<store::SqliteStore> open();
    template<typename Work>
    static void change(store::SqliteStore &store, Work work)
    {
        must(store.transact([&work](Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }
    template<typename Work>
    void look(Work work)
    {
        change(*open(), work);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    core::SeededRandom m_random{3};
};

void TestReleasedStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QFile packed(QStringLiteral(REDRIVE_TEST_DATA "/redrive-0.1.0.db.z"));
    QVERIFY(packed.open(QIODevice::ReadOnly));
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray whole = qUncompress(packed.readAll());
    QCOMPARE(whole.size(), 671744);
    QCOMPARE(file.write(whole), whole.size());
}

// It comes from another machine: a person says that it was moved.
std::unique_ptr<store::SqliteStore> TestReleasedStore::open()
{
    return must(store::SqliteStore::open(path(), m_random, store::Provenance::Moved));
}

void TestReleasedStore::messagesAreAllThere()
{
    look([](Session &session) {
        QHash<MessageStatus, int> byStatus;
        for (qint64 id = 1; id <= 61; ++id)
            ++byStatus[must(session.messages().load(MessageId{id})).status];
        const QHash<MessageStatus, int> expected{{MessageStatus::Unresolved, 40},
                                                 {MessageStatus::RetryIssued, 15},
                                                 {MessageStatus::Resolved, 1},
                                                 {MessageStatus::Archived, 2},
                                                 {MessageStatus::Released, 3}};
        QVERIFY(byStatus == expected);
        QCOMPARE(must(session.changeNumber()), 102);
        QVERIFY(must(session.messages().load(MessageId{61})).flags.testFlag(records::MessageFlag::BrowsedOnly));
    });
}

void TestReleasedStore::aMessageIsReadAsItWas()
{
    look([](Session &session) {
        const records::FailedMessage message = must(session.messages().load(MessageId{7}));
        QCOMPARE(message.messageId, QStringLiteral("b7f3c1de-0000-4000-8000-7"));
        QCOMPARE(message.queue, QStringLiteral("error"));
        QCOMPARE(message.dialect, QStringLiteral("nservicebus"));
        QCOMPARE(message.failure.exceptionType, QStringLiteral("System.Exceptions.Number0Exception"));
        QCOMPARE(message.failure.exceptionMessage, QStringLiteral("The order 7 could not be placed: cause 0"));
        QVERIFY(message.failure.stackTrace.contains(QStringLiteral("Acme.Orders.Handler.Handle0()")));
        QVERIFY(message.failure.at == core::fromMs(1'790'000'000'000 + 7 * 997));
        QCOMPARE(message.destination.queue, QStringLiteral("orders.1"));
        QVERIFY(message.destination.certainty == records::Certainty::Exact);
        const store::Original original = must(session.messages().loadOriginal(MessageId{7}));
        QCOMPARE(original.envelope.body, QByteArray(39, 'h'));
        QCOMPARE(original.envelope.exchange, QStringLiteral("ex"));
        QCOMPARE(original.envelope.routingKey, QStringLiteral("key-7"));
        const auto header = [&original](const char *name) {
            const auto found = std::find_if(original.envelope.headers.begin(), original.envelope.headers.end(),
                                            [name](const auto &one) { return one.name == QLatin1String(name); });
            return found == original.envelope.headers.end() ? QCborValue() : found->value;
        };
        QVERIFY(header("priority").isDouble()); // 1.0, not 1
        QCOMPARE(header("bytes").toByteArray(), QByteArray("\0\xff", 2));
        // 0.1.0 did not keep the receipt, and sent back what may be a decimal.
        QVERIFY(original.receipt == records::Receipt{});
        QVERIFY(original.flags.testFlag(records::MessageFlag::NotFaithful));
        QVERIFY(original.flags.testFlag(records::MessageFlag::Decimals));
        QCOMPARE(must(session.messages().load(MessageId{1})).attempts, 13);
        const records::FailedMessage back = must(session.messages().load(MessageId{5}));
        QCOMPARE(back.attempts, 2);
        QCOMPARE(back.cameBack, 1);
    });
}

void TestReleasedStore::searchFindsThem()
{
    look([](Session &session) {
        const auto found = [&session](const char *words) {
            records::MessageFilter filter;
            filter.search = QString::fromLatin1(words);
            return must(session.messages().slice(filter, {}, 100)).ids.size();
        };
        QCOMPARE(found("ORDER 33 could"), 1); // a part of the exception's text
        QCOMPARE(found("hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh"), 3); // a body, and the beginning of two longer ones
        QCOMPARE(found("Number3Exception"), 9);
    });
}

void TestReleasedStore::countsAreExact()
{
    const auto opened = open();
    QCOMPARE(test::countDifference(opened->database()), QString());
    change(*opened, [](Session &session) {
        QCOMPARE(
            must(session.messages().setStatus({MessageId{60}}, {MessageStatus::Unresolved}, MessageStatus::Archived)),
            1);
    });
    QCOMPARE(test::countDifference(opened->database()), QString());
}

void TestReleasedStore::whatPeopleSaidHolds()
{
    look([](Session &session) {
        const QList<records::Connection> connections = must(session.connections().all());
        QCOMPARE(connections.size(), 2);
        const records::Connection &first = connections.at(0).id == shop ? connections.at(0) : connections.at(1);
        QCOMPARE(first.name, QStringLiteral("shop"));
        QCOMPARE(first.errorQueues, (QStringList{QStringLiteral("error"), QStringLiteral("error/%2F und ü")}));
        const QList<records::Redirect> redirects = must(session.connections().redirects(shop));
        QCOMPARE(redirects.size(), 1);
        QCOMPARE(redirects.first().from, QStringLiteral("orders.1"));
        QCOMPARE(redirects.first().to, QStringLiteral("orders-v2"));
        const core::TimePoint now = core::fromMs(1'800'000'000'000);
        const auto noted = must(session.groupMarks().load(core::GroupId{84605026941192931}, now)).marks;
        QVERIFY(noted.note && noted.note->text == QStringLiteral("Known: BILL-12"));
        QVERIFY(must(session.groupMarks().load(core::GroupId{116586451643810972}, now)).marks.mute);
        QCOMPARE(must(session.intakes().subscribed(shop)), QStringList{QStringLiteral("error")});
        const records::RetentionPolicy kept = must(session.retention().retention());
        QVERIFY(kept.resolved == core::Milliseconds(std::chrono::hours(24 * 90)));
        QVERIFY(!kept.archived);
        QVERIFY(must(session.evidence().quietAfter(shop)) == core::Milliseconds(std::chrono::hours(6)));
    });
}

void TestReleasedStore::retriesGoOnWhereTheyWere()
{
    const auto opened = open();
    change(*opened, [](Session &session) {
        const records::RetryOperation sent = must(session.retryOperations().load(OperationId{1}));
        QVERIFY(sent.state == OperationState::Completed);
        QCOMPARE(sent.counts.sent, 9);
        QCOMPARE(sent.counts.inDoubt, 1);
        QCOMPARE(sent.plan.edit.steps.size(), 1);
        QVERIFY(must(session.retryOperations().load(OperationId{4})).state == OperationState::Paused);

        // The one whose copies the broker had is forwarded to its end.
        const auto batch = must(session.forwarding().nowForwarding(shop));
        QVERIFY(batch);
        QVERIFY(batch->operation == OperationId{3});
        QCOMPARE(batch->place, QStringLiteral("place"));
        must(session.forwarding().finishForwarding(batch->id, {}));
        const records::RetryOperation flying = must(session.retryOperations().load(OperationId{3}));
        QCOMPARE(flying.counts.sent, 6);
        QVERIFY(flying.counts == must(session.retryBatches().recount(OperationId{3})));
    });
    QCOMPARE(test::countDifference(opened->database()), QString());
}

void TestReleasedStore::whatAnIntakeLeftIsFound()
{
    const auto opened = open();
    change(*opened, [](Session &session) {
        const QList<records::IntakeRun> runs = must(session.intakes().open(mail));
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs.first().holdingName, QStringLiteral("redrive.hold.1"));
        QVERIFY(runs.first().state == records::IntakeState::Holding);
    });
    store::Statement all = opened->database().sql(QStringLiteral("SELECT count(*) FROM intake_run"));
    QVERIFY(must(all.step()));
    QCOMPARE(all.integer(0), 1); // the one that was done is not kept
}

void TestReleasedStore::theActivityLogIsWhole()
{
    const auto opened = open();
    const records::TrailCheck trail = must(store::checkTrail(opened->database(), {}));
    QVERIFY(trail.fault == records::TrailCheck::Fault::None);
    const QList<records::Event> events = must(store::readEvents(opened->database(), {}));
    QCOMPARE(events.size(), 5);
    QCOMPARE(events.first().who, QStringLiteral("ada"));
}

void TestReleasedStore::itCanBeRestoredFrom()
{
    const QString restored = m_folder->filePath(QStringLiteral("restored.db"));
    Result<store::StoreRestore> prepared = store::StoreRestore::prepare(
        {path(), restored, QStringLiteral("ada"), core::fromMs(1'800'000'200'000)}, m_random, {});
    QVERIFY2(prepared, why(prepared).constData());
    QCOMPARE(prepared->facts().backup.messages, 61);
    must(prepared->install());
    const auto opened = must(store::SqliteStore::open(restored, m_random));
    QCOMPARE(test::countDifference(opened->database()), QString());
}

REDRIVE_TEST(TestReleasedStore)
#include "tst_releasedstore.moc"
