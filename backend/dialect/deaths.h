// What RabbitMQ writes into a message each time it dead-letters it: the table "x-death", one entry for each queue and
// reason. From 3.13 on the newest entry comes first, then the one before it. Up to 3.12 only the first entry is in its
// place: each death turns the order of all others around. Pure functions for any thread; the table may be hostile.
// Source: rabbit/src/mc.erl record_death, mc_amqpl.erl death_table; up to 3.12 rabbit_dead_letter.erl
// group_by_queue_and_reason; RabbitMQ, "Dead Letter Exchanges".
#pragma once

#include "backend/dialect/messageview.h"

#include <QStringList>

namespace dialect {

struct Death
{
    QString queue;
    QString reason;
    std::optional<qint64> count;
    std::optional<core::TimePoint> at; // of the last death with this queue and reason
    std::optional<core::TimePoint> first; // of the first one
    int entry = 0; // of the table, from 1
    int age = 0; // its place in the order of the deaths, as far as the order of the table tells; 0: the newest
    QString exchange; // to which it was published before it came into the queue; empty: the default exchange
    QStringList keys; // the routing keys at that time: more than one with a CC header
};

struct Deaths
{
    QString header; // where they were read: "x-death", "x-opt-deaths" (AMQP 1.0), "x-last-death-queue"
    QList<Death> failed; // in the order of the table
    QList<Death> expired; // likewise; the message waited there until it expired
    bool isOrdered = false; // the ages are certain
    bool delayed = false; // some were in delay queues of frameworks, and are left out
    QStringList reasons; // of all entries of the table, in its order, in the words of evidenceOf()

    [[nodiscard]] bool isEmpty() const { return failed.isEmpty() && expired.isEmpty(); }
};

[[nodiscard]] Deaths deathsOf(const records::Headers &headers);

// The death that shows where the message failed; null: none does. In a queue in which it expired a message only waited,
// unless `origin` names that queue. The pointer is into `deaths`.
[[nodiscard]] const Death *decisive(const Deaths &deaths, const QString &origin);
// False: it may have failed in another queue of the table after that.
[[nodiscard]] bool isCertain(const Deaths &deaths, const Death &death);
// The death that is the nearest to the sender, in this queue or, if empty, in any; null: there is none.
[[nodiscard]] const Death *oldestDeath(const Deaths &deaths, const QString &queue);

// Whether the message died after it had come through this exchange.
[[nodiscard]] bool diedBehind(const records::Headers &headers, QStringView exchange);

// For people: "A consumer of orders rejected it." Not translated, because it is stored with the failure and must be found
// by a search in any language.
[[nodiscard]] QString deathText(const Death &death);
// For people, stored in the same way: "x-death: rejected from orders, entry 2 of 3 (others: expired)". Messages that
// failed in the same way have the same text: it holds no count of failures, no time and no word of the message itself
// but the queue.
[[nodiscard]] QString evidenceOf(const Deaths &deaths, const Death &death);

// Whether NServiceBus, Symfony or Celery uses queues with such a name to delay messages by letting them expire.
[[nodiscard]] bool isDelayQueue(QStringView queue);

} // namespace dialect
