#pragma once

#include "backend/api/client.h"

#include <QCborMap>

#include <functional>

class QObject;

namespace control {

// A command as it travels: its name, what it is about, and who hears the answer: "ok" with a value, or "error".
struct Call
{
    QString verb;
    QCborValue with;
    // Dropped unanswered, it is answered with Cancelled where it was asked.
    std::function<void(const QCborMap &)> answered;
};

// Carries the call out through `client`; it is answered from the event loop of `context`, or not at all when that is gone
// by then. False: no such verb, or a malformed value; nothing was done.
[[nodiscard]] bool dispatch(QObject *context, api::EngineClient &client, const Call &call);

} // namespace control
