#pragma once

#include "backend/core/clock.h"

#include <QByteArray>
#include <QHash>
#include <QString>

namespace localbroker {

// Key names and keys that may call; none: everybody may.
using Keys = QHash<QString, QString>;

// Checks "SharedAccessSignature sr=..&sig=..&se=..&skn=.." (protocols.md A.5): the signature over sr exactly as sent, the
// expiry, and that sr covers `hostAndPath` ("127.0.0.1:5000/orders/messages"). Empty: fine; else why not, for the answer.
[[nodiscard]] QString checkSas(const QByteArray &authorization, const QByteArray &hostAndPath, const Keys &keys,
                               core::TimePoint now);

} // namespace localbroker
