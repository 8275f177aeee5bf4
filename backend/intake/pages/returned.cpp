#include "backend/intake/pages/returned.h"

#include "backend/core/limits.h"

namespace intake {

namespace {

// x-death has whole seconds.
core::TimePoint beginOfSecond(core::TimePoint at)
{
    constexpr qint64 second = 1000;
    const qint64 ms = core::toMs(at);
    return core::fromMs(ms - ms % second);
}

} // namespace

ReturnEvidence evidenceOfReturn(const ReturnClues &clues)
{
    if (!clues.awaited)
        return ReturnEvidence::None;
    if (clues.stamp) {
        const bool isAwaited =
            clues.stamp->operation == clues.awaited->operation && clues.stamp->attempt == clues.awaited->attempt;
        return isAwaited ? ReturnEvidence::Stamp : ReturnEvidence::None;
    }
    // A failure from before is that of an earlier copy.
    if (!clues.sent || (clues.failed && *clues.failed < beginOfSecond(*clues.sent)))
        return ReturnEvidence::None;
    if (clues.namesReturnExchange)
        return ReturnEvidence::ReturnExchange;
    const bool isNew = clues.failed && (!clues.failedBefore || *clues.failed > *clues.failedBefore);
    return isNew ? ReturnEvidence::FailedLater : ReturnEvidence::None;
}

bool mayConfirm(const store::AwaitedReturn &awaited, std::optional<core::TimePoint> sent,
                std::optional<core::TimePoint> handled)
{
    return awaited.mayBeAway && (!sent || !handled || *handled + core::limits::clocksApart >= *sent);
}

QString returnExchangeOf(const QString &storeId)
{
    return QStringLiteral("redrive.%1.return").arg(storeId);
}

} // namespace intake
