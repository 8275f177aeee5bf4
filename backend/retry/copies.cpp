// The copies that go back, made from the store.
#include "backend/retry/outgoing.h"
#include "backend/retry/processor.h"
#include "backend/retry/words.h"
#include "backend/store/messagestore.h"

namespace retry {

using core::ErrorKind;
using core::fail;

// Only the message itself can make it unfit; a store that cannot be read is an error.
Result<> Processor::addCopy(store::Session &session, const records::RetryOperation &operation, const QString &stagingId,
                            const store::RetryMember &member, Copies &copies)
{
    const Result<records::FailedMessage> message = session.messages().load(member.message);
    const Result<records::Envelope> envelope = session.messages().loadEnvelope(member.message);
    for (const core::Error *error : {message ? nullptr : &message.error(), envelope ? nullptr : &envelope.error()}) {
        if (error == nullptr)
            continue;
        if (error->kind != ErrorKind::NotFound && error->kind != ErrorKind::Corrupt)
            return fail(*error);
        copies.unfit.append(
            {member.ordinal, words("Its content cannot be read from the store: %1").arg(error->message)});
        return {};
    }
    if (message->flags.testFlag(records::MessageFlag::NotFaithful)) {
        copies.unfit.append({member.ordinal, words("It carries headers that this broker's HTTP interface cannot send "
                                                   "back unchanged.")});
        return {};
    }
    records::Stamp stamp;
    stamp.store = m_parts.store.storeId();
    stamp.uniqueId = member.uniqueId;
    stamp.operation = operation.id;
    stamp.attempt = member.attempt;
    stamp.stagingId = stagingId;
    stamp.bodyDigest = records::bodyDigest(envelope->body);

    broker::Outgoing outgoing;
    outgoing.ordinal = member.ordinal;
    outgoing.uniqueId = member.uniqueId;
    outgoing.destination = member.destination;
    outgoing.envelope = outgoingCopy(m_connection.kind, operation.kind, message->dialect, *envelope, stamp);
    outgoing.dedupId = dedupId(stamp);
    copies.outgoing.append(std::move(outgoing));
    return {};
}

} // namespace retry
