// What a broker is given to send, and the optional facet by which copies are staged on the broker itself. Rules of
// broker.h.
#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"
#include "backend/records/headers.h"

#include <QStringList>

#include <functional>

namespace broker {

using core::Result;
using core::Task;

// ---- sending -----------------------------------------------------------------------------------------------------

struct Outgoing
{
    qint64 ordinal = 0; // of the retry member
    QString uniqueId;
    QString destination;
    records::Envelope envelope; // complete: stripped, stamped
    QString dedupId; // replaces the native message id where the destination detects duplicates
};

enum class Verdict {
    Accepted, // the broker confirmed it
    Rejected, // an answer about this very message (400, 406, 413): it will not be accepted as it is
    NoSuchDestination, // clear refusal: nothing took it
    NotSent, // certainly not taken, and not the message's fault; the error says what to wait for
    Full, // likewise, but it is only this destination that takes nothing at the moment
    Unknown, // may have been taken
};

struct SendOutcome
{
    Verdict verdict = Verdict::NotSent;
    core::Error error; // meaningless for Accepted
};

// ---- staging on the broker itself ------------------------------------------------------------------------------------

// One attempt to stage one batch: queue, exchange, routes and waste queues are all named after it.
struct StagingPlace
{
    QString name; // "redrive.<store>.<fence>.<staging id>"
    QStringList destinations; // every queue that a copy may be meant for
    int entrance = 0; // the way in by which copies are staged; reconcile closes it and opens the next one
};

struct ForwardRequest
{
    StagingPlace place;
    QString mark; // as last kept through keepMark; empty when none was
};

struct ForwardHooks
{
    // Made durable before forwarding goes on: whatever is needed later to know whether it was interrupted.
    std::function<Result<>(const QString &mark)> keepMark;
    std::function<void(qint64 remaining)> progress;
    std::function<void(const QString &reason)> waiting; // why it does not move, for people; empty when it moves again
};

struct Returned
{
    QString uniqueId; // from the stamp
    QString stagingId;
    QString reason; // for people: "queue billing does not exist"
};

// What became of the staged copies. All that is not named here reached its destination.
struct ForwardReport
{
    QList<Returned> ejected; // certainly not at the destination
    QList<Returned> inDoubt; // may be there; nothing of ours can send them any more
    bool interrupted = false; // broker or mover restarted on the way: members may have been doubled
};

// Optional facet of a broker: copies are staged in a queue of its own and moved by the broker itself.
class StagingQueue
{
public:
    StagingQueue() = default;
    StagingQueue(const StagingQueue &) = delete;
    StagingQueue &operator=(const StagingQueue &) = delete;
    virtual ~StagingQueue() = default;

    // Makes everything the place needs; idempotent.
    [[nodiscard]] virtual Task<Result<>> open(StagingPlace place) = 0;
    // One outcome per copy, in order. Sends up to Capabilities::sendsInFlight at a time. Unknown: the copy may be in the
    // place, or come there as long as its entrance is open.
    [[nodiscard]] virtual Task<QList<SendOutcome>> stage(StagingPlace place, QList<Outgoing> copies) = 0;
    // The unique ids of the copies in the place, all of them, once nothing that was staged by its entrance can come any
    // more: that is closed for good first. From then on copies are staged by the next entrance. No call of stage may be
    // under way. May be repeated with the same entrance. NotFound when the place has vanished.
    [[nodiscard]] virtual Task<Result<QStringList>> reconcile(StagingPlace place) = 0;
    // Exact, live; NotFound when the place has vanished.
    [[nodiscard]] virtual Task<Result<qint64>> depth(StagingPlace place) = 0;
    // Moves all copies to their destinations and accounts for each. Deletes nothing that the report still needs: the
    // caller commits it, then calls discard. Safe to call again after any error or crash.
    [[nodiscard]] virtual Task<Result<ForwardReport>> forward(ForwardRequest request, ForwardHooks hooks) = 0;
    // Takes everything of the place down, in the order that cannot double. Idempotent.
    [[nodiscard]] virtual Task<Result<>> discard(StagingPlace place) = 0;
};

} // namespace broker
