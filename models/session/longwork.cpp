#include "models/session/longwork.h"

#include "models/common/formatters.h"

#include <QUuid>

namespace models {

LongWork::LongWork(ConsoleSession &session, QString doing, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_doing(std::move(doing))
    , m_ticket(QUuid::createUuid().toString(QUuid::Id128))
    , m_look(session)
{
    m_looks.setInterval(between);
    connect(&m_looks, &QTimer::timeout, this, &LongWork::look);
    m_looks.start();
}

void LongWork::look()
{
    m_isShown = true;
    if (!m_look.isPending())
        m_look.ask(api::AskWork{m_ticket}, [this](const core::Result<api::WorkProgress> &now) {
            if (!now)
                return;
            m_progress = *now;
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void LongWork::cancel()
{
    if (std::exchange(m_isCancelling, true))
        return;
    m_session.send(api::CancelWork{m_ticket});
    Q_EMIT changed();
}

QString LongWork::text() const
{
    if (m_isCancelling)
        return tr("%1: cancelling…").arg(m_doing);
    if (!m_progress)
        return tr("%1…").arg(m_doing);
    if (!m_progress->of)
        return tr("%1: %2").arg(m_doing, formatNumber(m_progress->done));
    const QString words = m_progress->isAbout ? tr("%1: %2 of about %3") : tr("%1: %2 of %3");
    return words.arg(m_doing, formatNumber(m_progress->done), formatNumber(*m_progress->of));
}

} // namespace models

#include "moc_longwork.cpp"
