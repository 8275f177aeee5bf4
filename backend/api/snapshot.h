// What the engine publishes: small, immutable, at most every limits::snapshotInterval, one in flight. Long lists are not in
// it: a revision says when to ask again.
#pragma once

#include "backend/core/clock.h"
#include "backend/records/connection.h"
#include "backend/records/expiry.h"
#include "backend/records/intake.h"
#include "backend/records/retry.h"

#include <QList>

#include <memory>
#include <optional>

namespace api {

enum class EngineState {
    Starting,
    Running,
    Viewer, // another process holds the store: we watch and file requests with it
    Paused, // "Pause all" is in force
    StoreRefusesWrites, // latched failed commit; words say why
};

enum class Health { Unknown, Connected, Slow, Unreachable, Refused, LoginNeeded };

struct ConnectionView
{
    records::Connection connection;
    Health health = Health::Unknown;
    QString words; // "unreachable since 02:11, next try in 20 s": for people; empty when fine
    QString product; // "RabbitMQ 3.10.8"
    records::HandOver handOver = records::HandOver::None;
    QString guarantee;
    QStringList missing;
    bool canTake = false;
    QString cannotTakeReason; // shown on disabled actions: the missing right or plugin
    bool canBrowse = false; // into its queues, without taking
    bool movesQueues = false; // its broker moves all of a queue by itself, when asked
    QString secretNotKept; // given in this run, but there is no place for it: what to do; empty: nothing to say
    QStringList foreignQueues; // of other stores of this program on the same broker: theirs, never touched
    QList<records::Redirect> redirects{}; // the standing ones, by queue
    std::optional<core::Milliseconds> resolvedAfter{}; // so long without a return a sent message is; nothing: never
};

struct QueueView
{
    core::ConnectionId connection;
    QString name;
    bool holdsFailed = false; // error queue or dead-letter queue
    QString origin;
    std::optional<qint64> depth; // on the broker
    std::optional<int> consumers;
    qint64 averageBytes = 0; // of a message in it; 0: unknown
    core::TimePoint asOf{}; // when depth was read; older than 30 s is shown grey
    qint64 unresolved = 0; // what this store has of it
    qint64 browsedOnly = 0; // of these, only looked at
    bool subscribed = false;
    bool watched = false; // taken from for a retry that must see what comes back; nobody switched it on
    QString activity; // "taking 1,204 of 18,412"; empty when idle
    QString refusal;
    records::QueueLoss loss{};
};

struct OperationView
{
    records::RetryOperation operation;
    double messagesPerSecond = 0; // over the last few seconds
    std::optional<core::Milliseconds> timeLeft;
    int batchesTotal = 0;
    int batchesDone = 0;
};

struct BatchView
{
    records::RetryBatch batch;
    qint64 staged = 0; // copies staged so far
    qint64 forwarded = 0; // of them, gone to their destinations
    QString waitingReason;
};

// Counted from when the store was opened; a changed number means: ask again.
struct Revisions
{
    qint64 messages = 0; // failed messages and their groups
    qint64 operations = 0;
    qint64 events = 0;
};

struct Snapshot
{
    quint64 sequence = 0;
    core::TimePoint at{};
    EngineState engine = EngineState::Starting;
    QString engineText; // who holds the store, why it refuses writes, who paused
    QString session; // id of this run of the engine
    QString storePath;
    QList<ConnectionView> connections;
    QList<QueueView> queues; // at most limits::queuesInSnapshot
    QList<OperationView> operations; // all live ones and the newest 50 ended
    QList<BatchView> batches; // at most limits::liveBatchesInSnapshot live ones; done: 20 of live and newest runs
    Revisions revisions;
    qint64 change = 0; // the store's change number
    qint64 unresolvedTotal = 0;
    qint64 inDoubtTotal = 0;
    std::optional<qint64> diskFree; // where the store lies; nothing: unknown
    qint64 textRead = 0; // messages whose headers and bodies are in the text index
    qint64 textTotal = 0; // the same: all are. Until then the others are read one by one by a search
    QString secretsNotKept; // why a secret that is given here is known for this run only; empty: it is kept
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace api
