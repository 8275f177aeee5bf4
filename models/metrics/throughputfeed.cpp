#include "models/metrics/throughputfeed.h"

namespace models {

ThroughputFeed::ThroughputFeed(api::EngineClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
{
}

void ThroughputFeed::follow(core::OperationId operation)
{
    if (operation == m_operation)
        return;
    m_operation = operation;
    m_series.clear();
    m_marks.clear();
    m_asking = false;
    Q_EMIT changed();
}

void ThroughputFeed::refresh(core::TimePoint now, core::Milliseconds reach)
{
    if (m_asking || !m_operation.isValid())
        return;
    if (reach > m_reach)
        m_series.clear(); // a longer window needs older samples
    m_reach = reach;
    // The last two known seconds are requested again: they may have been incomplete.
    const auto newest = m_series.newest();
    const core::TimePoint since = newest ? *newest - core::Milliseconds{2000} : now - reach;
    m_asking = true;
    const core::OperationId asked = m_operation;
    whenDone(this, m_client.ask(api::SeriesQuery{asked, since, now + core::Milliseconds{1000}}),
             [this, asked](const core::Result<QList<api::RunSample>> &answer) { take(asked, answer); });
    whenDone(this, m_client.ask(api::MarkQuery{asked}), [this, asked](const core::Result<QList<api::RunMark>> &answer) {
        if (asked != m_operation || !answer || *answer == m_marks)
            return;
        m_marks = *answer;
        Q_EMIT changed();
    });
}

void ThroughputFeed::take(core::OperationId asked, const core::Result<QList<api::RunSample>> &answer)
{
    if (asked != m_operation)
        return;
    m_asking = false;
    if (!answer || answer->isEmpty())
        return;
    m_series.merge(*answer);
    Q_EMIT changed();
}

} // namespace models
