#include "models/rehearsals/rehearsal.h"

#include "backend/api/longwork.h"
#include "backend/core/time/durationtext.h"
#include "models/common/formatters.h"

#include <QUuid>

namespace models {

namespace {

constexpr core::Milliseconds lookPause{250};

} // namespace

Rehearsal::Rehearsal(ConsoleSession &session, api::Rehearse request, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_request(std::move(request))
    , m_run(session)
    , m_look(session)
{
    m_looks.setInterval(lookPause);
    connect(&m_looks, &QTimer::timeout, this, &Rehearsal::askProgress);
}

Rehearsal::~Rehearsal()
{
    if (m_state == State::Running)
        m_session.send(api::CancelWork{m_request.ticket});
}

void Rehearsal::start(const api::RehearsalFaults &faults, bool mask, int atMost)
{
    if (m_state == State::Running)
        return;
    m_request.faults = faults;
    m_request.mask = mask;
    m_request.atMost = atMost;
    m_request.ticket = QUuid::createUuid().toString(QUuid::Id128);
    m_state = State::Running;
    m_isCancelling = false;
    m_progress.reset();
    m_looks.start();
    m_run.ask(m_request, [this](const core::Result<api::RehearsalReport> &answer) { take(answer); });
    Q_EMIT changed();
}

void Rehearsal::take(const core::Result<api::RehearsalReport> &answer)
{
    m_looks.stop();
    m_look.drop();
    m_state = answer ? State::Ended : State::Failed;
    if (answer)
        m_report = *answer;
    else
        m_problem = answer.error().message;
    Q_EMIT changed();
}

void Rehearsal::askProgress()
{
    if (m_look.isPending())
        return;
    m_look.ask(api::AskRehearsal{m_request.ticket}, [this](const core::Result<api::RehearsalProgress> &now) {
        if (!now)
            return;
        m_progress = *now;
        Q_EMIT changed();
    });
}

void Rehearsal::cancel()
{
    if (m_state != State::Running || std::exchange(m_isCancelling, true))
        return;
    m_session.send(api::CancelWork{m_request.ticket}); // the rehearsal itself answers
    Q_EMIT changed();
}

QString Rehearsal::progress() const
{
    if (m_isCancelling)
        return tr("Cancelling…");
    if (!m_progress)
        return tr("Copying the messages…");
    return tr("%1 of %2 processed, after %3 of simulated time")
        .arg(formatNumber(m_progress->processed), formatNumber(m_progress->copied),
             core::durationText(m_progress->simulated));
}

} // namespace models

#include "moc_rehearsal.cpp"
