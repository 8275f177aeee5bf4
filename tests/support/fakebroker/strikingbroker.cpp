#include "tests/support/fakebroker/strikingbroker.h"

namespace support {

using broker::Outgoing;
using broker::SendOutcome;
using core::fail;
using core::Result;
using core::Task;

bool StrikingBroker::isHit(const char *call)
{
    if (++m_calls != strike.call)
        return false;
    m_struck = QString::fromLatin1(call);
    return true;
}

// `begin` makes the call; it is a parameter, so that it lives in this frame.
template<typename T, typename Begin>
Task<Result<T>> StrikingBroker::through(const char *name, Begin begin)
{
    const bool hit = isHit(name);
    if (hit && !strike.afterwards) {
        if (onStrike)
            onStrike();
        co_return fail(strike.error);
    }
    Result<T> answer = co_await begin();
    if (hit) {
        if (onStrike)
            onStrike();
        co_return fail(strike.error);
    }
    co_return answer;
}

template<typename Begin>
Task<QList<SendOutcome>> StrikingBroker::sent(const char *name, QList<Outgoing> copies, Begin begin)
{
    QList<SendOutcome> outcomes;
    const bool hit = isHit(name);
    if (!hit || strike.afterwards)
        outcomes = co_await begin();
    if (!hit)
        co_return outcomes;
    for (const Outgoing &copy : std::as_const(copies))
        m_struckCopies.append(copy.uniqueId);
    outcomes.fill({strike.verdict, strike.error}, copies.size());
    if (onStrike)
        onStrike();
    co_return outcomes;
}

Task<Result<broker::Capabilities>> StrikingBroker::probe()
{
    return through<broker::Capabilities>("probe", [this] { return m_behind.probe(); });
}

Task<Result<broker::Listing>> StrikingBroker::queues()
{
    return through<broker::Listing>("queues", [this] { return m_behind.queues(); });
}

Task<Result<broker::ReceivedPage>> StrikingBroker::take(broker::TakeRequest request)
{
    return through<broker::ReceivedPage>("take", [this, request] { return m_behind.take(request); });
}

Task<Result<broker::Passage>> StrikingBroker::takeInto(broker::TakeRequest request, broker::Keep keep)
{
    return through<broker::Passage>("take", [this, request, keep] { return m_behind.takeInto(request, keep); });
}

Task<Result<broker::PrefetchResult>> StrikingBroker::prefetch(broker::TakeRequest request)
{
    return through<broker::PrefetchResult>("hold", [this, request] { return m_behind.prefetch(request); });
}

Task<Result<>> StrikingBroker::release(broker::TakeRequest request, broker::ReceivedPage page)
{
    return through<void>("release", [this, request, page] { return m_behind.release(request, page); });
}

Task<Result<broker::ReceivedPage>> StrikingBroker::browse(QString queue, int limit, broker::LookRisk risk)
{
    return through<broker::ReceivedPage>("browse",
                                         [this, queue, limit, risk] { return m_behind.browse(queue, limit, risk); });
}

Task<QList<SendOutcome>> StrikingBroker::send(QList<Outgoing> messages)
{
    return sent("send", messages, [this, messages] { return m_behind.send(messages); });
}

broker::StagingQueue *StrikingBroker::stagingQueue()
{
    return m_behind.stagingQueue() != nullptr ? this : nullptr;
}

Task<Result<QList<broker::Leftover>>> StrikingBroker::leftovers()
{
    return through<QList<broker::Leftover>>("leftovers", [this] { return m_behind.leftovers(); });
}

// What is under way when it is not offered any more goes on.
broker::StagingQueue &StrikingBroker::behind() const
{
    return dynamic_cast<broker::StagingQueue &>(m_behind);
}

Task<Result<>> StrikingBroker::open(broker::StagingPlace place)
{
    return through<void>("open", [this, place] { return behind().open(place); });
}

Task<QList<SendOutcome>> StrikingBroker::stage(broker::StagingPlace place, QList<Outgoing> copies)
{
    return sent("stage", copies, [this, place, copies] { return behind().stage(place, copies); });
}

Task<Result<QStringList>> StrikingBroker::reconcile(broker::StagingPlace place)
{
    return through<QStringList>("reconcile", [this, place] { return behind().reconcile(place); });
}

Task<Result<qint64>> StrikingBroker::depth(broker::StagingPlace place)
{
    return through<qint64>("depth", [this, place] { return behind().depth(place); });
}

Task<Result<QList<broker::Unreachable>>> StrikingBroker::openWays(broker::StagingPlace place)
{
    return through<QList<broker::Unreachable>>("openWays", [this, place] { return behind().openWays(place); });
}

Task<Result<bool>> StrikingBroker::withdraw(broker::ForwardRequest request)
{
    return through<bool>("withdraw", [this, request] { return behind().withdraw(request); });
}

Task<Result<broker::ForwardReport>> StrikingBroker::forward(broker::ForwardRequest request, broker::ForwardHooks hooks)
{
    return through<broker::ForwardReport>("forward",
                                          [this, request, hooks] { return behind().forward(request, hooks); });
}

Task<Result<>> StrikingBroker::discard(broker::StagingPlace place)
{
    return through<void>("discard", [this, place] { return behind().discard(place); });
}

} // namespace support
