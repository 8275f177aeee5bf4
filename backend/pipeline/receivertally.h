#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/pipeline.h"

#include <QHash>

#include <set>

namespace pipeline {

// Sums up the batch tasks of each receiver. A receiver gets its tasks at its cadence; a task that is older than
// 3 x cadence + 3 h is ignored from then on (ReportStream, Batch). The cadence comes from the column file; without it,
// it is the shortest time between two turns that tasks wait for, which is too long if no task of a turn is left. Pure:
// any thread.
class ReceiverTally final
{
public:
    explicit ReceiverTally(qsizetype limit) // the most receivers: the first ones that are added
        : m_limit(limit)
    {
    }

    // One batch task. `turn`: when the receiver is due.
    void add(const QString &receiver, const QString &report, std::optional<core::TimePoint> turn,
             std::optional<core::TimePoint> created);

    struct Receivers
    {
        QList<records::PipelineReceiver> receivers; // ordered by name
        bool more = false; // there are others than these
    };
    // `cadences`: of the column file, by receiver; a receiver without tasks is listed, too, if all fit.
    [[nodiscard]] Receivers receivers(const QHash<QString, core::Milliseconds> &cadences, core::TimePoint now) const;

private:
    struct Tasks
    {
        qint64 count = 0;
        QList<core::TimePoint> created;
        std::optional<core::TimePoint> oldest;
        QString oldestReport;
        std::set<core::TimePoint> turns;
    };
    [[nodiscard]] static std::optional<core::Milliseconds> cadenceOf(const Tasks &tasks);
    [[nodiscard]] static records::PipelineReceiver summary(const QString &receiver, const Tasks &tasks,
                                                           std::optional<core::Milliseconds> fromFile,
                                                           core::TimePoint now);

    qsizetype m_limit;
    bool m_more = false;
    QHash<QString, Tasks> m_receivers;
};

} // namespace pipeline
