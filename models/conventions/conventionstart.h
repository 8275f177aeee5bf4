// How a convention begins, and which messages of the store it concerns. Pure functions of the GUI thread.
#pragma once

#include "backend/api/requests/queries.h"
#include "backend/records/conventions/convention.h"
#include "models/session/consolesession.h"

namespace models {

// A convention without rules for messages like this one: of its connection and queue. `taken`: names of others.
[[nodiscard]] records::Convention conventionFor(const records::FailedMessage &message, const ConsoleSession &session,
                                                const QStringList &taken);
// The unresolved messages among which those of the convention are: of its connection and queue, as far as it names one.
[[nodiscard]] records::MessageFilter messagesOf(const records::Convention &convention, const ConsoleSession &session);

// Why this convention cannot be set now; empty: it can, as far as rights go.
[[nodiscard]] QString refusalToSet(const records::Convention &convention, const ConsoleSession &session);

} // namespace models
