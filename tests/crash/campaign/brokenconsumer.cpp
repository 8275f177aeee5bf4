#include "tests/crash/campaign/brokenconsumer.h"

#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"
#include "tests/support/rabbit/failedorders.h"

namespace killing {

using support::FailedOrders;

namespace {

constexpr int badOnes = 400; // one of so many numbers; a quarter of them has no destination
constexpr qsizetype faultsKept = 10;

} // namespace

BrokenConsumer::BrokenConsumer(support::RabbitAdmin &admin, const QString &errorQueue)
    : m_admin(admin)
    , m_errorQueue(errorQueue)
{
}

bool BrokenConsumer::isBad(int number)
{
    return number % badOnes == 1;
}

int BrokenConsumer::consume()
{
    int taken = 0;
    const QStringList queues = FailedOrders::destinations();
    for (const QString &queue : queues) {
        const QList<records::Envelope> copies = m_admin.drain(queue);
        QList<records::Envelope> failed;
        for (const records::Envelope &copy : copies) {
            check(copy, queue);
            const int number = FailedOrders::numberOf(copy).value_or(-1);
            Seen &seen = m_seen[number];
            seen.retryCount = std::max(seen.retryCount, records::retryCountOf(copy.headers));
            if (m_isBroken || isBad(number)) {
                ++seen.failed;
                failed.append(failedAgain(number, copy));
            } else {
                ++seen.processed;
                ++m_processed;
            }
        }
        m_admin.publish(m_errorQueue, failed);
        taken += int(copies.size());
    }
    m_deliveries += taken;
    return taken;
}

void BrokenConsumer::check(records::Envelope copy, const QString &queue)
{
    records::remove(copy.headers, records::retryCountHeader); // FailedOrders knows of retries by people, who need none
    const QString fault = FailedOrders::faultOf(copy, queue);
    if (!fault.isEmpty() && m_faults.size() < faultsKept)
        m_faults.append(fault);
}

// A framework keeps headers that it does not know.
records::Envelope BrokenConsumer::failedAgain(int number, const records::Envelope &copy)
{
    records::Envelope failed = FailedOrders(1, number).envelope(number);
    for (const QStringView kept : {records::stampHeader, records::retryCountHeader}) {
        if (const QCborValue *const value = records::find(copy.headers, kept); value != nullptr)
            records::set(failed.headers, kept.toString(), *value);
    }
    return failed;
}

} // namespace killing
