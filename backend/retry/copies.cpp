#include "backend/retry/copies.h"

#include "backend/dialect/confirmation.h"
#include "backend/dialect/dialect.h"
#include "backend/records/address/connectionurl.h"
#include "backend/records/rules/retrycount.h"
#include "backend/retry/outgoing.h"
#include "backend/retry/text.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/evidencestore.h"

namespace retry {

using core::ErrorKind;
using core::fail;

Result<bool> hasStaleRequest(store::Session &session, const records::Envelope &failed)
{
    const QString id = dialect::requestedId(failed);
    return id.isEmpty() ? Result<bool>(false) : session.evidence().hasAsked(id);
}

// Asks the endpoint to confirm the message, or takes back what an earlier retry of ours asked.
static Result<records::Envelope> withRequest(const ProcessorContext &context, store::Session &session,
                                             const records::RetryOperation &operation, const store::Original &original,
                                             records::Envelope content, const records::Stamp &stamp)
{
    if (operation.kind != records::OperationKind::Retry)
        return content;
    const records::Envelope &failed = original.envelope;
    const QString queue = operation.plan.askEndpoints
                              ? answerQueue(context.connection, original.dialect, failed, original.queue)
                              : QString();
    if (!queue.isEmpty())
        return askingIfItFits(context.connection.kind, failed, std::move(content), stamp, queue);
    TRY(const bool isStale, hasStaleRequest(session, failed));
    return isStale ? dialect::notAskingEndpoint(failed, std::move(content)) : content;
}

// Only the message itself can make it unfit; an unreadable store is an error.
Result<> addCopy(const ProcessorContext &context, store::Session &session, const records::RetryOperation &operation,
                 const QString &stagingId, const store::RetryMember &member, Copies &copies)
{
    const Result<store::Original> original = session.messages().loadOriginal(member.message);
    if (!original) {
        const core::Error &error = original.error();
        if (error.kind != ErrorKind::NotFound && error.kind != ErrorKind::Corrupt)
            return fail(error);
        copies.unfit.append(
            {member.ordinal, Text::tr("Its content cannot be read from the store: %1").arg(error.message)});
        return {};
    }
    const bool onlyDecimals = original->flags.testFlag(records::MessageFlag::Decimals);
    if (original->flags.testFlag(records::MessageFlag::NotFaithful)
        && (!onlyDecimals || records::mayCarryDecimals(context.connection))) {
        copies.unfit.append(
            {member.ordinal, Text::tr("The HTTP interface of this broker cannot send its headers back unchanged.")});
        return {};
    }
    if (!copies.counters) {
        TRY(copies.counters, session.policies().counters());
    }
    const MessageFormat format{original->dialect,
                               dialect::conventionsNamed(operation.conventions, original->conventions)
                                   + resettingCounters(*copies.counters)};
    Result<records::Envelope> content =
        contentToSend(context.connection.kind, operation.kind, format, original->envelope, operation.plan.edit);
    if (!content) {
        copies.unfit.append({member.ordinal, content.error().message});
        return {};
    }
    if (!operation.policy.isEmpty() && operation.kind == records::OperationKind::Retry) {
        const int count = std::max(member.attempt, records::retryCountOf(original->envelope.headers) + 1);
        content = withRetryCount(context.connection.kind, std::move(*content), count);
        TRY(const QString counter, session.policies().counterOf(operation.policy));
        content = withApplicationCount(context.connection.kind, std::move(*content), original->envelope, counter);
    }
    records::Stamp stamp;
    stamp.store = context.store.storeId();
    stamp.uniqueId = member.uniqueId;
    stamp.operation = operation.id;
    stamp.attempt = member.attempt;
    stamp.stagingId = stagingId;

    TRY(content, withRequest(context, session, operation, *original, std::move(*content), stamp));

    broker::Outgoing outgoing;
    outgoing.ordinal = member.ordinal;
    outgoing.uniqueId = member.uniqueId;
    outgoing.destination = member.destination;
    outgoing.envelope = stampedIfItFits(context.connection.kind, std::move(*content), stamp);
    outgoing.dedupId = dedupId(stamp);
    outgoing.deliverAt = member.deliverAt;
    copies.outgoing.append(std::move(outgoing));
    return {};
}

} // namespace retry
