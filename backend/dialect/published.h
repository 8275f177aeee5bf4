// Where a message was published before it failed: what its bindings are read for. RabbitMQ only.
#pragma once

#include "backend/records/messages/headers.h"

#include <QStringList>

#include <optional>

namespace dialect {

struct Published
{
    QString exchange; // empty: the default exchange
    QStringList keys; // routing keys; more than one with a CC header
    QString knownFrom; // the header or field that says so, for people: "x-death"
};

// As the message itself says: the framework's own field, else the death in `destination` (the queue in which it failed;
// empty: unknown), else the oldest death. Nothing: it does not say. A pure function; the message may be hostile.
[[nodiscard]] std::optional<Published> publishedTo(const QString &dialect, const records::Envelope &envelope,
                                                   const QString &destination);

} // namespace dialect
