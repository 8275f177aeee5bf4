#include "app/demo/democonsumerthread.h"

#include "app/brokers.h"
#include "backend/core/time/systemclock.h"

namespace app {

struct DemoConsumerThread::Consumer
{
    Consumer(const MakeRun &make, const records::Connection &connection, const QString &secret)
        : brokers(brokerFactory(clock, random))
    {
        sandbox::ScenarioContext context{clock, random};
        context.makeBroker = [this, connection, secret] { return brokers(connection, secret); };
        run = make(std::move(context));
    }
    core::SystemClock clock;
    core::SystemRandom random;
    engine::BrokerFactory brokers;
    std::unique_ptr<sandbox::ScenarioRun> run;
};

DemoConsumerThread::DemoConsumerThread(MakeRun make, records::Connection connection, QString secret)
    : m_make(std::move(make))
    , m_connection(std::move(connection))
    , m_secret(std::move(secret))
    , m_there(new QObject)
{
    m_thread.setObjectName(QStringLiteral("shop"));
    m_there->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_there, &QObject::deleteLater);
    m_thread.start();
}

core::Result<> DemoConsumerThread::start()
{
    core::Result<> started;
    QMetaObject::invokeMethod(
        m_there,
        [this, &started] {
            m_consumer = std::make_unique<Consumer>(m_make, m_connection, m_secret);
            started = m_consumer->run->start();
        },
        Qt::BlockingQueuedConnection);
    return started;
}

DemoConsumerThread::~DemoConsumerThread()
{
    const auto leave = [this] {
        m_consumer.reset();
        m_thread.quit();
    };
    const auto stop = [this, leave] {
        if (!m_consumer) {
            leave();
            return;
        }
        // Not from inside the run, which is destroyed then.
        m_consumer->run->stop([this, leave] { QMetaObject::invokeMethod(m_there, leave, Qt::QueuedConnection); });
    };
    QMetaObject::invokeMethod(m_there, stop, Qt::QueuedConnection);
    m_thread.wait();
}

} // namespace app
