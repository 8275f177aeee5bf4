#pragma once

#include "backend/api/whendone.h"
#include "backend/core/async.h"

namespace commandline {

// Turns an answer of the engine into something that a coroutine can await. It is resolved on the thread of `context`,
// with Cancelled when the future ends without a value.
template<typename T>
[[nodiscard]] core::Pending<core::Result<T>> answerOf(QObject &context, api::Answer<T> answer)
{
    core::Pending<core::Result<T>> pending;
    api::whenDone(&context, answer, [pending](core::Result<T> result) { pending.resolve(std::move(result)); });
    return pending;
}

} // namespace commandline
