#pragma once

#include "backend/core/longwork.h"
#include "backend/core/time/timers.h"

#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace core {

// Carries out pure functions that may take seconds on a thread of its own, one after the other, so that the thread that
// needs the results goes on. Used on one thread.
class WorkThread final
{
public:
    struct Job
    {
        std::atomic_bool isDone{false}; // what the work wrote can be read then
        std::atomic_bool isCancelled{false}; // the work should end: nobody reads its result
    };
    using JobPtr = std::shared_ptr<Job>;

    WorkThread();
    ~WorkThread(); // cancels all jobs and waits for the one that runs
    WorkThread(const WorkThread &) = delete;
    WorkThread &operator=(const WorkThread &) = delete;

    // `work` owns what it uses. A job that is cancelled before it begins does nothing.
    [[nodiscard]] JobPtr start(std::function<void(const Job &)> work);
    // Waits for the end of a job, in turns of `timers`. Cancelled, and the job is, too: by the timers, or `wanted` (may be
    // null) is cancelled.
    [[nodiscard]] static Task<Result<>> end(JobPtr job, Timers *timers, LongWorkPtr wanted);

private:
    std::vector<std::weak_ptr<Job>> m_jobs;
    QThreadPool m_threads;
};

} // namespace core
