// The one word for each state, as the window writes it.
#pragma once

#include "backend/api/snapshot.h"
#include "backend/records/event.h"
#include "backend/records/message.h"
#include "models/common/consolefilter.h"
#include "models/common/roles.h"

namespace models {

[[nodiscard]] QString words(records::MessageStatus status);
[[nodiscard]] QString words(records::Environment environment); // "PRODUCTION"
[[nodiscard]] QString words(records::Classifier classifier);
[[nodiscard]] QString words(records::BrokerKind kind);
[[nodiscard]] QString words(records::Certainty certainty);
[[nodiscard]] QString words(records::OperationState state);
[[nodiscard]] QString words(records::Severity severity);
[[nodiscard]] QString words(TimeRange range); // "Last 24 h"
[[nodiscard]] QString words(api::Health health);
[[nodiscard]] QString words(api::EngineState state);
[[nodiscard]] QString words(records::Rights rights); // "see, retry, archive"
[[nodiscard]] QStringList words(records::MessageFlags flags); // what to know of a message, one for each

// When a message that is in retry counts as resolved: "resolved after 1 d without a return".
[[nodiscard]] QString resolvedAfterText(std::optional<core::Milliseconds> after);
// The same for all of them, as a tool tip.
[[nodiscard]] QString inRetryTip(const QList<api::ConnectionView> &connections);

[[nodiscard]] Tone toneOf(api::Health health);
[[nodiscard]] Tone toneOf(api::EngineState state);
[[nodiscard]] Tone toneOf(records::MessageStatus status);
[[nodiscard]] Tone toneOf(records::Severity severity);

} // namespace models
