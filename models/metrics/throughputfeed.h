#pragma once

#include "models/metrics/throughputseries.h"
#include "models/session/whendone.h"

#include <QObject>

namespace models {

// Follows one retry operation: asks the engine for the samples that are not here yet, one question at a time, and only
// when refresh is called (a hidden chart does not call it).
class ThroughputFeed final : public QObject
{
    Q_OBJECT

public:
    explicit ThroughputFeed(api::EngineClient &client, QObject *parent = nullptr);

    // Another operation starts with an empty series; the same one keeps it.
    void follow(core::OperationId operation);
    [[nodiscard]] core::OperationId operation() const { return m_operation; }
    // How far back to reach when nothing is known yet.
    void refresh(core::TimePoint now, core::Milliseconds reach);
    [[nodiscard]] const ThroughputSeries &series() const { return m_series; }
    [[nodiscard]] const QList<api::RunMark> &marks() const { return m_marks; } // oldest first

Q_SIGNALS:
    void changed();

private:
    void take(core::OperationId asked, const core::Result<QList<api::RunSample>> &answer);

    api::EngineClient &m_client;
    core::OperationId m_operation;
    core::Milliseconds m_reach{0};
    ThroughputSeries m_series;
    QList<api::RunMark> m_marks;
    bool m_asking = false;
};

} // namespace models
