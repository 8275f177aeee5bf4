// The samples of one retry operation, made ready for drawing. No plotting type here. A second in which nothing was staged,
// sent or came back has no sample, so what lies between two samples is zero. How many wait at the destinations is asked now and
// then: the number holds until the next answer, and is unknown when that is late.
#pragma once

#include "backend/api/queries.h"

#include <QList>

#include <map>

namespace models {

class ThroughputSeries final
{
public:
    // Parallel lists; NaN breaks the line. Seconds since the epoch, UTC, of the start of what is averaged.
    struct Lines
    {
        QList<double> seconds;
        QList<double> staged; // messages per second
        QList<double> sent;
        QList<double> cameBack;
        QList<double> depth; // messages waiting at the destinations
    };

    void clear() { m_samples.clear(); }
    // A sample of a second that is known already replaces it: the running second is read more than once.
    void merge(const QList<api::RunSample> &samples);

    [[nodiscard]] bool isEmpty() const { return m_samples.empty(); }
    [[nodiscard]] std::optional<core::TimePoint> newest() const;
    // What lies in [from, until], averaged over whole seconds so that no more than about mostPoints remain.
    [[nodiscard]] Lines lines(core::TimePoint from, core::TimePoint until, int mostPoints) const;
    // "time,staged_per_second,sent_per_second,came_back_per_second,destination_depth" and one line per sample.
    [[nodiscard]] QByteArray csv(core::TimePoint from, core::TimePoint until) const;

private:
    std::map<core::TimePoint, api::RunSample> m_samples;
};

} // namespace models
