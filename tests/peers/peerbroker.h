#pragma once

#include "tests/peers/peer.h"
#include "tests/support/console/console.h"

#include <memory>

namespace peers {

// The broker between a peer and Redrive, a real server that belongs to the test. Test thread.
class PeerBroker
{
public:
    PeerBroker() = default;
    PeerBroker(const PeerBroker &) = delete;
    PeerBroker &operator=(const PeerBroker &) = delete;
    virtual ~PeerBroker() = default;

    [[nodiscard]] virtual QString missing() const = 0; // why it cannot run here; empty: it can
    // Empty: it runs, and has what the peer does not make itself. Otherwise what went wrong.
    [[nodiscard]] virtual QString start() = 0;
    [[nodiscard]] virtual QString address() const = 0; // as the program of the peer takes it
    [[nodiscard]] virtual support::Console::Account account() const = 0;
    // Messages in a queue, those that somebody holds among them; 0 where it does not exist.
    [[nodiscard]] virtual qint64 depth(const QString &queue) = 0;
    virtual void removeQueue(const QString &queue) = 0;
    // What a dead program held comes in sight again.
    virtual void letTimePass() = 0;
    // A message that fails again is the record it was.
    [[nodiscard]] virtual bool recognisesReturns() const = 0;
};

[[nodiscard]] std::unique_ptr<PeerBroker> brokerOf(const Peer &peer);

} // namespace peers
