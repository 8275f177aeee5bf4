// The commands of ConsoleSession about recovery policies.
#include "backend/api/requests/policies.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/session/consolesession.h"

namespace models {

void ConsoleSession::pausePolicy(const QString &name, bool pause)
{
    const QString shown = visibleLine(name);
    const api::PausePolicy command{name, pause};
    ask(this, command, [this, shown, pause](const core::Result<> &done) {
        if (report(pause ? tr("The policy was not paused") : tr("The policy was not resumed"), done))
            Q_EMIT succeeded(pause ? tr("Paused the policy %1. Retries that it began go on.").arg(shown)
                                   : tr("Resumed the policy %1.").arg(shown));
    });
}

void ConsoleSession::removePolicy(const QString &name)
{
    const QString shown = visibleLine(name);
    const api::RemovePolicy command{name};
    ask(this, command, [this, shown](const core::Result<> &done) {
        if (report(tr("The policy was not removed"), done))
            Q_EMIT succeeded(tr("Removed the policy %1. Its messages stay unresolved.").arg(shown));
    });
}

void ConsoleSession::unassignPolicy(core::AssignmentId assignment)
{
    const api::UnassignPolicy command{assignment};
    ask(this, command, [this](const core::Result<> &done) {
        if (report(tr("The policy was not unassigned"), done))
            Q_EMIT succeeded(tr("Unassigned the policy. Its messages stay unresolved."));
    });
}

void ConsoleSession::excludeFromPolicy(const QList<core::MessageId> &messages, bool exclude)
{
    const api::ExcludeFromPolicy command{messages, exclude};
    ask(this, command, [this, exclude](const core::Result<qint64> &changed) {
        if (!report(exclude ? tr("Taking out of the policy failed") : tr("Returning to the policy failed"), changed))
            return;
        const int count = int(*changed);
        const QString sentence =
            *changed == 0 ? tr("Nothing was changed: no policy holds these messages.")
            : exclude     ? tr("Took %1 messages out of their policy. Only a person retries them now.", nullptr, count)
                          : tr("Returned %1 messages to their policy.", nullptr, count);
        Q_EMIT succeeded(*changed == 0 ? sentence : sentence.arg(formatNumber(*changed)));
        Q_EMIT ownChange();
    });
}

} // namespace models
