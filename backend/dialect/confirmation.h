// How a retry asks an endpoint to confirm that it handled a message: two headers of ServiceControl. An endpoint that knows
// them sends a control message with the id to the queue once the message was handled; intake reads it (Reading::confirms).
// Where its framework packs headers into the body, they are there. Pure functions for any thread; the input may be hostile.
// Source: NServiceBus RetryAcknowledgementBehavior.cs (7.5 or newer), ServiceControl ReturnToSender.cs.
#pragma once

#include "backend/records/messages/message.h"

#include <QStringList>

namespace dialect {

inline constexpr QStringView confirmationIdHeader = u"ServiceControl.Retry.UniqueMessageId";
inline constexpr QStringView confirmationQueueHeader = u"ServiceControl.Retry.AcknowledgementQueue";

// Whether endpoints of this dialect know these headers, and the message has no other use for them: a confirmation that
// failed names the message that it confirms.
[[nodiscard]] bool canAskEndpoint(const QString &dialect, const records::Envelope &failed);

// The names of those dialects.
[[nodiscard]] QStringList confirmingDialects();

// The unique id of the message that its endpoint is asked to confirm, by an earlier retry of anybody. Empty: it is not asked.
[[nodiscard]] QString requestedId(const records::Envelope &failed);

// What its request says in this header; empty: nothing.
[[nodiscard]] QString requestText(const records::Envelope &failed, QStringView header);

// The copy with this request in the place of an older one. `failed` says where its headers are. `uniqueId`: 32 hexadecimal
// digits, written as ServiceControl writes them; the copy stays as it is with any other.
[[nodiscard]] records::Envelope askingEndpoint(const records::Envelope &failed, records::Envelope copy,
                                               const QString &uniqueId, const QString &queue);
[[nodiscard]] records::Envelope notAskingEndpoint(const records::Envelope &failed, records::Envelope copy);

} // namespace dialect
