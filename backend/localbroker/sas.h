#pragma once

#include "backend/core/clock.h"
#include "backend/localbroker/route.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

namespace localbroker {

struct AccessKey
{
    AccessKey() = default;
    // Not explicit: a key is its text.
    AccessKey(QString key, QList<Claim> only = {})
        : text(std::move(key))
        , claims(std::move(only))
    {
    }
    QString text;
    QList<Claim> claims; // none: all
};

// Keys that may call, by name; none: everybody may.
using Keys = QHash<QString, AccessKey>;

// Checks "SharedAccessSignature sr=..&sig=..&se=..&skn=.." (protocols.md A.5): the signature over sr exactly as sent, the
// expiry, that sr covers `hostAndPath` ("127.0.0.1:5000/orders/messages"), and that the key is good for `claim`. Empty:
// fine; else why not, for the answer.
[[nodiscard]] QString checkSas(const QByteArray &authorization, const QByteArray &hostAndPath, const Keys &keys,
                               core::TimePoint now, Claim claim = Claim::None);

} // namespace localbroker
