// The control tables of a shared store on a real PostgreSQL: what a lost commit, a dead holder and a late repetition do.
#include "backend/store/shared/controltables.h"
#include "tests/support/must.h"
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using test::must;

namespace {

const QString asker = QStringLiteral("00000000-0000-0000-0000-00000000000a");
const QString first = QStringLiteral("00000000-0000-0000-0000-000000000001"); // a run of a holder
const QString second = QStringLiteral("00000000-0000-0000-0000-000000000002");
const QByteArray gone = QByteArrayLiteral("gone");
const QByteArray stale = QByteArrayLiteral("stale");
constexpr int many = 100;

struct Shared
{
    Shared() { store.hold(1); }
    [[nodiscard]] bool ask(qint64 number)
    {
        const core::TimePoint soon = must(there->holder()).now + std::chrono::minutes(1);
        return must(there->ask(asker, number, QStringLiteral("alice"), 7, QByteArray("question"), soon));
    }
    [[nodiscard]] QList<qint64> take(const QString &run, qint64 fence = 1, const QList<qint64> &known = {})
    {
        QList<qint64> ids;
        for (const store::SharedRequest &one : must(there->take(fence, run, known, many, stale)))
            ids.append(one.id);
        return ids;
    }

    support::LeasedStore store;
    std::unique_ptr<store::ControlTables> there = store.tables();
};

} // namespace

