#include "backend/sandbox/reports/lockwait.h"

#include "backend/sandbox/text.h"

namespace sandbox {

using core::Result;

namespace {

constexpr core::Milliseconds pauseForLock{100};
constexpr int mostPauses = 300;

core::Error tooLong()
{
    return {core::ErrorKind::Transient, Text::tr("The task tables are locked for too long."), {}, {}};
}

} // namespace

core::Task<Result<>> beginWhenFree(TaskTable *table, core::Timers *timers)
{
    for (int pause = 0; pause < mostPauses; ++pause) {
        CO_TRY(const bool begun, table->begin());
        if (begun)
            co_return Result<>{};
        CO_TRY(co_await timers->sleep(pauseForLock));
    }
    co_return core::fail(tooLong());
}

core::Task<Result<std::optional<PipelineTask>>> lockWhenFree(TaskTable *table, core::Timers *timers, QString id)
{
    for (int pause = 0; pause < mostPauses; ++pause) {
        CO_TRY(co_await beginWhenFree(table, timers));
        const Result<TaskTable::Locked> locked = table->lock(id);
        if (!locked)
            table->abort();
        if (!locked)
            co_return core::fail(locked.error());
        if (!locked->isElsewhere)
            co_return locked->task;
        CO_TRY(co_await timers->sleep(pauseForLock));
    }
    co_return core::fail(tooLong());
}

} // namespace sandbox
