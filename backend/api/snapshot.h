// What the engine publishes about its state: small and immutable, at most one per limits::snapshotInterval, and the
// next only after the last was received. Long lists are not part of it: a changed revision says when to query them
// again.
#pragma once

#include "backend/api/candidatequeue.h"
#include "backend/api/requests/policyview.h"
#include "backend/core/fields.h"
#include "backend/core/time/clock.h"
#include "backend/records/circuitbreaker.h"
#include "backend/records/connection.h"
#include "backend/records/deliverylimit.h"
#include "backend/records/intake.h"
#include "backend/records/messages/expiry.h"
#include "backend/records/retries/retry.h"

#include <QList>

#include <algorithm>
#include <memory>
#include <optional>

namespace api {

enum class EngineState {
    Starting,
    Running,
    Viewer, // another process holds the store and carries out the commands of this one
    Paused, // after "Pause all"
    StoreRefusesWrites, // a write failed: nothing more is written until a restart; engineText says why
};
constexpr EngineState lastOf(EngineState)
{
    return EngineState::StoreRefusesWrites;
}

enum class Health { Unknown, Connected, Slow, Unreachable, Refused, LoginNeeded };
constexpr Health lastOf(Health)
{
    return Health::LoginNeeded;
}

struct ConnectionView
{
    records::Connection connection;
    Health health = Health::Unknown;
    QString words; // "unreachable since 02:11, next try at 02:12:20 UTC: connection refused"; empty: no trouble
    records::CircuitBreaker breaker{}; // whether calls go, or are held back because the broker does not respond
    QString breakerWords{}; // what Redrive does while calls are held back, and what ends it; empty: they are not
    QString product; // "RabbitMQ 3.10.8"
    records::HandOver handOver = records::HandOver::None;
    QString guarantee; // what a crash or an outage can and cannot do to a message
    QStringList missing; // rights and plugins that the account lacks
    bool canTake = false;
    QString cannotTakeReason; // the missing right or plugin; shown on disabled actions
    bool offersSteps = false; // not canTake, but a person may choose to take in small steps (records/takinginsteps.h)
    bool canBrowse = false;
    bool movesQueues = false; // the broker can move a whole queue by itself
    QString secretNotKept; // the secret is known for this run only, and what to do; empty: no such problem
    QStringList foreignQueues; // queues of other Redrive stores on this broker; never touched
    QList<records::Redirect> redirects{}; // the standing ones, ordered by queue
    std::optional<core::Milliseconds> resolvedAfter{}; // quiet period that resolves sent messages; nothing: never
    // Redrive took from these before queues had to be named. Nothing is taken until a person answers (ChooseErrorQueues).
    // They have no facts before the broker has listed its queues.
    QList<CandidateQueue> unanswered{};

    REDRIVE_FIELDS(connection, health, words, product, handOver, guarantee, missing, canTake, cannotTakeReason,
                   secretNotKept, foreignQueues, canBrowse, movesQueues, redirects, resolvedAfter, breaker,
                   breakerWords, unanswered, offersSteps)
};

struct QueueView
{
    core::ConnectionId connection;
    QString name;
    bool holdsFailed = false; // error queue or dead-letter queue: messages are taken from it
    bool isCandidate = false; // dead letters arrive in it, but nothing is taken until a person makes it an error queue
    QString origin; // the queue whose dead letters it holds; empty: unknown
    std::optional<qint64> depth; // message count on the broker; nothing: unknown
    std::optional<int> consumers; // nothing: unknown
    qint64 averageBytes = 0; // average size of its messages; 0: unknown
    core::TimePoint asOf{}; // when depth was read; older than 30 s is shown grey
    qint64 unresolved = 0; // unresolved messages from this queue in the store
    qint64 browsedOnly = 0; // how many of these are browsed only
    bool subscribed = false; // Redrive takes every new message
    bool watched = false; // not subscribed, but taken from because a retry must see which messages come back
    QString activity; // "taking: 1,204 so far", or why it waits; empty: idle
    QString refusal; // why Redrive cannot take from it; empty: it can
    QString noWayBack{}; // why a release cannot put back what is taken from it; empty: it can
    records::QueueLoss loss{}; // when browsed messages expire
    records::QueueFacts facts{}; // what speaks for and against taking from it, if dead letters arrive in it
    std::optional<records::DeliveryLimit> deliveryLimit{}; // nothing: it delivers a message without end
    records::DeliveriesUsed deliveriesUsed{};

    // Browsing it costs a delivery, so a person is asked first.
    [[nodiscard]] bool looksCount() const { return deliveryLimit && deliveryLimit->looksCount; }

    REDRIVE_FIELDS(connection, name, holdsFailed, origin, depth, consumers, asOf, unresolved, subscribed, watched,
                   activity, refusal, noWayBack, averageBytes, browsedOnly, loss, isCandidate, facts, deliveryLimit,
                   deliveriesUsed)
};

struct OperationView
{
    records::RetryOperation operation;
    double messagesPerSecond = 0; // over the last few seconds
    std::optional<core::Milliseconds> timeLeft; // estimated; nothing: unknown
    int batchesTotal = 0; // with an estimate of those still to come
    int batchesDone = 0;

    // Of a retry that has not ended.
    [[nodiscard]] int batchesLeft() const { return operation.hasEnded() ? 0 : std::max(0, batchesTotal - batchesDone); }

    REDRIVE_FIELDS(operation, messagesPerSecond, timeLeft, batchesTotal, batchesDone)
};

struct BatchView
{
    records::RetryBatch batch;
    qint64 staged = 0; // copies staged so far
    qint64 forwarded = 0; // copies forwarded to their destinations so far
    QString waitingReason; // empty: it does not wait

    REDRIVE_FIELDS(batch, staged, forwarded, waitingReason)
};

// A number that changed since the last snapshot means: query these lists again.
struct Revisions
{
    qint64 messages = 0; // failed messages and their groups
    qint64 operations = 0;
    qint64 events = 0;

    REDRIVE_FIELDS(messages, operations, events)
};

struct Snapshot
{
    quint64 sequence = 0; // increases by 1 with each snapshot of this run
    core::TimePoint at{}; // when it was made
    EngineState engine = EngineState::Starting;
    QString engineText; // the state for people: who holds the store, why it refuses writes
    QString session; // identifies this run of the engine
    QString storePath;
    QList<ConnectionView> connections;
    QList<QueueView> queues; // at most limits::queuesInSnapshot
    QList<OperationView> operations; // the newest 50 and all unfinished ones
    // At most limits::liveBatchesInSnapshot live ones, and 20 done ones of each unfinished and of the newest operation.
    QList<BatchView> batches;
    QList<PolicyView> policies; // by name
    Revisions revisions;
    qint64 change = 0; // the store's change number
    qint64 unresolvedTotal = 0;
    qint64 inDoubtTotal = 0;
    std::optional<qint64> diskFree; // free bytes on the disk of the store; nothing: unknown
    qint64 textRead = 0; // progress of the text index; searches are slower until it reaches textTotal
    qint64 textTotal = 0;
    QString secretsNotKept; // why secrets entered here are lost when this program ends; empty: they are stored

    REDRIVE_FIELDS(sequence, at, engine, engineText, session, storePath, connections, queues, operations, batches,
                   revisions, change, unresolvedTotal, inDoubtTotal, textRead, textTotal, diskFree, secretsNotKept,
                   policies)
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace api
