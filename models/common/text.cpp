#include "models/common/text.h"

#include "backend/core/time/durationtext.h"
#include "models/common/visibletext.h"

namespace models {

QString textOf(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Unresolved:
        return Text::tr("Unresolved");
    case records::MessageStatus::RetryIssued:
        return Text::tr("In retry");
    case records::MessageStatus::Resolved:
        return Text::tr("Resolved");
    case records::MessageStatus::Archived:
        return Text::tr("Archived");
    case records::MessageStatus::Released:
        return Text::tr("Released");
    case records::MessageStatus::Unknown:
        return Text::tr("State unknown");
    }
    Q_UNREACHABLE();
}

QString textOf(TimeRange range)
{
    switch (range) {
    case TimeRange::LastHour:
        return Text::tr("Last hour");
    case TimeRange::LastDay:
        return Text::tr("Last 24 h");
    case TimeRange::LastWeek:
        return Text::tr("Last 7 days");
    case TimeRange::All:
        return Text::tr("All time");
    }
    Q_UNREACHABLE();
}

QString textOf(records::Environment environment)
{
    switch (environment) {
    case records::Environment::Development:
        return Text::tr("DEVELOPMENT");
    case records::Environment::Test:
        return Text::tr("TEST");
    case records::Environment::Production:
        return Text::tr("PRODUCTION");
    }
    Q_UNREACHABLE();
}

QString textOf(records::Classifier classifier)
{
    switch (classifier) {
    case records::Classifier::ExceptionAndStack:
        return Text::tr("Exception type and stack trace");
    case records::Classifier::MessageType:
        return Text::tr("Message type");
    case records::Classifier::EndpointAddress:
        return Text::tr("Endpoint address");
    case records::Classifier::EndpointName:
        return Text::tr("Endpoint name");
    case records::Classifier::EndpointInstance:
        return Text::tr("Endpoint instance");
    }
    Q_UNREACHABLE();
}

QString textOf(records::Certainty certainty)
{
    switch (certainty) {
    case records::Certainty::Unknown:
        return Text::tr("unknown");
    case records::Certainty::FanOut:
        return Text::tr("fan-out");
    case records::Certainty::Derived:
        return Text::tr("derived");
    case records::Certainty::Exact:
        return Text::tr("exact");
    }
    Q_UNREACHABLE();
}

QStringList textOf(records::MessageFlags flags)
{
    QStringList all;
    const auto add = [&](records::MessageFlag flag, const QString &said) {
        if (flags.testFlag(flag))
            all.append(said);
    };
    add(records::MessageFlag::PossibleDuplicate, Text::tr("possible duplicate"));
    add(records::MessageFlag::NotFaithful, Text::tr("HTTP cannot send its headers unchanged"));
    add(records::MessageFlag::Undecodable, Text::tr("unknown message convention"));
    add(records::MessageFlag::OtherTool, Text::tr("only the tool of its framework can send it back"));
    add(records::MessageFlag::Damaged, Text::tr("its framework damaged it when it failed"));
    add(records::MessageFlag::Amqp10, Text::tr("an AMQP 1.0 client sent it, and HTTP does not show all of it"));
    add(records::MessageFlag::Shortened, Text::tr("its framework shortened the failure details"));
    return all;
}

QString textOf(records::OperationState state)
{
    switch (state) {
    case records::OperationState::Freezing:
        return Text::tr("Freezing");
    case records::OperationState::Waiting:
        return Text::tr("Waiting");
    case records::OperationState::Preparing:
        return Text::tr("Preparing");
    case records::OperationState::Running:
        return Text::tr("Running");
    case records::OperationState::Paused:
        return Text::tr("Paused");
    case records::OperationState::Completed:
        return Text::tr("Completed");
    case records::OperationState::Cancelled:
        return Text::tr("Cancelled");
    }
    Q_UNREACHABLE();
}

QString textOf(records::Severity severity)
{
    switch (severity) {
    case records::Severity::Info:
        return Text::tr("Info");
    case records::Severity::Warning:
        return Text::tr("Warning");
    case records::Severity::Problem:
        return Text::tr("Problem");
    }
    Q_UNREACHABLE();
}

