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
    QString text;

    friend bool operator==(const LogLine &, const LogLine &) = default;
};

// What the endpoint logs about a decision. `errorQueue` is where a message goes that is given up.
[[nodiscard]] LogLine logLine(const Decision &decision, const QString &messageId, const QString &errorQueue);

// The line as NServiceBus prints it: the level with the logger, then the text.
//     Info NServiceBus.RecoverabilityExecutor.
//     Text: Immediate Retry is going to retry message 'messageId' because of an exception:
[[nodiscard]] QString toString(const LogLine &line);

} // namespace recovery
