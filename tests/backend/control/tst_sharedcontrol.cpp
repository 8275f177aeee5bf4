// Holder and guests of a shared store over a real PostgreSQL, in one process: each has threads and connections of its own.
#include "backend/api/crossing.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/transfers.h"
#include "backend/control/framesocket.h"
#include "backend/control/shared/sharedclient.h"
#include "backend/control/shared/sharedserver.h"
#include "backend/control/socketname.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/must.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QLoggingCategory>
#include <QScopeGuard>
#include <QTest>

#include <csignal>

using control::SharedClient;
using control::SharedServer;
using core::ErrorKind;

namespace {

constexpr int timeoutMs = 60000;

#define TRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, timeoutMs)
#define TRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, timeoutMs)

// A store that somebody holds.
struct Team
{
    Team()
    {
        store.hold(1);
        server->start();
    }
    // Another process takes over.
    void takeOver(qint64 fence)
    {
        store.hold(fence);
        server = std::make_unique<SharedServer>(holder, store.open(), fence);
        server->start();
    }
    [[nodiscard]] QString word(const char *column)
    {
        return store.sql(QStringLiteral("SELECT %1 FROM request").arg(QLatin1String(column))).toString();
    }

    support::LeasedStore store;
    support::FakeClient holder;
    std::unique_ptr<SharedServer> server = std::make_unique<SharedServer>(holder, store.open(), 1);
};

struct Guest
{
    explicit Guest(const support::LeasedStore &store, const QString &role = QStringLiteral("redrive"))
        : client(store.open(role), nullptr, QStringLiteral("alice@desk"))
    {
        client.onLost([this](const QString &why) {
            ++lost;
            reason = why;
        });
    }
    void listen()
    {
        client.listen([this](api::SnapshotPtr snapshot) {
            seen = std::move(snapshot);
            ++snapshots;
        });
    }
    SharedClient client;
    int lost = 0;
    QString reason;
    api::SnapshotPtr seen;
    int snapshots = 0;
};

api::ImportMessages importOf(qint64 bytes)
{
    api::ImportMessages request;
    request.messages.resize(1);
    request.messages.first().envelope.body = QByteArray(bytes, 'x');
    return request;
}

QString hex(const QByteArray &bytes)
{
    return QStringLiteral("'\\x%1'").arg(QString::fromLatin1(bytes.toHex()));
}

core::Error errorIn(const QVariant &answer)
{
    return api::decodeError(QCborValue::fromCbor(answer.toByteArray()).toMap());
}

} // namespace

