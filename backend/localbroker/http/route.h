#pragma once

#include "backend/localbroker/http/httpmessage.h"
#include "backend/localbroker/queuesettings.h"

namespace localbroker {

// What a request asks for. Words of the protocol are compared without regard to case. Queue names may contain '/', so a
// path is read from the right (protocols.md A.1).
struct Route
{
    enum class Action {
        Unknown,
        Namespace,
        ListQueues,
        ListTopics,
        ListSubscriptions,
        ListRules,
        Info,
        GetQueue,
        PutQueue,
        DeleteQueue,
        Send,
        SendDeadLetters,
        PeekLock,
        ReceiveAndDelete,
        Complete,
        Abandon,
        Renew,
        Browse,
        DeadLetter,
        Defer,
        ReceiveDeferred,
    };

    Action action = Action::Unknown;
    Place place;
    qint64 sequence = 0;
    QString lockToken;
};

// The right that a key needs for a request.
enum class Claim { None, Listen, Send, Manage };
[[nodiscard]] Claim claimOf(Route::Action action);

[[nodiscard]] Route routeOf(const QByteArray &verb, const QByteArray &path);
// The path for a Location header: "/orders/$DeadLetterQueue/messages/5/{token}".
[[nodiscard]] QByteArray lockPath(const Place &place, qint64 sequence, const QString &token);

} // namespace localbroker
