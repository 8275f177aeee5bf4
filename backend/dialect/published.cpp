#include "backend/dialect/published.h"

#include "backend/dialect/deaths.h"
#include "backend/dialect/facts.h"
#include "backend/dialect/table.h"

#include <array>

namespace dialect {

namespace {

std::optional<Published> publishedOf(const Deaths &deaths, const Death *death)
{
    if (death == nullptr || death->keys.isEmpty())
        return std::nullopt;
    return Published{death->exchange, death->keys, deaths.header};
}

std::optional<Published> framed(const MessageView &view, const FieldPath &exchange, const FieldPath &key)
{
    const QString name = view.text(exchange);
    const QString routingKey = view.text(key);
    if ((name.isEmpty() && routingKey.isEmpty()) || name.size() > bounds::address
        || routingKey.size() > bounds::address)
        return std::nullopt;
    return Published{name, {routingKey}, exchange.name};
}

// MassTransit sends to an exchange with the name of the message type or of the endpoint.
// Source: MassTransit JsonMessageEnvelope.cs, RabbitMqEndpointAddress.cs.
std::optional<Published> massTransit(const MessageView &view)
{
    const FieldPath field{Place::JsonBody, QStringLiteral("destinationAddress")};
    if (!view.mayHold("destinationAddress"))
        return std::nullopt;
    const QString exchange = queueOf(view.text(field), AddressForm::Uri, records::Certainty::Exact).queue;
    if (exchange.isEmpty())
        return std::nullopt;
    return Published{exchange, {QString()}, field.name};
}

std::optional<Published> byFramework(const QString &dialect, const MessageView &view)
{
    const Dialect &entry = dialectNamed(dialect);
    if (entry.unwrap != nullptr) {
        const std::optional<records::Envelope> inside = entry.unwrap(view.envelope());
        if (inside && !(inside->exchange.isEmpty() && inside->routingKey.isEmpty()))
            return Published{inside->exchange, {inside->routingKey}, entry.name};
    }
    // Source: spring-amqp retry/RepublishMessageRecoverer.java; rascal lib/amqp/SubscriberError.js.
    const std::array<std::array<FieldPath, 2>, 2> fields{{
        {{{Place::Header, QStringLiteral("x-original-exchange")},
          {Place::Header, QStringLiteral("x-original-routingKey")}}},
        {{{Place::InHeader, QStringLiteral("rascal/originalExchange")},
          {Place::InHeader, QStringLiteral("rascal/originalRoutingKey")}}},
    }};
    for (const auto &[exchange, key] : fields) {
        if (const std::optional<Published> found = framed(view, exchange, key))
            return found;
    }
    return massTransit(view);
}

std::optional<Published> saidBy(const QString &dialect, const records::Envelope &envelope, const QString &destination)
{
    Arrival arrival;
    arrival.envelope = envelope;
    if (std::optional<Published> framework = byFramework(dialect, MessageView(arrival)))
        return framework;
    const Deaths deaths = deathsOf(envelope.headers);
    // The broker keeps exchange and keys of the first time for each queue and reason.
    if (std::optional<Published> there = publishedOf(deaths, oldestDeath(deaths, destination)))
        return there;
    if (std::optional<Published> first = publishedOf(deaths, oldestDeath(deaths, {})))
        return first;
    // RabbitMQ 3.13 and later keeps this header when a consumer removes x-death. A queue with a routing key of its own
    // for dead letters has replaced the key.
    const QString name = QStringLiteral("x-first-death-exchange");
    const QString exchange = records::text(envelope.headers, name);
    if (exchange.isEmpty() || exchange.size() > bounds::address || envelope.routingKey.isEmpty()
        || envelope.routingKey.size() > bounds::address)
        return std::nullopt;
    return Published{exchange, {envelope.routingKey}, name};
}

// Redrive returns a message to its queue by name. It does so through an exchange of its own ("The return exchange stays" in the README
// of backend/broker/rabbitmq), which is no address that a person or a plan should care about.
bool isReturned(const Published &published)
{
    return published.exchange.startsWith(u"redrive.") && published.exchange.endsWith(u".return");
}

} // namespace

std::optional<Published> publishedTo(const QString &dialect, const records::Envelope &envelope,
                                     const QString &destination)
{
    std::optional<Published> published = saidBy(dialect, envelope, destination);
    if (published && isReturned(*published))
        published->exchange.clear();
    return published;
}

} // namespace dialect
