#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/httpmessage.h"
#include "backend/localbroker/message.h"
#include "backend/localbroker/queuesettings.h"
#include "backend/localbroker/refusal.h"

namespace localbroker {

// How messages look in HTTP (protocols.md A.2).

// The message or messages of a send: one with its headers, or a batch in application/vnd.microsoft.servicebus.json.
[[nodiscard]] Outcome<QList<Draft>> draftsOf(const HttpRequest &request);
// A received message; `status` is 201 for peek-lock, 200 for receive and delete. Location only with a lock.
[[nodiscard]] HttpAnswer answerOf(const Delivery &delivery, int status, const QByteArray &location);
// A page for the browse extension.
[[nodiscard]] QByteArray browsePage(const QList<Message> &messages);

[[nodiscard]] HttpAnswer errorAnswer(int status, const QString &detail);
[[nodiscard]] HttpAnswer errorAnswer(const Refusal &refusal);

} // namespace localbroker
