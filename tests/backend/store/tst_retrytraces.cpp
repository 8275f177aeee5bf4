// What retries leave in the store for people to read: trails, the newest operation of a group, what came back from one; and
// that a removed connection takes all of it along.
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/records/activitywords.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/query/queries.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "tests/support/retrysteps.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/store/storerecount.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;
using core::MessageId;
using core::OperationId;
using core::Result;
using records::ClaimClosing;
using records::MessageStatus;
using records::Outcome;
using records::SendEnd;
using test::must;

class TestRetryTraces final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theTrailNamesEveryRetryItsEndAndWhen();
    void aSendHasTheTimeOfItsBatch();
    void whatAPersonDecidedIsInTheTrail();
    void theTrailSaysThatItWasEdited();
    void whatWasBrowsedOnlyWasNotTaken();
    void theTrailSaysHowARetryEnded_data();
    void theTrailSaysHowARetryEnded();
    void whatEndedAClaimIsInTheTrail_data();
    void whatEndedAClaimIsInTheTrail();
    void aDoubtEndsWithWhatAPersonSays();
    void anAcknowledgementDoesNotTakeThePlaceOfAPerson();
    void whatIsAcknowledgedOnItsWayIsNoDoubt();
    void whatWasResolvedByHandAndComesBackCounts();
    void aGroupNamesItsNewestOperation();
    void whatCameBackFromAnOperationIsFound();
    void anOperationTellsWhereItSentAndWhatCameBackWhy();
    void anOperationListsItsOwnActivity();
    void anOperationThatIsNotThereIsSaid();
    void aConnectionInUseIsNotRemoved();
    void aRemovedConnectionTakesItsRetriesAlong();

private:
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](store::Session &session) -> Result<> {
            work(session);
            return {};
        }));
    }
    [[nodiscard]] core::ConnectionId add(const char *name, int from, int to);
    void failAgain(MessageId id, OperationId operation, int attempt, std::optional<int> as = {});
    [[nodiscard]] QStringList trailOf(MessageId id);

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::SeededRandom m_random{9};
    core::ConnectionId m_one;
};

void TestRetryTraces::init()
{
    m_queries.reset();
    m_store.reset();
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store = m_place.open(m_random, support::StorePlace::On::Disk);
    m_one = add("one", 0, 10);
    m_queries = m_place.queries();
}

core::ConnectionId TestRetryTraces::add(const char *name, int from, int to)
{
    core::ConnectionId id;
    write([&](store::Session &session) {
        id = must(session.connections().add(test::sampleConnection(QString::fromLatin1(name))));
        for (int n = from; n < to; ++n)
            (void)must(session.messages().insert(test::sampleMessage(id, n)));
    });
    return id;
}

// As intake does with a message of ours; `as`: with the failure of another one.
void TestRetryTraces::failAgain(MessageId id, OperationId operation, int attempt, std::optional<int> as)
{
    write([&](store::Session &session) {
        const records::FailedMessage before = must(session.messages().load(id));
        const bool current = must(session.claims().cameBack(before.uniqueId, operation, attempt)).current;
        store::NewMessage again = test::sampleMessage(m_one, as.value_or(static_cast<int>(id.value) - 1));
        again.takenAt = core::fromMs(1'800'000'100'000);
        must(session.messages().failedAgain(id, again, current));
    });
}

QStringList TestRetryTraces::trailOf(MessageId id)
{
    QStringList lines;
    for (const records::TrailEntry &entry : must(m_queries->ask(api::MessageDetailQuery{id})).trail)
        lines.append(QString::number(core::toMs(entry.at) / 1000) + QStringLiteral(" ") + entry.what
                     + (entry.who.isEmpty() ? QString() : QStringLiteral(" by ") + entry.who));
    return lines;
}

void TestRetryTraces::theTrailNamesEveryRetryItsEndAndWhen()
{
    OperationId first;
    OperationId second;
    write([&](store::Session &session) { first = test::retrySent(session, m_one, {{1}, {2}}); });
    failAgain({1}, first, 1);
    write([&](store::Session &session) { second = test::retryUnderWay(session, m_one, {{1}}); });
    QCOMPARE(trailOf({1}), QStringList({
                               QStringLiteral("1790000000 Failed, taken from error/%2F und ü"),
                               QStringLiteral("1800000000 Retry operation 1, batch 1, to orders.0 by somebody"),
                               QStringLiteral("1800000000 Retry operation 2, batch 1, to orders.0: Staged by somebody"),
                               QStringLiteral("1800000030 Retry operation 1 sent it to orders.0"),
                               QStringLiteral("1800000100 Failed, taken from error/%2F und ü; it came back from "
                                              "operation 1"),
                           }));
    QCOMPARE(trailOf({2}).last(), QStringLiteral("1800000030 Retry operation 1 sent it to orders.1"));
}

