#include "app/commandline/arguments/retrydraft.h"

#include "app/commandline/arguments/edits.h"
#include "app/commandline/arguments/selectionoptions.h"
#include "app/commandline/text.h"

namespace commandline {

// "FROM=TO"; "=TO" for messages without a known destination.
static core::Result<records::Redirect> redirectFrom(const QString &text)
{
    const qsizetype equals = text.indexOf(QLatin1Char('='));
    const QString from = text.left(std::max<qsizetype>(equals, 0));
    const QString to = text.mid(equals + 1);
    if (equals < 0 || to.isEmpty())
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--redirect-from must be FROM=TO or =TO, two names of queues, not '%1'.").arg(text));
    if (to.contains(QLatin1Char('='))) {
        return core::fail(
            core::ErrorKind::Rejected,
            Text::tr("--redirect-from cannot tell the two names in '%1' apart. Use redrive redirect add.").arg(text));
    }
    return records::Redirect{from.isEmpty() ? records::Redirect::Of::Unknown : records::Redirect::Of::Queue, from, to};
}

// The one of all messages comes last: the first that matches counts.
static core::Result<QList<records::Redirect>> redirectsFrom(const Arguments &given)
{
    QList<records::Redirect> redirects;
    for (const QString &text : given.values(QStringLiteral("redirect-from"))) {
        TRY(const records::Redirect one, redirectFrom(text));
        redirects.append(one);
    }
    if (!given.has(QStringLiteral("redirect")))
        return redirects;
    const QString to = given.value(QStringLiteral("redirect"));
    if (to.isEmpty())
        return core::fail(core::ErrorKind::Rejected, Text::tr("--redirect must be the name of a queue."));
    redirects.append({records::Redirect::Of::Everything, {}, to});
    return redirects;
}

QStringList rememberedFrom(const api::RetryDraft &draft)
{
    QStringList queues;
    for (const records::Redirect &one : draft.plan.redirects) {
        if (one.of == records::Redirect::Of::Queue)
            queues.append(one.from);
    }
    return queues;
}

// "20" or "20%".
static core::Result<std::optional<qint64>> brokerShareFrom(const Arguments &given)
{
    const QString option = QStringLiteral("broker-share");
    if (!given.has(option))
        return std::optional<qint64>();
    QString text = given.value(option);
    if (text.endsWith(QLatin1Char('%')))
        text.chop(1);
    bool ok = false;
    const qint64 percent = text.toLongLong(&ok);
    if (ok && percent >= 1 && percent <= records::mostBrokerShare)
        return std::optional(percent);
    return core::fail(core::ErrorKind::Rejected,
                      Text::tr("--%1 must be a percentage between 1 and %2, like 20%, not '%3'.")
                          .arg(option, QString::number(records::mostBrokerShare), given.value(option)));
}

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
    TRY(const std::optional<qint64> share, brokerShareFrom(given));
    api::RetryDraft draft;
    draft.kind = kind;
    draft.plan.brokerShare = share;
    draft.plan.mostWaiting = waiting;
    draft.plan.ramp = ramp;
    draft.plan.stopWhen = ramp && !stop ? records::defaultStop() : stop;
    draft.plan.perMinute = rate;
    draft.plan.notBefore = notBefore;
    draft.filter = scope;
    draft.filter.status = records::MessageStatus::Unresolved;
    draft.plan.limit = limit;
    draft.plan.includeLooped = given.has(QStringLiteral("include-looped"));
    draft.plan.includeDuplicates = given.has(QStringLiteral("include-duplicates"));
    draft.plan.acceptDrops = given.has(QStringLiteral("accept-drops"));
    draft.plan.keepOrder = given.has(QStringLiteral("keep-order"));
    draft.plan.askEndpoints = given.has(QStringLiteral("ask-endpoints"));
    draft.plan.reason = given.value(QStringLiteral("reason"));
    TRY(draft.plan.redirects, redirectsFrom(given));
    if (given.has(QStringLiteral("remember")) && rememberedFrom(draft).isEmpty())
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("--remember needs --redirect-from FROM=TO, the redirect to remember."));
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
