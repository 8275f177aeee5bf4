#pragma once

#include "backend/core/time/clock.h"
#include "tests/support/console/console.h"

namespace support {

// A copy that arrived at a destination, taken out of it.
struct Copy
{
    int number = -1; // of the message; -1: none of ours
    QString fault; // what is not as it should be: its queue, its body, its attributes; empty: nothing
    QString stamp; // of the retry that sent it, where the broker carries one
};

// A broker and the applications around it, whose messages fail: of several dialects, each made from its number alone.
class BrokerRig
{
public:
    BrokerRig() = default;
    BrokerRig(const BrokerRig &) = delete;
    BrokerRig &operator=(const BrokerRig &) = delete;
    virtual ~BrokerRig() = default;

    [[nodiscard]] virtual Console::Account account() const = 0;
    // Into the queues in which failed messages lie.
    virtual void publish(const QList<int> &numbers) = 0;
    // All that lies at the destinations.
    [[nodiscard]] virtual QList<Copy> drain() = 0;
    // They fail once more, as they arrived.
    virtual void failAgain(const QList<Copy> &copies) = 0;

    // False: no retry may send it, because of what it says or does not say.
    [[nodiscard]] virtual bool goesBack(int number) const = 0;
    // The number under which copies of it are counted: another one where messages cannot be told from each other.
    [[nodiscard]] virtual int countedAs(int number) const { return number; }
    [[nodiscard]] virtual int numberOf(const records::Envelope &stored) const = 0;
    // A message that fails again is the record it was.
    [[nodiscard]] virtual bool recognisesReturns() const = 0;
    // Only the broker itself can double something: a killed program never does.
    [[nodiscard]] virtual bool doublesNothing() const { return false; }
    // What a dead program held comes in sight again.
    virtual void letTimePass() = 0;
};

} // namespace support