// The operation goes on for hours after this batch, and the message is back long before its end.
void TestRetryTraces::aSendHasTheTimeOfItsBatch()
{
    write([&](store::Session &session) {
        const OperationId id = test::retryUnderWay(session, m_one, {{1}, {2}});
        const core::BatchId batch = must(session.retryBatches().ofOperation(id)).constFirst().id;
        must(session.evidence().sendingFrom(batch, core::fromMs(1'800'000'040'000)));
        must(session.forwarding().finishForwarding(batch, {}));
        must(session.evidence().sentUntil(batch, core::fromMs(1'800'000'150'000)));
    });
    failAgain({1}, {1}, 1);
    const QStringList trail = trailOf({1});
    QCOMPARE(trail.size(), 4);
    QCOMPARE(trail.at(2), QStringLiteral("1800000040 Retry operation 1 sent it to orders.0"));
    QVERIFY(trail.at(3).endsWith(QStringLiteral("it came back from operation 1")));
    QCOMPARE(trailOf({2}).last(), QStringLiteral("1800000150 Retry operation 1 sent it to orders.1"));
}

void TestRetryTraces::whatAPersonDecidedIsInTheTrail()
{
    write([&](store::Session &session) {
        const store::Decided ada{core::fromMs(1'800'000'200'000), QStringLiteral("ada")};
        const store::Decided bob{core::fromMs(1'800'000'300'000), QStringLiteral("bob")};
        store::MessageStore &messages = session.messages();
        QCOMPARE(must(messages.decide({{1}}, {MessageStatus::Unresolved}, MessageStatus::Archived, ada)), 1);
        QCOMPARE(must(messages.decide({{1}, {2}}, {MessageStatus::Archived}, MessageStatus::Unresolved, bob)), 1);
    });
    QCOMPARE(trailOf({1}).mid(1), QStringList({QStringLiteral("1800000200 Archived by ada"),
                                               QStringLiteral("1800000300 Restored: unresolved again by bob")}));
    QCOMPARE(trailOf({2}).size(), 1); // it was not archived
}

void TestRetryTraces::theTrailSaysThatItWasEdited()
{
    write([&](store::Session &session) {
        test::retrySent(session, m_one, {{1}});
        test::retrySent(session, m_one, {{2}}, records::OperationKind::Retry,
                        {{{records::EditStep::Do::RemoveHeader, QStringLiteral("x-old")}}});
    });
    QCOMPARE(trailOf({1}).last(), QStringLiteral("1800000030 Retry operation 1 sent it to orders.0"));
    QCOMPARE(trailOf({2}).last(), QStringLiteral("1800000030 Retry operation 2 sent it edited to orders.1"));
}

void TestRetryTraces::whatWasBrowsedOnlyWasNotTaken()
{
    MessageId id;
    write([&](store::Session &session) {
        store::NewMessage seen = test::sampleMessage(m_one, 77);
        seen.message.flags = records::MessageFlag::BrowsedOnly;
        id = must(session.messages().insert(seen));
    });
    QCOMPARE(trailOf(id).size(), 1);
    QVERIFY2(trailOf(id).first().contains(QStringLiteral("Failed, browsed in ")), qPrintable(trailOf(id).first()));
}

void TestRetryTraces::theTrailSaysHowARetryEnded_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QString>("line");
    QTest::newRow("refused") << Outcome::Ejected << QStringLiteral("could not send it to orders.0; too large");
    QTest::newRow("in doubt") << Outcome::InDoubt
                              << QStringLiteral("left it in doubt: orders.0 may or may not have it; too large");
}

