#include "backend/engine/connection/health.h"

#include "backend/engine/text.h"

#include <QDateTime>
#include <QTimeZone>

namespace engine {

namespace {

constexpr core::Milliseconds slowFrom{5000}; // a longer listing counts as slow

api::Health stateFor(core::ErrorKind kind)
{
    switch (kind) {
    case core::ErrorKind::Unauthorized:
        return api::Health::LoginNeeded;
    case core::ErrorKind::Refused:
    case core::ErrorKind::Rejected:
    case core::ErrorKind::NotFound:
    case core::ErrorKind::Conflict:
    case core::ErrorKind::Corrupt:
        return api::Health::Refused;
    case core::ErrorKind::Transient:
    case core::ErrorKind::Throttled:
    case core::ErrorKind::Cancelled:
    case core::ErrorKind::UnknownOutcome:
    case core::ErrorKind::StoreFailed:
        return api::Health::Unreachable;
    }
    return api::Health::Unknown;
}

QString utcText(core::TimePoint time, const QString &format)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), QTimeZone::utc()).toString(format);
}

} // namespace

void ConnectionHealth::succeeded(core::Milliseconds took)
{
    m_state = took > slowFrom ? api::Health::Slow : api::Health::Connected;
    m_reason = took > slowFrom ? Text::tr("the broker took %1 s to answer").arg(took.count() / 1000) : QString();
    m_since.reset();
}

bool ConnectionHealth::failed(const core::Error &error, core::TimePoint now, core::TimePoint nextTry)
{
    const api::Health state = stateFor(error.kind);
    const bool changed = state != m_state; // not the text: it may contain counters
    m_state = state;
    m_reason = error.message;
    if (!m_since)
        m_since = now;
    m_nextTry = nextTry;
    return changed;
}

void ConnectionHealth::silent(const core::Error &error)
{
    if (m_state == api::Health::Unknown)
        m_reason = error.message;
}

QString ConnectionHealth::text() const
{
    if (!m_since)
        return m_reason;
    return Text::tr("%1 since %2, next try at %3 UTC: %4")
        .arg(stateText(), utcText(*m_since, QStringLiteral("HH:mm")),
             utcText(m_nextTry.value_or(*m_since), QStringLiteral("HH:mm:ss")), m_reason);
}

QString ConnectionHealth::textWithoutNextTry() const
{
    if (!m_since)
        return m_reason;
    return Text::tr("%1 since %2: %3").arg(stateText(), utcText(*m_since, QStringLiteral("HH:mm")), m_reason);
}

QString ConnectionHealth::stateText() const
{
    switch (m_state) {
    case api::Health::LoginNeeded:
        return Text::tr("login needed");
    case api::Health::Refused:
        return Text::tr("refused");
    case api::Health::Unknown:
    case api::Health::Connected:
    case api::Health::Slow:
    case api::Health::Unreachable:
        break;
    }
    return Text::tr("unreachable");
}

KnownHealth worstOf(const ConnectionHealth &listed, const records::CircuitBreaker &calls, int failingShare)
{
    constexpr int silentFrom = 3; // one request of many may fail on any line
    const bool answered = listed.state() == api::Health::Connected || listed.state() == api::Health::Slow;
    const bool isHeldBack = calls.state != records::CircuitBreaker::State::Closed;
    if (answered && (isHeldBack || calls.failures >= silentFrom)) {
        const QString text = Text::tr("unreachable: the last %1 requests got no answer");
        return {api::Health::Unreachable, text.arg(calls.failures)};
    }
    if (listed.state() == api::Health::Connected && failingShare > 0)
        return {api::Health::Connected, Text::tr("%1 % of the requests fail and are repeated").arg(failingShare)};
    return {listed.state(), isHeldBack ? listed.textWithoutNextTry() : listed.text()}; // the breaker names it
}

QString breakerText(const records::CircuitBreaker &breaker)
{
    using State = records::CircuitBreaker::State;
    QString text;
    switch (breaker.state) {
    case State::Closed:
        return {};
    case State::Open:
        text =
            Text::tr("After %1 calls without an answer, Redrive tries one call at a time, at least once a minute; next "
                     "try at %2 UTC. The first answer ends this.");
        return text.arg(QString::number(breaker.failures),
                        breaker.nextTry ? utcText(*breaker.nextTry, QStringLiteral("HH:mm:ss")) : QString());
    case State::Probing:
        text = Text::tr(
            "After %1 calls without an answer, Redrive tries one call at a time and waits for the answer to one "
            "now. The first answer ends this.");
        return text.arg(breaker.failures);
    }
    Q_UNREACHABLE();
}

} // namespace engine
