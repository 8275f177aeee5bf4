#include "backend/recovery/recoverylog.h"

namespace recovery {

using Do = Decision::Do;
using Level = LogLine::Level;

namespace {

// HH:MM:SS; the hours of a longer delay go on beyond 24.
QString clockText(core::Milliseconds delay)
{
    const qint64 seconds = delay.count() / 1000;
    constexpr QChar zero = u'0';
    return QStringLiteral("%1:%2:%3")
        .arg(seconds / 3600, 2, 10, zero)
        .arg(seconds / 60 % 60, 2, 10, zero)
        .arg(seconds % 60, 2, 10, zero);
}

QString word(Level level)
{
    switch (level) {
    case Level::Info:
        return QStringLiteral("Info");
    case Level::Warn:
        return QStringLiteral("Warn");
    case Level::Error:
        return QStringLiteral("Error");
    }
    Q_UNREACHABLE();
}

const QString executor = QStringLiteral("NServiceBus.RecoverabilityExecutor");

} // namespace

LogLine logLine(const Decision &decision, const QString &messageId, const QString &errorQueue)
{
    switch (decision.what) {
    case Do::RetryNow:
        return {
            Level::Info, QStringLiteral("NServiceBus.ImmediateRetry"),
            QStringLiteral("Immediate Retry is going to retry message '%1' because of an exception:").arg(messageId)};
    case Do::RetryAt:
        return {Level::Warn, QStringLiteral("NServiceBus.DelayedRetry"),
                QStringLiteral("Delayed Retry will reschedule message '%1' after a delay of %2 because "
                               "of an exception:")
                    .arg(messageId, clockText(decision.delay))};
    case Do::GiveUp:
        return {Level::Error, QStringLiteral("NServiceBus.MoveToError"),
                QStringLiteral("Moving message '%1' to the error queue '%2' because processing failed "
                               "due to an exception:")
                    .arg(messageId, errorQueue)};
    case Do::Discard: {
        const QString reason =
            decision.reason == Reason::Expired ? QStringLiteral("Expired") : QStringLiteral("Obsolete");
        return {Level::Info, executor,
                QStringLiteral("Discarding message with id '%1'. Reason: %2").arg(messageId, reason)};
    }
    }
    Q_UNREACHABLE();
}

QString toString(const LogLine &line, const QString &instance, LoggerNames names)
{
    const QString logger = names == LoggerNames::SinceVersion8 ? line.logger : executor;
    const QString who = instance.isEmpty() ? QString() : QStringLiteral(" Instance: %1").arg(instance);
    return QStringLiteral("%1 %2.%3\nText: %4").arg(word(line.level), logger, who, line.text);
}

} // namespace recovery
