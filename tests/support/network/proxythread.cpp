#include "tests/support/network/proxythread.h"

namespace support {

ProxyThread::ProxyThread()
    : m_context(new QObject)
{
    m_context->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_context, &QObject::deleteLater);
    m_thread.start();
}

ProxyThread::~ProxyThread()
{
    m_thread.quit();
    m_thread.wait();
}

void ProxyThread::make(const std::function<QObject *()> &maker)
{
    QMetaObject::invokeMethod(
        m_context, [this, &maker] { maker()->setParent(m_context); }, Qt::BlockingQueuedConnection);
}

} // namespace support