class TestSharedControl final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!support::PostgresServer::isInstalled())
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
        QLoggingCategory::setFilterRules(QStringLiteral("redrive.control=false"));
    }

    void aCommandIsDoneByTheHolderAndAnswered()
    {
        Team team;
        Guest guest(team.store);
        api::DecideMessages command;
        command.filter.queue = QStringLiteral("error");
        const auto archived = guest.client.ask(command);
        const auto slowed = guest.client.ask(api::SetRate{{12}, 90});
        TRY_VERIFY(archived.isFinished() && slowed.isFinished());
        QVERIFY(archived.result());
        QCOMPARE(team.holder.decisions.first().filter.queue, QStringLiteral("error"));
        QCOMPARE(team.holder.rates.first().perMinute, std::optional<qint64>(90));
        QCOMPARE(team.holder.calls, (QStringList{QStringLiteral("DecideMessages"), QStringLiteral("SetRate")}));
        QVERIFY(guest.client.wasReached() && guest.client.mayAsk() && !guest.client.isPassing());
        TRY_COMPARE(team.store.count(QStringLiteral("request")), 0); // an answer that was read is not kept
        QCOMPARE(guest.lost, 0);
    }

    void anErrorArrivesAsItIs()
    {
        Team team;
        team.holder.failNext<api::RefreshQueues>(
            {ErrorKind::Unauthorized, QStringLiteral("wrong key"), QStringLiteral("401"), {}});
        Guest guest(team.store);
        const auto answer = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(answer.isFinished());
        QVERIFY(answer.result().error().kind == ErrorKind::Unauthorized);
        QCOMPARE(answer.result().error().message, QStringLiteral("wrong key"));
    }

    void whoAsksIsKnownWithTheRole()
    {
        Team team;
        QStringList named;
        team.server = std::make_unique<SharedServer>(team.holder, team.store.open(), 1, [&named](const QString &who) {
            named.append(who);
            return std::make_unique<support::FakeClient>();
        });
        team.server->setPassing();
        team.server->start();
        Guest guest(team.store);
        const auto paused = guest.client.ask(api::PauseAll{true});
        TRY_VERIFY(paused.isFinished());
        QCOMPARE(named, QStringList{QStringLiteral("alice@desk (role redrive)")});
        QVERIFY(team.holder.calls.isEmpty());
        QVERIFY(guest.client.isPassing());
    }

    void theRolesOfPeopleCount()
    {
        support::LeasedStore store;
        store.hold(1);
        store.giveRoles();
        support::FakeClient holder;
        QStringList named;
        SharedServer server(holder, store.open(QStringLiteral("worker")), 1, [&named](const QString &who) {
            named.append(who);
            return std::make_unique<support::FakeClient>();
        });
        server.start();
        Guest alice(store, QStringLiteral("alice"));
        const auto paused = alice.client.ask(api::PauseAll{true});
        TRY_VERIFY(paused.isFinished());
        QVERIFY2(paused.result(), test::why(paused.result()).constData());
        QCOMPARE(named, QStringList{QStringLiteral("alice@desk (role alice)")});
        QVERIFY(alice.client.mayAsk());

        Guest victor(store, QStringLiteral("victor"));
        victor.listen();
        holder.publish();
        TRY_VERIFY(victor.seen);
        QVERIFY(!victor.client.mayAsk());
        QVERIFY(victor.seen->engineText.contains(QStringLiteral("victor"))); // a window shows it
        QCOMPARE(victor.client.role(), QStringLiteral("victor"));
        const auto refused = victor.client.ask(api::PauseAll{true});
        TRY_VERIFY(refused.isFinished());
        QVERIFY(refused.result().error().kind == ErrorKind::Unauthorized);
        QVERIFY(refused.result().error().message.contains(u"victor"));
        QCOMPARE(store.count(QStringLiteral("request WHERE role = 'victor'")), 0);
        QCOMPARE(victor.lost, 0);

        Guest eve(store, QStringLiteral("eve"));
        TRY_COMPARE(eve.lost, 1);
        QVERIFY(eve.client.danger()->kind == ErrorKind::Unauthorized);
        QCOMPARE(named.size(), 1);
    }

    void snapshotsArePublishedWhileSomebodyListens()
    {
        Team team;
        team.holder.publish();
        const QString published = QStringLiteral("holder_snapshot");
        Guest other(team.store);
        const auto asked = other.client.ask(api::RefreshQueues{}); // it asks, and does not listen
        TRY_VERIFY(asked.isFinished());
        QCOMPARE(team.store.count(published), 0);
        {
            Guest guest(team.store);
            guest.listen();
            TRY_VERIFY(guest.seen);
            QCOMPARE(guest.seen->engine, api::EngineState::Viewer);
            QVERIFY(guest.seen->engineText.contains(u"4711") && guest.seen->engineText.contains(u"desk-7"));
            QCOMPARE(team.store.count(published), 1);
            const quint64 first = guest.seen->sequence;
            team.holder.publish();
            TRY_VERIFY(guest.seen->sequence > first);
        }
        TRY_COMPARE(team.store.count(published), 0); // it said that it leaves
        team.holder.publish();
        const auto again = other.client.ask(api::RefreshQueues{});
        TRY_VERIFY(again.isFinished());
        QCOMPARE(team.store.count(published), 0);
    }

    void manySnapshotsBecomeFew()
    {
        Team team;
        team.holder.publish();
        Guest guest(team.store);
        guest.listen();
        TRY_VERIFY(guest.seen);
        const int before = guest.snapshots;
        constexpr int published = 1000;
        for (int i = 0; i < published; ++i)
            team.holder.publish();
        const quint64 newest = team.holder.snapshot.sequence;
        TRY_VERIFY(guest.seen->sequence == newest);
        QVERIFY(guest.snapshots - before < published / 10); // four a second
    }

    void theStateAfterACommandComesBeforeItsAnswer()
    {
        Team team;
        team.holder.publish();
        Guest guest(team.store);
        guest.listen();
        TRY_VERIFY(guest.seen);
        for (int i = 0; i < 20; ++i) {
            team.holder.publish(); // more often than it is published
            const quint64 state = team.holder.snapshot.sequence;
            const auto answer = guest.client.ask(api::RefreshQueues{});
            TRY_VERIFY(answer.isFinished());
            QVERIFY(guest.seen->sequence >= state);
        }
    }

    // The database keeps what is written to it.
    void aSecretIsSealedToTheHolder()
    {
        Team team;
        Guest guest(team.store);
        const auto first = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(first.isFinished());
        api::SaveConnection command;
        command.draft.connection.name = QStringLiteral("shop");
        command.draft.secret = QStringLiteral("hunter2");
        const auto saved = guest.client.ask(command);
        TRY_VERIFY(saved.isFinished());
        QVERIFY2(saved.result(), test::why(saved.result()).constData());
        QCOMPARE(team.holder.savedConnections.first().secret, std::optional<QString>(QStringLiteral("hunter2")));
        QCOMPARE(team.holder.savedConnections.first().connection.name, QStringLiteral("shop"));

        team.server->finish();
        const auto later = guest.client.ask(command);
        TRY_COMPARE(team.store.count(QStringLiteral("request")), 1);
        const QByteArray payload = team.store.sql(QStringLiteral("SELECT payload FROM request")).toByteArray();
        QVERIFY(!payload.isEmpty() && !payload.contains("hunter2") && payload.contains("SaveConnection"));
        team.takeOver(2);
        TRY_VERIFY(later.isFinished());
        QVERIFY(later.result().error().kind == ErrorKind::Refused); // the next holder cannot open it
        QCOMPARE(team.holder.savedConnections.size(), 1);
    }

    void whatNoHolderTookIsAskedOfTheNext()
    {
        Team team;
        Guest guest(team.store);
        const auto first = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(first.isFinished());
        team.server->finish();
        const auto unheard = guest.client.ask(api::PauseAll{true});
        TRY_COMPARE(team.store.count(QStringLiteral("request")), 1);
        team.store.letExpire();
        TRY_COMPARE(guest.lost, 1);
        QCOMPARE(team.store.count(QStringLiteral("request")), 0); // nobody else carries it out
        QVERIFY(!unheard.isFinished() && !guest.client.danger() && !guest.client.isSilent());
        support::FakeClient next;
        const auto requests = guest.client.takeUnheard();
        QCOMPARE(requests.size(), size_t(1));
        next.send(requests.front());
        TRY_VERIFY(unheard.isFinished());
        QVERIFY(unheard.result());
        QCOMPARE(team.holder.count<api::PauseAll>(), 0);
    }

    void whatADeadHolderTookMayBeDone()
    {
        Team team;
        team.holder.holdAnswers(true);
        Guest guest(team.store);
        const auto taken = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(team.holder.calls.size(), 1);
        team.server.reset();
        const auto early = guest.client.ask(api::PauseAll{true});
        TRY_COMPARE(team.store.count(QStringLiteral("request")), 2);
        team.store.letExpire();
        TRY_COMPARE(guest.lost, 1);
        QVERIFY(taken.isFinished());
        QVERIFY(taken.result().error().kind == ErrorKind::Transient);
        QVERIFY(!early.isFinished());
        QCOMPARE(guest.client.takeUnheard().size(), size_t(1));
        QVERIFY(early.result().error().kind == ErrorKind::Cancelled); // nobody took it
        team.holder.holdAnswers(false);
        team.takeOver(2);
        Guest other(team.store);
        const auto done = other.client.ask(api::SetRate{{12}, 90});
        TRY_VERIFY(done.isFinished());
        QCOMPARE(team.holder.count<api::RefreshQueues>(), 1); // not again
        QCOMPARE(team.holder.count<api::PauseAll>(), 0);
        QVERIFY(team.store.count(QStringLiteral("request WHERE answered_at IS NULL")) == 0);
    }

    void anotherHolderGoesOnWithoutALoss()
    {
        Team team;
        team.holder.publish();
        team.holder.holdAnswers(true);
        Guest guest(team.store);
        guest.listen();
        TRY_VERIFY(guest.seen);
        const auto taken = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(team.holder.calls.size(), 1);
        team.server->finish();
        const auto unheard = guest.client.ask(api::PauseAll{true});
        TRY_COMPARE(team.store.count(QStringLiteral("request")), 2);
        team.holder.holdAnswers(false);
        team.holder.calls.clear();
        support::FakeClient next;
        next.snapshot.sequence = 0;
        team.store.hold(2);
        SharedServer server(next, team.store.open(), 2);
        server.start();
        next.publish();
        TRY_VERIFY(unheard.isFinished() && taken.isFinished());
        QVERIFY(unheard.result());
        QCOMPARE(next.calls, QStringList{QStringLiteral("PauseAll")});
        QCOMPARE(guest.lost, 0);
        const int before = guest.snapshots;
        next.publish();
        TRY_VERIFY(guest.snapshots > before);
        QVERIFY(team.holder.calls.isEmpty());
    }

    // As a process that was stopped past its lease, and goes on.
    void aHolderThatLostItsLeaseTakesNothing()
    {
        Team team;
        Guest guest(team.store);
        const auto first = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(first.isFinished());
        team.store.hold(2); // and nobody serves yet
        const auto asked = guest.client.ask(api::PauseAll{true});
        support::FakeClient next;
        SharedServer server(next, team.store.open(), 2);
        server.start();
        TRY_VERIFY(asked.isFinished());
        QCOMPARE(next.calls, QStringList{QStringLiteral("PauseAll")});
        QCOMPARE(team.holder.calls, QStringList{QStringLiteral("RefreshQueues")});
    }

    void theLastAnswersOfAHolderAreWritten()
    {
        Team team;
        team.holder.holdAnswers(true);
        Guest guest(team.store);
        const auto asked = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(team.holder.calls.size(), 1);
        team.server->finish();
        team.holder.holdAnswers(false);
        QCoreApplication::sendPostedEvents(); // its answer reaches the server
        TRY_VERIFY(team.holder.held() == 0);
        QTRY_VERIFY(asked.isFinished() || team.store.count(QStringLiteral("request WHERE answered_at IS NULL")) == 0);
        team.server.reset();
        TRY_VERIFY(asked.isFinished());
        QVERIFY(asked.result());
    }

    void aHolderOfAnotherVersionIsNamed()
    {
        support::LeasedStore store;
        store.hold(1);
        store.sql(QStringLiteral("INSERT INTO holder_greeting VALUES (1, 1, 99, false, clock_timestamp(), '')"));
        Guest guest(store);
        const auto asked = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(guest.lost, 1);
        QVERIFY(guest.client.danger() && guest.client.danger()->kind == ErrorKind::Refused);
        QCOMPARE(guest.client.danger()->message, guest.reason);
        QVERIFY(!asked.isFinished() && store.count(QStringLiteral("request")) == 0);
        QCOMPARE(guest.client.takeUnheard().size(), size_t(1));
    }

    void nobodyThereIsTold()
    {
        support::LeasedStore store;
        Guest guest(store);
        const auto asked = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(guest.lost, 1);
        QVERIFY(!guest.client.wasReached() && !guest.client.danger());
        QCOMPARE(guest.client.takeUnheard().size(), size_t(1));
        QVERIFY(asked.result().error().kind == ErrorKind::Cancelled);
    }

    void aHolderThatDoesNotAnswerIsSilent()
    {
        support::LeasedStore store;
        store.hold(1); // and its engine hangs
        store.sql(QStringLiteral("INSERT INTO holder_greeting VALUES (1, 1, %1, false,"
                                 " clock_timestamp() - interval '1 minute', '')")
                      .arg(control::protocolVersion));
        Guest guest(store);
        guest.client.limitSilence(core::Milliseconds(60000), core::Milliseconds(60000));
        const auto asked = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(guest.client.wasReached());
        guest.client.limitSilence(core::Milliseconds(1), core::Milliseconds(1));
        TRY_COMPARE(guest.lost, 1);
        QVERIFY(guest.client.isSilent());
        QVERIFY(!asked.isFinished());
        guest.client.refuseAll({ErrorKind::Transient, QStringLiteral("gone"), {}, {}});
        QCOMPARE(asked.result().error().message, QStringLiteral("gone"));
    }

    void aWrongPasswordIsADanger()
    {
        support::LeasedStore store;
        records::StoreAddress address = store.address();
        address.password = QStringLiteral("wrong");
        SharedClient client([address] { return store::ControlTables::open(address); }, nullptr);
        int lost = 0;
        client.onLost([&lost](const QString &) { ++lost; });
        TRY_COMPARE(lost, 1);
        QVERIFY(client.danger() && client.danger()->kind == ErrorKind::Unauthorized);
    }

    void hostileRowsAreAnsweredAndNotDone_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<int>("protocol");
        QTest::addColumn<int>("kind");
        const auto call = [](const QString &name, const QCborValue &with) {
            return QCborValue(QCborMap{{QStringLiteral("do"), name}, {QStringLiteral("with"), with}}).toCbor();
        };
        const QByteArray good = call(QStringLiteral("RefreshQueues"), QCborMap{});
        const int rejected = int(ErrorKind::Rejected);
        QTest::newRow("another version") << good << 99 << int(ErrorKind::Refused);
        QTest::newRow("an older one") << good << 1 << int(ErrorKind::Refused);
        QTest::newRow("nothing") << QByteArray() << control::protocolVersion << rejected;
        QTest::newRow("not CBOR") << QByteArray("\xff\xff\x00", 3) << control::protocolVersion << rejected;
        QTest::newRow("cut") << good.chopped(1) << control::protocolVersion << rejected;
        QTest::newRow("no map") << QCborValue(7).toCbor() << control::protocolVersion << rejected;
        QTest::newRow("no request") << QCborValue(QCborMap{}).toCbor() << control::protocolVersion << rejected;
        QTest::newRow("unknown") << call(QStringLiteral("FormatDisk"), {}) << control::protocolVersion << rejected;
        QTest::newRow("a query") << call(QStringLiteral("GroupQuery"), {}) << control::protocolVersion << rejected;
        QTest::newRow("a wrong field") << call(QStringLiteral("SetRate"),
                                               QCborMap{{QStringLiteral("operation"), QStringLiteral("all")}})
                                       << control::protocolVersion << rejected;
        QTest::newRow("deep") << QByteArray(100000, '\x81') << control::protocolVersion << rejected;
        QTest::newRow("said to be long") << QByteArray("\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9)
                                         << control::protocolVersion << rejected;
    }

    void hostileRowsAreAnsweredAndNotDone()
    {
        QFETCH(QByteArray, payload);
        QFETCH(int, protocol);
        QFETCH(int, kind);
        Team team;
        team.store.giveRoles();
        team.store.sqlAs(QStringLiteral("alice"),
                         QStringLiteral("INSERT INTO request (asker, number, who, protocol, payload)"
                                        " VALUES (gen_random_uuid(), -5, repeat('x', 100000), %1, %2)")
                             .arg(QString::number(protocol), hex(payload)));
        QVERIFY2(!team.store.wasRefused(), qPrintable(team.store.error()));
        TRY_COMPARE(team.store.count(QStringLiteral("request WHERE answered_at IS NOT NULL")), 1);
        const core::Error error = errorIn(team.store.sql(QStringLiteral("SELECT answer FROM request")));
        QCOMPARE(int(error.kind), kind);
        QVERIFY(!error.message.isEmpty());
        QVERIFY(team.holder.calls.isEmpty());
        Guest guest(team.store); // others are still served
        const auto asked = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(asked.isFinished());
        QVERIFY(asked.result());
    }

    void aRoleWithTooManyOpenRequestsIsRefused()
    {
        Team team;
        team.holder.holdAnswers(true);
        const QByteArray good = QCborValue(QCborMap{{QStringLiteral("do"), QStringLiteral("RefreshQueues")},
                                                    {QStringLiteral("with"), QCborMap{}}})
                                    .toCbor();
        team.store.sql(QStringLiteral("INSERT INTO request (asker, number, who, protocol, payload)"
                                      " SELECT gen_random_uuid(), n, '', %1, %2 FROM generate_series(1, 1000) n")
                           .arg(QString::number(control::protocolVersion), hex(good)));
        TRY_COMPARE(team.store.count(QStringLiteral("request WHERE answered_at IS NOT NULL")), 1000 - 256);
        TRY_COMPARE(team.holder.calls.size(), 256);
        team.holder.holdAnswers(false);
        TRY_COMPARE(team.store.count(QStringLiteral("request WHERE answered_at IS NOT NULL")), 1000);
        QCOMPARE(team.holder.calls.size(), 256);
    }

    void aRequestThatNobodyWaitsForIsNotDone()
    {
        support::LeasedStore store;
        store.hold(1);
        const QByteArray good = QCborValue(QCborMap{{QStringLiteral("do"), QStringLiteral("RefreshQueues")},
                                                    {QStringLiteral("with"), QCborMap{}}})
                                    .toCbor();
        store.sql(QStringLiteral("INSERT INTO request (asked_at, asker, number, who, protocol, payload) VALUES"
                                 " (clock_timestamp() - interval '2 minutes', gen_random_uuid(), 1, '', %1, %2)")
                      .arg(QString::number(control::protocolVersion), hex(good)));
        support::FakeClient holder;
        SharedServer server(holder, store.open(), 1);
        server.start();
        TRY_COMPARE(store.count(QStringLiteral("request WHERE answered_at IS NOT NULL")), 1);
        QVERIFY(errorIn(store.sql(QStringLiteral("SELECT answer FROM request"))).kind == ErrorKind::Cancelled);
        QVERIFY(holder.calls.isEmpty());
    }

    void aRequestThatIsTooLargeIsNotSent()
    {
        Team team;
        Guest guest(team.store);
        const auto refused = guest.client.ask(importOf(control::largestMessage));
        const auto done = guest.client.ask(api::RefreshQueues{});
        TRY_VERIFY(refused.isFinished() && done.isFinished());
        QVERIFY(refused.result().error().kind == ErrorKind::Rejected);
        QVERIFY(done.result());
        QVERIFY(team.holder.imports.isEmpty());
        team.store.sql(QStringLiteral("INSERT INTO request (asker, number, who, protocol, payload) VALUES"
                                      " (gen_random_uuid(), 1, '', 1, convert_to(repeat('x', %1), 'UTF8'))")
                           .arg(control::largestMessage + 1));
        QVERIFY(team.store.wasRefused()); // by the database
    }

    void aLongRequestArrivesWhole()
    {
        Team team;
        Guest guest(team.store);
        api::ImportMessages request = importOf(control::largestBacklog + 5);
        QByteArray &body = request.messages.first().envelope.body;
        for (qsizetype at = 0; at < body.size(); at += 1000)
            body[at] = char('a' + at / 1000 % 26);
        const auto imported = guest.client.ask(request);
        TRY_VERIFY(imported.isFinished());
        QVERIFY2(imported.result(), test::why(imported.result()).constData());
        QVERIFY(team.holder.imports.first().messages.first().envelope.body == body);
    }

    void withoutWakesItIsOnlySlower()
    {
        Team team;
        team.holder.publish();
        Guest guest(team.store);
        guest.listen();
        TRY_VERIFY(guest.seen);
        for (int i = 0; i < 3; ++i) { // as a pooler, or an administrator, or a network
            team.store.sql(QStringLiteral("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                          " WHERE pid <> pg_backend_pid() AND application_name = 'redrive'"));
            team.holder.publish();
            const quint64 state = team.holder.snapshot.sequence;
            const auto asked = guest.client.ask(api::SetRate{{12}, 90});
            TRY_VERIFY(asked.isFinished());
            QVERIFY(asked.result());
            TRY_VERIFY(guest.seen->sequence >= state);
        }
        QCOMPARE(team.holder.rates.size(), 3); // none twice
        QCOMPARE(guest.lost, 0);
    }

    void aRestartedDatabaseIsFoundAgain()
    {
        Team team;
        team.holder.publish();
        team.holder.holdAnswers(true);
        Guest guest(team.store);
        guest.listen();
        TRY_VERIFY(guest.seen);
        const auto open = guest.client.ask(api::RefreshQueues{});
        TRY_COMPARE(team.holder.calls.size(), 1);
        support::LeasedStore::server().stop();
        team.holder.holdAnswers(false);
        const auto asked = guest.client.ask(api::PauseAll{true});
        TRY_VERIFY(guest.seen->engineText.contains(QStringLiteral("127.0.0.1"))); // it says that the database is gone
        QVERIFY(!asked.isFinished() && guest.lost == 0);
        QVERIFY(support::LeasedStore::server().start());
        TRY_VERIFY(asked.isFinished() && open.isFinished());
        QVERIFY(open.result() && asked.result());
        QCOMPARE(team.holder.calls.size(), 2);
        team.holder.publish();
        const quint64 state = team.holder.snapshot.sequence;
        TRY_VERIFY(guest.seen->sequence >= state); // although the table of snapshots is empty after a crash
        QVERIFY(guest.seen->engineText.contains(u"4711"));
    }

    void nothingWaitsForAFrozenDatabase()
    {
        Team team;
        auto guest = std::make_unique<Guest>(team.store);
        const auto first = guest->client.ask(api::RefreshQueues{});
        TRY_VERIFY(first.isFinished());
        support::LeasedStore::server().freeze(true);
        const auto thaw = qScopeGuard([] { support::LeasedStore::server().freeze(false); });
        const auto asked = guest->client.ask(api::PauseAll{true});
        guest->client.limitSilence(core::Milliseconds(500), core::Milliseconds(500));
        TRY_COMPARE(guest->lost, 1); // a command gives up, and this thread went on
        QVERIFY(guest->client.isSilent());
        guest.reset(); // and its thread may hang
        QVERIFY(asked.isFinished());
        Guest window(team.store);
        const auto later = window.client.ask(api::SetRate{{12}, 90});
        QVERIFY(!later.isFinished());
        support::LeasedStore::server().freeze(false);
        TRY_VERIFY(later.isFinished());
        QVERIFY(later.result());
    }
};

REDRIVE_TEST(TestSharedControl)
#include "tst_sharedcontrol.moc"
