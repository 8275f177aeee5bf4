#include "backend/rehearsal/runner.h"

#include <QThread>

namespace rehearsal {

Runner::Runner(EnvironmentDependencies dependencies)
    : m_dependencies(std::move(dependencies))
{
    m_threads.setMaxThreadCount(1);
    m_threads.setThreadPriority(QThread::LowPriority);
}

Runner::~Runner()
{
    for (const std::weak_ptr<engine::RehearsalControl> &one : m_controls) {
        if (const std::shared_ptr<engine::RehearsalControl> control = one.lock())
            control->isCancelled = true;
    }
    m_threads.waitForDone();
}

QFuture<core::Result<api::RehearsalReport>> Runner::start(engine::RehearsalJob job,
                                                          std::shared_ptr<engine::RehearsalControl> control)
{
    std::erase_if(m_controls, [](const std::weak_ptr<engine::RehearsalControl> &one) { return one.expired(); });
    m_controls.push_back(control);
    const api::Reply<api::RehearsalReport> reply;
    m_threads.start([this, reply, control, job = std::move(job)] {
        Environment environment(m_dependencies, job, control);
        reply.answer(environment.run());
    });
    return reply.future();
}

} // namespace rehearsal
