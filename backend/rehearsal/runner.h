#pragma once

#include "backend/rehearsal/environment.h"

#include <QThreadPool>

#include <vector>

namespace rehearsal {

// Runs each rehearsal in an environment of its own, on a thread of its own with low priority. Used on the engine thread.
class Runner final : public engine::Rehearser
{
public:
    explicit Runner(EnvironmentDependencies dependencies);
    ~Runner() override; // cancels what runs and waits for it

    [[nodiscard]] QFuture<core::Result<api::RehearsalReport>> start(
        engine::RehearsalJob job, std::shared_ptr<engine::RehearsalControl> control) override;

private:
    const EnvironmentDependencies m_dependencies;
    std::vector<std::weak_ptr<engine::RehearsalControl>> m_controls;
    QThreadPool m_threads;
};

} // namespace rehearsal
