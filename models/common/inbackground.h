#pragma once

#include "backend/api/reply.h"
#include "models/session/enginecall.h"

#include <QThreadPool>

#include <type_traits>

namespace models {

// Runs `work`, which returns a core::Result, on a pool thread and answers with what it returns. For what would make the
// window wait, such as a file or the text of a large body. Receive the answer with api::whenDone or EngineCall::await.
template<typename Work>
[[nodiscard]] auto inBackground(Work work)
{
    using Result = std::invoke_result_t<Work>;
    const api::Reply<typename Result::value_type> reply;
    QFuture<Result> future = reply.future();
    QThreadPool::globalInstance()->start([reply, work = std::move(work)] { reply.answer(work()); });
    return future;
}

} // namespace models
