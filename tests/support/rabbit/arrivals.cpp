#include "tests/support/rabbit/arrivals.h"

#include "tests/support/rabbit/failedorders.h"

namespace support {

namespace {

constexpr qsizetype faultsKept = 10;

}

Arrivals::Arrivals(RabbitAdmin &admin)
{
    const QStringList queues = FailedOrders::destinations();
    for (const QString &queue : queues) {
        const QList<records::Envelope> copies = admin.drain(queue);
        for (const records::Envelope &copy : copies) {
            const QString fault = FailedOrders::faultOf(copy, queue);
            if (!fault.isEmpty() && m_faults.size() < faultsKept)
                m_faults.append(fault);
            ++m_copies[FailedOrders::numberOf(copy).value_or(-1)];
        }
    }
}

QSet<int> Arrivals::twice() const
{
    QSet<int> numbers;
    for (auto one = m_copies.cbegin(); one != m_copies.cend(); ++one) {
        if (one.value() > 1)
            numbers.insert(one.key());
    }
    return numbers;
}

int Arrivals::surplus() const
{
    int copies = 0;
    for (const int count : m_copies)
        copies += count - 1;
    return copies;
}

} // namespace support
