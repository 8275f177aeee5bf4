#pragma once

#include "backend/broker/broker.h"
#include "tests/support/store/faultpoint.h"

#include <QSet>

#include <map>

namespace test {

// A broker to take from: one source queue, holding queues or locks, and a Fate that is asked before and after the effect of
// every call. All calls end at once. What it does with messages is what the broker interface promises, no more.
class FakeTakingBroker final : public broker::Broker
{
public:
    explicit FakeTakingBroker(FaultPoint &fate, bool locks);

    void put(const records::Envelope &envelope); // at the end of the source queue
    void loseFirst() { m_source.removeFirst(); } // somebody else took it
    void startNumbersAgain() { m_last = 0; } // as a queue that was made anew
    void expireLocks(); // what was locked is back at the head, under the same native id
    [[nodiscard]] qint64 messagesLeft() const; // in the source, held and locked
    [[nodiscard]] qsizetype holdingQueues() const { return qsizetype(m_holding.size()); }
    [[nodiscard]] bool holdsNothing() const { return m_holding.empty(); }
    void doubleIntoHolding() { m_doubles = true; } // the next filling of a holding queue is interrupted and doubles it

    broker::Capabilities capabilities;
    QList<broker::QueueInfo> known; // answer of queues(); depth of "error" is filled in
    bool countsDeliveries = false; // in a header, as a quorum queue does with each look
    qint64 hidden = 0; // messages of "error" that somebody has in hand: counted, not shown
    int takes = 0;
    std::function<void()> onRelease; // time passes, say
    bool locksLostOnRelease = false; // once
    std::function<bool(const broker::ReceivedMessage &)> removes; // whether takeInto() can remove it, when set
    bool mayConfigure = true; // false: refuses to create or to remove a holding queue, and its probe does not know
    std::function<void()> onRefused; // for that reason
    std::optional<core::Error> troubleBeside; // of one of several calls of the next page, once

    core::Task<core::Result<broker::Capabilities>> probe() override;
    core::Task<core::Result<broker::Listing>> queues() override;
    core::Task<core::Result<broker::ReceivedPage>> take(broker::TakeRequest request) override;
    core::Task<core::Result<broker::Passage>> takeInto(broker::TakeRequest request, broker::Keep keep) override;
    core::Task<core::Result<broker::PrefetchResult>> prefetch(broker::TakeRequest request) override;
    core::Task<core::Result<>> release(broker::TakeRequest request, broker::ReceivedPage page) override;
    core::Task<core::Result<broker::ReceivedPage>> browse(QString queue, int limit,
                                                          broker::LookRisk risk = {}) override;
    core::Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing> messages) override;
    broker::StagingQueue *stagingQueue() override { return nullptr; }
    core::Task<core::Result<QList<broker::Leftover>>> leftovers() override;
    void cancelAll() override {}

private:
    void fill(const broker::TakeRequest &request);
    [[nodiscard]] core::Result<> allowed(const broker::TakeRequest &request) const;

    FaultPoint &m_fate;
    bool m_locks;
    bool m_doubles = false;
    int m_last = 0;
    QList<broker::ReceivedMessage> m_source;
    QList<broker::ReceivedMessage> m_locked;
    std::map<QString, QList<broker::ReceivedMessage>> m_holding;
    QSet<QString> m_interrupted; // of them
};

} // namespace test
