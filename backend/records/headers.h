// Headers and native properties of a message with the kinds the broker gave them. Values are CBOR values: text, integer,
// double, bool, null, bytes, array, map. A number that came as 1.0 stays a double.
#pragma once

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

    friend bool operator==(const Header &a, const Header &b) { return a.name == b.name && a.value == b.value; }
};

using Headers = QList<Header>; // in the broker's order; names compare Ordinal (case-sensitive)

// Null when absent. The pointer is good until the list changes.
[[nodiscard]] const QCborValue *find(const Headers &headers, QStringView name);
// The value as text (numbers and bools in their usual spelling); empty when absent or not a scalar.
[[nodiscard]] QString text(const Headers &headers, QStringView name);
[[nodiscard]] QString text(const QCborValue &value);
void set(Headers &headers, const QString &name, const QCborValue &value);
void remove(Headers &headers, QStringView name);

// The form in the store: a CBOR array of [name, value] pairs.
[[nodiscard]] QByteArray toCbor(const Headers &headers);
[[nodiscard]] core::Result<Headers> headersFromCbor(const QByteArray &cbor);

// One message as it lies on a broker or is to be sent.
struct Envelope
{
    Headers headers; // what applications see as headers or custom properties
    Headers properties; // what the broker itself defines: message_id, Label, priority, ...
    QByteArray body;
    QString exchange; // RabbitMQ only
    QString routingKey; // RabbitMQ only

    friend bool operator==(const Envelope &, const Envelope &) = default;
};

} // namespace records
