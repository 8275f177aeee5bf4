// What is known of a queue in which dead letters arrive: whether it holds failures, or the work of a service. A retry
// loop, a delay queue and a pipeline dead-letter to queues of live work, so only a person decides what is taken from.
#pragma once

#include "backend/core/fields.h"

#include <QList>
#include <QStringList>

namespace records {

// Facts without sentences: api/candidatequeue.h has the words.
struct QueueFact
{
    enum class Kind {
        // What speaks for it
        DeadLettersOf, // the broker sends the dead letters of the queue `name` here
        PoisonOf, // by the naming convention of Azure Functions it holds the failed messages of the queue `name`
        NamedForFailures, // its name has a word for failures: error, dlq, poison
        // What speaks against it
        HasConsumers, // `count` consumers take its messages: a service works on them
        LoopsBack, // dead letters of this queue return to it by way of the queue `name`: a retry loop
        AfterWaiting, // messages only wait in the queue `name` (it has a time limit, no consumer) and then go on here
        PassesOn, // its own dead letters go to the queue `name`: a step on the way, or a queue that somebody consumes
        BoundTo, // the exchange `name`, which carries other messages than dead letters, sends them here, too
    };
    friend constexpr Kind lastOf(Kind) { return Kind::BoundTo; }

    Kind kind = Kind::DeadLettersOf;
    QString name{}; // a queue or an exchange, as the broker names it; empty where the kind needs none
    qint64 count = 0;

    REDRIVE_FIELDS(kind, name, count)
    friend bool operator==(const QueueFact &, const QueueFact &) = default;
};
using QueueFacts = QList<QueueFact>;

[[nodiscard]] bool speaksAgainst(QueueFact::Kind kind);
// Whether an offer may recommend the queue: nothing speaks against it, and its name says that it holds failures.
[[nodiscard]] bool isRecommended(const QueueFacts &facts);
// The queues whose failed messages arrive there.
[[nodiscard]] QStringList failuresOf(const QueueFacts &facts);
// Whether a name has a word for failures. "orders.dlq", "OrdersDeadLetter" and "shop_error" have one, "default" has
// none.
[[nodiscard]] bool isNamedForFailures(const QString &queue);
// The word of command line and JSON: "dead_letters_of", "has_consumers".
[[nodiscard]] QString toString(QueueFact::Kind kind);

} // namespace records
