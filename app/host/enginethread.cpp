#include "app/host/enginethread.h"

#include "backend/api/reply.h"

namespace app {

EngineThread::EngineThread()
    : m_mailbox(std::make_shared<engine::EngineMailbox>())
    , m_host(std::make_shared<std::unique_ptr<EngineHost>>())
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
    const auto leave = [host = m_host, mailbox = m_mailbox, thread] {
        mailbox->close();
        host->reset();
        thread->quit();
    };
    QMetaObject::invokeMethod(
        there,
        [host = m_host, there, leave] {
            if (!*host)
                return leave();
            // Leave from the event loop, because objects of the engine are still on the stack here.
            (*host)->close([there, leave] { QMetaObject::invokeMethod(there, leave, Qt::QueuedConnection); });
        },
        Qt::QueuedConnection);
}

// This object outlives those who call them: it waits for its thread, and the host for them.
EngineHost::Events EngineThread::events()
{
    const auto posted = [this](void (EngineThread::*signal)(const core::Error &)) {
        return [this, signal](const core::Error &why) {
            QMetaObject::invokeMethod(
                this, [this, signal, why] { Q_EMIT(this->*signal)
                                            (why); }, Qt::QueuedConnection);
        };
    };
    return {posted(&EngineThread::superseded), posted(&EngineThread::wanted)};
}

QFuture<core::Result<>> EngineThread::start(MakeHost make)
{
    const api::Reply<> reply;
    QMetaObject::invokeMethod(
        m_there,
        [this, reply, make = std::move(make), host = m_host, mailbox = m_mailbox] {
            *host = make();
            core::Result<> opened = (*host)->open(mailbox, events());
            if (!opened) {
                mailbox->close();
                host->reset();
            }
            reply.answer(std::move(opened));
        },
        Qt::QueuedConnection);
    return reply.future();
}

} // namespace app

#include "moc_enginethread.cpp"
