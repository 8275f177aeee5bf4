#include "backend/store/query/queryworker.h"

#include "backend/store/text.h"

namespace store {

static core::Error cancelledError()
{
    return {core::ErrorKind::Cancelled, Text::tr("The search was stopped."), {}, {}};
}

QueryWorker::QueryWorker(records::StoreAddress address, Queries::Now now)
    : m_address(std::move(address))
    , m_now(std::move(now))
    , m_thread(QThread::create([this] { run(); }))
{
    m_thread->setObjectName(QStringLiteral("redrive-query"));
    m_thread->start();
}

QueryWorker::~QueryWorker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        for (const std::shared_ptr<Ticket> &ticket : m_waiting)
            ticket->cancelled = true;
        if (m_running)
            m_running->cancelled = true;
        if (m_queries != nullptr)
            m_queries->interrupt();
    }
    m_wake.notify_all();
    m_thread->wait();
}

void QueryWorker::cancelLocked(quint64 number)
{
    if (number == 0)
        return;
    for (const std::shared_ptr<Ticket> &ticket : m_waiting)
        ticket->cancelled = ticket->cancelled || ticket->number == number;
    if (m_running && m_running->number == number) {
        m_running->cancelled = true;
        if (m_queries != nullptr)
            m_queries->interrupt();
    }
}

void QueryWorker::cancel(quint64 number)
{
    const std::lock_guard lock(m_mutex);
    cancelLocked(number);
}

void QueryWorker::enqueue(quint64 replaces, api::RequestPtr request)
{
    {
        const std::lock_guard lock(m_mutex);
        cancelLocked(replaces);
        m_waiting.push_back(std::make_shared<Ticket>(Ticket{replaces, std::move(request), m_ending}));
    }
    m_wake.notify_all();
}

std::shared_ptr<QueryWorker::Ticket> QueryWorker::next()
{
    std::unique_lock lock(m_mutex);
    m_running.reset();
    m_wake.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
    if (m_waiting.empty())
        return nullptr;
    m_running = m_waiting.front();
    m_waiting.pop_front();
    if (m_queries != nullptr && !m_running->cancelled)
        m_queries->resume(); // an interrupt was meant for the previous question
    return m_running;
}

bool QueryWorker::isCancelled(const Ticket &ticket)
{
    const std::lock_guard lock(m_mutex);
    return ticket.cancelled;
}

core::Result<> QueryWorker::ensureOpen(std::unique_ptr<Queries> &queries)
{
    if (queries)
        return {};
    TRY(queries, Queries::open(m_address, m_now));
    const std::lock_guard lock(m_mutex);
    m_queries = queries.get();
    if (m_ending)
        m_queries->interrupt();
    return {};
}

void QueryWorker::run()
{
    std::unique_ptr<Queries> queries;
    while (const std::shared_ptr<Ticket> ticket = next()) {
        if (isCancelled(*ticket)) {
            ticket->request->fail(cancelledError());
            continue;
        }
        if (const core::Result<> opened = ensureOpen(queries); !opened)
            ticket->request->fail(opened.error());
        else
            queries->answer(*ticket->request);
    }
    const std::lock_guard lock(m_mutex);
    m_queries = nullptr;
}

} // namespace store
