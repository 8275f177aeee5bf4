// When a broker throws a message away, concluded from what it says of message and queue.
#include "backend/intake/pages/expiry.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <limits>

using core::Milliseconds;
using records::BrokerRetention;
using records::Expiry;

namespace {

constexpr core::TimePoint now = core::fromMs(1'790'000'000'000);
constexpr Milliseconds hour = std::chrono::hours(1);
const BrokerRetention unknown;
const BrokerRetention forEver{BrokerRetention::Known::Forever, {}, {}};

BrokerRetention hours(int count)
{
    return {BrokerRetention::Known::Limited, count * hour, {}};
}

} // namespace

class TestExpiry final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEarlierEndCounts_data()
    {
        using Known = Expiry::Known;
        QTest::addColumn<BrokerRetention>("message");
        QTest::addColumn<BrokerRetention>("queue");
        QTest::addColumn<bool>("enqueued"); // an hour ago
        QTest::addColumn<Known>("known");
        QTest::addColumn<int>("left"); // hours
        QTest::newRow("nobody tells") << unknown << unknown << true << Known::No << 0;
        QTest::newRow("the queue keeps it") << unknown << forEver << true << Known::Never << 0;
        QTest::newRow("the message stays") << forEver << unknown << true << Known::Never << 0;
        QTest::newRow("the queue ends it") << unknown << hours(4) << true << Known::At << 3;
        QTest::newRow("the message ends") << hours(2) << hours(4) << true << Known::At << 1;
        QTest::newRow("the queue ends it first") << hours(5) << hours(4) << true << Known::At << 3;
        QTest::newRow("the queue keeps what ends") << hours(2) << forEver << true << Known::At << 1;
        QTest::newRow("nobody tells since when") << unknown << hours(4) << false << Known::Latest << 4;
    }

    void theEarlierEndCounts()
    {
        QFETCH(const BrokerRetention, message);
        QFETCH(const BrokerRetention, queue);
        QFETCH(const bool, enqueued);
        QFETCH(const Expiry::Known, known);
        QFETCH(const int, left);
        broker::ReceivedMessage held;
        held.retention = message;
        if (enqueued)
            held.enqueuedAt = now - hour;
        const Expiry expiry = intake::expiryOf(held, queue, now);
        QVERIFY(expiry.known == known);
        if (expiry.hasTime())
            QVERIFY(expiry.at == now + left * hour);
    }

    void aBrokerWhoseClockRunsAheadKeepsItNoLonger()
    {
        broker::ReceivedMessage held;
        held.enqueuedAt = now + 5 * hour; // by its clock
        QVERIFY(intake::expiryOf(held, hours(4), now).at == now + 4 * hour);
    }

    void whatLiesThereTooLongIsGone()
    {
        broker::ReceivedMessage held;
        held.enqueuedAt = now - 5 * hour;
        QVERIFY(intake::expiryOf(held, hours(4), now).at == now - hour);
    }

    void numbersBeyondAllReckoningAreForEver()
    {
        broker::ReceivedMessage held;
        held.enqueuedAt = now;
        held.retention = {BrokerRetention::Known::Limited, Milliseconds{std::numeric_limits<qint64>::max()}, {}};
        QVERIFY(intake::expiryOf(held, unknown, now).known == Expiry::Known::Never);
        held.retention.keeps = Milliseconds{std::numeric_limits<qint64>::min()};
        QVERIFY(intake::expiryOf(held, unknown, now).at == now); // no time to live is over at once
    }
};


REDRIVE_TEST(TestExpiry)
#include "tst_expiry.moc"
