#include "backend/records/rules/messagetrail.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::ClaimEndReason;
using records::MessageHistory;
using records::MessageRetry;
using records::MessageStatus;
using records::Outcome;
using records::TrailEntry;

namespace {

core::TimePoint at(int second)
{
    return core::fromMs(1'800'000'000'000) + std::chrono::seconds(second);
}

records::ProcessingAttempt failure(int second)
{
    records::ProcessingAttempt one;
    one.takenAt = at(second);
    one.queue = QStringLiteral("error");
    return one;
}

MessageRetry sentBetween(int from, int until)
{
    MessageRetry retry;
    retry.operation = {12};
    retry.outcome = Outcome::Sent;
    retry.destination = QStringLiteral("orders");
    retry.who = QStringLiteral("maria");
    retry.began = at(from - 1);
    retry.sentFrom = at(from);
    retry.sentUntil = at(until);
    return retry;
}

QStringList words(const QList<TrailEntry> &trail)
{
    QStringList all;
    for (const TrailEntry &entry : trail)
        all.append(entry.what);
    return all;
}

} // namespace

class TestMessageTrail final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failuresRetriesAndDecisionsComeInTheOrderOfTime()
    {
        MessageHistory history;
        history.failures = {failure(30), failure(0)};
        history.retries = {sentBetween(10, 20)};
        history.retries.first().cameBack = true;
        history.decisions = {{at(40), MessageStatus::Archived, QStringLiteral("jan")}};
        const QList<TrailEntry> trail = records::trailOf(history);
        QCOMPARE(trail.size(), 5);
        QVERIFY(std::is_sorted(trail.cbegin(), trail.cend(), [](const auto &a, const auto &b) { return a.at < b.at; }));
        QVERIFY(trail.at(0).what.contains(QStringLiteral("error")));
        QCOMPARE(trail.at(1).who, QStringLiteral("maria"));
        QVERIFY(trail.at(2).at == at(10)); // it was sent before it came back
        QVERIFY2(trail.at(3).what.contains(QStringLiteral("came back from operation 12")),
                 qPrintable(trail.at(3).what));
        QCOMPARE(trail.at(4).who, QStringLiteral("jan"));
    }

    void aRetryThatIsUnderWayHasNoEnd()
    {
        MessageHistory history;
        history.retries = {sentBetween(10, 20)};
        history.retries.first().outcome = Outcome::Staged;
        const QStringList said = words(records::trailOf(history));
        QCOMPARE(said.size(), 1);
        QVERIFY2(said.first().contains(QStringLiteral("Staged")), qPrintable(said.first()));
    }

    void aDoubtThatNobodyAnsweredIsStillSaid()
    {
        MessageHistory history;
        history.retries = {sentBetween(10, 20)};
        MessageRetry &retry = history.retries.first();
        retry.reason = QStringLiteral("no answer");
        retry.closure = ClaimEndReason::TakenBack;
        retry.closed = at(25);
        QStringList said = words(records::trailOf(history));
        QVERIFY2(said.at(1).contains(QStringLiteral("may have sent")), qPrintable(said.at(1)));
        QCOMPARE(said.size(), 3);
        retry.closure = ClaimEndReason::ByHand;
        said = words(records::trailOf(history));
        QVERIFY2(!said.at(1).contains(QStringLiteral("may have sent")), qPrintable(said.at(1)));
    }

    void theFirstFailureOfAnImportedMessageIsThatOfTheOtherStore()
    {
        MessageHistory history;
        history.failures = {failure(30), failure(20)};
        history.imported = records::ImportedFrom{};
        history.imported->at = at(20);
        history.imported->file = QStringLiteral("messages.ndjson");
        history.imported->trail = {{at(0), QStringLiteral("Failed, taken from error"), {}}};
        QStringList said = words(records::trailOf(history));
        QCOMPARE(said.size(), 3);
        QVERIFY(said.at(0).contains(QStringLiteral("other store"))
                || said.at(0).contains(QStringLiteral("another store")));
        QVERIFY(said.at(1).contains(QStringLiteral("messages.ndjson")));
        history.hasFirst = false; // only the newest failures are kept
        QCOMPARE(records::trailOf(history).size(), 4);
    }

    void whatWasBrowsedWasNotTaken()
    {
        MessageHistory history;
        history.failures = {failure(0)};
        history.isBrowsedOnly = true;
        QVERIFY(words(records::trailOf(history)).first().contains(QStringLiteral("browsed")));
    }
};

REDRIVE_TEST(TestMessageTrail)
#include "tst_messagetrail.moc"
