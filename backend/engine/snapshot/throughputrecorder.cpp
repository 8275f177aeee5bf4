#include "backend/engine/snapshot/throughputrecorder.h"

#include <algorithm>

namespace engine {

namespace {

constexpr core::Milliseconds second{1000};
constexpr core::Milliseconds window{5000};
constexpr core::Milliseconds lateness{100}; // of a share that is sent each second

core::TimePoint startOfSecond(core::TimePoint time)
{
    return core::fromMs(core::toMs(time) / second.count() * second.count());
}

} // namespace

ThroughputRecorder::ThroughputRecorder(core::Clock &clock, Write write, std::function<void()> changed)
    : m_clock(clock)
    , m_write(std::move(write))
    , m_changed(std::move(changed))
{
}

ThroughputRecorder::~ThroughputRecorder()
{
    m_clock.cancel(m_ticket);
}

void ThroughputRecorder::touch()
{
    ++m_revision;
    m_changed();
}

void ThroughputRecorder::batchMoved(const retry::BatchProgress &progress)
{
    m_batches.insert(progress.batch, progress);
    m_changed();
}

void ThroughputRecorder::operationChanged(core::OperationId operation)
{
    Q_UNUSED(operation)
    touch();
}

void ThroughputRecorder::staged(core::OperationId operation, qint64 copies)
{
    secondOf(operation, &Last::staged).staged += int(copies);
}

void ThroughputRecorder::sent(core::OperationId operation, qint64 copies)
{
    secondOf(operation, &Last::sent).sent += int(copies);
}

void ThroughputRecorder::cameBack(core::OperationId operation, qint64 messages)
{
    now(operation).cameBack += int(messages);
    touch();
}

void ThroughputRecorder::aimed(core::OperationId operation, const QStringList &destinations)
{
    QSet<QString> &known = m_aims[operation];
    for (const QString &destination : destinations)
        known.insert(destination);
}

void ThroughputRecorder::depth(core::OperationId operation, qint64 messages)
{
    now(operation).depth = messages;
}

ThroughputRecorder::Second &ThroughputRecorder::now(core::OperationId operation)
{
    return add(operation, startOfSecond(m_clock.now()));
}

// A retry with a rate sends a share each second. Where that is at a full second, a share comes now just before it and now
// just after it: the second in between had none, and the next one two. Such a share counts for the second that it is late for.
ThroughputRecorder::Second &ThroughputRecorder::secondOf(core::OperationId operation, Counted Last::*of)
{
    const core::TimePoint at = m_clock.now();
    Counted &last = m_last[operation].*of;
    const bool skipsOne = startOfSecond(at) - last.second == 2 * second;
    const bool isLate = skipsOne && at - last.at <= second + lateness;
    last = {at, startOfSecond(at) - (isLate ? second : core::Milliseconds{0})};
    return add(operation, last.second);
}

// The store adds up what is written twice for a second.
ThroughputRecorder::Second &ThroughputRecorder::add(core::OperationId operation, core::TimePoint at)
{
    std::deque<Second> &seconds = m_seconds[operation];
    if (seconds.empty())
        m_since.insert(operation, m_clock.steady());
    if (seconds.empty() || seconds.back().at != at || seconds.back().isWritten)
        seconds.push_back({at, m_clock.steady(), 0, 0, 0, std::nullopt, false});
    if (m_ticket == 0)
        m_ticket = m_clock.after(startOfSecond(m_clock.now()) + second - m_clock.now(), [this] { tick(); });
    return seconds.back();
}

// Runs at the end of each second while an operation has samples to write or a speed to show.
void ThroughputRecorder::tick()
{
    m_ticket = 0;
    const core::TimePoint current = startOfSecond(m_clock.now());
    for (auto entry = m_seconds.begin(); entry != m_seconds.end(); ++entry) {
        for (Second &one : entry.value()) {
            if (one.isWritten || one.at == current)
                continue;
            one.isWritten = true;
            m_write(entry.key(), {one.at, one.staged, one.sent, one.cameBack, one.depth});
        }
        while (!entry.value().empty() && m_clock.steady() - entry.value().front().began > window)
            entry.value().pop_front();
    }
    m_seconds.removeIf([](const auto &entry) { return entry.value().empty(); });
    m_since.removeIf([this](const auto &entry) { return !m_seconds.contains(entry.key()); });
    m_last.removeIf([this](const auto &entry) { return !m_seconds.contains(entry.key()); });
    if (!m_seconds.isEmpty())
        m_ticket = m_clock.after(current + second - m_clock.now(), [this] { tick(); });
    m_changed();
}

std::optional<retry::BatchProgress> ThroughputRecorder::progressOf(core::BatchId batch) const
{
    const auto found = m_batches.constFind(batch);
    return found == m_batches.constEnd() ? std::nullopt : std::optional(*found);
}

void ThroughputRecorder::forgetOtherBatches(const QSet<core::BatchId> &live)
{
    m_batches.removeIf([&live](const auto &entry) { return !live.contains(entry.key()); });
}

double ThroughputRecorder::perSecond(core::OperationId operation) const
{
    const auto found = m_seconds.constFind(operation);
    if (found == m_seconds.constEnd() || found->empty())
        return 0;
    qint64 sent = 0;
    const core::SteadyTime current = m_clock.steady();
    for (const Second &one : *found) {
        if (current - one.began <= window)
            sent += one.sent;
    }
    // Not from the first message of the window on: of what goes in bursts, one burst too many would be counted.
    const core::Milliseconds worked = current - m_since.value(operation, current);
    const core::Milliseconds span = std::clamp<core::Milliseconds>(worked, second, window);
    return double(sent) * 1000.0 / double(span.count());
}

} // namespace engine
