#include "backend/engine/dispatch/enginemailbox.h"

#include "backend/engine/engine.h"

#include <QMetaObject>

namespace engine {

void EngineMailbox::attach(Engine &engine)
{
    const std::scoped_lock lock(m_mutex);
    if (m_state != State::Early)
        return;
    m_state = State::Open;
    m_engine = &engine;
    for (Work &work : m_early)
        deliver(engine, std::move(work));
    m_early.clear();
}

void EngineMailbox::close()
{
    std::vector<Work> dropped; // destroyed after the lock is released, because a Reply inside may call back
    const std::scoped_lock lock(m_mutex);
    m_state = State::Closed;
    m_engine = nullptr;
    dropped.swap(m_early);
}

void EngineMailbox::post(Work work)
{
    const std::scoped_lock lock(m_mutex);
    switch (m_state) {
    case State::Early:
        m_early.push_back(std::move(work));
        return;
    case State::Open:
        // Under the lock, so that the engine cannot be destroyed in between. Its queued events are destroyed with it.
        deliver(*m_engine, std::move(work));
        return;
    case State::Closed:
        return;
    }
}

void EngineMailbox::deliver(Engine &engine, Work work)
{
    Engine *const target = &engine;
    QMetaObject::invokeMethod(
        target, [target, work = std::move(work)] { work(*target); }, Qt::QueuedConnection);
}

} // namespace engine
