#include "app/democonsumerthread.h"

#include "app/brokers.h"
#include "backend/core/systemclock.h"
#include "backend/sandbox/shop.h"

namespace app {

struct DemoConsumerThread::Parts
{
    Parts(const sandbox::Scenario &scenario, const records::Connection &connection, const QString &secret,
          std::shared_ptr<std::atomic<qint64>> processed)
        : brokers(brokerFactory(clock, random))
        , shop(
              scenario, clock, [this, connection, secret] { return brokers(connection, secret); }, std::move(processed))
    {
    }
    core::SystemClock clock;
    core::SystemRandom random;
    engine::BrokerFactory brokers;
    sandbox::Shop shop;
};

DemoConsumerThread::DemoConsumerThread(const sandbox::Scenario &scenario, records::Connection connection,
                                       QString secret)
    : m_processed(std::make_shared<std::atomic<qint64>>(0))
    , m_there(new QObject)
    , m_parts(std::make_shared<std::unique_ptr<Parts>>())
{
    m_thread.setObjectName(QStringLiteral("shop"));
    m_there->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_there, &QObject::deleteLater);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_there,
        [parts = m_parts, processed = m_processed, &scenario, connection, secret] {
            *parts = std::make_unique<Parts>(scenario, connection, secret, processed);
            (*parts)->shop.start();
        },
        Qt::QueuedConnection);
}

DemoConsumerThread::~DemoConsumerThread()
{
    QThread *const thread = &m_thread;
    QObject *const there = m_there;
    const auto leave = [parts = m_parts, thread] {
        parts->reset();
        thread->quit();
    };
    QMetaObject::invokeMethod(
        there,
        [parts = m_parts, there, leave] {
            (*parts)->shop.stop([there, leave] { QMetaObject::invokeMethod(there, leave, Qt::QueuedConnection); });
        },
        Qt::QueuedConnection);
    m_thread.wait();
}

} // namespace app
