// The copies of messages that a step stores before it removes some of them (records::IntakeStep::messages). Pure functions.
#pragma once

#include "backend/broker/broker.h"

namespace intake {

// Without lock and settle token. isLookedAt: somebody of ours may have looked again since they were stored.
[[nodiscard]] QByteArray toStepNote(const QList<broker::ReceivedMessage> &messages, bool isLookedAt = false);
[[nodiscard]] bool isLookedAt(const QByteArray &note);
// Corrupt: the note is damaged.
[[nodiscard]] core::Result<QList<broker::ReceivedMessage>> messagesFromStepNote(const QByteArray &note);

} // namespace intake
