#include "backend/localbroker/brokerthread.h"

namespace localbroker {

BrokerThread::BrokerThread()
{
    m_thread.setObjectName(QStringLiteral("localbroker"));
}

BrokerThread::~BrokerThread()
{
    stop();
}

core::Result<quint16> BrokerThread::start(const BrokerSettings &settings)
{
    stop();
    m_broker = new LocalBroker(settings);
    m_broker->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_broker, &QObject::deleteLater);
    m_thread.start();
    core::Result<quint16> started = quint16{0};
    QMetaObject::invokeMethod(
        m_broker, [this, &started] { started = m_broker->start(); }, Qt::BlockingQueuedConnection);
    if (!started)
        stop();
    return started;
}

void BrokerThread::stop()
{
    if (!m_thread.isRunning())
        return;
    m_thread.quit();
    m_thread.wait();
    m_broker = nullptr;
}

} // namespace localbroker
