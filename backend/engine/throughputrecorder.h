#pragma once

#include "backend/api/queries.h"
#include "backend/api/snapshot.h"
#include "backend/core/clock.h"
#include "backend/retry/progress.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <functional>

namespace engine {

// Watches the retry engine at work: where each live batch stands, how fast each operation goes, and one sample per second
// of it for the chart. Seconds in which nothing happened leave no sample.
class ThroughputRecorder final : public retry::Progress
{
public:
    using Write = std::function<void(core::OperationId operation, const api::RunSample &sample)>;

    ThroughputRecorder(core::Clock &clock, Write write, std::function<void()> changed);
    ~ThroughputRecorder() override;

    void batchMoved(const retry::BatchProgress &progress) override;
    void operationChanged(core::OperationId operation) override;
    void staged(core::OperationId operation, qint64 copies) override;
    void sent(core::OperationId operation, qint64 copies) override;
    void aimed(core::OperationId operation, const QStringList &destinations) override;
    void cameBack(core::OperationId operation, qint64 messages);
    // What waits at the destinations of the operation, just asked for.
    void depth(core::OperationId operation, qint64 messages);

    // The queues that copies of it went to in this run, or are about to.
    [[nodiscard]] QSet<QString> destinations(core::OperationId operation) const { return m_aims.value(operation); }
    void forgetDestinations(core::OperationId operation) { m_aims.remove(operation); }
    [[nodiscard]] QList<core::OperationId> aiming() const { return m_aims.keys(); }
    // Nothing when the batch was not seen moving in this run.
    [[nodiscard]] std::optional<retry::BatchProgress> progressOf(core::BatchId batch) const;
    // Keeps only what these batches need.
    void forgetOtherBatches(const QSet<core::BatchId> &live);
    // Messages sent per second, over the last few seconds.
    [[nodiscard]] double perSecond(core::OperationId operation) const;
    [[nodiscard]] qint64 revision() const { return m_revision; }

private:
    struct Second
    {
        core::TimePoint at{}; // its start, for the chart
        core::SteadyTime began{}; // when something happened first in it
        int staged = 0;
        int sent = 0;
        int cameBack = 0;
        std::optional<qint64> depth;
        bool isWritten = false;
    };
    Second &now(core::OperationId operation);
    void tick();
    void touch();

    core::Clock &m_clock;
    Write m_write;
    std::function<void()> m_changed;
    core::Clock::Ticket m_ticket = 0;
    QHash<core::BatchId, retry::BatchProgress> m_batches;
    QHash<core::OperationId, std::deque<Second>> m_seconds; // the last few; the newest may still grow
    QHash<core::OperationId, QSet<QString>> m_aims;
    qint64 m_revision = 0;
};

} // namespace engine
