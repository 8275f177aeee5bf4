#pragma once

#include "app/commandline/snapshotstream.h"
#include "backend/api/requests/queries.h"
#include "backend/core/time/systemclock.h"

#include <QJsonObject>
#include <QObject>

#include <functional>

namespace commandline {
class Printer;
}

namespace app {

// Runs the whole demo scenario as a person does it in the window: take all messages, list the failure groups, retry the
// biggest ones, wait until the consumers have processed them, and count the messages that came back.
class HeadlessDemo final : public QObject
{
    Q_OBJECT

public:
    HeadlessDemo(api::EngineClient &client, records::Connection connection, std::function<qint64()> processed);

    // Call once. `done` gets the counts, which are the same for the same seed, or the error that stopped the scenario.
    void run(std::function<void(core::Result<QJsonObject>)> done);
    // Prints the counts for people.
    void print(commandline::Printer &printer, const QJsonObject &outcome) const;

private:
    [[nodiscard]] core::Task<> runAll(std::function<void(core::Result<QJsonObject>)> done);
    [[nodiscard]] core::Task<core::Result<QJsonObject>> scenario();
    [[nodiscard]] core::Task<core::Result<core::ConnectionId>> connected();
    [[nodiscard]] core::Task<core::Result<api::GroupPage>> groups();
    [[nodiscard]] core::Task<core::Result<core::OperationId>> retry(api::GroupRow group);
    [[nodiscard]] core::Task<core::Result<records::RetryOperation>> ended(core::OperationId id);
    [[nodiscard]] core::Task<core::Result<records::RetryOperation>> operation(core::OperationId id);
    [[nodiscard]] core::Task<core::Result<>> consumed(qint64 sent);

    api::EngineClient &m_client;
    records::Connection m_connection;
    std::function<qint64()> m_processed;
    core::SystemClock m_clock;
    core::Timers m_timers;
    commandline::SnapshotStream m_snapshots;
};

} // namespace app
