// The log of 12 attempts, as the documentation of NServiceBus prints it (recoverability, "Output example"). There the
// eighth line of the handler is written "attempt".
#pragma once

#include <QString>
#include <QStringList>

namespace support {

inline constexpr const char *recoverabilityLog = R"(Handler - Attempt 1
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 2
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 3
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 4
Warn NServiceBus.RecoverabilityExecutor.
Text: Delayed Retry will reschedule message 'messageId' after a delay of 00:00:10 because of an exception:
Handler - Attempt 5
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 6
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 7
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 8
Warn NServiceBus.RecoverabilityExecutor.
Text: Delayed Retry will reschedule message 'messageId' after a delay of 00:00:20 because of an exception:
Handler - Attempt 9
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 10
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 11
Info NServiceBus.RecoverabilityExecutor.
Text: Immediate Retry is going to retry message 'messageId' because of an exception:
Handler - Attempt 12
Error NServiceBus.RecoverabilityExecutor.
Text: Moving message 'messageId' to the error queue 'error' because processing failed due to an exception:
)";

// The same lines as an endpoint of version 8 or later writes them: each kind has a logger of its own, and the instance is named.
[[nodiscard]] inline QString recoverabilityLogSince8(const QString &instance)
{
    const QStringList lines = QString::fromLatin1(recoverabilityLog).split(QLatin1Char('\n'));
    QStringList changed;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QString logger = QStringLiteral("MoveToError");
        if (lines.value(i + 1).startsWith(QLatin1String("Text: Immediate")))
            logger = QStringLiteral("ImmediateRetry");
        else if (lines.value(i + 1).startsWith(QLatin1String("Text: Delayed")))
            logger = QStringLiteral("DelayedRetry");
        QString line = lines.at(i);
        changed.append(line.replace(QLatin1String("NServiceBus.RecoverabilityExecutor."),
                                    QStringLiteral("NServiceBus.%1. Instance: %2").arg(logger, instance)));
    }
    return changed.join(QLatin1Char('\n'));
}

} // namespace support
