#include "app/commandline/retrydraft.h"

#include "app/commandline/edits.h"
#include "app/commandline/selectionoptions.h"
#include "app/commandline/text.h"

namespace commandline {

core::Result<api::RetryDraft> draftFrom(const Context &context, records::OperationKind kind, const QString &verb)
{
    const Arguments &given = context.arguments;
    TRY(const records::MessageFilter scope, selectedMessages(given, verb));
    TRY(const std::optional<qint64> limit, given.number(QStringLiteral("limit"), 1));
    TRY(const std::optional<qint64> rate, given.perMinute(QStringLiteral("rate")));
    TRY(const std::optional<core::TimePoint> notBefore,
        given.timeAhead(QStringLiteral("not-before"), context.clock.now()));
    TRY(const std::optional<records::Ramp> ramp, given.ramp(QStringLiteral("ramp")));
    TRY(const std::optional<records::StopWhen> stop, given.stopWhen(QStringLiteral("stop-when")));
    TRY(const std::optional<qint64> waiting, given.number(QStringLiteral("most-waiting"), 1));
    api::RetryDraft draft;
    draft.kind = kind;
    draft.plan.mostWaiting = waiting;
    draft.plan.ramp = ramp;
    draft.plan.stopWhen = ramp && !stop ? records::defaultStop() : stop;
    draft.plan.perMinute = rate;
    draft.plan.notBefore = notBefore;
    draft.filter = scope;
    draft.filter.status = records::MessageStatus::Unresolved;
    draft.plan.limit = limit;
    draft.plan.includeLooped = given.has(QStringLiteral("include-looped"));
    draft.plan.reason = given.value(QStringLiteral("reason"));
    if (given.has(QStringLiteral("redirect"))) {
        const QString to = given.value(QStringLiteral("redirect"));
        if (to.isEmpty())
            return core::fail(core::ErrorKind::Rejected, Text::tr("--redirect must be the name of a queue."));
        draft.plan.redirects = {{records::Redirect::Of::Everything, {}, to}};
    }
    if (given.has(QStringLiteral("edit"))) {
        TRY(draft.plan.edit, readEdit(given.value(QStringLiteral("edit"))));
    }
    const QString policy = given.value(QStringLiteral("on-unknown"));
    if (policy == QLatin1String("resend")) {
        draft.plan.onUnknown = records::OnUnknown::SendAgain;
    } else if (given.has(QStringLiteral("on-unknown")) && policy != QLatin1String("doubt")) {
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--on-unknown must be resend or doubt, not '%1'.").arg(policy));
    }
    return draft;
}

} // namespace commandline
