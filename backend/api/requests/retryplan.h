// The plan of a retry or release, and the requests that preview and confirm it. Counts are messages. Texts are for people
// and are translated.
#pragma once

#include "backend/api/request.h"
#include "backend/api/requests/planroute.h"
#include "backend/records/retries/frozenshare.h"
#include "backend/records/retries/queuelimits.h"
#include "backend/records/retries/retry.h"
#include "backend/records/rules/leftout.h"

#include <optional>

namespace api {

// Which messages to retry or release, as of which moment, and how. Not confirmed yet.
struct RetryDraft
{
    records::OperationKind kind = records::OperationKind::Retry;
    records::MessageFilter filter; // without a status: unresolved messages
    std::optional<qint64> asOfChange; // the change number of the list that the person saw; nothing: now
    records::Plan plan;

    // That its connection must grant. Checked with the plan, because the connection can depend on what a search finds.
    [[nodiscard]] records::Rights rights() const
    {
        const bool isRetry = kind == records::OperationKind::Retry; // a release cannot edit
        records::Rights rights = records::Right::Retry;
        rights.setFlag(records::Right::Redirect, !plan.redirects.isEmpty());
        rights.setFlag(records::Right::Edit, isRetry && !plan.edit.isEmpty());
        return rights;
    }

    REDRIVE_FIELDS(kind, filter, asOfChange, plan)
};

// One destination of a plan, how many messages go there, and what is known of the queue.
struct PlannedDestination : records::FrozenShare
{
    std::optional<bool> exists{}; // nothing: unknown
    std::optional<qint64> waiting{}; // message count of the queue; nothing: unknown
    std::optional<int> consumers{}; // nothing: unknown
    bool standing = false; // redirected by a standing redirect of the connection, not by the plan
    QString why{}; // how the queue is known, what could be wrong and what to do; empty for a release
    std::optional<PlannedRoute> route{}; // nothing: the example does not say, or the broker has no exchanges
    QStringList choices{}; // other queues that such messages go to; the first to choose from
    QString cannotSend{}; // why nothing can be sent there, though it exists

    REDRIVE_FIELDS(destination, count, firstFailed, lastFailed, exists, waiting, consumers, straightBack, insteadOf,
                   standing, example, mixed, why, route, choices, cannotSend)
};

// A destination that drops messages by its own limits: what it would drop if all came at once.
struct PlannedDrop
{
    QString queue;
    records::QueueLimits limits;
    records::Coming coming; // all messages of the plan for this queue, and what is there
    records::DropForecast forecast;

    REDRIVE_FIELDS(queue, limits, coming, forecast)
    friend bool operator==(const PlannedDrop &, const PlannedDrop &) = default;
};

// What a person should know before confirming a plan.
struct PlanWarning
{
    enum class Kind {
        FanOut,
        Derived,
        Damaged,
        OtherTool,
        StraightBack,
        Unbound,
        HeldByBroker,
        TakenBack,
        Amqp10,
        Duplicates, // possible ones, which a person included
    };
    friend constexpr Kind lastOf(Kind) { return Kind::Duplicates; }
    Kind kind = Kind::FanOut;
    qint64 count = 0; // messages concerned
    QString sentence; // contains the count

    // A consumer may get such messages twice.
    [[nodiscard]] bool isOfSecondCopies() const
    {
        return kind == Kind::HeldByBroker || kind == Kind::TakenBack || kind == Kind::Duplicates;
    }

