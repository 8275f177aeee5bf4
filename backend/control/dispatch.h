#pragma once

#include "backend/api/client.h"

#include <QCborMap>

#include <functional>

class QObject;

namespace control {

// A command on its way through the socket: its name, its value, and the function that gets the answer, which is a map
// with either "ok" and the result, or "error".
struct Call
{
    QString verb;
    QCborValue with;
    // When destroyed uncalled, the caller gets Cancelled.
    std::function<void(const QCborMap &)> answered;
};

// Carries out the call through `client`. The answer comes from the event loop of `context`; if that is destroyed first,
// there is none. False: unknown verb or malformed value; nothing was done.
[[nodiscard]] bool dispatch(QObject *context, api::EngineClient &client, const Call &call);

} // namespace control
