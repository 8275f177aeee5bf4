#include "models/metrics/throughputseries.h"

#include <QDateTime>

#include <cmath>
#include <limits>

namespace models {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Old samples are kept by the minute: only a silence longer than two of them is a gap there.
constexpr core::Milliseconds gapBySecond{3000};
constexpr core::Milliseconds gapByMinute{125000};

// The samples that fall into one drawn point.
struct Bin
{
    qint64 index = -1;
    core::TimePoint last{};
    double seconds = 0;
    double staged = 0;
    double sent = 0;
    double cameBack = 0;
    double depth = 0;
    int samples = 0;
    int depths = 0;

    void add(const api::RunSample &sample)
    {
        last = sample.at;
        seconds += double(core::toMs(sample.at)) / 1000.0;
        staged += sample.staged;
        sent += sample.sent;
        cameBack += sample.cameBack;
        ++samples;
        if (sample.depth) {
            depth += double(*sample.depth);
            ++depths;
        }
    }
};

void append(ThroughputSeries::Lines &lines, const Bin &bin)
{
    if (bin.samples == 0)
        return;
    lines.seconds.append(bin.seconds / bin.samples);
    lines.staged.append(bin.staged / bin.samples);
    lines.sent.append(bin.sent / bin.samples);
    lines.cameBack.append(bin.cameBack / bin.samples);
    lines.depth.append(bin.depths == 0 ? unknown : bin.depth / bin.depths);
}

void appendBreak(ThroughputSeries::Lines &lines, core::TimePoint at)
{
    lines.seconds.append(double(core::toMs(at)) / 1000.0);
    for (QList<double> *line : {&lines.staged, &lines.sent, &lines.cameBack, &lines.depth})
        line->append(unknown);
}

} // namespace

void ThroughputSeries::merge(const QList<api::RunSample> &samples)
{
    for (const api::RunSample &sample : samples)
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
    Lines lines;
    const core::Milliseconds width = std::max(core::Milliseconds{1000}, (until - from) / std::max(1, mostPoints));
    const core::Milliseconds gap = std::max(width * 2, width > core::Milliseconds{1000} ? gapByMinute : gapBySecond);
    Bin bin;
    for (auto it = m_samples.lower_bound(from); it != m_samples.end() && it->first <= until; ++it) {
        const qint64 index = (it->first - from) / width;
        const bool silent = bin.samples > 0 && it->first - bin.last > gap;
        if (index != bin.index || silent) {
            append(lines, bin);
            if (silent)
                appendBreak(lines, bin.last + core::Milliseconds{1});
            bin = Bin{.index = index};
        }
        bin.add(it->second);
    }
    append(lines, bin);
    return lines;
}

QByteArray ThroughputSeries::csv(core::TimePoint from, core::TimePoint until) const
{
    QByteArray text = "time,staged_per_second,sent_per_second,came_back_per_second,destination_depth\n";
    for (auto it = m_samples.lower_bound(from); it != m_samples.end() && it->first <= until; ++it) {
        const api::RunSample &sample = it->second;
        text += QDateTime::fromMSecsSinceEpoch(core::toMs(sample.at), Qt::UTC).toString(Qt::ISODateWithMs).toLatin1();
        text += ',' + QByteArray::number(sample.staged) + ',' + QByteArray::number(sample.sent) + ','
                + QByteArray::number(sample.cameBack) + ',';
        if (sample.depth)
            text += QByteArray::number(*sample.depth);
        text += '\n';
    }
    return text;
}

} // namespace models
