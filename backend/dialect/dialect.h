// Failure-header conventions of frameworks: which one a message follows, what it says, what to strip before it goes back.
// Pure: bytes in, values out; never fails (a message nobody knows is read as "unknown"). All input is hostile.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/message.h"

#include <QString>

namespace dialect {

// A failed message as intake found it.
struct Arrival
{
    records::BrokerKind broker = records::BrokerKind::RabbitMq;
    QString queue; // where it lay
    QString origin; // the queue it was dead-lettered from, when the broker itself knows
    records::Envelope envelope;
    std::optional<int> deliveryCount;
    std::optional<core::TimePoint> enqueuedAt;
};

struct Reading
{
    QString dialect; // "NServiceBus", "RabbitMQ", "Service Bus", "unknown": a name of the table
    QString messageId;
    bool messageIdIsUnique = false; // the framework guarantees it: fit for identity, with the endpoint
    QString messageType;
    QString correlationId;
    QString conversationId;
    records::Failure failure;
    records::Destination destination;
    std::optional<int> attempts; // as the message says; not our count
    QString contentType;
    QString confirms; // unique id that this control message confirms as processed; empty for a failed message
    records::MessageFlags flags; // OtherTool, Damaged, Shortened: what to know before retrying
    // The message that failed, where its framework wrapped it into another one: what a retry sends.
    std::optional<records::Envelope> unwrapped;
};

[[nodiscard]] Reading read(const Arrival &arrival);

// The copy that goes back: failure headers and counters taken out or reset, broker-native death records too. Everything
// else stays, with its kind, and so does the body; only what a framework wrapped into a message of its own is unwrapped.
[[nodiscard]] records::Envelope stripped(const QString &dialect, const records::Envelope &envelope);

// Without the headers that are null where to this dialect's framework a missing one says the same. Not every interface of a
// broker can carry a null back.
[[nodiscard]] records::Envelope withoutNulls(const QString &dialect, records::Envelope envelope);

// Classification under one classifier: the title of the failure group. Never empty.
[[nodiscard]] QString groupTitle(records::Classifier classifier, const Reading &reading, const Arrival &arrival);

} // namespace dialect
