#pragma once

#include "backend/core/time/clock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace localbroker {

// A custom property as in an HTTP header. The text shows the type: "\"text\"", "3", "true".
struct Property
{
    QByteArray name;
    QByteArray value;

    friend bool operator==(const Property &, const Property &) = default;
};

// A message as its sender gives it.
struct Draft
{
    QByteArray body;
    std::optional<QByteArray> contentType;
    QList<Property> properties;
    QString messageId;
    QString correlationId;
    QString label;
    QString to;
    QString replyTo;
    QString sessionId;
    QString replyToSessionId;
    QString partitionKey;
    std::optional<core::Milliseconds> timeToLive;
    std::optional<core::TimePoint> scheduledFor;

    // The bytes that count for the size limits.
    [[nodiscard]] qint64 headerBytes() const;
    [[nodiscard]] qint64 size() const { return body.size() + headerBytes(); }
};

// A message that is put into a dead-letter queue directly.
struct DeadLetterDraft
{
    Draft draft;
    QString reason;
    QString description;
};

// How the broker itself sent a message on, from a topic or by forwarding.
struct Travel
{
    qint64 firstSequence = 0; // its sequence number where it was sent to; 0: it was sent here
    int hops = 0; // how often it was forwarded
    int spread = 1; // how many copies topics may have made of the message that was sent
    QString deadLetterSource; // the entity where it was dead-lettered, if it was forwarded as a dead letter

    friend bool operator==(const Travel &, const Travel &) = default;
};

struct Message
{
    enum class State { Ready, Scheduled, Deferred };

    qint64 sequence = 0; // unique in the broker, never used again
    Draft draft;
    State state = State::Ready;
    bool deadLetter = false;
    core::TimePoint enqueuedAt{};
    int deliveryCount = 0;
    QString deadLetterReason;
    QString deadLetterDescription;
    Travel travel;

    // Nothing: never.
    [[nodiscard]] std::optional<core::TimePoint> expiresAt() const;
};

// One message that was given to a receiver.
struct Delivery
{
    Message message;
    QString lockToken; // empty: received and deleted
    core::TimePoint lockedUntil{};
};

// The form in the file: the draft without its body, and the Travel if the message was sent on.
[[nodiscard]] QByteArray draftToCbor(const Draft &draft, const Travel &travel = {});
[[nodiscard]] std::optional<Draft> draftFromCbor(const QByteArray &cbor, Travel *travel = nullptr);

} // namespace localbroker
