// The samples of one retry operation, prepared for drawing, without a type of the plotting library. A second in which
// nothing was staged, sent or came back has no sample, so the lines are zero between samples. The number of messages
// that wait at the destinations is read now and then: a value holds until the next one, and becomes unknown when that
// is late.
#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"

#include <QList>

#include <map>

namespace models {

class ThroughputSeries final
{
public:
    // Parallel lists, one entry for each point; NaN breaks a line. `seconds`: start of the point, in seconds since 1970
    // UTC.
    struct Lines
    {
        QList<double> seconds;
        QList<double> staged; // messages per second
        QList<double> sent;
        QList<double> cameBack;
        QList<double> depth; // messages waiting at the destinations
    };

    void clear() { m_samples.clear(); }
    // Adds samples. One for a known second replaces the old sample, because the current second is read more than once.
    void merge(const QList<records::RunSample> &samples);

    [[nodiscard]] bool isEmpty() const { return m_samples.empty(); }
    [[nodiscard]] std::optional<core::TimePoint> newest() const;
    // The samples in [from, until], averaged over whole seconds into about mostPoints points at most.
    [[nodiscard]] Lines lines(core::TimePoint from, core::TimePoint until, int mostPoints) const;
    // "time,staged_per_second,sent_per_second,came_back_per_second,destination_depth" and one line per sample.
    [[nodiscard]] QByteArray csv(core::TimePoint from, core::TimePoint until) const;

private:
    std::map<core::TimePoint, records::RunSample> m_samples;
};

} // namespace models
