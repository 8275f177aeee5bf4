#pragma once

#include "app/termination.h"
#include "backend/core/result.h"

#include <QCoreApplication>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace app {

// Runs `work` on a separate thread while this thread runs the event loop, and returns its result. SIGINT and SIGTERM
// request a stop through the token; `code` is 130 or 143 then, and 0 otherwise. The application object must exist.
template<typename T>
[[nodiscard]] core::Result<T> runOnWorker(const std::function<core::Result<T>(const std::stop_token &)> &work,
                                          int &code)
{
    std::stop_source stop;
    std::optional<core::Result<T>> result;
    const std::unique_ptr<QThread> thread(QThread::create([&] { result.emplace(work(stop.get_token())); }));
    QObject::connect(thread.get(), &QThread::finished, QCoreApplication::instance(), [] { QCoreApplication::exit(0); });
    const Termination termination(Termination::Ends::Interrupted);
    thread->start();
    code = QCoreApplication::exec();
    stop.request_stop();
    thread->wait();
    return std::move(*result);
}

} // namespace app
