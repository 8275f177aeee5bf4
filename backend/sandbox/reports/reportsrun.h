#pragma once

#include "backend/sandbox/reports/pipelinesteps.h"

#include <QSet>

namespace sandbox {

// One run of "reports": a sender and the four steps, two workers for each, with their tables in the folder of the run or in a
// PostgreSQL database. A run that was killed at any moment is continued by the next one in its folder. Counts of its report beside the common ones: `poison`,
// `send_warnings`, `send_errors`, `ignored_past_backstop`, `batches`, `batch_aborts`, `send_aborts`,
// `receive_refused`, `delivered_twice`.
// After a kill, those of retries, aborts and refusals count what happened since. Contract of scenariorun.h; StoreFailed:
// the tables cannot be opened.
class ReportsRun final : public ScenarioRun
{
public:
    ReportsRun(ReportsSettings settings, ScenarioContext context);

    [[nodiscard]] core::Result<> start() override;
    [[nodiscard]] bool isOver() const override { return m_isOver; }
    [[nodiscard]] core::Task<core::Result<QJsonObject>> report() override;
    void stop(std::function<void()> done) override;

private:
    [[nodiscard]] core::Task<> begin();
    [[nodiscard]] core::Task<> sendReports();
    [[nodiscard]] core::Task<bool> send(Report report, int attempt);
    [[nodiscard]] core::Task<> decideBatches();
    [[nodiscard]] core::Task<> watch();
    // The ids of the reports whose message is in the poison queue.
    [[nodiscard]] core::Task<core::Result<QSet<QString>>> poisoned();
    [[nodiscard]] core::Task<core::Result<bool>> everythingHasEnded();
    [[nodiscard]] core::Result<bool> allHaveEnded(const QSet<QString> &poison);
    [[nodiscard]] core::Result<QJsonObject> counts(const QSet<QString> &poison);
    [[nodiscard]] core::Result<int> ignoredPastBackstop();
    [[nodiscard]] core::Result<TaskTable *> connectTable();
    [[nodiscard]] core::Result<> prepareTables();
    [[nodiscard]] int planned() const { return m_context.messages.value_or(m_settings.messages); }

    const ReportsSettings m_settings;
    const ScenarioContext m_context;
    WorkerGroup m_group;
    TablePlace m_place;
    std::vector<std::unique_ptr<TaskTable>> m_tables; // one for each worker
    TaskTable *m_table = nullptr; // of the sender, the decider and the watch
    core::TimePoint m_origin;
    std::shared_ptr<broker::Broker> m_broker;
    std::unique_ptr<PipelineSteps> m_steps;
    std::vector<std::unique_ptr<QueueConsumer>> m_consumers;
    bool m_hasSentAll = false;
    bool m_isOver = false;
};

} // namespace sandbox
