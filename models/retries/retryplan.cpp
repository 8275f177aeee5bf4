#include "models/retries/retryplan.h"

#include "models/common/formatters.h"

#include <QDateTime>

#include <algorithm>

namespace models {

RetryPlan::RetryPlan(ConsoleSession &session, api::RetryDraft draft, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_draft(std::move(draft))
    , m_previewing(session)
{
    m_editPause.setSingleShot(true);
    m_editPause.setInterval(std::chrono::milliseconds{300});
    connect(&m_editPause, &QTimer::timeout, this, qOverload<>(&RetryPlan::ask));
}

RetryPlan::~RetryPlan()
{
    blockSignals(true);
    dropPreview();
}

void RetryPlan::watch(const QString &doing)
{
    m_work = std::make_unique<LongWork>(m_session, doing);
    connect(m_work.get(), &LongWork::changed, this, &RetryPlan::progressed);
}

// A preview that nobody wants any more would keep the engine at work for nothing.
void RetryPlan::dropPreview()
{
    if (m_previewing.isPending() && m_work)
        m_work->cancel();
    m_previewing.drop();
    m_work.reset();
}

QString RetryPlan::progress() const
{
    return m_work && m_work->isShown() ? m_work->text() : QString();
}

bool RetryPlan::cancel()
{
    if (m_state != State::Sending || !m_work || m_work->isCancelling())
        return false;
    m_work->cancel();
    return true;
}

void RetryPlan::setLimit(std::optional<qint64> limit)
{
    if (m_draft.plan.limit == limit)
        return;
    m_draft.plan.limit = limit;
    ask();
}

void RetryPlan::setOnUnknown(records::OnUnknown choice)
{
    m_draft.plan.onUnknown = choice;
    m_unknownChosen = true;
}

void RetryPlan::setIncludeLooped(bool include)
{
    if (m_draft.plan.includeLooped == include)
        return;
    m_draft.plan.includeLooped = include;
    ask();
}

void RetryPlan::setIncludeDuplicates(bool include)
{
    if (m_draft.plan.includeDuplicates == include)
        return;
    m_draft.plan.includeDuplicates = include;
    ask();
}

void RetryPlan::sendTo(const QString &origin, const std::optional<QString> &queue)
{
    using records::Redirect;
    const auto mine = [&origin](const Redirect &one) {
        return one.of != Redirect::Of::Everything && one.from == origin;
    };
    const bool stands = std::any_of(m_preview.standing.cbegin(), m_preview.standing.cend(), mine);
    QList<Redirect> redirects = m_draft.plan.redirects;
    redirects.removeIf(mine);
    // The original queue is a choice only when a standing redirect names another one.
    if (queue && (*queue != origin || stands))
        redirects.append({origin.isEmpty() ? Redirect::Of::Unknown : Redirect::Of::Queue, origin, *queue});
    if (redirects == m_draft.plan.redirects)
        return;
    m_draft.plan.redirects = redirects;
    m_draft.plan.acceptDrops = false; // it was said about other queues
    if (!chosenFor(origin))
        m_remembered.removeAll(origin);
    ask();
}

QList<records::Redirect> RetryPlan::rememberable() const
{
    QList<records::Redirect> found;
    if (m_draft.kind == records::OperationKind::Release)
        return found; // standing redirects are for retries
    for (const records::Redirect &one : m_draft.plan.redirects) {
        if (one.of == records::Redirect::Of::Queue)
            found.append(one);
    }
    return found;
}

void RetryPlan::setRemembered(const QString &origin, bool remembered)
{
    m_remembered.removeAll(origin);
    if (remembered)
        m_remembered.append(origin);
}

std::optional<QString> RetryPlan::chosenFor(const QString &origin) const
{
    for (const records::Redirect &one : m_draft.plan.redirects) {
        if (one.of != records::Redirect::Of::Everything && one.from == origin)
            return one.to;
    }
    return std::nullopt;
}

void RetryPlan::setPerMinute(std::optional<qint64> perMinute)
{
    m_draft.plan.perMinute = perMinute;
    Q_EMIT changed();
}

void RetryPlan::setNotBefore(std::optional<core::TimePoint> notBefore)
{
    m_draft.plan.notBefore = notBefore;
    Q_EMIT changed();
}

// The preview says whether the broker allows a waiting limit, a ramp or a stop rule.
void RetryPlan::setMostWaiting(std::optional<qint64> most)
{
    const bool had = m_draft.plan.mostWaiting.has_value();
    m_draft.plan.mostWaiting = most;
    if (had != most.has_value())
        ask();
    else
        Q_EMIT changed();
}

// The preview says whether the broker allows it.
void RetryPlan::setBrokerShare(std::optional<qint64> percent)
{
    const bool had = m_draft.plan.brokerShare.has_value();
    m_draft.plan.brokerShare = percent;
    if (had != percent.has_value())
        ask();
    else
        Q_EMIT changed();
}

void RetryPlan::setAcceptDrops(bool accept)
{
    if (m_draft.plan.acceptDrops == accept)
        return;
    m_draft.plan.acceptDrops = accept;
    ask();
}

void RetryPlan::setKeepOrder(bool keep)
{
    if (m_draft.plan.keepOrder == keep)
        return;
    m_draft.plan.keepOrder = keep;
    ask();
}

// The preview says what that takes.
void RetryPlan::setAskEndpoints(bool asks)
{
    if (m_draft.plan.askEndpoints == asks)
        return;
    m_draft.plan.askEndpoints = asks;
    ask();
}

void RetryPlan::setCaution(std::optional<records::Ramp> ramp, std::optional<records::StopWhen> stop)
{
    const bool wasGuarded = m_draft.plan.isGuarded();
    m_draft.plan.ramp = std::move(ramp);
    m_draft.plan.stopWhen = stop;
    if (m_draft.plan.isGuarded() != wasGuarded)
        ask();
    else
        Q_EMIT changed();
}

void RetryPlan::setEdit(const core::Result<records::Edit> &edit)
{
    const QString problem = edit ? QString() : edit.error().message;
    if (problem == m_editProblem && (!edit || *edit == m_draft.plan.edit))
        return;
    m_editProblem = problem;
    if (edit)
        m_draft.plan.edit = *edit;
    // The counts belong to the old edit: an answer to an older request must not enable the button.
    dropPreview();
    m_dryRunAt.reset();
    m_previewed = false;
    m_problem = problem;
    m_state = edit ? State::Asking : State::Refused;
    if (edit)
        m_editPause.start();
    else
        m_editPause.stop();
    Q_EMIT changed();
}

void RetryPlan::setReason(const QString &reason)
{
    m_draft.plan.reason = reason.trimmed();
}

void RetryPlan::setConfirmation(const QString &typed)
{
    m_typed = typedNumber(typed);
    Q_EMIT changed();
}

std::optional<qint64> RetryPlan::countToType() const
{
    return m_preview.confirmCount ? std::optional(m_preview.frozenCount) : std::nullopt;
}

bool RetryPlan::canGo() const
{
    return m_state == State::Ready && m_preview.frozenCount > 0 && (!countToType() || m_typed == countToType())
           && !isTooLate();
}

bool RetryPlan::isTooLate() const
{
    const std::optional<core::TimePoint> begin = m_draft.plan.notBefore;
    return begin && core::toMs(*begin) <= QDateTime::currentMSecsSinceEpoch();
}

QString RetryPlan::problem() const
{
    if (m_problem.isEmpty() && isTooLate())
        return tr("The start time is in the past. Choose a later time or \"at once\".");
    return m_problem;
}

void RetryPlan::ask()
{
    ask(false);
}

void RetryPlan::freezeAgain()
{
    m_draft.asOfChange.reset();
    ask(false);
}

void RetryPlan::dryRun()
{
    ask(true);
}

std::optional<double> RetryPlan::pace() const
{
    const auto known = m_paces.constFind(m_preview.connection);
    return known == m_paces.cend() ? std::nullopt : std::optional(*known);
}

void RetryPlan::ask(bool dry)
{
    m_editPause.stop();
    if (!m_editProblem.isEmpty()) {
        refuse(m_editProblem);
        return;
    }
    m_dryRunAt.reset();
    m_previewed = false;
    m_state = State::Asking;
    m_problem.clear();
    dropPreview();
    watch(tr("Counting messages"));
    m_previewing.ask(api::PreviewRetry{m_draft, m_work->ticket()},
                     [this, dry](const core::Result<api::PlanPreview> &answer) { takePreview(dry, answer); });
    Q_EMIT changed();
}

void RetryPlan::takePreview(bool dry, const core::Result<api::PlanPreview> &answer)
{
    m_work.reset();
    if (!answer) {
        refuse(answer.error().message);
        return;
    }
    m_preview = *answer;
    m_previewed = true;
    // From now on the set is frozen: messages that arrive later are counted, but never added.
    m_draft.asOfChange = m_preview.asOfChange;
    if (!m_unknownChosen)
        m_draft.plan.onUnknown = m_preview.onUnknownDefault;
    if (dry)
        m_dryRunAt = m_preview.asOf;
    m_problem = m_preview.refusal;
    if (m_problem.isEmpty() && m_preview.frozenCount == 0)
        m_problem = tr("No message is left to send.");
    m_state = m_problem.isEmpty() ? State::Ready : State::Refused;
    Q_EMIT changed();
}

void RetryPlan::go()
{
    if (!canGo()) {
        Q_EMIT changed(); // the start time may have passed meanwhile
        return;
    }
    m_state = State::Sending;
    Q_EMIT changed();
    api::ConfirmRetry command{m_draft, m_preview.frozenCount, m_typed, m_preview.standing};
    command.remember = m_remembered;
    watch(tr("Freezing messages"));
    command.ticket = m_work->ticket();
    m_session.ask(this, command, [this](const core::Result<core::OperationId> &answer) { takeAnswer(answer); });
}

void RetryPlan::takeAnswer(const core::Result<core::OperationId> &answer)
{
    m_work.reset();
    if (!answer) {
        refuse(answer.error().message);
        return;
    }
    m_operation = *answer;
    m_state = State::Accepted;
    Q_EMIT changed();
    Q_EMIT accepted(m_operation);
}

void RetryPlan::refuse(const QString &why)
{
    m_state = State::Refused;
    m_problem = why;
    Q_EMIT changed();
}

} // namespace models

#include "moc_retryplan.cpp"