    REDRIVE_FIELDS(kind, count, sentence)
    friend bool operator==(const PlanWarning &, const PlanWarning &) = default;
};

// What a retry or release would send, what it would leave out, and why.
struct PlanPreview
{
    QString sentence; // the selection in words: "Unresolved messages on shop, from queue error"
    core::ConnectionId connection;
    QString connectionName;
    records::Environment environment = records::Environment::Production;
    qint64 asOfChange = 0; // pass it on in ConfirmRetry::draft
    core::TimePoint asOf{};
    qint64 frozenCount = 0; // would be sent
    records::LeftOutCounts leftOut;
    qint64 emptyHeaders = 0; // of NotFaithful: only because of null headers; see FindEmptyHeaders
    qint64 decimals = 0; // of NotFaithful: only because of numbers in headers that may be AMQP decimals
    qint64 largestBody = 0; // of TooLarge: the largest body that can be sent, in bytes
    QString browsedOnlyReason; // why the browsed-only messages cannot be sent; empty: there are none
    QList<PlannedDestination> destinations; // of frozenCount
    QList<PlannedDestination> missingDestinations; // of NoSuchQueue, also those to which nothing can be sent
    QList<PlanWarning> warnings;
    std::optional<core::TimePoint> firstFailed;
    std::optional<core::TimePoint> lastFailed;
    records::HandOver handOver = records::HandOver::None;
    bool onUnknownApplies = false; // the choice matters for this hand-over
    records::OnUnknown onUnknownDefault = records::OnUnknown::LeaveInDoubt;
    QString guarantee;
    QList<PlannedDrop> drops{}; // destinations that would drop some of frozenCount or of what waits there
    qint64 certainDrops = 0; // messages that destinations drop for certain: needs Plan::acceptDrops, or it is refused
    QString cannotKeepOrder{}; // why the plan cannot keep the order; empty: it can
    QString cannotShareBroker{}; // why the plan cannot keep to a share of the broker's time; empty: it can
    QString refusal; // why retry() would refuse this plan; empty: it would not
    core::ErrorKind refusalKind = core::ErrorKind::Refused; // Transient: it may work later
    bool confirmCount = false; // the person must type the count: Production, limits::confirmFromCount or more
    qint64 redirected = 0; // of frozenCount: sent elsewhere than to the destination they name
    PlannedDestination unknown{}; // of NoDestination: would be sent if the plan redirected them; count 0: none
    QList<records::Redirect> standing{}; // the standing redirects of the connection
    QString cannotRedirect{}; // why the plan cannot redirect; empty: it can
    QStringList targets{}; // known queues that a redirect can lead to
    QString targetsNotKnown{}; // why there may be more such queues; empty: the list is complete
    QList<records::EditMisfit> misfits{}; // of EditMisfit: the most frequent reasons, most frequent first
    qint64 editUnchanged = 0; // of frozenCount: the edit finds nothing to change
    core::MessageId editSample{}; // the first message that the edit changes; none: it changes none
    QString cannotEdit{}; // why the plan cannot edit; empty: it can
    std::optional<core::Milliseconds> takesToFail{}; // how long these messages took to fail; nothing: unknown
    core::Milliseconds quiet{}; // quiet period after which a step of a ramp counts as good

    REDRIVE_FIELDS(sentence, connection, connectionName, environment, asOfChange, asOf, frozenCount, leftOut,
                   emptyHeaders, missingDestinations, destinations, firstFailed, lastFailed, handOver, onUnknownApplies,
                   onUnknownDefault, guarantee, refusal, refusalKind, confirmCount, warnings, browsedOnlyReason,
                   redirected, unknown, standing, cannotRedirect, targets, targetsNotKnown, misfits, editUnchanged,
                   editSample, cannotEdit, takesToFail, quiet, decimals, largestBody, drops, certainDrops,
                   cannotKeepOrder, cannotShareBroker)
};

// Counts what a retry or release would send and leave out, and why. Writes nothing. Cancelled: by CancelWork.
struct PreviewRetry
{
    using Answer = PlanPreview;
    static constexpr RequestRules rules{"PreviewRetry", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    RetryDraft draft;
    QString ticket{}; // for AskWork and CancelWork; empty: nobody asks

    REDRIVE_FIELDS(draft, ticket)
};

// Confirms a previewed plan; finishes when its messages are frozen, before any is sent. Conflict: the count or the
// standing redirects differ from those shown, or a redirect to remember does not fit with the standing ones; nothing is
// kept. Rejected: an invalid plan. Refused: the confirmation is missing, or the plan is not possible here. Transient:
// the broker does not answer. Cancelled: by CancelWork, before all are frozen; nothing is kept. A crash before the
// answer leaves no operation or a complete one, with the redirects that it remembers; a complete one continues at the
// next start.
struct ConfirmRetry
{
    using Answer = core::OperationId;
    static constexpr RequestRules rules{"ConfirmRetry", AskedFrom::AnyProcess};
    // Those of the draft are checked with the plan, as soon as it is known which connection it concerns.
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const
    {
        return draft.kind == records::OperationKind::Release ? Text::tr("Release requested")
                                                             : Text::tr("Retry requested");
    }

    RetryDraft draft; // with the asOfChange of the preview
    qint64 expectedCount = 0; // the frozenCount that was shown; any other count is a Conflict
    std::optional<qint64> confirmedCount; // typed by the person when the preview asks for it
    std::optional<QList<records::Redirect>>
        standingShown{}; // the standing redirects that were shown; others are a Conflict. Nothing: not checked
    core::Milliseconds watchBack{}; // how long after its end to watch for messages that come back; at most 7 days
    // Queues whose redirect in this plan becomes a standing one, in the transaction that freezes the set. It replaces a
    // standing redirect from there, and removes it if the plan sends the messages to the queue that they name.
    QStringList remember{};
    QString ticket{}; // for AskWork and CancelWork; empty: nobody asks

    REDRIVE_FIELDS(draft, expectedCount, confirmedCount, standingShown, watchBack, remember, ticket)
};

} // namespace api