QString textOf(api::Health health)
{
    switch (health) {
    case api::Health::Unknown:
        return Text::tr("not checked yet");
    case api::Health::Connected:
        return Text::tr("connected");
    case api::Health::Slow:
        return Text::tr("slow");
    case api::Health::Unreachable:
        return Text::tr("unreachable");
    case api::Health::Refused:
        return Text::tr("refused");
    case api::Health::LoginNeeded:
        return Text::tr("login required");
    }
    Q_UNREACHABLE();
}

QString textOf(api::EngineState state)
{
    switch (state) {
    case api::EngineState::Starting:
        return Text::tr("Engine starting");
    case api::EngineState::Running:
        return Text::tr("Engine running");
    case api::EngineState::Viewer:
        return Text::tr("View only");
    case api::EngineState::Paused:
        return Text::tr("All retries paused");
    case api::EngineState::StoreRefusesWrites:
        return Text::tr("Store refuses writes");
    }
    Q_UNREACHABLE();
}

QString textOf(records::Rights rights)
{
    using records::Right;
    const std::pair<Right, QString> all[] = {
        {Right::See, Text::tr("see")},           {Right::Take, Text::tr("take")},
        {Right::Retry, Text::tr("retry")},       {Right::Edit, Text::tr("edit")},
        {Right::Redirect, Text::tr("redirect")}, {Right::Archive, Text::tr("archive")},
        {Right::Delete, Text::tr("delete")},
    };
    QStringList list;
    for (const auto &[right, word] : all) {
        if (rights.testFlag(right))
            list.append(word);
    }
    return list.join(QStringLiteral(", "));
}

QString resolvedAfterText(std::optional<core::Milliseconds> after)
{
    return after ? Text::tr("resolved when nothing comes back for %1").arg(core::durationText(*after))
                 : Text::tr("never resolved by time alone");
}

QString inRetryTip(const QList<api::ConnectionView> &connections)
{
    QStringList lines{Text::tr("In retry: sent, but not yet known to be processed.")};
    for (const api::ConnectionView &view : connections)
        lines << Text::tr("%1: %2").arg(visibleLine(view.connection.name), resolvedAfterText(view.resolvedAfter));
    return lines.join(QLatin1Char('\n'));
}

Tone toneOf(api::Health health)
{
    switch (health) {
    case api::Health::Unknown:
        return Tone::Muted;
    case api::Health::Connected:
        return Tone::Ok;
    case api::Health::Slow:
        return Tone::Warn;
    case api::Health::Unreachable:
    case api::Health::Refused:
    case api::Health::LoginNeeded:
        return Tone::Bad;
    }
    Q_UNREACHABLE();
}

Tone toneOf(api::EngineState state)
{
    switch (state) {
    case api::EngineState::Starting:
        return Tone::Muted;
    case api::EngineState::Running:
        return Tone::Ok;
    case api::EngineState::Viewer:
        return Tone::Accent;
    case api::EngineState::Paused:
        return Tone::Warn;
    case api::EngineState::StoreRefusesWrites:
        return Tone::Bad;
    }
    Q_UNREACHABLE();
}

Tone toneOf(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Unresolved:
        return Tone::Normal;
    case records::MessageStatus::RetryIssued:
        return Tone::Accent;
    case records::MessageStatus::Resolved:
        return Tone::Ok;
    case records::MessageStatus::Archived:
    case records::MessageStatus::Released:
        return Tone::Muted;
    case records::MessageStatus::Unknown:
        return Tone::Warn;
    }
    Q_UNREACHABLE();
}

Tone toneOf(records::Severity severity)
{
    switch (severity) {
    case records::Severity::Info:
        return Tone::Normal;
    case records::Severity::Warning:
        return Tone::Warn;
    case records::Severity::Problem:
        return Tone::Bad;
    }
    Q_UNREACHABLE();
}

} // namespace models
