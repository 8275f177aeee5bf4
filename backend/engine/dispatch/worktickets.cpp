#include "backend/engine/dispatch/worktickets.h"

#include "backend/engine/dispatch/commandtable.h"
#include "backend/engine/text.h"

#include <algorithm>
#include <utility>

namespace engine {

void WorkTickets::addHandlers(CommandTable &table)
{
    table.on(&Engine::works, &WorkTickets::progress);
    table.on(&Engine::works, &WorkTickets::cancel);
}

core::LongWorkPtr WorkTickets::begin(const QString &ticket)
{
    if (ticket.isEmpty())
        return nullptr;
    m_running.removeIf([](Running::iterator one) { return one.value().expired(); });
    const auto work = std::make_shared<core::LongWork>();
    m_running.insert(ticket, work);
    return work;
}

core::Result<core::LongWorkPtr> WorkTickets::find(const QString &ticket)
{
    const core::LongWorkPtr work = m_running.value(ticket).lock();
    if (!work)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This has ended already."));
    return work;
}

core::Result<api::WorkProgress> WorkTickets::progress(const api::AskWork &request)
{
    TRY(const core::LongWorkPtr work, find(request.ticket));
    api::WorkProgress now{work->done, work->of, work->isAbout};
    if (now.of)
        now.of = std::max(*now.of, now.done); // some came meanwhile
    return now;
}

core::Result<> WorkTickets::cancel(const api::CancelWork &request)
{
    TRY(const core::LongWorkPtr work, find(request.ticket));
    work->isCancelled = true;
    const std::function<void()> cancelled = std::exchange(work->onCancel, {}); // the work goes on within the call
    if (cancelled)
        cancelled();
    return {};
}

} // namespace engine
