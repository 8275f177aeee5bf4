#include "tests/brokers/rabbitmq/newer/newerrabbit.h"

#include <QTest>

namespace support {

NewerRabbit::NewerRabbit() = default;

NewerRabbit::NewerRabbit(const RabbitServer::Member &member)
    : m_server(RabbitServer::chosenSuite(), member)
{
}

bool NewerRabbit::start(const QVersionNumber &oldest, const char *why)
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty()) {
        QTest::qSkip(qPrintable(missing), __FILE__, __LINE__);
        return false;
    }
    if (m_server.nodePid() == 0 && !m_server.start()) {
        QTest::qFail(qPrintable(m_server.error()), __FILE__, __LINE__);
        return false;
    }
    if (RabbitAdmin(m_server, QStringLiteral("/")).version() < oldest) {
        QTest::qSkip(why, __FILE__, __LINE__);
        return false;
    }
    return true;
}

void NewerRabbit::makeHost()
{
    close();
    m_vhost = QStringLiteral("shop%1").arg(++m_vhosts);
    m_admin = std::make_unique<RabbitAdmin>(m_server, m_vhost);
    m_admin->makeVhost();
    m_folder = std::make_unique<QTemporaryDir>();
}

void NewerRabbit::makeQueues(const QCborMap &argumentsOfErrors)
{
    m_admin->makeQueue(errors, argumentsOfErrors);
    m_admin->makeQueue(orders);
}

records::Connection NewerRabbit::connection() const
{
    return m_server.connection(m_vhost, {errors});
}

void NewerRabbit::openConsole()
{
    openConsole(connection());
}

void NewerRabbit::openConsole(const records::Connection &connection)
{
    m_console = std::make_unique<RabbitConsole>(m_folder->filePath(QStringLiteral("redrive.db")), connection);
    m_console->open();
}

void NewerRabbit::close()
{
    m_console.reset();
    m_admin.reset();
}

records::Envelope NewerRabbit::failed(int number)
{
    records::Envelope one;
    one.body = QByteArray::number(number);
    one.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("order-%1").arg(number)},
                   {QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QStringLiteral("Shop.") + exception},
                   {QStringLiteral("NServiceBus.FailedQ"), orders}};
    one.properties = {{QStringLiteral("delivery_mode"), 2}};
    return one;
}

} // namespace support
