#include "backend/control/dispatch.h"

#include "backend/api/whendone.h"
#include "backend/control/apifields.h"
#include "backend/control/markfields.h"
#include "backend/control/movefields.h"
#include "backend/control/settingsfields.h"

namespace control {

namespace {

using Answered = std::function<void(const QCborMap &)>;

template<typename T>
void pass(QObject *context, const api::Answer<T> &answer, const Answered &answered)
{
    api::whenDone(context, answer, [answered](const core::Result<T> &result) {
        QCborMap message;
        if (!result)
            message.insert(QLatin1StringView("error"), encode(result.error()));
        else if constexpr (std::is_void_v<T>)
            message.insert(QLatin1StringView("ok"), true);
        else
            message.insert(QLatin1StringView("ok"), encode(*result));
        answered(message);
    });
}

template<typename Argument, typename T>
bool serve(QObject *context, api::EngineClient &client, const Call &call,
           api::Answer<T> (api::EngineClient::*verb)(Argument))
{
    std::decay_t<Argument> argument{};
    if (!decode(call.with, argument))
        return false;
    pass(context, (client.*verb)(argument), call.answered);
    return true;
}

bool serveAct(QObject *context, api::EngineClient &client, const Call &call)
{
    core::OperationId operation;
    api::OperationAction action{};
    const QCborMap pair = call.with.toMap();
    if (!decode(pair.value(QLatin1StringView("id")), operation)
        || !decode(pair.value(QLatin1StringView("action")), action))
        return false;
    pass(context, client.act(operation, action), call.answered);
    return true;
}

bool serveMove(QObject *context, api::EngineClient &client, const Call &call)
{
    api::MoveCommand command;
    if (!decode(call.with, command))
        return false;
    pass(context, api::moveQueue(client, command), call.answered);
    return true;
}

} // namespace

bool dispatch(QObject *context, api::EngineClient &client, const Call &call)
{
    using api::EngineClient;
    if (call.verb == u"saveConnection")
        return serve(context, client, call, &EngineClient::saveConnection);
    if (call.verb == u"removeConnection")
        return serve(context, client, call, &EngineClient::removeConnection);
    if (call.verb == u"testConnection")
        return serve(context, client, call, &EngineClient::testConnection);
    if (call.verb == u"intake")
        return serve(context, client, call, &EngineClient::intake);
    if (call.verb == u"look")
        return serve(context, client, call, &EngineClient::browse);
    if (call.verb == u"follow")
        return serve(context, client, call, &EngineClient::subscribe);
    if (call.verb == u"preview")
        return serve(context, client, call, &EngineClient::preview);
    if (call.verb == u"editSample")
        return serve(context, client, call, &EngineClient::editSample);
    if (call.verb == u"retry")
        return serve(context, client, call, &EngineClient::retry);
    if (call.verb == u"pauseAll")
        return serve(context, client, call, &EngineClient::pauseAll);
    if (call.verb == u"settle")
        return serve(context, client, call, &EngineClient::settle);
    if (call.verb == u"decide")
        return serve(context, client, call, &EngineClient::decide);
    if (call.verb == u"redirect")
        return serve(context, client, call, &EngineClient::redirect);
    if (call.verb == u"settings")
        return serve(context, client, call, &EngineClient::settings);
    if (call.verb == u"setGroupNote")
        return serve(context, client, call, &EngineClient::setGroupNote);
    if (call.verb == u"muteGroups")
        return serve(context, client, call, &EngineClient::muteGroups);
    if (call.verb == u"moveQueue")
        return serveMove(context, client, call);
    if (call.verb == u"setRate")
        return serve(context, client, call, &EngineClient::setRate);
    if (call.verb == u"act")
        return serveAct(context, client, call);
    if (call.verb != u"refreshQueues")
        return false;
    pass(context, client.refreshQueues(), call.answered);
    return true;
}

} // namespace control
