// The one header that every copy we send carries. It lets intake recognise its own message when it fails again.
#pragma once

#include "backend/core/ids.h"
#include "backend/records/headers.h"

#include <optional>

namespace records {

inline constexpr QStringView stampHeader = u"Redrive-Stamp";

struct Stamp
{
    QString store; // the store id that wrote it
    QString uniqueId;
    core::OperationId operation;
    int attempt = 1; // the retry of this message within its life, from 1
    QString stagingId; // copies of a void staging id are dropped
    QString bodyDigest; // of the body that was sent: a copied stamp on another body does not match

    friend bool operator==(const Stamp &, const Stamp &) = default;
};

// "1;store;uniqueId;operation;attempt;stagingId;digest": plain ASCII, kept by every broker.
[[nodiscard]] QString toText(const Stamp &stamp);
// Nothing when the text is not one of ours (hostile or damaged).
[[nodiscard]] std::optional<Stamp> stampFrom(const QString &text);
[[nodiscard]] std::optional<Stamp> stampOf(const Headers &headers);
// The first 32 hex digits of SHA-256.
[[nodiscard]] QString bodyDigest(const QByteArray &body);

} // namespace records
