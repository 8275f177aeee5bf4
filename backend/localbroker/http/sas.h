#pragma once

#include "backend/core/time/clock.h"
#include "backend/localbroker/http/route.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

namespace localbroker {

struct AccessKey
{
    AccessKey() = default;
    // Not explicit, so that a text can be used as a key.
    AccessKey(QString key, QList<Claim> only = {})
        : text(std::move(key))
        , claims(std::move(only))
    {
    }
    QString text;
    QList<Claim> claims; // empty: all rights
};

// The keys by their names. Empty: no key is needed.
using Keys = QHash<QString, AccessKey>;

// Checks "SharedAccessSignature sr=..&sig=..&se=..&skn=.." (protocols.md A.5): the signature over sr exactly as it was
// sent, the expiry time, that sr covers `hostAndPath` ("127.0.0.1:5000/orders/messages"), and that the key has the
// right `claim`. Returns an empty text if all is well, else the reason for the response.
[[nodiscard]] QString checkSas(const QByteArray &authorization, const QByteArray &hostAndPath, const Keys &keys,
                               core::TimePoint now, Claim claim = Claim::None);

} // namespace localbroker
