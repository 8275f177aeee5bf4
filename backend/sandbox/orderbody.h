#pragma once

#include <QByteArray>
#include <QString>

namespace sandbox {

// The JSON body of an order message. The roll decides the article, the amount, the price and the customer.
[[nodiscard]] QByteArray orderBody(const QString &messageType, int number, quint64 roll);

} // namespace sandbox
