// A failed message with everything that another store needs of it: the record, headers and body, and what happened to it.
#pragma once

#include "backend/core/fields.h"
#include "backend/records/connection.h"
#include "backend/records/message.h"

#include <QList>
#include <QString>

namespace records {

// One step in the history of a message, as the store that exported it told it to people.
struct PastStep
{
    core::TimePoint at{};
    QString what;
    QString who; // empty: nobody, or unknown

    REDRIVE_FIELDS(at, what, who)
    friend bool operator==(const PastStep &, const PastStep &) = default;
};

inline constexpr qsizetype mostPastSteps = 200; // the newest ones

struct ExportedMessage
{
    // Store and unique id together name the message in the whole world. After an import both stay those of the store that
    // took it from its broker, so that a message that travels on is recognised.
    QString store; // 32 hex digits
    QString uniqueId; // 32 hex digits
    QString connection; // the name in the store that exported it
    BrokerKind broker = BrokerKind::RabbitMq;
    QString queue; // where it was found
    QString nativeId;
    QString dialect;
    MessageStatus status = MessageStatus::Unresolved; // when it was exported
    QString messageId;
    QString messageType;
    QString correlationId;
    QString conversationId;
    Failure failure; // the newest
    core::TimePoint firstFailed{};
    core::TimePoint lastFailed{};
    int attempts = 1;
    int cameBack = 0;
    Destination destination;
    MessageFlags flags;
    Envelope envelope; // as it failed
    QList<PastStep> trail; // oldest first

    REDRIVE_FIELDS(store, uniqueId, connection, broker, queue, nativeId, dialect, status, messageId, messageType,
                   correlationId, conversationId, failure.exceptionType, failure.exceptionMessage, failure.stackTrace,
                   failure.endpoint, failure.host, failure.at, firstFailed, lastFailed, attempts, cameBack, destination,
                   flags, envelope, trail)
};

} // namespace records
