#include "app/commandline/snapshotstream.h"

#include "app/commandline/text.h"

namespace commandline {

SnapshotStream::SnapshotStream(api::EngineClient &client, core::Clock &clock)
    : m_client(client)
    , m_timers(clock)
{
    m_client.listen([this](api::SnapshotPtr snapshot) { take(std::move(snapshot)); });
}

SnapshotStream::~SnapshotStream()
{
    stop();
    m_client.listen([](const api::SnapshotPtr &) {});
}

void SnapshotStream::stop()
{
    m_stopped = true;
    m_timers.cancelAll();
    if (m_arrival)
        std::exchange(m_arrival, std::nullopt)->resolve(true);
}

void SnapshotStream::lose(core::Error error)
{
    m_lost = std::move(error);
    stop();
}

core::Error SnapshotStream::endedError() const
{
    return m_lost ? *m_lost : interrupted();
}

core::Error SnapshotStream::interrupted()
{
    return {core::ErrorKind::Cancelled,
            Text::tr("Interrupted. Nothing is lost: started work continues when an engine runs on this store."),
            {},
            {}};
}

void SnapshotStream::take(api::SnapshotPtr snapshot)
{
    m_last = std::move(snapshot);
    if (m_watcher)
        m_watcher(*m_last);
    if (m_resting)
        m_timers.wake();
    if (m_arrival)
        std::exchange(m_arrival, std::nullopt)->resolve(true);
}

core::Task<core::Result<>> SnapshotStream::rest(core::Milliseconds longest)
{
    m_resting = true;
    const core::Result<> woken = co_await m_timers.sleepOrWake(longest);
    m_resting = false;
    co_return woken;
}

core::Task<core::Result<api::SnapshotPtr>> SnapshotStream::ready()
{
    while (!m_last || m_last->engine == api::EngineState::Starting) {
        const api::SnapshotPtr before = m_last;
        const core::Result<> woken = co_await rest(timeout);
        if (!woken)
            co_return core::fail(endedError());
        if (m_last == before) {
            co_return core::fail(core::ErrorKind::Transient,
                                 Text::tr("The engine does not answer. Look for a stuck redrive process and end it."));
        }
    }
    if (m_last->engine == api::EngineState::StoreRefusesWrites) // its lists may be incomplete
        co_return core::fail(core::ErrorKind::StoreFailed, m_last->engineText);
    const api::SnapshotPtr newest =
        m_last; // QCoro moves from the returned object, even from a member, unless it is const
    co_return newest;
}

core::Task<core::Result<api::SnapshotPtr>> SnapshotStream::newer(quint64 sequence)
{
    while (!m_last || m_last->sequence <= sequence) {
        const api::SnapshotPtr before = m_last;
        const core::Result<> woken = co_await rest(moment);
        if (!woken)
            co_return core::fail(endedError());
        if (m_last == before)
            break;
    }
    const api::SnapshotPtr newest = m_last;
    co_return newest;
}

core::Task<core::Result<api::SnapshotPtr>> SnapshotStream::next()
{
    if (!m_stopped) {
        m_arrival.emplace();
        const core::Pending<bool> arrival = *m_arrival;
        co_await arrival;
    }
    if (m_stopped)
        co_return core::fail(endedError());
    const api::SnapshotPtr newest = m_last;
    co_return newest;
}

} // namespace commandline
