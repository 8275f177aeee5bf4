#pragma once

#include "backend/records/connection.h"
#include "backend/sandbox/scenariorun.h"

#include <QThread>

#include <functional>
#include <memory>

namespace app {

// Runs the services of the demo on a separate thread and in real time, connected to the demo broker over HTTP like any
// other program.
class DemoConsumerThread final
{
public:
    // Called on that thread.
    using MakeRun = std::function<std::unique_ptr<sandbox::ScenarioRun>(sandbox::ScenarioContext)>;

    DemoConsumerThread(MakeRun make, records::Connection connection, QString secret);
    ~DemoConsumerThread(); // stops the services and waits for their thread
    DemoConsumerThread(const DemoConsumerThread &) = delete;
    DemoConsumerThread &operator=(const DemoConsumerThread &) = delete;

    // Waits until they have started. Call once. For the errors see ScenarioRun::start().
    [[nodiscard]] core::Result<> start();

private:
    struct Consumer; // created, used and destroyed on m_thread

    MakeRun m_make;
    records::Connection m_connection;
    QString m_secret;
    QThread m_thread;
    QObject *m_there;
    std::unique_ptr<Consumer> m_consumer;
};

} // namespace app
