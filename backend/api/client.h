// The one interface of the engine, used by the window and the command line alike. Each implementation is a way to where
// requests are answered: engine::LocalClient to the engine of this process, control::RemoteClient through the control
// socket to the process that holds the store, control::FailoverClient to one of these, which can change.
#pragma once

#include "backend/api/request.h"
#include "backend/api/snapshot.h"

#include <QFuture>

#include <functional>

namespace api {

template<typename T = void>
using Answer = QFuture<core::Result<T>>;

// Thread: the thread that created the client. No call blocks. Every future finishes with a value or an error; when the
// engine ends first, the error is Cancelled. Continue with api::whenDone (whendone.h).
// Rights are checked in the engine, whoever asks: a missing one is Refused, and the message names it. An id that is not
// in the store is NotFound. When the process that holds the store dies before it answers a command, the answer is
// Transient and the command may or may not be done. The errors that a request adds stand at the request.
// What a successful answer reports is committed to the store and survives a crash.
class EngineClient
{
public:
    using Listener = std::function<void(SnapshotPtr)>;

    EngineClient() = default;
    EngineClient(const EngineClient &) = delete;
    EngineClient &operator=(const EngineClient &) = delete;
    virtual ~EngineClient() = default;

    // Calls `listener` on the client's thread with each snapshot that is published from now on. There is one listener,
    // the last one given. A slow listener skips snapshots and gets the newest.
    virtual void listen(Listener listener) = 0;

    template<Request R>
    [[nodiscard]] Answer<typename R::Answer> ask(R request)
    {
        auto asked = std::make_shared<Asked<R>>(std::move(request));
        Answer<typename R::Answer> answer = asked->reply.future();
        send(std::move(asked));
        return answer;
    }

    // Carries a request to where it is answered.
    virtual void send(RequestPtr request) = 0;
};

} // namespace api
