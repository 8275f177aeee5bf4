// Failure-header conventions of frameworks: which one a message follows, what it says, what to strip before it goes back.
// Pure: bytes in, values out; never fails (a message nobody knows is read as "unknown"). All input is hostile.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/message.h"

#include <QStringList>

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
    QString dialect; // "NServiceBus", "RabbitMQ", "Service Bus", "unknown"
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
    QStringList hazards; // what to know before retrying, in words
};

[[nodiscard]] Reading read(const Arrival &arrival);

// The copy that goes back: failure headers and counters taken out or reset, broker-native death records too. Everything
// else stays, with its kind. The body is not touched.
[[nodiscard]] records::Envelope stripped(const QString &dialect, const records::Envelope &envelope);

// Classification under one classifier: the title of the failure group. Never empty.
[[nodiscard]] QString groupTitle(records::Classifier classifier, const Reading &reading, const Arrival &arrival);

} // namespace dialect
