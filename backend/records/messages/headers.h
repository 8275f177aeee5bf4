// The headers and native properties of a message, with the types that the broker gave them. Values are CBOR values:
// text, integer, double, bool, null, bytes, array, map. A number that came as 1.0 stays a double. Any thread.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/result.h"

#include <QByteArray>
#include <QCborValue>
#include <QList>
#include <QString>

namespace records {

struct Header
{
    QString name;
    QCborValue value;

    REDRIVE_FIELDS(name, value)
    friend bool operator==(const Header &a, const Header &b) { return a.name == b.name && a.value == b.value; }
};

using Headers = QList<Header>; // in the order of the broker; names are case-sensitive (Ordinal)

// Null if there is no such header. The pointer is valid until the list changes.
[[nodiscard]] const QCborValue *find(const Headers &headers, QStringView name);
// The value as text; numbers and bools in their usual form. Empty if the header is missing or the value is not text,
// number or bool.
[[nodiscard]] QString text(const Headers &headers, QStringView name);
[[nodiscard]] QString text(const QCborValue &value);
// Replaces the value, or adds the header at the end.
void set(Headers &headers, const QString &name, const QCborValue &value);
void remove(Headers &headers, QStringView name);

// The form in the store: a CBOR array of [name, value] pairs.
[[nodiscard]] QByteArray toCbor(const Headers &headers);
// Reads that form. Corrupt if it is damaged.
[[nodiscard]] core::Result<Headers> headersFromCbor(const QByteArray &cbor);

// One message as a broker has it, or as it will be sent.
struct Envelope
{
    Headers headers; // headers or custom properties of the application
    Headers properties; // properties that the broker defines: message_id, Label, priority, ...
    QByteArray body;
    QString exchange; // RabbitMQ only
    QString routingKey; // RabbitMQ only

    REDRIVE_FIELDS(headers, properties, body, exchange, routingKey)
    friend bool operator==(const Envelope &, const Envelope &) = default;
};

} // namespace records
