#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/snapshot.h"
#include "backend/core/time/clock.h"
#include "backend/retry/progress.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <functional>

namespace engine {

// Records the progress of retries: the state of each live batch, the speed of each operation, and one chart sample per
// second. Seconds in which nothing happened have no sample. Engine thread.
class ThroughputRecorder final : public retry::Progress
{
public:
    using Write = std::function<void(core::OperationId operation, const records::RunSample &sample)>;

    ThroughputRecorder(core::Clock &clock, Write write, std::function<void()> changed);
    ~ThroughputRecorder() override;

    void batchMoved(const retry::BatchProgress &progress) override;
    void operationChanged(core::OperationId operation) override;
    void staged(core::OperationId operation, qint64 copies) override;
    void sent(core::OperationId operation, qint64 copies) override;
    void aimed(core::OperationId operation, const QStringList &destinations) override;
    void cameBack(core::OperationId operation, qint64 messages);
    // The message count of the operation's destinations, just read.
    void depth(core::OperationId operation, qint64 messages);

    // The queues that its copies were sent to in this run, or will be next.
    [[nodiscard]] QSet<QString> destinations(core::OperationId operation) const { return m_aims.value(operation); }
    void forgetDestinations(core::OperationId operation) { m_aims.remove(operation); }
    [[nodiscard]] QList<core::OperationId> aiming() const { return m_aims.keys(); }
    // Nothing: the batch made no progress in this run.
    [[nodiscard]] std::optional<retry::BatchProgress> progressOf(core::BatchId batch) const;
    // Forgets all batches but these.
    void forgetOtherBatches(const QSet<core::BatchId> &live);
    // Messages sent per second, over the last few seconds.
    [[nodiscard]] double perSecond(core::OperationId operation) const;
    [[nodiscard]] qint64 revision() const { return m_revision; }

private:
    struct Second
    {
        core::TimePoint at{}; // its start, for the chart
        core::SteadyTime began{}; // when something first happened in it
        int staged = 0;
        int sent = 0;
        int cameBack = 0;
        std::optional<qint64> depth;
        bool isWritten = false;
    };
    struct Counted
    {
        core::TimePoint at{}; // when copies were last counted
        core::TimePoint second{}; // for which second
    };
    struct Last
    {
        Counted staged;
        Counted sent;
    };
    Second &now(core::OperationId operation);
    Second &secondOf(core::OperationId operation, Counted Last::*of);
    Second &add(core::OperationId operation, core::TimePoint at);
    void tick();
    void touch();

    core::Clock &m_clock;
    Write m_write;
    std::function<void()> m_changed;
    core::Clock::Ticket m_ticket = 0;
    QHash<core::BatchId, retry::BatchProgress> m_batches;
    QHash<core::OperationId, std::deque<Second>> m_seconds; // the last few; the newest may still grow
    QHash<core::OperationId, Last> m_last;
    QHash<core::OperationId, core::SteadyTime> m_since; // when they began to send without a longer pause
    QHash<core::OperationId, QSet<QString>> m_aims;
    qint64 m_revision = 0;
};

} // namespace engine
