#pragma once

#include <QByteArray>
#include <QStringList>

namespace store {

// Short lists of texts in one column, as a CBOR array.
[[nodiscard]] QByteArray toCbor(const QStringList &texts);
[[nodiscard]] QStringList textsFromCbor(const QByteArray &cbor);

} // namespace store
