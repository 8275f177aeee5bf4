#pragma once

#include "models/metrics/throughputseries.h"
#include "models/session/enginecall.h"

#include <QObject>

namespace models {

// Loads the throughput of one retry operation. It requests missing samples only when refresh() is called, one request
// at a time: a hidden chart does not call it. GUI thread.
class ThroughputFeed final : public QObject
{
    Q_OBJECT

public:
    explicit ThroughputFeed(ConsoleSession &session, QObject *parent = nullptr);

    // Loads this operation from now on. Another operation starts with an empty series; the same one keeps its samples.
    void follow(core::OperationId operation);
    [[nodiscard]] core::OperationId operation() const { return m_operation; }
    // Requests the samples after the newest known one; without any, those of the last `reach`.
    void refresh(core::TimePoint now, core::Milliseconds reach);
    [[nodiscard]] const ThroughputSeries &series() const { return m_series; }
    [[nodiscard]] const QList<records::RunMark> &marks() const { return m_marks; } // oldest first

Q_SIGNALS:
    void changed();

private:
    void take(const core::Result<QList<records::RunSample>> &answer);

    core::OperationId m_operation;
    core::Milliseconds m_reach{0};
    ThroughputSeries m_series;
    QList<records::RunMark> m_marks;
    EngineCall m_samples;
    EngineCall m_markCall;
};

} // namespace models
