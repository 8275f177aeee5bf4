// The stamp: one header that Redrive adds to every copy it sends. By the stamp, intake recognizes a message of ours
// that fails again.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/messages/headers.h"

#include <optional>

namespace records {

inline constexpr QStringView stampHeader = u"Redrive-Stamp";

struct Stamp
{
    QString store; // the id of the store that sent the copy
    QString uniqueId;
    core::OperationId operation;
    int attempt = 1; // the number of this retry of the message, from 1
    QString stagingId; // the staging attempt; copies of an attempt that was given up are dropped
    QString bodyDigest; // of the body that was sent: it does not match if the stamp was copied to another message

    friend bool operator==(const Stamp &, const Stamp &) = default;
};

// "1;store;uniqueId;operation;attempt;stagingId;digest": plain ASCII, which every broker keeps unchanged.
[[nodiscard]] QString toText(const Stamp &stamp);
// Nothing if the text is not a stamp, or is damaged.
[[nodiscard]] std::optional<Stamp> stampFrom(const QString &text);
[[nodiscard]] std::optional<Stamp> stampOf(const Headers &headers);
// The first 32 hexadecimal digits of the SHA-256 of the body.
[[nodiscard]] QString bodyDigest(const QByteArray &body);

} // namespace records
