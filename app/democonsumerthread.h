#pragma once

#include "backend/broker/broker.h"
#include "backend/records/connection.h"
#include "backend/sandbox/scenario.h"

#include <QThread>

#include <atomic>
#include <memory>

namespace app {

// The demo shop's consumers on a thread of their own, connected to the demo's broker like any other program.
class DemoConsumerThread final
{
public:
    DemoConsumerThread(const sandbox::Scenario &scenario, records::Connection connection, QString secret);
    ~DemoConsumerThread(); // ends the consumers and waits for them
    DemoConsumerThread(const DemoConsumerThread &) = delete;
    DemoConsumerThread &operator=(const DemoConsumerThread &) = delete;

    // Messages that the consumers have finished with. Any thread.
    [[nodiscard]] qint64 processed() const { return *m_processed; }

private:
    struct Parts; // made, used and destroyed on the thread

    std::shared_ptr<std::atomic<qint64>> m_processed;
    QThread m_thread;
    QObject *m_there;
    std::shared_ptr<std::unique_ptr<Parts>> m_parts;
};

} // namespace app
