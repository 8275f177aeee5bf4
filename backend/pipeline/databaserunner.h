#pragma once

#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/pipeline/taskdatabase.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <map>
#include <memory>

namespace pipeline {

// Opens a database on a thread of its own, does one piece of work there, and closes it. A database that does not answer
// holds up nobody else: after 15 s the answer is Transient, and the thread ends as soon as its driver lets it. If it was
// committing a change by then, or has, the answer is UnknownOutcome instead. Used on one thread, whose event loop brings
// the answers.
class DatabaseRunner final : public QObject
{
public:
    explicit DatabaseRunner(core::Milliseconds timeLimit = std::chrono::seconds(15));
    // Stops all work and waits for the threads: the longest wait is that of connecting to a server that does not answer.
    ~DatabaseRunner() override;

    struct Place
    {
        DatabaseUrl url;
        QString password;
        TaskDatabase::Access access = TaskDatabase::Access::Read;
    };
    // `work` runs on the other thread, so it owns what it uses. Errors: those of TaskDatabase::open and of `work`;
    // Transient after the time limit, Cancelled after cancelAll(), UnknownOutcome after either if it changed something.
    template<typename T>
    [[nodiscard]] core::Pending<core::Result<T>> run(Place place, std::function<core::Result<T>(TaskDatabase &)> work)
    {
        const core::Pending<core::Result<T>> answer;
        const auto result = std::make_shared<core::Result<T>>(core::fail(cancelled()));
        start(
            std::move(place),
            [result, work = std::move(work)](core::Result<std::unique_ptr<TaskDatabase>> opened) {
                *result = opened ? work(**opened) : core::Result<T>(core::fail(opened.error()));
            },
            [answer, result] { answer.resolve(std::move(*result)); },
            [answer](const core::Error &error) { answer.resolve(core::fail(error)); });
        return answer;
    }

    // All work ends now, with Cancelled or UnknownOutcome; later work ends at once with Cancelled.
    void cancelAll();

private:
    struct Running
    {
        std::shared_ptr<Interrupter> interrupter;
        core::Error unknownCommit;
        std::function<void(const core::Error &)> giveUp;
    };
    [[nodiscard]] static core::Error cancelled();
    void start(Place place, std::function<void(core::Result<std::unique_ptr<TaskDatabase>>)> work,
               std::function<void()> done, std::function<void(const core::Error &)> giveUp);
    void end(quint64 number, const core::Error &why);

    const core::Milliseconds m_timeLimit;
    std::map<quint64, Running> m_running;
    quint64 m_lastNumber = 0;
    bool m_isCancelled = false;
    QThreadPool m_threads;
};

} // namespace pipeline
