// A failed message with everything that another store needs of it: the record, headers and body, and what happened to it.
#pragma once

#include "backend/core/fields.h"
#include "backend/records/connection.h"
#include "backend/records/messages/message.h"

#include <QList>
#include <QString>

namespace records {

// One step in the history of a message, as its store tells it to people: "Retry operation 12 sent it to orders".
struct TrailEntry
{
    core::TimePoint at{};
    QString what;
    QString who; // empty: nobody, or unknown

    REDRIVE_FIELDS(at, what, who)
    friend bool operator==(const TrailEntry &, const TrailEntry &) = default;
};

inline constexpr qsizetype mostExportedSteps = 200; // the newest ones

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
    QList<TrailEntry> trail; // oldest first

    REDRIVE_FIELDS(store, uniqueId, connection, broker, queue, nativeId, dialect, status, messageId, messageType,
                   correlationId, conversationId, failure.exceptionType, failure.exceptionMessage, failure.stackTrace,
                   failure.endpoint, failure.host, failure.at, firstFailed, lastFailed, attempts, cameBack, destination,
                   flags, envelope, trail)
};

// Where an imported message comes from, and by whom.
struct ImportedFrom
{
    core::TimePoint at{};
    QString who;
    QString file; // without its folder
    // Names the message in the world: ExportedMessage
    QString store;
    QString uniqueId;
    MessageStatus status = MessageStatus::Unresolved; // in the store that exported it
    QList<TrailEntry> trail{}; // what had happened to it by then
};

} // namespace records
