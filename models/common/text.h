// The words and tones that the window uses for each state. Pure functions.
#pragma once

#include "backend/api/snapshot.h"
#include "backend/records/event.h"
#include "backend/records/messages/message.h"
#include "models/common/consolefilter.h"
#include "models/common/roles.h"

#include <QCoreApplication>

namespace models {

// The translation context of texts in the models that belong to no QObject. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(models)
};

[[nodiscard]] QString textOf(records::MessageStatus status);
[[nodiscard]] QString textOf(records::Environment environment); // "PRODUCTION"
[[nodiscard]] QString textOf(records::Classifier classifier);
[[nodiscard]] QString textOf(records::Certainty certainty);
[[nodiscard]] QString textOf(records::OperationState state);
[[nodiscard]] QString textOf(records::Severity severity);
[[nodiscard]] QString textOf(TimeRange range); // "Last 24 h"
[[nodiscard]] QString textOf(api::Health health);
[[nodiscard]] QString textOf(api::EngineState state);
[[nodiscard]] QString textOf(records::Rights rights); // "see, retry, archive"
[[nodiscard]] QStringList textOf(records::MessageFlags flags); // a text for each flag that matters to a person

// When a message in retry counts as resolved: "resolved when nothing comes back for 1 d"; nothing: never by time alone.
[[nodiscard]] QString resolvedAfterText(std::optional<core::Milliseconds> after);
// The same for all connections as a tool tip, one line each.
[[nodiscard]] QString inRetryTip(const QList<api::ConnectionView> &connections);

[[nodiscard]] Tone toneOf(api::Health health);
[[nodiscard]] Tone toneOf(api::EngineState state);
[[nodiscard]] Tone toneOf(records::MessageStatus status);
[[nodiscard]] Tone toneOf(records::Severity severity);

} // namespace models
