#include "backend/sandbox/faults.h"

#include "backend/sandbox/dice.h"

namespace sandbox {

namespace {

constexpr quint64 faultDice = 100; // the first purpose: one for each fault of a list
constexpr int whole = 10000;

bool isDue(const Fault &fault, int attempt, core::Milliseconds sinceStart)
{
    switch (fault.kind) {
    case Fault::Kind::BadJson: // shows when the body is read
    case Fault::Kind::DiesBeforeQueueing:
    case Fault::Kind::DiesAfterHandling:
    case Fault::Kind::Contended:
        return false;
    case Fault::Kind::Outage:
        return sinceStart >= fault.from && sinceStart < fault.to;
    case Fault::Kind::FailsFirst:
        return attempt <= fault.times;
    case Fault::Kind::Always:
        return true;
    }
    Q_UNREACHABLE();
}

} // namespace

FaultScript::FaultScript(quint64 seed, QList<Fault> faults)
    : m_seed(seed)
    , m_faults(std::move(faults))
{
}

bool FaultScript::picks(qsizetype place, int message) const
{
    return int(dice(m_seed, message, faultDice + quint64(place)) % whole) < m_faults.at(place).share;
}

std::optional<HandlerFailure> FaultScript::strikes(int message, int attempt, core::Milliseconds sinceStart) const
{
    for (qsizetype place = 0; place < m_faults.size(); ++place) {
        const Fault &fault = m_faults.at(place);
        if (!isDue(fault, attempt, sinceStart) || !picks(place, message))
            continue;
        HandlerFailure failure;
        failure.what.exceptionType = fault.exception;
        failure.what.message =
            fault.message.contains(u"%1") ? fault.message.arg(QString::number(message)) : fault.message;
        failure.what.httpStatus = fault.httpStatus;
        failure.stackTrace = fault.stackTrace;
        return failure;
    }
    return std::nullopt;
}

bool FaultScript::contends(int message, int save) const
{
    for (qsizetype place = 0; place < m_faults.size(); ++place) {
        const Fault &fault = m_faults.at(place);
        if (fault.kind == Fault::Kind::Contended && save <= fault.times && picks(place, message))
            return true;
    }
    return false;
}

bool FaultScript::has(Fault::Kind kind, int message) const
{
    for (qsizetype place = 0; place < m_faults.size(); ++place) {
        if (m_faults.at(place).kind == kind && picks(place, message))
            return true;
    }
    return false;
}

} // namespace sandbox
