#pragma once

#include "backend/dialect/dialect.h"
#include "tests/peers/peerbroker.h"
#include "tests/peers/shop.h"

namespace peers {

// A peer at work on its broker: what both tests do with it. Test thread; each wait ends after a minute.
class PeerRun final
{
public:
    explicit PeerRun(Peer peer);

    // Why nothing can be tested here; empty: it can.
    [[nodiscard]] QString missing() const;
    // Broker and worker. Empty: they run.
    [[nodiscard]] QString start();

    // Orders that no one has sent before fail as often as the peer tries them. The numbers of all that now lie in the error queue;
    // none: that went wrong.
    [[nodiscard]] QList<int> failOrders(int count);
    // Waits until nothing is at the destination or on the way to it, and each try that failed was followed by the next one.
    // Empty: it came to rest. Otherwise what is not done, and the end of the worker's log.
    [[nodiscard]] QString comeToRest();
    // In the error queue.
    [[nodiscard]] bool untilFailed(qint64 count);

    // Of the order of a stored message; -1: none.
    [[nodiscard]] static int orderOf(const records::Envelope &stored);

    [[nodiscard]] const Peer &peer() const { return m_peer; }
    [[nodiscard]] PeerBroker &broker() { return *m_broker; }
    [[nodiscard]] Shop &shop() { return *m_shop; }

private:
    // Empty: nothing.
    [[nodiscard]] QString underWay();

    const Peer m_peer;
    std::unique_ptr<PeerBroker> m_broker;
    std::unique_ptr<Shop> m_shop;
    int m_next = 0; // number of the next order
};

} // namespace peers