void TestRetryTraces::theTrailSaysHowARetryEnded()
{
    QFETCH(const Outcome, outcome);
    QFETCH(const QString, line);
    write([&](store::Session &session) {
        const OperationId id = test::retryUnderWay(session, m_one, {{1}}, records::OperationKind::Retry);
        const SendEnd end = outcome == Outcome::Ejected ? SendEnd::Ejected : SendEnd::Unanswered;
        must(session.forwarding().finishForwarding(must(session.retryBatches().ofOperation(id)).constFirst().id,
                                                   {{1, end, QStringLiteral("too large")}}));
        test::complete(session, id);
    });
    QCOMPARE(trailOf({1}).last(), QStringLiteral("1800000030 Retry operation 1 ") + line);
}

void TestRetryTraces::whatEndedAClaimIsInTheTrail_data()
{
    QTest::addColumn<int>("closing");
    QTest::addColumn<MessageStatus>("status");
    QTest::addColumn<bool>("doubled");
    QTest::addColumn<QString>("last");
    QTest::newRow("by hand") << int(ClaimClosing::ResolvedByHand) << MessageStatus::Resolved << false
                             << "1800000200 Marked as resolved by hand by ada";
    QTest::newRow("taken back") << int(ClaimClosing::TakenBack) << MessageStatus::Unresolved << true
                                << "1800000200 Taken back: unresolved again; the next retry may send it twice by ada";
}

void TestRetryTraces::whatEndedAClaimIsInTheTrail()
{
    QFETCH(const int, closing);
    QFETCH(const MessageStatus, status);
    QFETCH(const bool, doubled);
    QFETCH(const QString, last);
    const core::TimePoint at = core::fromMs(1'800'000'200'000);
    write([&](store::Session &session) {
        const OperationId id = test::retrySent(session, m_one, {{1}, {2}});
        const store::ClaimEnd claimEnd{ClaimClosing(closing), at, QStringLiteral("ada")};
        QCOMPARE(must(session.claims().close({{1}, {3}}, claimEnd)), 1); // 3 was never sent
        QCOMPARE(must(session.claims().close({{1}}, claimEnd)), 0);
        QVERIFY(must(session.messages().load({1})).status == status);
        QVERIFY(must(session.messages().load({2})).status == MessageStatus::RetryIssued);
        QVERIFY(must(session.messages().load({3})).status == MessageStatus::Unresolved);
        const records::OutcomeCounts counts = must(session.retryOperations().load(id)).counts;
        QCOMPARE(counts.sent, 2);
        QCOMPARE(counts.possibleDuplicates, doubled ? 1 : 0);
        QCOMPARE(counts, must(session.retryBatches().recount(id)));
    });
    QCOMPARE(trailOf({1}).last(), last);
}

// It ends there, once: nothing is left to be settled, and nothing is said to be sent again that is not.
void TestRetryTraces::aDoubtEndsWithWhatAPersonSays()
{
    write([&](store::Session &session) {
        const OperationId id = test::retryUnderWay(session, m_one, {{1}, {2}, {3}});
        QList<store::SendResult> ends;
        for (const qint64 ordinal : {1, 2, 3})
            ends.append({ordinal, SendEnd::Unanswered, QStringLiteral("no answer")});
        must(session.forwarding().finishForwarding(must(session.retryBatches().ofOperation(id)).constFirst().id, ends));
        QCOMPARE(must(session.claims().close({{1}}, {ClaimClosing::ResolvedByHand, {}, {}})), 1);
        QCOMPARE(must(session.claims().close({{2}}, {ClaimClosing::TakenBack, {}, {}})), 1);
        QCOMPARE(must(session.claims().close({{3}}, {ClaimClosing::FailedAgain, {}, {}})), 1);
        test::complete(session, id);
        const records::OutcomeCounts counts = must(session.retryOperations().load(id)).counts;
        QCOMPARE(counts.sent, 3);
        QCOMPARE(counts.inDoubt, 0);
        QCOMPARE(counts.possibleDuplicates, 2);
        QCOMPARE(must(session.retryOperations().inDoubtTotal()), 0);
        QVERIFY(must(session.retryBatches().members(id, Outcome::InDoubt, 0, 10)).isEmpty());
        QCOMPARE(counts, must(session.retryBatches().recount(id)));
        must(session.claims().sendAgain(id, {1, 2, 3}, QStringLiteral("session")));
        QCOMPARE(must(session.retryOperations().load(id)).counts, counts);
        for (const qint64 message : {2, 3})
            QVERIFY(must(session.messages().load({message})).status == MessageStatus::Unresolved);
    });
    const QStringList trail = trailOf({2});
    QVERIFY2(trail.contains(QStringLiteral(
                 "1800000030 Retry operation 1 may have sent it to orders.1; no answer; it may have been sent twice")),
             qPrintable(trail.join(QLatin1Char('\n'))));
}

