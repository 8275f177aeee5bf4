#include "backend/retry/forwarding/sendwindow.h"

#include "backend/core/limits.h"
#include "backend/retry/outgoing.h"

namespace retry {

namespace {

constexpr qint64 mostBytes = 32LL * 1024 * 1024;
constexpr int commitShare = 4; // this part of the possible answers is worth a commit

} // namespace

SendWindow::SendWindow(core::Clock &clock, const broker::Capabilities &capabilities)
    : m_clock(clock)
    , m_batch(std::max(1, capabilities.sendBatch))
    , m_batchBytes(capabilities.sendBatchBytes)
    , m_inFlight(std::max(1, capabilities.sendsInFlight))
    , m_most(std::min(m_batch * m_inFlight, core::limits::batchMembers))
    , m_stepped(clock.steady())
{
}

SendWindow::~SendWindow()
{
    m_clock.cancel(m_ticket);
}

int SendWindow::room() const
{
    return m_bytes >= mostBytes ? 0 : std::max(0, m_most - int(m_ready.size() + m_sending));
}

void SendWindow::load(QList<broker::Outgoing> messages)
{
    for (broker::Outgoing &message : messages) {
        const qint64 bytes = weight(message.envelope);
        m_bytes += bytes;
        m_ready.append({std::move(message), bytes});
    }
}

QList<qint64> SendWindow::unload()
{
    QList<qint64> ordinals;
    for (const Loaded &one : std::as_const(m_ready)) {
        ordinals.append(one.message.ordinal);
        m_bytes -= one.bytes;
    }
    m_ready.clear();
    return ordinals;
}

SendWindow::Call SendWindow::launch()
{
    Call call;
    qsizetype count = 0;
    while (count < std::min<qsizetype>(m_ready.size(), m_batch)) {
        Loaded &next = m_ready[count];
        if (count > 0 && m_batchBytes > 0 && call.bytes + next.bytes > m_batchBytes)
            break;
        call.bytes += next.bytes;
        call.messages.append(std::move(next.message));
        ++count;
    }
    m_ready.remove(0, count);
    ++m_calls;
    m_sending += count;
    return call;
}

void SendWindow::landed(const Call &call)
{
    --m_calls;
    m_sending -= call.messages.size();
    m_bytes -= call.bytes;
}

void SendWindow::kept()
{
    m_due.clear();
    m_stepped = m_clock.steady();
    m_clock.cancel(std::exchange(m_ticket, 0));
}

bool SendWindow::isStepDue() const
{
    if (m_calls == 0)
        return true;
    if (m_held || m_due.isEmpty())
        return false;
    return m_due.size() >= std::max(1, m_most / commitShare) || m_clock.steady() - m_stepped >= rhythm;
}

core::Pending<bool> SendWindow::stepDue()
{
    const core::Pending<bool> awaited;
    m_awaited = awaited;
    wakeWhenDue();
    return awaited;
}

void SendWindow::wakeWhenDue()
{
    if (isStepDue()) {
        const std::optional<core::Pending<bool>> awaited = std::exchange(m_awaited, std::nullopt);
        if (awaited)
            awaited->resolve(true); // the awaiter may destroy this object
        return;
    }
    if (m_held || m_due.isEmpty() || m_ticket != 0)
        return;
    m_ticket = m_clock.after(m_stepped + rhythm - m_clock.steady(), [this] {
        m_ticket = 0;
        wakeWhenDue();
    });
}

} // namespace retry
