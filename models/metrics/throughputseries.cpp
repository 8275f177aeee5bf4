#include "models/metrics/throughputseries.h"

#include <QDateTime>

#include <algorithm>
#include <limits>
#include <vector>

namespace models {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr core::Milliseconds second{1000};
constexpr core::Milliseconds depthHolds{65000}; // depths are read at least every 30 s while the broker answers
constexpr core::Milliseconds onItsWay{3000}; // a younger sample may not have arrived yet

// The samples of one drawn point.
struct Bin
{
    double staged = 0;
    double sent = 0;
    double cameBack = 0;
    double depth = 0;
    int depths = 0;

    void add(const records::RunSample &sample, double share)
    {
        staged += sample.staged * share;
        sent += sample.sent * share;
        cameBack += sample.cameBack * share;
        if (!sample.depth)
            return;
        depth += double(*sample.depth);
        ++depths;
    }
};

// Points of equal width, whose places do not depend on the window: they do not jump while it moves on.
struct Bins
{
    core::TimePoint from;
    core::TimePoint until;
    core::TimePoint known; // the end of what is known: a full second after the newest sample, or `until`
    core::Milliseconds width;
    std::vector<Bin> all;

    Bins(core::TimePoint begin, core::TimePoint end, int mostPoints)
        : from(begin)
        , until(end)
        , known(end)
        , width(second)
    {
        const core::Milliseconds span = std::max(until - from, second);
        const qint64 most = std::max(1, mostPoints);
        width = second * std::max<qint64>(1, (span / second + most - 1) / most);
        all.resize(size_t(indexOf(until)) + 1);
    }
    [[nodiscard]] core::TimePoint origin() const
    {
        return core::fromMs(core::toMs(from) / width.count() * width.count());
    }
    [[nodiscard]] qint64 indexOf(core::TimePoint time) const { return (time - origin()) / width; }
    [[nodiscard]] core::TimePoint startOf(qint64 index) const { return origin() + width * index; }
    // Only a part of the first and of the last point may be in view. Samples are of whole seconds: one that has begun at the
    // start of the view or before its end counts as a whole one.
    [[nodiscard]] double secondsIn(qint64 index) const
    {
        const core::TimePoint begin =
            core::fromMs((core::toMs(from) + second.count() - 1) / second.count() * second.count());
        const core::Milliseconds seen = std::min(startOf(index + 1), known) - std::max(startOf(index), begin);
        return double(std::max(seen, second).count()) / double(second.count());
    }
    // A sample of a minute is divided among the points that it covers.
    void add(const records::RunSample &sample)
    {
        const core::TimePoint begin = std::max(sample.at, from);
        const core::TimePoint end = std::min(sample.at + sample.span, startOf(qint64(all.size())));
        for (qint64 index = indexOf(begin); startOf(index) < end; ++index) {
            const core::Milliseconds part = std::min(startOf(index + 1), end) - std::max(startOf(index), begin);
            all[size_t(index)].add(sample, double(part.count()) / double(sample.span.count()));
        }
    }
};

} // namespace

void ThroughputSeries::merge(const QList<records::RunSample> &samples)
{
    for (const records::RunSample &sample : samples)
        m_samples.insert_or_assign(sample.at, sample);
}

std::optional<core::TimePoint> ThroughputSeries::newest() const
{
    if (m_samples.empty())
        return std::nullopt;
    return m_samples.rbegin()->first;
}

ThroughputSeries::Lines ThroughputSeries::lines(core::TimePoint from, core::TimePoint until, int mostPoints) const
{
    Bins bins(from, until, mostPoints);
    std::optional<qint64> first;
    core::TimePoint newestSeen = from;
    for (auto it = m_samples.lower_bound(from); it != m_samples.end() && it->first <= until; ++it) {
        first = first.value_or(bins.indexOf(it->first));
        newestSeen = it->first + it->second.span - second;
        bins.add(it->second);
    }
    Lines lines;
    if (!first)
        return lines;
    const bool isIdle = until - newestSeen > onItsWay;
    bins.known = isIdle ? until : newestSeen + second;
    const qint64 last = bins.indexOf(isIdle ? until : std::min(newestSeen, until));
    double depth = unknown;
    core::TimePoint depthAt = from;
    for (qint64 index = *first; index <= last; ++index) {
        const Bin &bin = bins.all.at(size_t(index));
        const core::TimePoint start = bins.startOf(index);
        if (bin.depths > 0) {
            depth = bin.depth / bin.depths;
            depthAt = start;
        } else if (start - depthAt > depthHolds + bins.width) {
            depth = unknown;
        }
        const double seen = bins.secondsIn(index);
        lines.seconds.append(double(core::toMs(start)) / 1000.0);
        lines.staged.append(bin.staged / seen);
        lines.sent.append(bin.sent / seen);
        lines.cameBack.append(bin.cameBack / seen);
        lines.depth.append(depth);
    }
    return lines;
}

QByteArray ThroughputSeries::csv(core::TimePoint from, core::TimePoint until) const
{
    QByteArray text = "time,staged_per_second,sent_per_second,came_back_per_second,destination_depth\n";
    for (auto it = m_samples.lower_bound(from); it != m_samples.end() && it->first <= until; ++it) {
        const records::RunSample &sample = it->second;
        text += QDateTime::fromMSecsSinceEpoch(core::toMs(sample.at), Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
        const double seconds = double(sample.span.count()) / double(second.count());
        for (const int count : {sample.staged, sample.sent, sample.cameBack})
            text += ',' + QByteArray::number(count / seconds, 'g', 10);
        text += ',';
        if (sample.depth)
            text += QByteArray::number(*sample.depth);
        text += '\n';
    }
    return text;
}

} // namespace models
