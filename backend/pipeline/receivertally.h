#pragma once

#include "backend/pipeline/columns.h"
#include "backend/records/pipeline.h"

#include <QHash>

namespace pipeline {

// Sums up the batch tasks of each receiver. A receiver gets its tasks at its cadence; a task that is older than
// 3 x cadence + 3 h is ignored from then on (ReportStream, Batch). How old it is, the column says that the backstop
// compares: a task without a time there was never taken. Pure: any thread.
class ReceiverTally final
{
public:
    // `limit`: the most receivers, the first ones that are added.
    explicit ReceiverTally(qsizetype limit, Columns::Backstop backstop = Columns::Backstop::NextActionAt)
        : m_limit(limit)
        , m_backstop(backstop)
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
    // What is known of the receivers, by name. One without tasks is listed, too, if all fit.
    struct Timings
    {
        QHash<QString, ReceiverTiming> settings; // of ReportStream: they count first
        QHash<QString, ReceiverTiming> file; // the column file
    };
    [[nodiscard]] Receivers receivers(const Timings &timings, core::TimePoint now) const;

private:
    struct Tasks
    {
        qint64 count = 0;
        QList<core::TimePoint> ages; // what the backstop compares
        std::optional<core::TimePoint> oldest; // of them
        std::optional<core::TimePoint> oldestCreated;
        QString oldestReport;
    };
    [[nodiscard]] static records::PipelineReceiver known(const QString &receiver, const Timings &timings);
    [[nodiscard]] static records::PipelineReceiver summary(records::PipelineReceiver receiver, const Tasks &tasks,
                                                           core::TimePoint now);

    qsizetype m_limit;
    Columns::Backstop m_backstop;
    bool m_more = false;
    QHash<QString, Tasks> m_receivers;
};

} // namespace pipeline