// The first messages of a batch are handled while the broker forwards the others.
void TestRetryTraces::whatIsAcknowledgedOnItsWayIsNoDoubt()
{
    const core::TimePoint at = core::fromMs(1'800'000'200'000);
    write([&](store::Session &session) {
        const OperationId id = test::retryUnderWay(session, m_one, {{1}, {2}});
        const QString uniqueId = must(session.messages().load({1})).uniqueId;
        must(session.claims().acknowledged(uniqueId, at));
        QList<store::SendResult> ends;
        for (const qint64 ordinal : {1, 2})
            ends.append({ordinal, SendEnd::Unanswered, QStringLiteral("the broker was interrupted")});
        must(session.forwarding().finishForwarding(must(session.retryBatches().ofOperation(id)).constFirst().id, ends,
                                                   true));
        test::complete(session, id);
        const QList<store::RetryMember> members = must(session.retryBatches().members(id, {}, 0, 10));
        QVERIFY(members.at(0).outcome == Outcome::Sent);
        QVERIFY(members.at(0).possibleDuplicate); // the second copy may arrive yet
        QVERIFY(members.at(1).outcome == Outcome::InDoubt);
        QCOMPARE(must(session.retryOperations().load(id)).counts, must(session.retryBatches().recount(id)));
    });
    QVERIFY2(trailOf({1}).last().contains(QStringLiteral("Confirmed by the endpoint")),
             qPrintable(trailOf({1}).last()));
}

void TestRetryTraces::anAcknowledgementDoesNotTakeThePlaceOfAPerson()
{
    const core::TimePoint at = core::fromMs(1'800'000'200'000);
    write([&](store::Session &session) {
        (void)test::retrySent(session, m_one, {{1}});
        const QString uniqueId = must(session.messages().load({1})).uniqueId;
        QCOMPARE(must(session.claims().close({{1}}, {ClaimClosing::ResolvedByHand, at, QStringLiteral("ada")})), 1);
        must(session.claims().acknowledged(uniqueId, at + std::chrono::minutes(1)));
    });
    QCOMPARE(trailOf({1}).last(), QStringLiteral("1800000200 Marked as resolved by hand by ada"));
}

void TestRetryTraces::whatWasResolvedByHandAndComesBackCounts()
{
    OperationId id;
    write([&](store::Session &session) {
        id = test::retrySent(session, m_one, {{1}});
        QCOMPARE(must(session.claims().close({{1}}, {ClaimClosing::ResolvedByHand, {}, {}})), 1);
    });
    failAgain({1}, id, 1);
    failAgain({1}, id, 1); // a second copy of it is not one more message
    write([&](store::Session &session) {
        QCOMPARE(must(session.retryOperations().load(id)).counts.cameBack, 1);
        const records::FailedMessage back = must(session.messages().load({1}));
        QVERIFY(back.status == MessageStatus::Unresolved);
        QCOMPARE(back.cameBack, 1);
    });
}

void TestRetryTraces::aGroupNamesItsNewestOperation()
{
    const auto operationOf = [this](const QString &title, MessageStatus status) {
        api::GroupQuery query;
        query.classifier = records::Classifier::EndpointName;
        query.connection = m_one;
        query.status = status;
        for (const api::GroupRow &row : must(m_queries->ask(query)).rows) {
            if (row.title == title)
                return row.operation;
        }
        return OperationId{-1};
    };
    const QString group = test::sampleMessage(m_one, 0).titles.at(size_t(records::Classifier::EndpointName));
    const QString other = test::sampleMessage(m_one, 1).titles.at(size_t(records::Classifier::EndpointName));
    QVERIFY(operationOf(group, MessageStatus::Unresolved) == OperationId{});
    OperationId first;
    OperationId second;
    write([&](store::Session &session) { first = test::retrySent(session, m_one, {{1}, {4}, {7}, {10}}); });
    QVERIFY(operationOf(group, MessageStatus::RetryIssued) == first);
    QVERIFY(operationOf(other, MessageStatus::Unresolved) == OperationId{});
    failAgain({7}, first, 1, 1); // for another cause, which was never retried
    QVERIFY(operationOf(other, MessageStatus::Unresolved) == OperationId{});
    failAgain({10}, first, 1); // it lies here again: the newest that does
    QVERIFY(operationOf(group, MessageStatus::Unresolved) == first);
    write([&](store::Session &session) { second = test::retryUnderWay(session, m_one, {{10}}); });
    QVERIFY(operationOf(group, MessageStatus::RetryIssued) == second);
}

