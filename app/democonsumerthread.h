#pragma once

#include "backend/broker/broker.h"
#include "backend/records/connection.h"
#include "backend/sandbox/scenario.h"

#include <QThread>

#include <atomic>
#include <memory>

namespace app {

// Runs the consumers of the demo shop on a separate thread, connected to the demo broker over HTTP like any other
// program. `scenario` must outlive it.
class DemoConsumerThread final
{
public:
    DemoConsumerThread(const sandbox::Scenario &scenario, records::Connection connection, QString secret);
    ~DemoConsumerThread(); // stops the consumers and waits for their thread
    DemoConsumerThread(const DemoConsumerThread &) = delete;
    DemoConsumerThread &operator=(const DemoConsumerThread &) = delete;

    // Number of messages that the consumers have processed. Any thread.
    [[nodiscard]] qint64 processed() const { return *m_processed; }

private:
    struct Parts; // created, used and destroyed on m_thread

    std::shared_ptr<std::atomic<qint64>> m_processed;
    QThread m_thread;
    QObject *m_there;
    std::shared_ptr<std::unique_ptr<Parts>> m_parts;
};

} // namespace app
