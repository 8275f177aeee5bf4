#include "backend/records/rules/connectionuse.h"

#include "backend/records/text.h"

namespace records {

QString whyNotRemoved(const ConnectionUse &use)
{
    const auto counted = [](const QString &text, qint64 many) { return text.arg(many); };
    if (use.unfinishedRetries > 0)
        return counted(Text::tr("This connection has unfinished retries (%1). Wait for them or cancel them first."),
                       use.unfinishedRetries);
    if (use.unresolved > 0)
        return counted(Text::tr("This connection has unresolved messages (%1). Release them first."), use.unresolved);
    if (use.archived > 0)
        return counted(Text::tr("This connection has archived messages (%1), which are kept nowhere else. Restore and "
                                "release them first."),
                       use.archived);
    if (use.unknown > 0)
        return counted(Text::tr("Since a backup was restored, this connection has messages in an unknown state (%1). "
                                "Decide what happened to them first."),
                       use.unknown);
    if (use.inDoubt > 0)
        return counted(Text::tr("This connection has messages in doubt (%1). Settle them as sent, or send them again, "
                                "first."),
                       use.inDoubt);
    if (use.openIntakes > 0)
        return Text::tr("An intake from this connection has not finished, so its broker may hold messages for Redrive. "
                        "Wait until it has finished. If it was interrupted, Redrive finishes it when it reaches the "
                        "broker.");
    return {};
}

} // namespace records
