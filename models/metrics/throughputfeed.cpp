#include "models/metrics/throughputfeed.h"

namespace models {

ThroughputFeed::ThroughputFeed(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_samples(session)
    , m_markCall(session)
{
}

void ThroughputFeed::follow(core::OperationId operation)
{
    if (operation == m_operation)
        return;
    m_operation = operation;
    m_series.clear();
    m_marks.clear();
    m_samples.drop();
    m_markCall.drop();
    Q_EMIT changed();
}

void ThroughputFeed::refresh(core::TimePoint now, core::Milliseconds reach)
{
    if (m_samples.isPending() || !m_operation.isValid())
        return;
    if (reach > m_reach)
        m_series.clear(); // a longer window needs older samples
    m_reach = reach;
    // The last two known seconds are requested again: they may have been incomplete.
    const auto newest = m_series.newest();
    const core::TimePoint since = newest ? *newest - core::Milliseconds{2000} : now - reach;
    m_samples.ask(api::SeriesQuery{m_operation, since, now + core::Milliseconds{1000}},
                  [this](const core::Result<QList<records::RunSample>> &answer) { take(answer); });
    m_markCall.ask(api::MarkQuery{m_operation}, [this](const core::Result<QList<records::RunMark>> &answer) {
        if (!answer || *answer == m_marks)
            return;
        m_marks = *answer;
        Q_EMIT changed();
    });
}

void ThroughputFeed::take(const core::Result<QList<records::RunSample>> &answer)
{
    if (!answer || answer->isEmpty())
        return;
    m_series.merge(*answer);
    Q_EMIT changed();
}

} // namespace models

#include "moc_throughputfeed.cpp"
