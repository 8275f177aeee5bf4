// The optional part of a broker that says how much it has to do. The rules of broker.h hold here as well.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QString>

namespace broker {

// How much the broker has to do, by its own numbers. They are as old as its statistics, and single ones vary widely.
struct LoadReading
{
    QString node; // the one with the most to do
    qint64 waiting = 0; // its processes that are ready and wait for a processor
    qint64 processors = 0; // of that node
    QString sample; // another one with each new measurement of the broker

    [[nodiscard]] bool isTooMuch() const { return waiting > processors; }
};

class BrokerLoad
{
public:
    BrokerLoad() = default;
    BrokerLoad(const BrokerLoad &) = delete;
    BrokerLoad &operator=(const BrokerLoad &) = delete;
    virtual ~BrokerLoad() = default;

    // Unauthorized: this account may not read it. Transient: the broker does not say it now.
    [[nodiscard]] virtual core::Task<core::Result<LoadReading>> load() = 0;
    // For people: why load() told nothing when the queues were listed last, as a sentence; empty: it did.
    [[nodiscard]] virtual QString loadObstacle() const = 0;
    // For how long requests of this object were open since it was created. Time in which several were counts once.
    [[nodiscard]] virtual core::Milliseconds busy() const = 0;
};

} // namespace broker