class TestControlTables final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!support::PostgresServer::isInstalled())
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
    }

    void aRequestCarriesWhatWasAsked()
    {
        Shared shared;
        QVERIFY(shared.ask(1));
        const QList<store::SharedRequest> taken = must(shared.there->take(1, first, {}, many, stale));
        QCOMPARE(taken.size(), 1);
        QCOMPARE(taken.first().role, shared.there->role());
        QCOMPARE(taken.first().who, QStringLiteral("alice"));
        QCOMPARE(taken.first().protocol, 7);
        QCOMPARE(taken.first().bytes, 8);
        QCOMPARE(must(shared.there->payload(taken.first().id)), QByteArray("question"));
        must(shared.there->giveAnswer(taken.first().id, first, QByteArray("answer")));
        QCOMPARE(must(shared.there->requests(asker)), (QMap<qint64, bool>{{1, true}}));
        QCOMPARE(must(shared.there->answer(asker, 1)), QByteArray("answer"));
        QCOMPARE(must(shared.there->payload(taken.first().id)), QByteArray()); // may be long: not kept
        must(shared.there->forget(asker, {1}));
        QVERIFY(must(shared.there->requests(asker)).isEmpty());
    }

    // A commit without an answer: nobody knows whether it took place.
    void aRepeatedQuestionIsOneRequest()
    {
        Shared shared;
        QVERIFY(shared.ask(1));
        QVERIFY(shared.ask(1));
        QCOMPARE(shared.store.count(QStringLiteral("request")), 1);
        const core::TimePoint now = must(shared.there->holder()).now;
        QVERIFY(must(shared.there->ask(asker, 1, {}, 7, {}, now - std::chrono::minutes(1)))); // it is there
        QVERIFY(!must(shared.there->ask(asker, 2, {}, 7, {}, now - std::chrono::minutes(1)))); // too late
        QCOMPARE(shared.store.count(QStringLiteral("request")), 1);
    }

    void whatWasTakenWithoutAWordComesAgain()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2));
        const QList<qint64> taken = shared.take(first);
        QCOMPARE(taken.size(), 2);
        QCOMPARE(shared.take(first), taken);
        QCOMPARE(shared.take(first, 1, taken.mid(0, 1)), taken.mid(1));
        QVERIFY(shared.take(second).isEmpty()); // of another run nothing
        QVERIFY(shared.ask(3));
        QCOMPARE(shared.take(first, 1, taken).size(), 1);
    }

    void aHolderWithoutTheLeaseTakesNothing()
    {
        Shared shared;
        QVERIFY(shared.ask(1));
        shared.store.hold(2);
        QVERIFY(shared.there->take(1, first, {}, many, stale).error().kind == ErrorKind::StoreFailed);
        QVERIFY(shared.there->greet(1, first, {7, false, {}}, gone).error().kind == ErrorKind::StoreFailed);
        must(shared.there->publish(1, {5, QByteArray("old")}));
        QVERIFY(!must(shared.there->snapshot(1)));
        QCOMPARE(shared.store.count(QStringLiteral("request WHERE taken_fence IS NULL")), 1);
        QCOMPARE(shared.take(second, 2).size(), 1);
    }

    void theNextHolderAnswersWhatTheDeadOneTook()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2));
        const QList<qint64> taken = shared.take(first);
        must(shared.there->giveAnswer(taken.at(1), first, QByteArray("done")));
        QVERIFY(shared.ask(3));
        must(shared.there->greet(1, second, {7, false, {}}, gone)); // another run, although with the same fence
        QCOMPARE(must(shared.there->answer(asker, 1)), gone);
        QCOMPARE(must(shared.there->answer(asker, 2)), QByteArray("done"));
        must(shared.there->giveAnswer(taken.at(0), first, QByteArray("late"))); // the dead one was only frozen
        QCOMPARE(must(shared.there->answer(asker, 1)), gone);
        QCOMPARE(shared.take(second).size(), 1);
    }

    void whatIsTakenCannotBeWithdrawn()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2));
        const QList<qint64> taken = shared.take(first);
        must(shared.there->giveAnswer(taken.at(0), first, QByteArray("done")));
        QVERIFY(shared.ask(3));
        const store::Withdrawn withdrawn = must(shared.there->withdraw(asker));
        QCOMPARE(withdrawn.unheard, QList<qint64>{3});
        QCOMPARE(withdrawn.taken, QList<qint64>{2});
        QVERIFY(shared.take(first, 1, taken).isEmpty());
    }

    // Its first try was lost on the way, and may still arrive.
    void whatWasTriedAgainIsNotWithdrawn()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2));
        const store::Withdrawn withdrawn = must(shared.there->withdraw(asker, {2}));
        QCOMPARE(withdrawn.unheard, QList<qint64>{1});
        QCOMPARE(withdrawn.taken, QList<qint64>{2}); // nobody knows
        QVERIFY(shared.ask(2)); // it arrives, and finds itself
        QCOMPARE(shared.store.count(QStringLiteral("request")), 1);
    }

    void aRequestOfAnAskerThatHasGoneIsNotTaken()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2));
        shared.store.sql(QStringLiteral("UPDATE request SET asked_at = clock_timestamp() - interval '2 minutes'"));
        must(shared.there->stayPresent(asker, false));
        QCOMPARE(shared.take(first).size(), 2);
        QVERIFY(shared.ask(3));
        shared.store.sql(QStringLiteral("UPDATE request SET asked_at = clock_timestamp() - interval '2 minutes'"));
        shared.store.sql(QStringLiteral("UPDATE listener SET seen_at = clock_timestamp() - interval '2 minutes'"));
        QCOMPARE(shared.take(first).size(), 2); // the same
        QCOMPARE(must(shared.there->answer(asker, 3)), stale);
    }

    void whoIsThereIsKnown()
    {
        Shared shared;
        const auto there = [&] { return must(shared.there->presence()); };
        QVERIFY(!there().askers && !there().listeners);
        must(shared.there->stayPresent(asker, false));
        QVERIFY(there().askers && !there().listeners);
        must(shared.there->stayPresent(asker, true));
        QVERIFY(there().listeners);
        for (const char *const when : {"- interval '11 seconds'", "+ interval '1 hour'"}) {
            shared.store.sql(QStringLiteral("UPDATE listener SET seen_at = clock_timestamp() ")
                             + QString::fromLatin1(when));
            QVERIFY2(!there().listeners && !there().askers, when);
        }
        must(shared.there->stayPresent(asker, true));
        must(shared.there->leave(asker));
        QVERIFY(!there().askers);
    }

    void aSnapshotIsThatOfTheHolder()
    {
        Shared shared;
        must(shared.there->greet(1, first, {7, true, QByteArray("key")}, gone));
        must(shared.there->publish(1, {5, QByteArray("state")}));
        const store::HolderState state = must(shared.there->holder());
        QVERIFY(state.isAlive && state.passing);
        QCOMPARE(state.protocol, std::optional<qint64>(7));
        QCOMPARE(state.key, QByteArray("key"));
        QCOMPARE(state.snapshot, std::optional<qint64>(5));
        QCOMPARE(must(shared.there->snapshot(1))->payload, QByteArray("state"));
        shared.store.hold(2);
        const store::HolderState next = must(shared.there->holder());
        QVERIFY(!next.protocol && !next.snapshot); // it has not greeted yet
        must(shared.there->greet(2, second, {7, false, {}}, gone));
        QCOMPARE(shared.store.count(QStringLiteral("holder_snapshot")), 0);
    }

    void whatIsOldIsRemoved()
    {
        Shared shared;
        QVERIFY(shared.ask(1) && shared.ask(2) && shared.ask(3));
        const QList<qint64> taken = shared.take(first);
        must(shared.there->giveAnswer(taken.at(0), first, QByteArray("done")));
        must(shared.there->giveAnswer(taken.at(1), first, QByteArray("done")));
        shared.store.sql(
            QStringLiteral("UPDATE request SET answered_at = answered_at - interval '61 minutes' WHERE number = 1"));
        shared.store.sql(QStringLiteral("UPDATE request SET asked_at = asked_at - interval '1 week'"));
        must(shared.there->removeOld());
        QCOMPARE(must(shared.there->requests(asker)), (QMap<qint64, bool>{{2, true}, {3, false}}));
    }

    void aConnectionThatIsGivenUpAnswersNothing()
    {
        Shared shared;
        shared.there->abandon();
        QVERIFY(shared.there->holder().error().kind == ErrorKind::Transient);
        QVERIFY(shared.there->holder().error().kind == ErrorKind::Transient);
        QCOMPARE(must(shared.store.tables()->holder()).fence, 1);
    }
};

REDRIVE_TEST(TestControlTables)
#include "tst_controltables.moc"
