#include "backend/engine/planning/destinationtext.h"

#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"

namespace engine {

namespace {

constexpr qsizetype toldQueues = 8; // named in one sentence

// Names from outside, as one line of limited length.
QString oneLine(const QString &name)
{
    constexpr qsizetype longest = 120;
    const QString line = name.simplified();
    return line.size() <= longest ? line : line.left(longest) + QChar(0x2026);
}

QString listed(const QStringList &names)
{
    QStringList told;
    for (const QString &name : names.mid(0, toldQueues))
        told.append(oneLine(name));
    const QString list = told.join(QStringLiteral(", "));
    return names.size() <= toldQueues ? list : Text::tr("%1 and %2 more").arg(list).arg(names.size() - toldQueues);
}

// "exchange orders-x with the key orders.created"; fanout exchanges have messages without a key.
QString publishedText(const api::PlannedRoute &route)
{
    QStringList keys = route.keys;
    keys.removeAll(QString());
    const QString exchange = oneLine(route.exchange);
    return keys.isEmpty() ? Text::tr("exchange %1").arg(exchange)
                          : Text::tr("exchange %1 with the key %2").arg(exchange, listed(keys));
}

// A message that was sent to a queue by its name.
bool isDirect(const dialect::Published &published)
{
    return published.exchange.isEmpty();
}

QString whereItLeads(const api::PlannedRoute &route)
{
    QStringList keys = route.keys;
    keys.removeAll(QString());
    const QString exchange = oneLine(route.exchange);
    if (route.queues.isEmpty()) {
        return keys.isEmpty() ? Text::tr("Exchange %1 leads to no queue now").arg(exchange)
                              : Text::tr("Exchange %1 routes %2 to no queue now").arg(exchange, listed(keys));
    }
    if (keys.isEmpty())
        return Text::tr("Exchange %1 leads to: %2").arg(exchange, listed(route.queues));
    return Text::tr("Exchange %1 routes %2 to: %3").arg(exchange, listed(keys), listed(route.queues));
}

QString sourceText(const api::PlannedRoute &route)
{
    return Text::tr("(message %1, %2)").arg(QString::number(route.example.value), oneLine(route.knownFrom));
}

QString notKnownText(const core::Error &error, const api::PlannedRoute &route)
{
    switch (error.kind) {
    case core::ErrorKind::Unauthorized:
        return Text::tr("its bindings cannot be read with this login");
    case core::ErrorKind::NotFound:
        return Text::tr("exchange %1 does not exist any more").arg(oneLine(route.exchange));
    default:
        return Text::tr("its bindings cannot be read now: %1").arg(oneLine(error.message));
    }
}

QString withSentences(const api::PlannedRoute &route, const broker::Routes &routes, const QString &destination)
{
    QStringList parts{whereItLeads(route) + QLatin1Char(' ') + sourceText(route) + QLatin1Char('.')};
    if (route.queues.isEmpty() && !route.alternate.isEmpty())
        parts.append(Text::tr("Its alternate exchange is %1.").arg(oneLine(route.alternate)));
    for (const QString &exchange : routes.undecided) {
        parts.append(Text::tr("Where exchange %1 leads cannot be told from the key.").arg(oneLine(exchange)));
    }
    if (!routes.isWhole)
        parts.append(Text::tr("There are more bindings than Redrive follows."));
    if (route.queues.size() > 1 && !destination.isEmpty())
        parts.append(Text::tr("A retry sends only to %1.").arg(oneLine(destination)));
    return parts.join(QLatin1Char(' '));
}

} // namespace

QString whyThere(const api::PlannedDestination &planned)
{
    const records::Destination &said = planned.insteadOf ? *planned.insteadOf : planned.destination;
    QStringList parts;
    if (planned.insteadOf && !said.queue.isEmpty())
        parts.append(Text::tr("Redirected from %1.").arg(oneLine(said.queue)));
    if (said.queue.isEmpty())
        parts.append(Text::tr("These messages do not say in which queue they failed."));
    else if (!said.knownFrom.isEmpty())
        parts.append(planned.mixed ? Text::tr("Known from %1, for some from elsewhere.").arg(oneLine(said.knownFrom))
                                   : Text::tr("Known from %1.").arg(oneLine(said.knownFrom)));
    if (planned.insteadOf)
        return parts.join(QLatin1Char(' '));
    switch (said.certainty) {
    case records::Certainty::Unknown:
        parts.append(Text::tr("Look at one of them, then choose a queue, or leave them out."));
        break;
    case records::Certainty::Derived:
        parts.append(Text::tr(
            "Redrive concludes this, so it can be the wrong queue: look at one message, or choose another queue."));
        break;
    case records::Certainty::FanOut:
        parts.append(Text::tr("Every subscriber there gets a copy, also those that succeeded: choose the queue of the "
                              "one that failed, if it has one."));
        break;
    case records::Certainty::Exact:
        break;
    }
    return parts.join(QLatin1Char(' '));
}

std::optional<api::PlannedRoute> plannedRoute(const api::PlannedDestination &planned,
                                              const dialect::Published &published,
                                              const core::Result<broker::Routes> &routes)
{
    const QString origin = planned.origin();
    api::PlannedRoute route;
    route.example = planned.example;
    route.exchange = published.exchange;
    route.keys = published.keys;
    route.knownFrom = published.knownFrom;
    if (!routes) {
        route.notKnown = notKnownText(routes.error(), route);
        route.sentence =
            Text::tr("Published to %1 %2; %3.").arg(publishedText(route), sourceText(route), route.notKnown);
        return route;
    }
    if (isDirect(published) && (published.keys.isEmpty() || published.keys == QStringList{origin}))
        return std::nullopt;
    route.queues = routes->queues;
    route.alternate = routes->alternate;
    if (isDirect(published)) {
        route.sentence =
            Text::tr("First sent to the queue %1 by its name %2.").arg(listed(route.keys), sourceText(route));
        return route;
    }
    route.isUnbound = !origin.isEmpty() && routes->isCertain() && !route.queues.contains(origin);
    route.sentence = withSentences(route, *routes, planned.destination.queue);
    return route;
}

QString unboundText(const api::PlannedDestination &planned)
{
    if (!planned.route)
        return {};
    return Text::tr("%1: the queue %2 is not bound to %3 any more. Check that its service still wants them, or choose "
                    "another queue.")
        .arg(messagesText(planned.count), oneLine(planned.origin()), publishedText(*planned.route));
}

} // namespace engine
