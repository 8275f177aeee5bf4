#include "models/conventions/applying.h"

#include "models/common/formatters.h"

#include <QUuid>

#include <algorithm>
#include <utility>

namespace models {

namespace {

constexpr core::Milliseconds lookPause{500};

} // namespace

Applying::Applying(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_run(session)
    , m_look(session)
{
    m_looks.setInterval(lookPause);
    connect(&m_looks, &QTimer::timeout, this, &Applying::askProgress);
}

void Applying::start(const records::MessageFilter &filter, qint64 total)
{
    if (std::exchange(m_isRunning, true))
        return;
    m_ticket = QUuid::createUuid().toString(QUuid::Id128);
    m_total = total;
    m_read = 0;
    m_isCancelling = false;
    m_looks.start();
    m_run.ask(api::ApplyConventions{filter, m_ticket}, [this](const core::Result<api::Reread> &done) { take(done); });
    Q_EMIT moved();
}

void Applying::cancel()
{
    if (!m_isRunning || std::exchange(m_isCancelling, true))
        return;
    m_session.send(api::CancelApplying{m_ticket}); // the run itself answers
    Q_EMIT moved();
}

void Applying::take(const core::Result<api::Reread> &done)
{
    m_looks.stop();
    m_look.drop();
    m_isRunning = false;
    Q_EMIT ended(done);
}

void Applying::askProgress()
{
    if (m_look.isPending())
        return;
    m_look.ask(api::AskApplying{m_ticket}, [this](const core::Result<api::Reread> &now) {
        if (!now)
            return;
        m_read = now->read;
        Q_EMIT moved();
    });
}

QString Applying::progress() const
{
    if (m_isCancelling)
        return tr("Cancelling…");
    return tr("%1 of %2 messages read again…").arg(formatNumber(m_read), formatNumber(std::max(m_total, m_read)));
}

} // namespace models

#include "moc_applying.cpp"
