// Pages of locked messages over a wire that does as it is told.
#include "backend/broker/lockedreceiver.h"
#include "backend/core/limits.h"
#include "backend/core/time/timers.h"
#include "tests/support/fakeclock.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QTest>

using broker::LockedReceiver;
using broker::Received;
using broker::ReceivedMessage;
using broker::ReceivedPage;
using broker::Settle;
using broker::Settled;
using core::ErrorKind;
using core::Result;
using core::Task;
using test::must;

namespace {

ReceivedMessage held(int n, const QByteArray &body = "body")
{
    ReceivedMessage one;
    one.nativeId = QString::number(n);
    one.settleToken = QStringLiteral("token %1").arg(n);
    one.envelope.body = body;
    one.enqueuedAt = core::fromMs(n);
    return one;
}

struct Scene
{
    support::FakeClock clock;
    QList<Received> answers; // one for each call; then it is empty
    QList<int> asked;
    QList<std::pair<Settle, qsizetype>> settled;
    std::optional<core::Error> trouble; // of the next call
    std::function<void()> meanwhile; // while a call is under way
    bool ordered = false;
    bool losesLocks = false;
    std::function<Task<Result<QList<Settled>>>(QList<ReceivedMessage>)> removes; // instead of at once
    QList<QStringList> kept; // native ids, in the parts in which they came
    QList<QStringList> leftAt; // what was not removed yet at that moment
    std::optional<core::Error> keepError;
    LockedReceiver pages{clock, {10, 4, 10, 8}, wire()};

    LockedReceiver::Wire wire()
    {
        LockedReceiver::Wire made;
        made.receive = [this](QString, int most, bool) -> Task<Result<Received>> {
            asked.append(most);
            if (meanwhile)
                meanwhile();
            if (trouble)
                co_return core::fail(*std::exchange(trouble, std::nullopt));
            Received received;
            received.empty = answers.isEmpty();
            if (!answers.isEmpty())
                received = answers.takeFirst();
            co_return received;
        };
        made.settle = [this](QString, QList<ReceivedMessage> some, Settle how) -> Task<Result<QList<Settled>>> {
            if (how == Settle::Remove && removes) {
                Result<QList<Settled>> answer = co_await removes(some);
                co_return answer;
            }
            settled.append({how, some.size()});
            QList<Settled> all(some.size());
            all.fill({losesLocks, false});
            co_return all;
        };
        made.lockTime = [](const QString &) { return core::Milliseconds{120000}; };
        made.before = [](const ReceivedMessage &a, const ReceivedMessage &b) { return a.enqueuedAt < b.enqueuedAt; };
        made.keepsOrder = [this](const QString &) { return ordered; };
        return made;
    }
    void give(int from, int to, const QByteArray &body = "body")
    {
        Received received;
        for (int n = from; n < to; ++n)
            received.messages.append(held(n, body));
        answers.append(received);
    }
    broker::TakeRequest request(int limit = 100, qint64 bytes = 0) const
    {
        return {QStringLiteral("q"), {}, limit, bytes};
    }
    broker::Keep keep()
    {
        return [this](const QList<ReceivedMessage> &some, const QStringList &left) -> Result<> {
            if (keepError)
                return core::fail(*keepError);
            QStringList ids;
            for (const ReceivedMessage &one : some)
                ids.append(one.nativeId);
            kept.append(ids);
            leftAt.append(left);
            return {};
        };
    }
    Result<broker::Passage> takeInto(int limit = 100) { return QCoro::waitFor(pages.takeInto(request(limit), keep())); }
    qsizetype keptInAll() const
    {
        qsizetype count = 0;
        for (const QStringList &part : kept)
            count += part.size();
        return count;
    }
    ReceivedPage take(int limit = 100, qint64 bytes = 0)
    {
        return must(QCoro::waitFor(pages.take(request(limit, bytes))));
    }
};

} // namespace

