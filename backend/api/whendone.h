#pragma once

#include "backend/api/client.h"
#include "backend/api/text.h"

#include <QFutureWatcher>

namespace api {

// Calls `use(result)` once from the event loop of `context`'s thread, never from inside this call. If `context` is
// destroyed first, `use` is never called; QFuture::then would assert. A future without a value counts as Cancelled.
template<typename T, typename Use>
void whenDone(QObject *context, const Answer<T> &answer, Use use)
{
    using Watcher = QFutureWatcher<core::Result<T>>;
    auto *watcher = new Watcher(context);
    QObject::connect(watcher, &Watcher::finished, context, [watcher, use = std::move(use)]() mutable {
        watcher->deleteLater();
        if (watcher->future().resultCount() > 0)
            use(watcher->result());
        else
            use(core::Result<T>(
                core::fail(core::ErrorKind::Cancelled, Text::tr("The engine stopped before it answered."))));
    });
    watcher->setFuture(answer);
}

} // namespace api
