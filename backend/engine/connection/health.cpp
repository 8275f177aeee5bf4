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
    QString what;
    switch (m_state) {
    case api::Health::LoginNeeded:
        what = Text::tr("login needed since %1, next try at %2 UTC: %3");
        break;
    case api::Health::Refused:
        what = Text::tr("refused since %1, next try at %2 UTC: %3");
        break;
    case api::Health::Unknown:
    case api::Health::Connected:
    case api::Health::Slow:
    case api::Health::Unreachable:
        what = Text::tr("unreachable since %1, next try at %2 UTC: %3");
        break;
    }
    return what.arg(utcText(*m_since, QStringLiteral("HH:mm")),
                    utcText(m_nextTry.value_or(*m_since), QStringLiteral("HH:mm:ss")), m_reason);
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
