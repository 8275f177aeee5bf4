#include "tests/support/brokerrig/rabbitrig.h"

#include "backend/records/address/connectionurl.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/rabbit/failedorders.h"

namespace support {

namespace {

const QString errors = QStringLiteral("errors");
const QString supportUser = QStringLiteral("support");

records::Envelope failedMessage(int number)
{
    return FailedOrders(1, number).envelope(number);
}

} // namespace

bool RabbitRig::start()
{
    if (!m_server.start())
        return false;
    m_admin = std::make_unique<RabbitAdmin>(m_server, QStringLiteral("work/shop"));
    m_admin->makeVhost();
    m_admin->makeUser(supportUser, supportUser, QStringLiteral("monitoring"));
    for (const QString &queue : FailedOrders::destinations() + QStringList{errors})
        m_admin->makeQueue(queue);
    return true;
}

Console::Account RabbitRig::account() const
{
    records::Connection connection = m_server.connection(QStringLiteral("work/shop"), {errors});
    connection.name = QStringLiteral("shop-rabbit");
    if (!m_steps)
        return {connection, QStringLiteral("guest")};
    connection.url.setUserName(supportUser);
    connection.url = records::withSteps(connection.url, true);
    return {connection, supportUser};
}

void RabbitRig::publish(const QList<int> &numbers)
{
    QList<records::Envelope> messages;
    for (const int number : numbers)
        messages.append(failedMessage(number));
    m_admin->publish(errors, messages);
}

QList<Copy> RabbitRig::drain()
{
    QList<Copy> copies;
    const QStringList queues = FailedOrders::destinations();
    for (const QString &queue : queues) {
        const QList<records::Envelope> arrived = m_admin->drain(queue);
        for (const records::Envelope &one : arrived) {
            copies.append({FailedOrders::numberOf(one).value_or(-1), FailedOrders::faultOf(one, queue),
                           records::text(one.headers, records::stampHeader)});
        }
    }
    return copies;
}

void RabbitRig::failAgain(const QList<Copy> &copies)
{
    QList<records::Envelope> messages;
    for (const Copy &copy : copies) {
        messages.append(failedMessage(copy.number));
        records::set(messages.last().headers, records::stampHeader.toString(), copy.stamp);
    }
    m_admin->publish(errors, messages);
}

bool RabbitRig::goesBack(int number) const
{
    return FailedOrders::destinationOf(number) != FailedOrders::missingDestination();
}

int RabbitRig::numberOf(const records::Envelope &stored) const
{
    return FailedOrders::numberOf(stored).value_or(-1);
}

} // namespace support
