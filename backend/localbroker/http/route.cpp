#include "backend/localbroker/http/route.h"

#include <QStringList>
#include <QUrl>

namespace localbroker {

namespace {

using Action = Route::Action;

constexpr QLatin1String deadLetterName("$DeadLetterQueue");

bool is(const QString &segment, QLatin1String word)
{
    return segment.compare(word, Qt::CaseInsensitive) == 0;
}

QStringList segmentsOf(const QByteArray &path)
{
    QStringList segments;
    for (const QByteArray &raw : path.split('/')) {
        if (!raw.isEmpty())
            segments.append(QUrl::fromPercentEncoding(raw));
    }
    return segments;
}

Place placeOf(QStringList segments)
{
    Place place;
    if (!segments.isEmpty() && is(segments.constLast(), deadLetterName)) {
        place.deadLetter = true;
        segments.removeLast();
    }
    place.queue = segments.join(QLatin1Char('/'));
    return place;
}

Action ofMessages(const QByteArray &verb, const QStringList &tail)
{
    if (tail.isEmpty())
        return verb == "POST" ? Action::Send : Action::Unknown;
    if (tail.size() == 1 && is(tail[0], QLatin1String("head"))) {
        if (verb == "POST")
            return Action::PeekLock;
        return verb == "DELETE" ? Action::ReceiveAndDelete : Action::Unknown;
    }
    if (tail.size() != 2)
        return Action::Unknown;
    if (verb == "DELETE")
        return Action::Complete;
    if (verb == "PUT")
        return Action::Abandon;
    return verb == "POST" ? Action::Renew : Action::Unknown;
}

Action ofExtension(const QByteArray &verb, const QStringList &tail)
{
    if (tail.size() == 1 && is(tail[0], QLatin1String("browse")) && verb == "GET")
        return Action::Browse;
    if (verb != "POST")
        return Action::Unknown;
    if (tail.size() == 1 && is(tail[0], QLatin1String("deadletter")))
        return Action::SendDeadLetters;
    if (tail.size() == 3 && is(tail[0], QLatin1String("deadletter")))
        return Action::DeadLetter;
    if (tail.size() == 3 && is(tail[0], QLatin1String("defer")))
        return Action::Defer;
    return tail.size() == 2 && is(tail[0], QLatin1String("receive")) ? Action::ReceiveDeferred : Action::Unknown;
}

Action ofQueue(const QByteArray &verb)
{
    if (verb == "GET")
        return Action::GetQueue;
    if (verb == "PUT")
        return Action::PutQueue;
    return verb == "DELETE" ? Action::DeleteQueue : Action::Unknown;
}

Route ofRoot(const QByteArray &verb, const QStringList &segments)
{
    if (verb != "GET")
        return {};
    if (segments.isEmpty())
        return {Action::Namespace, {}, 0, {}};
    if (segments.size() == 2 && is(segments[0], QLatin1String("$Resources"))
        && is(segments[1], QLatin1String("queues")))
        return {Action::ListQueues, {}, 0, {}};
    if (segments.size() == 2 && is(segments[0], QLatin1String("$Resources"))
        && is(segments[1], QLatin1String("topics")))
        return {Action::ListTopics, {}, 0, {}};
    if (segments.size() == 1 && is(segments[0], QLatin1String("$namespaceinfo")))
        return {Action::Namespace, {}, 0, {}};
    if (segments.size() == 2 && is(segments[0], QLatin1String("$redrive")) && is(segments[1], QLatin1String("info")))
        return {Action::Info, {}, 0, {}};
    return {};
}

} // namespace

Route routeOf(const QByteArray &verb, const QByteArray &path)
{
    const QStringList segments = segmentsOf(path);
    if (segments.isEmpty() || (segments[0].startsWith(QLatin1Char('$')) && !is(segments[0], deadLetterName)))
        return ofRoot(verb, segments);
    // The word of the protocol that is nearest to the right end decides. At most three segments follow it.
    const qsizetype last = segments.size() - 1;
    for (qsizetype at = last; at > 0 && at >= last - 3; --at) {
        const QStringList tail = segments.mid(at + 1);
        const bool extension = is(segments[at], QLatin1String("$redrive"));
        if (!extension && !is(segments[at], QLatin1String("messages")))
            continue;
        Route route;
        route.action = extension ? ofExtension(verb, tail) : ofMessages(verb, tail);
        route.place = placeOf(segments.first(at));
        const qsizetype numberAt = extension ? 1 : 0;
        if (tail.size() > numberAt)
            route.sequence = tail[numberAt].toLongLong();
        if (tail.size() > numberAt + 1)
            route.lockToken = tail[numberAt + 1];
        return route;
    }
    const auto below = [&](qsizetype at, QLatin1String word) { return at > 0 && is(segments[at], word); };
    const auto isSubscription = [&](qsizetype length) {
        return subscriptionPath(segments.first(length).join(QLatin1Char('/'))).has_value();
    };
    if (below(last, QLatin1String("subscriptions")))
        return {verb == "GET" ? Action::ListSubscriptions : Action::Unknown, placeOf(segments.first(last)), 0, {}};
    if (below(last, QLatin1String("rules")) && isSubscription(last))
        return {verb == "GET" ? Action::ListRules : Action::Unknown, placeOf(segments.first(last)), 0, {}};
    if (below(last - 1, QLatin1String("rules")) && isSubscription(last - 1))
        return {Action::Unknown, placeOf(segments), 0, {}}; // a subscription has only the default rule
    return {ofQueue(verb), placeOf(segments), 0, {}};
}

Claim claimOf(Route::Action action)
{
    switch (action) {
    case Action::Unknown:
    case Action::Namespace:
    case Action::Info:
        return Claim::None;
    case Action::ListQueues:
    case Action::ListTopics:
    case Action::ListSubscriptions:
    case Action::ListRules:
    case Action::GetQueue:
    case Action::PutQueue:
    case Action::DeleteQueue:
        return Claim::Manage;
    case Action::Send:
    case Action::SendDeadLetters:
        return Claim::Send;
    case Action::PeekLock:
    case Action::ReceiveAndDelete:
    case Action::Complete:
    case Action::Abandon:
    case Action::Renew:
    case Action::Browse:
    case Action::DeadLetter:
    case Action::Defer:
    case Action::ReceiveDeferred:
        return Claim::Listen;
    }
    Q_UNREACHABLE();
}

QByteArray lockPath(const Place &place, qint64 sequence, const QString &token)
{
    QByteArray path = '/' + QUrl::toPercentEncoding(place.queue, "/");
    if (place.deadLetter)
        path += "/$DeadLetterQueue";
    return path + "/messages/" + QByteArray::number(sequence) + '/' + QUrl::toPercentEncoding(token);
}

} // namespace localbroker
