#pragma once

#include "backend/recovery/decision.h"

#include <QString>

namespace recovery {

// The log of an endpoint, in the words that tools for NServiceBus logs look for. They are therefore not translated.
// Source: NServiceBus, "Retry logging".
struct LogLine
{
    enum class Level { Info, Warn, Error };

    Level level = Level::Info;
    QString logger; // since version 8: "NServiceBus.DelayedRetry"; each kind of line can be set apart by it
    QString text;

    friend bool operator==(const LogLine &, const LogLine &) = default;
};

// What the endpoint logs about a decision. `errorQueue` is where a message goes that is given up.
[[nodiscard]] LogLine logLine(const Decision &decision, const QString &messageId, const QString &errorQueue);

// Before version 8 all lines had one logger, "NServiceBus.RecoverabilityExecutor".
enum class LoggerNames { SinceVersion8, BeforeVersion8 };

// The line as NServiceBus prints it: the level with the logger, then the text. `instance`: which instance of the endpoint
// writes it, because several write into one place; empty: that is not said.
//     Info NServiceBus.ImmediateRetry. Instance: sales-1
//     Text: Immediate Retry is going to retry message 'messageId' because of an exception:
[[nodiscard]] QString toString(const LogLine &line, const QString &instance = {},
                               LoggerNames names = LoggerNames::SinceVersion8);

} // namespace recovery