void TestRetryTraces::whatCameBackFromAnOperationIsFound()
{
    OperationId operation;
    write([&](store::Session &session) { operation = test::retrySent(session, m_one, {{1}, {2}, {3}}); });
    failAgain({2}, operation, 1);
    failAgain({3}, OperationId{operation.value + 1}, 1); // not the retry that its claim names
    api::MessageQuery query;
    query.filter.cameBackFrom = operation;
    const api::MessagePage page = must(m_queries->ask(query));
    QCOMPARE(page.total, 1);
    QCOMPARE(page.rows.size(), 1);
    QVERIFY(page.rows.constFirst().id == MessageId{2});
    query.filter.cameBackFrom = OperationId{operation.value + 1};
    QCOMPARE(must(m_queries->ask(query)).total, 0);
}

void TestRetryTraces::anOperationTellsWhereItSentAndWhatCameBackWhy()
{
    OperationId id;
    write([&](store::Session &session) {
        id = test::retryUnderWay(session, m_one, {{1}, {2}, {3}, {4}, {5}, {6}, {7}});
        must(session.forwarding().finishForwarding(must(session.retryBatches().ofOperation(id)).constFirst().id,
                                                   {{2, SendEnd::Ejected, QStringLiteral("full")},
                                                    {3, SendEnd::Ejected, QStringLiteral("full")},
                                                    {4, SendEnd::Unanswered, QStringLiteral("no answer")}}));
        test::complete(session, id);
    });
    failAgain({1}, id, 1);
    failAgain({7}, id, 1);
    failAgain({5}, id, 1, 0); // now for the cause of message 1

    const api::OperationDetail detail = must(m_queries->ask(api::OperationDetailQuery{id}));
    QCOMPARE(detail.operation.id, id);
    QCOMPARE(detail.connection, QStringLiteral("one"));
    QStringList destinations;
    records::OutcomeCounts sum;
    for (const api::DestinationShare &share : detail.destinations) {
        destinations.append(
            QStringLiteral("%1: %2 of %3").arg(share.destination).arg(share.counts.sent).arg(share.counts.sum()));
        sum.sent += share.counts.sent;
        sum.ejected += share.counts.ejected;
        sum.inDoubt += share.counts.inDoubt;
        sum.cameBack += share.counts.cameBack;
    }
    QCOMPARE(destinations, QStringList({QStringLiteral("orders.0: 2 of 3"), QStringLiteral("orders.1: 1 of 2"),
                                        QStringLiteral("orders.2: 1 of 2")}));
    QVERIFY(sum == detail.operation.counts);
    QStringList reasons;
    for (const api::ReasonShare &share : detail.reasons)
        reasons.append(QStringLiteral("%1 %2 %3").arg(records::toString(share.outcome), share.reason).arg(share.count));
    QCOMPARE(reasons, QStringList({QStringLiteral("Ejected full 2"), QStringLiteral("InDoubt no answer 1")}));
    QStringList returns;
    for (const api::ReturnShare &share : detail.returns)
        returns.append(QStringLiteral("%1 %2, new %3")
                           .arg(share.title.section(QLatin1Char('\n'), 0, 0))
                           .arg(share.count)
                           .arg(share.newCause));
    QCOMPARE(returns, QStringList({QStringLiteral("System.Exceptions.Number0Exception 2, new 1"),
                                   QStringLiteral("System.Exceptions.Number6Exception 1, new 0")}));

    // Sent again since: the cause that it has by then is not the doing of the first retry.
    write([&](store::Session &session) { (void)test::retrySent(session, m_one, {{5}}); });
    const api::OperationDetail later = must(m_queries->ask(api::OperationDetailQuery{id}));
    QCOMPARE(later.returns.first().newCause, 0);
}

