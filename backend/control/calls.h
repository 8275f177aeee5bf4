// What processes say to each other about one store, through the control socket as through the database of a shared store.
#pragma once

#include "backend/api/client.h"

#include <QCborMap>
#include <QObject>

#include <functional>

namespace control {

inline constexpr int mostOpenCalls = 256; // per peer; in a shared store per role
inline constexpr int longestName = 200; // of a person, and of a request in an error

// Creates a client for a peer, whose commands then name `who` in the activity log. Null: all peers share one.
using ClientFor = std::function<std::unique_ptr<api::EngineClient>(const QString &who)>;

// Gets {"ok": value} or {"error": error}.
using Answered = std::function<void(const QCborMap &)>;

// The command that a call {do: name, with: request} holds. Its answer goes to `answered`, once, from the event loop of
// `context`. Rejected: an unknown name or a malformed value; nothing was done.
[[nodiscard]] core::Result<api::RequestPtr> readCall(const QCborMap &call, QObject *context, const Answered &answered);
// {do: name, with: request}: how a command crosses to the holder on any way.
[[nodiscard]] QCborMap callOf(const api::PendingRequest &command);
// What a person is told when the holder is gone and may have begun a request. `turnedAway`: as for lose().
[[nodiscard]] core::Error goneError(const QString &turnedAway = {});
// A request that is longer than largestMessage, and was not sent.
[[nodiscard]] core::Error tooLargeError();
// A shared store lets this role of its database read, and nothing else.
[[nodiscard]] core::Error mayOnlyReadError(const QString &role);
// Holder and guest have different protocol versions.
[[nodiscard]] QString otherVersionText();
// {error: ...} instead of an answer that is too large to be sent.
[[nodiscard]] QCborMap answerTooLarge();
[[nodiscard]] QString tooManyOpenText();
// `who` as a peer says it: never empty, because that is the engine itself in the activity log, and not too long.
[[nodiscard]] QString nameOfPeer(const QString &who);
// In a shared store, where `who` can be anything, but not the role of the database: "alice@desk (role alice)".
[[nodiscard]] QString nameWithRole(const QString &who, const QString &role);

} // namespace control
