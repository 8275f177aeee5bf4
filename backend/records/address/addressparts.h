#pragma once

#include "backend/records/connection.h"

#include <array>

namespace records {

inline constexpr std::array brokerKinds{BrokerKind::RabbitMq, BrokerKind::ServiceBus, BrokerKind::AzureQueue,
                                        BrokerKind::Sqs};

// The address of a broker in the parts that a form has fields for. connectionurl.h reads and writes it as one text.
struct AddressParts
{
    QString scheme = QStringLiteral("https"); // or "http"
    QString host;
    int port = -1; // -1: the one of the scheme
    QString user; // as in Connection::url
    QString virtualHost; // where hasVirtualHost()
    QString region; // where hasRegion(); empty: the one that the host names, if it does

    friend bool operator==(const AddressParts &, const AddressParts &) = default;
};

[[nodiscard]] bool hasVirtualHost(BrokerKind kind);
[[nodiscard]] bool hasRegion(BrokerKind kind);

// Between the parts and the form of Connection::url.
[[nodiscard]] AddressParts partsOf(BrokerKind kind, const QUrl &url);
[[nodiscard]] QUrl urlOf(BrokerKind kind, const AddressParts &parts);

// What to enter next, as a sentence for people: a part without which there is no address. Empty: nothing is missing.
[[nodiscard]] QString missingPart(BrokerKind kind, const QUrl &url);

} // namespace records
