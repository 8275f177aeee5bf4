// Requests about connections and what is taken from their queues. Counts are messages. Texts are for people and are
// translated.
#pragma once

#include "backend/api/candidatequeue.h"
#include "backend/api/request.h"
#include "backend/records/intake.h"
#include "backend/records/retries/redirect.h"

#include <optional>

namespace api {

struct ConnectionDraft
{
    records::Connection connection; // with its id set: changes that connection
    std::optional<QString> secret; // nothing: the secret stays. It goes to core::Secrets, never to the store

    REDRIVE_FIELDS(connection, secret)
};

struct ConnectionTest
{
    QString product;
    QStringList can; // what this account can do
    QStringList missing; // rights and plugins that it lacks
    QString guarantee; // what a crash or an outage can and cannot do to a message
    QStringList notKnown{}; // what it may be able to do
    QString notKnownReason{}; // why that is unknown
    struct Queue
    {
        QString name;
        std::optional<qint64> depth; // message count; nothing: unknown

        REDRIVE_FIELDS(name, depth)
    };
    QStringList missingQueues{}; // error queues named in the connection that the broker does not have
    QList<Queue> otherQueues{}; // when some are missing: queues with dead letters or with a similar name
    QList<CandidateQueue> candidates{}; // queues with dead letters that the connection does not name, the safest first
    QString candidatesUnknown{}; // why others may exist; empty: these are all
    bool offersSteps = false; // as ConnectionView::offersSteps

    REDRIVE_FIELDS(product, can, missing, guarantee, notKnown, notKnownReason, missingQueues, otherQueues, candidates,
                   candidatesUnknown, offersSteps)
};

// Adds the connection, or changes it when its id is set, and connects. Rejected: invalid name or address. Conflict: the
// name is taken, or too similar to another one for its secret. Refused: a new address while Redrive's own queues on the
// broker are in use. A secret that cannot be stored is no error: see ConnectionView::secretNotKept.
struct SaveConnection
{
    using Answer = core::ConnectionId;
    static constexpr RequestRules rules{"SaveConnection", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const
    {
        return draft.connection.id.isValid() ? Text::tr("Connection changed") : Text::tr("Connection added");
    }

    ConnectionDraft draft;

    REDRIVE_FIELDS(draft)
};

// Makes queues error queues of the connection, or ends that. Answers ConnectionView::unanswered, too. A queue that is
// left is also unsubscribed. Nothing on the broker changes. Rejected: nothing is chosen, or a queue is in both lists.
// NotFound: the broker has no such queue.
struct ChooseErrorQueues
{
    using Answer = void;
    static constexpr RequestRules rules{"ChooseErrorQueues", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {{}, connection}; } // none
    [[nodiscard]] QString activity() const { return Text::tr("Error queues chosen"); }

    core::ConnectionId connection;
    QStringList take; // from now on
    QStringList leave; // not, or not any more

    REDRIVE_FIELDS(connection, take, leave)
};

// Removes the connection, its secret and all that the store knows about it. Conflict: open work is left; the message
// says how many messages and what to do with them.
struct RemoveConnection
{
    using Answer = void;
    static constexpr RequestRules rules{"RemoveConnection", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {{}, connection}; } // none
    [[nodiscard]] QString activity() const { return Text::tr("Connection removed"); }

    core::ConnectionId connection;

    REDRIVE_FIELDS(connection)
};

// Logs in to the broker and reports what is possible there. Changes nothing, in the store or on the broker. The first
// call to the broker that stays unanswered ends the wait with its error.
struct TestConnection
{
    using Answer = ConnectionTest;
    static constexpr RequestRules rules{"TestConnection", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    ConnectionDraft draft;

    REDRIVE_FIELDS(draft)
};

// Lists the queues of every connection now. One that fails does not stop the others; the answer is the first error. The
// first call to a broker that stays unanswered ends the wait; the work continues, and snapshots show the result.
struct RefreshQueues
{
    using Answer = void;
    static constexpr RequestRules rules{"RefreshQueues", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    REDRIVE_FIELDS()
};

// Takes failed messages into the store; finishes when all are taken. A message leaves the broker only after it is
// stored. A crash keeps what was stored, and the next start continues from there. Several queues: a queue that fails is
// reported in IntakeCounts::queues; the answer is an error only when every queue failed or the intake was stopped.
// Conflict: a release or a move uses the queue.
struct TakeMessages
{
    using Answer = records::IntakeCounts;
    static constexpr RequestRules rules{"TakeMessages", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Take, connection}; }
    [[nodiscard]] QString activity() const { return {}; } // the intake writes its own entries

    core::ConnectionId connection;
    QString queue; // empty: every error queue of the connection
    std::optional<qint64> limit; // of all queues together; nothing: all messages
    QString ticket{}; // for AskWork and CancelWork: what is held is taken, and the answer counts it. Empty: nobody asks

    REDRIVE_FIELDS(connection, queue, limit, ticket)
};

// Stores copies of the messages as "browsed only"; the originals stay in their queues. Refused: the queue is subscribed.
// Also refused: the look counts as a delivery (records::DeliveryLimit) and the request does not accept that, or only the last
// deliveries are left. Several queues: as for TakeMessages. Unanswered calls: as for RefreshQueues.
struct BrowseMessages
{
    using Answer = records::BrowseCounts;
    static constexpr RequestRules rules{"BrowseMessages", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::See, connection}; }
    [[nodiscard]] QString activity() const { return {}; } // browsing writes its own entries

    core::ConnectionId connection;
    QString queue; // empty: every error queue of the connection
    std::optional<int> limit; // per queue, from its head; nothing: limits::browseMost
    bool acceptsDelivery = false; // a person has seen what the look costs

    REDRIVE_FIELDS(connection, queue, limit, acceptsDelivery)
};

// Starts or stops taking every new message of error queues. Lasts over restarts. Stopping needs no right. Refused: not
// an error queue. NotFound: it was not subscribed.
struct ChangeSubscription
{
    using Answer = void;
    static constexpr RequestRules rules{"ChangeSubscription", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const
    {
        return {subscribe ? records::Right::Take : records::Rights(), connection};
    }
    [[nodiscard]] QString activity() const
    {
        return subscribe ? Text::tr("Queue subscribed") : Text::tr("Queue unsubscribed");
    }

    core::ConnectionId connection;
    QString queue; // empty: every error queue, or to unsubscribe every subscribed one
    bool subscribe = true; // false: unsubscribe

    REDRIVE_FIELDS(connection, queue, subscribe)
};

struct RedirectAnswer
{
    QString notKnown; // why it is unknown whether the target exists; empty: it exists

    REDRIVE_FIELDS(notKnown)
};

// Adds or removes a standing redirect: every retry on the connection then sends messages for one queue to another.
// Rejected: an unsuitable queue. NotFound: no such queue or redirect. Conflict: another standing redirect is in the way;
// the message names it.
struct ChangeRedirect
{
    using Answer = RedirectAnswer;
    static constexpr RequestRules rules{"ChangeRedirect", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Redirect, connection}; }
    [[nodiscard]] QString activity() const
    {
        return remove ? Text::tr("Redirect removed") : Text::tr("Redirect added");
    }
    [[nodiscard]] QString detail() const
    {
        return redirect.to.isEmpty() ? Text::tr("from %1").arg(redirect.from)
                                     : Text::tr("from %1 to %2").arg(redirect.from, redirect.to);
    }

    core::ConnectionId connection;
    records::Redirect redirect; // to remove one, only `from` is needed
    bool remove = false;

    REDRIVE_FIELDS(connection, redirect, remove)
};

} // namespace api