// A report for a hand-over: what somebody archived meanwhile has nothing to do with the retry.
void TestRetryTraces::anOperationListsItsOwnActivity()
{
    OperationId id;
    write([&](store::Session &session) {
        id = test::retrySent(session, m_one, {{1}});
        const records::RetryOperation operation = must(session.retryOperations().load(id));
        const auto note = [&](const QString &what, const QString &onWhat) {
            records::Event event;
            event.at = operation.requested;
            event.what = what;
            event.onWhat = onWhat;
            must(session.events().append(event));
        };
        note(QStringLiteral("Archived"), QStringLiteral("Unresolved messages on one"));
        for (int i = 0; i < 1100; ++i) // more than one page of the log
            note(QStringLiteral("Muted"), QStringLiteral("group 3"));
        note(QStringLiteral("Retry requested"), records::operationTarget(id));
        note(QStringLiteral("In doubt: sent again"), records::operationTarget(id) + QStringLiteral(": 2 messages"));
        note(QStringLiteral("Paused"), records::operationTarget(OperationId{id.value * 10}));
        note(QStringLiteral("Connection lost"), QStringLiteral("one"));
        note(QStringLiteral("Connection lost"), QStringLiteral("another"));
        note(records::engineStarted(), QStringLiteral("/store"));
        note(records::everythingPaused(), QStringLiteral("3 operations"));
    });
    QStringList entries;
    for (const records::Event &event : must(m_queries->ask(api::OperationDetailQuery{id})).events)
        entries.append(event.what + u' ' + event.onWhat);
    const QString target = records::operationTarget(id);
    QCOMPARE(entries,
             (QStringList{QStringLiteral("Retry requested ") + target,
                          QStringLiteral("In doubt: sent again ") + target + QStringLiteral(": 2 messages"),
                          QStringLiteral("Connection lost one"), records::engineStarted() + QStringLiteral(" /store"),
                          QStringLiteral("Everything paused 3 operations")}));
}

void TestRetryTraces::anOperationThatIsNotThereIsSaid()
{
    const Result<api::OperationDetail> detail = m_queries->ask(api::OperationDetailQuery{OperationId{77}});
    QVERIFY(!detail && detail.error().kind == ErrorKind::NotFound);
}

void TestRetryTraces::aConnectionInUseIsNotRemoved()
{
    const Result<> refused =
        m_store->transact([this](store::Session &session) -> Result<> { return session.connections().remove(m_one); });
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Conflict);
    QVERIFY2(refused.error().message.contains(QStringLiteral("unresolved messages (10)")),
             qPrintable(refused.error().message));
}

void TestRetryTraces::aRemovedConnectionTakesItsRetriesAlong()
{
    const core::ConnectionId two = add("two", 100, 105);
    const QList<qint64> before = test::rowCounts(m_store->database());
    OperationId kept;
    write([&](store::Session &session) { kept = test::retrySent(session, two, {{11}, {12}}); });
    OperationId gone;
    write([&](store::Session &session) { gone = test::retrySent(session, m_one, {{1}, {2}}); });
    failAgain({2}, gone, 1);
    write([&](store::Session &session) {
        (void)must(session.claims().close({{1}}, {ClaimClosing::TakenBack, {}, {}}));
        QList<MessageId> all;
        for (qint64 id = 1; id <= 10; ++id)
            all.append(MessageId{id});
        QCOMPARE(must(session.messages().setStatus(all, {MessageStatus::Unresolved}, MessageStatus::Resolved)), 10);
    });
    write([&](store::Session &session) { must(session.connections().remove(m_one)); });
    if (!support::StorePlace::isPostgres()) // which checks each statement
        QVERIFY(must(m_store->database().sql(QStringLiteral("PRAGMA foreign_key_check")).step()) == false);
    write([&](store::Session &session) {
        QVERIFY(session.retryOperations().load(gone).error().kind == ErrorKind::NotFound);
        QCOMPARE(must(session.retryBatches().members(kept, {}, 0, 10)).size(), 2);
        QVERIFY(session.messages().load({1}).error().kind == ErrorKind::NotFound);
        QVERIFY(must(session.messages().load({11})).status == MessageStatus::RetryIssued);
    });
    const QString difference = test::countDifference(m_store->database());
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    QCOMPARE(test::rowCounts(m_store->database()).at(0), before.at(0) - 10);
    api::MessageQuery search;
    search.filter.search = QStringLiteral("The order 5 could");
    QCOMPARE(must(m_queries->ask(search)).total, 0); // the search index forgot them too
    search.filter.search = QStringLiteral("The order 103 could");
    QCOMPARE(must(m_queries->ask(search)).total, 1);
}

REDRIVE_TEST(TestRetryTraces)
#include "tst_retrytraces.moc"
