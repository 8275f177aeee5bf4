#include "backend/recovery/heldmessage.h"

namespace recovery {

bool isScheduled(HeldState state)
{
    return state == HeldState::Waiting || state == HeldState::Leaving;
}

QString toString(HeldState state)
{
    switch (state) {
    case HeldState::Waiting:
        return QStringLiteral("waiting");
    case HeldState::InRetry:
        return QStringLiteral("in_retry");
    case HeldState::Exhausted:
        return QStringLiteral("exhausted");
    case HeldState::Excluded:
        return QStringLiteral("excluded");
    case HeldState::Ended:
        return QStringLiteral("ended");
    case HeldState::Leaving:
        return QStringLiteral("leaving");
    case HeldState::NotMoved:
        return QStringLiteral("not_moved");
    }
    Q_UNREACHABLE();
}

} // namespace recovery