class TestLockedReceiver final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatCallsBringIsOnePageInOrder()
    {
        Scene scene;
        scene.give(10, 20);
        scene.give(0, 10);
        const ReceivedPage page = scene.take();
        QCOMPARE(page.messages.size(), 20);
        QCOMPARE(page.messages.constFirst().nativeId, QStringLiteral("0"));
        QVERIFY(!page.more && !page.trouble);
        QCOMPARE(page.lockedUntil, std::optional(scene.clock.boot() + core::Milliseconds{120000}));
    }

    // What is of no use costs neither its neighbours nor what lies behind it.
    void allThatCanBeSettledIsKept()
    {
        Scene scene;
        scene.give(1, 10);
        scene.answers.last().unusable = core::Error{ErrorKind::Corrupt, QStringLiteral("No receipt."), {}, {}};
        scene.give(10, 20);
        const ReceivedPage page = scene.take();
        QCOMPARE(page.messages.size(), 19);
        QVERIFY(page.trouble && page.trouble->kind == ErrorKind::Corrupt);
        QVERIFY(!page.more);
        scene.answers = {Received{}};
        scene.answers.last().unusable = page.trouble;
        const Result<ReceivedPage> nothing = QCoro::waitFor(scene.pages.take(scene.request()));
        QVERIFY(!nothing && nothing.error().kind == ErrorKind::Corrupt);
    }

    void moreThanWasAskedForIsKept()
    {
        Scene scene;
        scene.give(0, 15);
        QCOMPARE(scene.take(5).messages.size(), 15);
        QCOMPARE(scene.asked, QList<int>{5});
    }

    void ofAMessageThatIsGivenTwiceTheNewestTokenCounts()
    {
        Scene scene;
        scene.give(0, 3);
        scene.give(2, 5);
        scene.answers[1].messages[0].settleToken = QStringLiteral("newer");
        const ReceivedPage page = scene.take();
        QCOMPARE(page.messages.size(), 5);
        QCOMPARE(page.messages.at(2).settleToken, QStringLiteral("newer"));
    }

    void aCallThatFailsBesideOthersLeavesTheQueueUnknown()
    {
        Scene scene;
        scene.give(0, 3);
        scene.trouble = core::Error{ErrorKind::UnknownOutcome, QStringLiteral("No answer."), {}, {}};
        const Result<ReceivedPage> failed = QCoro::waitFor(scene.pages.take(scene.request()));
        QVERIFY(!failed || failed->trouble);
        scene.answers.clear();
        scene.give(0, 10);
        scene.give(10, 12);
        scene.answers.last().unusable = core::Error{ErrorKind::Corrupt, QStringLiteral("No receipt."), {}, {}};
        const ReceivedPage page = scene.take(12);
        QVERIFY(page.more); // the limit was reached before it was seen empty
    }

    // Calls that are under way at once fail each in its own way.
    void whatMayHaveTakenMessagesIsTold_data()
    {
        QTest::addColumn<QList<ErrorKind>>("kinds");
        QTest::newRow("first") << QList<ErrorKind>{ErrorKind::UnknownOutcome, ErrorKind::Throttled};
        QTest::newRow("last") << QList<ErrorKind>{ErrorKind::Throttled, ErrorKind::Corrupt, ErrorKind::UnknownOutcome};
    }

    void whatMayHaveTakenMessagesIsTold()
    {
        QFETCH(const QList<ErrorKind>, kinds);
        Scene scene;
        core::Timers timers(scene.clock);
        int calls = 0;
        LockedReceiver::Wire wire = scene.wire();
        wire.receive = [&](QString, int, bool) -> Task<Result<Received>> {
            const int call = calls++;
            const core::Pending<Result<>> sleep = timers.sleep(core::Milliseconds{1000});
            static_cast<void>(co_await sleep);
            if (call < kinds.size())
                co_return core::fail(kinds.at(call), QStringLiteral("No messages."));
            Received received;
            received.messages.append(held(call));
            co_return received;
        };
        LockedReceiver pages(scene.clock, {10, 4, 10, 8}, wire);
        const Task<Result<ReceivedPage>> taking = pages.take(scene.request());
        scene.clock.advance(core::Milliseconds{1000});
        QVERIFY(taking.isReady());
        const ReceivedPage page = must(QCoro::waitFor(taking));
        QCOMPARE(page.messages.size(), 4 - kinds.size());
        QVERIFY(page.trouble && page.trouble->kind == ErrorKind::UnknownOutcome);
    }

    void aPageIsBoundedByBytesAndTime()
    {
        Scene scene;
        for (int n = 0; n < 10; ++n)
            scene.give(n * 10, n * 10 + 10, QByteArray(1000, 'x'));
        const ReceivedPage page = scene.take(1000, 15000);
        QVERIFY(page.messages.size() >= 20 && page.messages.size() <= 50); // with what was asked for already
        QVERIFY(page.more);
    }

    // Half of the time of a lock is for taking. It goes on while this machine sleeps, and the wall clock has no say in it.
    void takingEndsAtHalfTheTimeOfALock_data()
    {
        QTest::addColumn<core::Milliseconds>("clockSet");
        QTest::addColumn<core::Milliseconds>("sleeps");
        QTest::addColumn<qsizetype>("taken");
        constexpr core::Milliseconds hour = std::chrono::hours(1);
        QTest::newRow("as it is") << core::Milliseconds{0} << core::Milliseconds{0} << qsizetype{60};
        QTest::newRow("the clock is set back") << -hour << core::Milliseconds{0} << qsizetype{60};
        QTest::newRow("the clock is set forward") << hour << core::Milliseconds{0} << qsizetype{60};
        QTest::newRow("the machine sleeps") << core::Milliseconds{0} << core::Milliseconds{20000} << qsizetype{20};
    }

    void takingEndsAtHalfTheTimeOfALock()
    {
        QFETCH(const core::Milliseconds, clockSet);
        QFETCH(const core::Milliseconds, sleeps);
        QFETCH(const qsizetype, taken);
        Scene scene;
        scene.ordered = true; // one call at a time
        for (int n = 0; n < 10; ++n)
            scene.give(n * 10, n * 10 + 10);
        scene.meanwhile = [&] {
            scene.clock.pass(core::Milliseconds{10000});
            scene.clock.suspend(sleeps);
            scene.clock.jump(clockSet);
        };
        QCOMPARE(scene.take().messages.size(), taken);
    }

    void anOrderIsNotKnownToEnd()
    {
        Scene scene;
        scene.ordered = true;
        scene.give(10, 20);
        scene.give(0, 10);
        const ReceivedPage page = scene.take();
        QCOMPARE(page.messages.constFirst().nativeId, QStringLiteral("10")); // as received
        QVERIFY(page.more);
        QVERIFY(!scene.take().more);
    }

    void lostLocksAreTold()
    {
        Scene scene;
        scene.give(0, 10);
        scene.give(10, 15);
        const ReceivedPage page = scene.take();
        scene.losesLocks = true;
        const Result<> late = QCoro::waitFor(scene.pages.release(scene.request(), page));
        QCOMPARE(scene.settled, (QList<std::pair<Settle, qsizetype>>{{Settle::Remove, 10}, {Settle::Remove, 5}}));
        QVERIFY(!late && late.error().kind == ErrorKind::NotFound);
        QVERIFY(late.error().message.contains(QLatin1String("messages in q ")));
        QVERIFY(late.error().message.contains(QLatin1String(": 15.")));
    }

    // ---- takeInto

    // One call gets no answer for a long time. The locks of the others do not wait for it.
    void aSlowCallDelaysNoOther()
    {
        Scene scene;
        core::Timers timers(scene.clock);
        int calls = 0;
        LockedReceiver::Wire wire = scene.wire();
        wire.receive = [&](QString, int, bool) -> Task<Result<Received>> {
            const int call = calls++;
            Received received;
            if (call == 0) {
                const core::Pending<Result<>> sleep = timers.sleep(core::Milliseconds{5000});
                static_cast<void>(co_await sleep);
            }
            received.empty = call > 3;
            if (call <= 3)
                received.messages.append(held(9 - call));
            co_return received;
        };
        LockedReceiver pages(scene.clock, {10, 4, 10, 8}, wire);
        const Task<Result<broker::Passage>> passing = pages.takeInto(scene.request(), scene.keep());
        scene.clock.advance(core::Milliseconds{1000});
        QVERIFY(!passing.isReady());
        QCOMPARE(scene.kept, (QList<QStringList>{{QStringLiteral("6"), QStringLiteral("7"), QStringLiteral("8")}}));
        QCOMPARE(scene.settled, (QList<std::pair<Settle, qsizetype>>{{Settle::Remove, 3}}));
        scene.clock.advance(core::Milliseconds{4000});
        QVERIFY(passing.isReady());
        const broker::Passage end = must(QCoro::waitFor(passing));
        QCOMPARE(end.removed, 4);
        QVERIFY(end.left.isEmpty() && !end.more && !end.hidden);
    }

    void failedCallsEndNothing()
    {
        Scene scene;
        for (int n = 0; n < 10; ++n)
            scene.give(n, n + 1);
        int calls = 0;
        scene.meanwhile = [&] {
            if (++calls % 2 == 0)
                scene.trouble = core::Error{ErrorKind::UnknownOutcome, QStringLiteral("No answer."), {}, {}};
        };
        const broker::Passage end = must(scene.takeInto());
        QCOMPARE(scene.keptInAll(), 10);
        QCOMPARE(end.removed, 10);
        QVERIFY(end.hidden && end.hidden->kind == ErrorKind::UnknownOutcome);
    }

    void tooManyFailuresInARowDo_data()
    {
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<int>("most");
        QTest::newRow("may pass") << ErrorKind::Transient << 8;
        QTest::newRow("the next call would get the same") << ErrorKind::Unauthorized << 1;
    }

    void tooManyFailuresInARowDo()
    {
        QFETCH(const ErrorKind, kind);
        QFETCH(const int, most);
        Scene scene;
        scene.ordered = true; // one call at a time
        scene.give(0, 3);
        int calls = 0;
        scene.meanwhile = [&] {
            if (++calls > 1)
                scene.trouble = core::Error{kind, QStringLiteral("Not now."), {}, {}};
        };
        const Result<broker::Passage> end = scene.takeInto();
        QVERIFY(!end && end.error().kind == kind);
        QCOMPARE(calls, 1 + most);
        QCOMPARE(scene.keptInAll(), 3); // and stays
        QCOMPARE(scene.settled.size(), 1);
    }

    void whatTheStoreRefusesIsNotRemoved()
    {
        Scene scene;
        scene.give(0, 10);
        scene.keepError = core::Error{ErrorKind::StoreFailed, QStringLiteral("Full."), {}, {}};
        const Result<broker::Passage> end = scene.takeInto();
        QVERIFY(!end && end.error().kind == ErrorKind::StoreFailed);
        QVERIFY(scene.settled.isEmpty());
    }

    // One removal that fails, and one of a lock that has ended, end nothing: what is left is told.
    void whatIsNotRemovedIsLeft()
    {
        Scene scene;
        for (int n = 0; n < 30; n += 10)
            scene.give(n, n + 10);
        int calls = 0;
        scene.removes = [&](QList<ReceivedMessage> some) -> Task<Result<QList<Settled>>> {
            if (++calls == 1)
                co_return core::fail(ErrorKind::Transient, QStringLiteral("Not now."));
            QList<Settled> all(some.size());
            all[0].lost = calls == 2;
            co_return all;
        };
        const broker::Passage end = must(scene.takeInto());
        QCOMPARE(end.removed, 19);
        QCOMPARE(end.left.size(), 11);
    }

    // A message comes once more while it is still to be removed, and only the second lock can remove it.
    void whatComesTwiceIsRemovedOnce()
    {
        Scene scene;
        scene.ordered = true;
        scene.give(0, 100);
        scene.give(0, 100);
        int calls = 0;
        scene.removes = [&](QList<ReceivedMessage> some) -> Task<Result<QList<Settled>>> {
            QList<Settled> all(some.size());
            for (Settled &one : all)
                one.lost = calls < 10;
            ++calls;
            co_return all;
        };
        const broker::Passage end = must(scene.takeInto(1000));
        QCOMPARE(scene.kept.size(), 2);
        QCOMPARE(scene.leftAt.at(1).size(), 100);
        QCOMPARE(end.removed, 100);
        QVERIFY(end.left.isEmpty());
    }

    // The lock of a message that waits for its removal runs, so no more are received than can be removed.
    void receivingWaitsForRemoving()
    {
        Scene scene;
        core::Timers timers(scene.clock);
        for (int n = 0; n < 1000; n += 10)
            scene.give(n, n + 10);
        scene.removes = [&](QList<ReceivedMessage> some) -> Task<Result<QList<Settled>>> {
            const core::Pending<Result<>> sleep = timers.sleep(core::Milliseconds{1000});
            static_cast<void>(co_await sleep);
            co_return QList<Settled>(some.size());
        };
        const Task<Result<broker::Passage>> passing = scene.pages.takeInto(scene.request(1000), scene.keep());
        QVERIFY(scene.keptInAll() < 500);
        scene.clock.advance(core::Milliseconds{60000});
        QVERIFY(passing.isReady());
        QCOMPARE(must(QCoro::waitFor(passing)).removed, 1000);
    }

    void browsingIsBoundedAndPutsBackWhatItTook()
    {
        Scene scene;
        const QByteArray large(8 * 1024 * 1024, 'x');
        for (int n = 0; n < 20; ++n)
            scene.give(n, n + 1, large);
        const ReceivedPage page = must(QCoro::waitFor(scene.pages.browseByTaking(QStringLiteral("q"), 1000)));
        QVERIFY(page.messages.size() < 10);
        QVERIFY(page.more);
        QVERIFY(page.messages.constFirst().settleToken.isEmpty() && !page.lockedUntil);
        qsizetype back = 0;
        for (const auto &[how, count] : scene.settled)
            back += how == Settle::PutBack ? count : 0;
        QCOMPARE(back, page.messages.size());
    }
};

REDRIVE_TEST(TestLockedReceiver)
#include "tst_lockedreceiver.moc"
