#pragma once

#include "backend/core/clock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace localbroker {

// A custom property as it stands in an HTTP header: the text keeps the kind ("\"text\"", "3", "true").
struct Property
{
    QByteArray name;
    QByteArray value;

    friend bool operator==(const Property &, const Property &) = default;
};

// What a sender gives.
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

    // What counts against the size limits.
    [[nodiscard]] qint64 headerBytes() const;
    [[nodiscard]] qint64 size() const { return body.size() + headerBytes(); }
};

struct Message
{
    enum class State { Ready, Scheduled, Deferred };

    qint64 sequence = 0; // unique in the broker, for ever
    Draft draft;
    State state = State::Ready;
    bool deadLetter = false;
    core::TimePoint enqueuedAt{};
    int deliveryCount = 0;
    QString deadLetterReason;
    QString deadLetterDescription;

    // Empty: never.
    [[nodiscard]] std::optional<core::TimePoint> expiresAt() const;
};

// One message in the hands of one receiver.
struct Delivery
{
    Message message;
    QString lockToken; // empty: received and deleted
    core::TimePoint lockedUntil{};
};

// The form in the file: everything but the body.
[[nodiscard]] QByteArray draftToCbor(const Draft &draft);
[[nodiscard]] std::optional<Draft> draftFromCbor(const QByteArray &cbor);

} // namespace localbroker
