#pragma once

#include "app/commandline/snapshotstream.h"
#include "backend/core/systemclock.h"

#include <QJsonObject>
#include <QObject>

#include <functional>

namespace commandline {
class Printer;
}

namespace app {

// The demo's scenario from end to end, as a person would do it in the window: take everything, look at the groups, retry
// the biggest ones, wait until the consumers have worked, and count what came back.
class HeadlessDemo final : public QObject
{
    Q_OBJECT

public:
    HeadlessDemo(api::EngineClient &client, records::Connection connection, std::function<qint64()> processed);

    // Once; `done` with the counts, which are the same for the same seed, or with the error that stopped it.
    void run(std::function<void(core::Result<QJsonObject>)> done);
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
