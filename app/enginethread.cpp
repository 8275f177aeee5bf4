#include "app/enginethread.h"

#include "backend/engine/reply.h"

namespace app {

EngineThread::EngineThread()
    : m_port(std::make_shared<engine::Port>())
    , m_room(std::make_shared<std::unique_ptr<EngineRoom>>())
    , m_there(new QObject)
{
    m_thread.setObjectName(QStringLiteral("engine"));
    m_there->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_there, &QObject::deleteLater);
    connect(&m_thread, &QThread::finished, this, &EngineThread::ended);
    m_thread.start();
}

EngineThread::~EngineThread()
{
    beginEnd();
    m_thread.wait();
}

void EngineThread::beginEnd()
{
    if (std::exchange(m_ends, true))
        return;
    QObject *const there = m_there;
    QThread *const thread = &m_thread;
    const auto leave = [room = m_room, port = m_port, thread] {
        port->close();
        room->reset();
        thread->quit();
    };
    QMetaObject::invokeMethod(
        there,
        [room = m_room, there, leave] {
            if (!*room)
                return leave();
            // From the event loop: whatever ended last is still on the stack.
            (*room)->close([there, leave] { QMetaObject::invokeMethod(there, leave, Qt::QueuedConnection); });
        },
        Qt::QueuedConnection);
}

QFuture<core::Result<>> EngineThread::start(MakeRoom make)
{
    const engine::Reply<> reply;
    QMetaObject::invokeMethod(
        m_there,
        [reply, make = std::move(make), room = m_room, port = m_port] {
            *room = make();
            core::Result<> opened = (*room)->open(port);
            if (!opened) {
                port->close();
                room->reset();
            }
            reply.answer(std::move(opened));
        },
        Qt::QueuedConnection);
    return reply.future();
}

} // namespace app
