#pragma once

#include <QByteArray>
#include <QString>

namespace broker {

// The Authorization header of Service Bus REST: HMAC-SHA256 over "{percent-encoded uri}\n{expiry}" with the key's text
// (protocols.md A.5; checked against a test vector).
[[nodiscard]] QByteArray sasToken(const QString &uri, const QString &keyName, const QString &key, qint64 expirySeconds);

} // namespace broker
