#include "backend/sandbox/ledger.h"

#include <QDateTime>

namespace sandbox {

namespace {

QString isoTime(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace

Ledger::Ledger(int planned)
    : m_states(size_t(planned), State::Planned)
    , m_counts(size_t(State::Discarded) + 1)
{
    m_counts[size_t(State::Planned)] = planned;
}

void Ledger::set(int number, State state)
{
    if (number < 0 || size_t(number) >= m_states.size())
        return; // somebody else's message
    State &current = m_states[size_t(number)];
    --m_counts[size_t(current)];
    ++m_counts[size_t(state)];
    current = state;
}

bool Ledger::isLeft(int number) const
{
    return number >= 0 && size_t(number) < m_states.size() && m_states[size_t(number)] == State::Left;
}

void Ledger::sent(int number)
{
    if (m_states.at(size_t(number)) == State::Planned)
        set(number, State::Sent);
}

void Ledger::processed(int number)
{
    if (number >= 0 && size_t(number) < m_states.size() && m_states[size_t(number)] == State::Processed)
        ++m_twice;
    set(number, State::Processed);
}

void Ledger::movedToErrorQueue(int number, bool wasReturned)
{
    ++m_toErrorQueue;
    m_cameBack += wasReturned ? 1 : 0;
    set(number, State::Failed);
}

void Ledger::leftForAPerson(int number)
{
    set(number, State::Left);
}

void Ledger::discarded(int number)
{
    set(number, State::Discarded);
}

void Ledger::returned(int number)
{
    ++m_returned;
    set(number, State::Sent);
}

void Ledger::sentByHandler(int messages, bool hasFailed)
{
    m_sentByHandlers += messages;
    m_sentByFailed += hasFailed ? messages : 0;
}

void Ledger::limitStarted(const QString &endpoint, const recovery::LimitedSpan &span)
{
    m_limits.append({endpoint, span});
}

void Ledger::limitEnded(const QString &endpoint, const recovery::LimitedSpan &span)
{
    for (Limit &limit : m_limits) {
        if (limit.endpoint == endpoint && limit.span.started == span.started)
            limit.span = span;
    }
}

bool Ledger::isComplete() const
{
    return count(State::Processed) + count(State::Left) + count(State::Discarded) == qint64(m_states.size());
}

QJsonArray Ledger::limits() const
{
    QJsonArray rows;
    for (const Limit &limit : m_limits) {
        QJsonObject row{{QStringLiteral("endpoint"), limit.endpoint},
                        {QStringLiteral("started"), isoTime(limit.span.started)},
                        {QStringLiteral("ended"), QJsonValue::Null},
                        {QStringLiteral("failures_before"), limit.span.failuresBefore},
                        {QStringLiteral("failed_probes"), limit.span.failedProbes}};
        if (limit.span.ended)
            row.insert(QStringLiteral("ended"), isoTime(*limit.span.ended));
        rows.append(row);
    }
    return rows;
}

QJsonObject Ledger::counts(qint64 inQueues) const
{
    const qint64 all = qint64(m_states.size()) - count(State::Planned);
    const qint64 done = count(State::Processed) + count(State::Discarded);
    return {{QStringLiteral("sent"), all},
            {QStringLiteral("processed"), count(State::Processed)},
            {QStringLiteral("processed_twice"), m_twice},
            {QStringLiteral("discarded"), count(State::Discarded)},
            {QStringLiteral("failed_for_good"), count(State::Left)},
            {QStringLiteral("immediate_retries"), m_immediate},
            {QStringLiteral("delayed_retries"), m_delayed},
            {QStringLiteral("to_error_queue"), m_toErrorQueue},
            {QStringLiteral("rate_limit"), limits()},
            {QStringLiteral("returned_by_policy"), m_returned},
            {QStringLiteral("came_back"), m_cameBack},
            {QStringLiteral("left_for_a_person"), count(State::Left)},
            {QStringLiteral("locks_lost"), m_locksLost},
            {QStringLiteral("sent_by_handlers"), m_sentByHandlers},
            {QStringLiteral("sent_by_failed_handlers"), m_sentByFailed},
            {QStringLiteral("rolled_back"), m_rolledBack},
            {QStringLiteral("unaccounted"), all - done - inQueues}};
}

} // namespace sandbox
