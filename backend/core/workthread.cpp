#include "backend/core/workthread.h"

#include "backend/core/text.h"

namespace core {

WorkThread::WorkThread()
{
    m_threads.setMaxThreadCount(1);
}

WorkThread::~WorkThread()
{
    for (const std::weak_ptr<Job> &one : m_jobs) {
        if (const JobPtr job = one.lock())
            job->isCancelled = true;
    }
    m_threads.waitForDone();
}

WorkThread::JobPtr WorkThread::start(std::function<void(const Job &)> work)
{
    std::erase_if(m_jobs, [](const std::weak_ptr<Job> &one) { return one.expired(); });
    const JobPtr job = std::make_shared<Job>();
    m_jobs.push_back(job);
    m_threads.start([job, work = std::move(work)] {
        if (!job->isCancelled)
            work(*job);
        job->isDone = true;
    });
    return job;
}

Task<Result<>> WorkThread::end(JobPtr job, Timers *timers, LongWorkPtr wanted)
{
    constexpr Milliseconds turn{10};
    while (!job->isDone) {
        Result<> slept = co_await timers->sleep(turn);
        if (slept && wanted && wanted->isCancelled)
            slept = fail(ErrorKind::Cancelled, Text::tr("This was cancelled."));
        if (!slept) {
            job->isCancelled = true;
            co_return slept;
        }
    }
    co_return Result<>();
}

} // namespace core
