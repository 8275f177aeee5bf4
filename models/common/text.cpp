#include "models/common/text.h"

#include "backend/core/durationtext.h"
#include "models/common/visibletext.h"

#include <QCoreApplication>

namespace models {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Words", text);
}

} // namespace

QString words(records::MessageStatus status)
{
    switch (status) {
    case records::MessageStatus::Unresolved:
        return tr("Unresolved");
    case records::MessageStatus::RetryIssued:
        return tr("In retry");
    case records::MessageStatus::Resolved:
        return tr("Resolved");
    case records::MessageStatus::Archived:
        return tr("Archived");
    case records::MessageStatus::Released:
        return tr("Released");
    case records::MessageStatus::Unknown:
        return tr("State unknown");
    }
    Q_UNREACHABLE();
}

QString words(TimeRange range)
{
    switch (range) {
    case TimeRange::LastHour:
        return tr("Last 1 h");
    case TimeRange::LastDay:
        return tr("Last 24 h");
    case TimeRange::LastWeek:
        return tr("Last 7 d");
    case TimeRange::All:
        return tr("All times");
    }
    Q_UNREACHABLE();
}

QString words(records::Environment environment)
{
    switch (environment) {
    case records::Environment::Development:
        return tr("DEVELOPMENT");
    case records::Environment::Test:
        return tr("TEST");
    case records::Environment::Production:
        return tr("PRODUCTION");
    }
    Q_UNREACHABLE();
}

QString words(records::Classifier classifier)
{
    switch (classifier) {
    case records::Classifier::ExceptionAndStack:
        return tr("Exception type and stack trace");
    case records::Classifier::MessageType:
        return tr("Message type");
    case records::Classifier::EndpointAddress:
        return tr("Endpoint address");
    case records::Classifier::EndpointName:
        return tr("Endpoint name");
    case records::Classifier::EndpointInstance:
        return tr("Endpoint instance");
    }
    Q_UNREACHABLE();
}

QString words(records::BrokerKind kind)
{
    switch (kind) {
    case records::BrokerKind::RabbitMq:
        return tr("RabbitMQ");
    case records::BrokerKind::ServiceBus:
        return tr("Service Bus");
    case records::BrokerKind::AzureQueue:
        return tr("Storage Queues");
    case records::BrokerKind::Sqs:
        return tr("Amazon SQS");
    }
    Q_UNREACHABLE();
}

QString words(records::Certainty certainty)
{
    switch (certainty) {
    case records::Certainty::Unknown:
        return tr("unknown");
    case records::Certainty::FanOut:
        return tr("fan-out");
    case records::Certainty::Derived:
        return tr("derived");
    case records::Certainty::Exact:
        return tr("exact");
    }
    Q_UNREACHABLE();
}

QStringList words(records::MessageFlags flags)
{
    QStringList all;
    const auto add = [&](records::MessageFlag flag, const QString &said) {
        if (flags.testFlag(flag))
            all.append(said);
    };
    add(records::MessageFlag::PossibleDuplicate, tr("possible duplicate"));
    add(records::MessageFlag::NotFaithful, tr("has headers that HTTP cannot carry unchanged"));
    add(records::MessageFlag::Undecodable, tr("convention not recognised"));
    add(records::MessageFlag::OtherTool, tr("only the tool of its framework can return it"));
    add(records::MessageFlag::Damaged, tr("damaged by its framework when it failed"));
    add(records::MessageFlag::Shortened, tr("failure shortened by its framework"));
    return all;
}

QString words(records::OperationState state)
{
    switch (state) {
    case records::OperationState::Freezing:
        return tr("Freezing");
    case records::OperationState::Waiting:
        return tr("Waiting");
    case records::OperationState::Preparing:
        return tr("Preparing");
    case records::OperationState::Running:
        return tr("Running");
    case records::OperationState::Paused:
        return tr("Paused");
    case records::OperationState::Completed:
        return tr("Completed");
    case records::OperationState::Cancelled:
        return tr("Cancelled");
    }
    Q_UNREACHABLE();
}

QString words(records::Severity severity)
{
    switch (severity) {
    case records::Severity::Info:
        return tr("Info");
    case records::Severity::Warning:
        return tr("Warning");
    case records::Severity::Problem:
        return tr("Problem");
    }
    Q_UNREACHABLE();
}

QString words(api::Health health)
{
    switch (health) {
    case api::Health::Unknown:
        return tr("not asked yet");
    case api::Health::Connected:
        return tr("connected");
    case api::Health::Slow:
        return tr("slow");
    case api::Health::Unreachable:
        return tr("unreachable");
    case api::Health::Refused:
        return tr("refused");
    case api::Health::LoginNeeded:
        return tr("login needed");
    }
    Q_UNREACHABLE();
}

QString words(api::EngineState state)
{
    switch (state) {
    case api::EngineState::Starting:
        return tr("Engine starting");
    case api::EngineState::Running:
        return tr("Engine running");
    case api::EngineState::Viewer:
        return tr("Viewing");
    case api::EngineState::Paused:
        return tr("All retries paused");
    case api::EngineState::StoreRefusesWrites:
        return tr("Store refuses writes");
    }
    Q_UNREACHABLE();
}

QString words(records::Rights rights)
{
    using records::Right;
    const std::pair<Right, QString> all[] = {
        {Right::See, tr("see")},       {Right::Take, tr("take")},         {Right::Retry, tr("retry")},
        {Right::Edit, tr("edit")},     {Right::Redirect, tr("redirect")}, {Right::Archive, tr("archive")},
        {Right::Delete, tr("delete")},
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
    return after ? tr("resolved after %1 without a return").arg(core::durationText(*after))
                 : tr("never resolved by time alone");
}

QString inRetryTip(const QList<api::ConnectionView> &connections)
{
    QStringList lines{tr("In retry: sent, and not known to be processed yet.")};
    for (const api::ConnectionView &view : connections)
        lines << tr("%1: %2").arg(visibleLine(view.connection.name), resolvedAfterText(view.resolvedAfter));
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
