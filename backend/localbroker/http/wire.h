#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/http/httpmessage.h"
#include "backend/localbroker/message.h"
#include "backend/localbroker/queuesettings.h"
#include "backend/localbroker/refusal.h"

namespace localbroker {

// The form of messages in HTTP (protocols.md A.2). Pure functions.

// Reads the messages of a send: one message with its headers, or a batch in application/vnd.microsoft.servicebus.json.
[[nodiscard]] Outcome<QList<Draft>> draftsOf(const HttpRequest &request);
// The same messages as dead letters: their properties DeadLetterReason and DeadLetterErrorDescription say why.
[[nodiscard]] QList<DeadLetterDraft> deadLettersOf(QList<Draft> drafts);
// The response with a received message. `status` is 201 for peek-lock and 200 for receive and delete. Only a locked
// message has a Location.
[[nodiscard]] HttpAnswer answerOf(const Delivery &delivery, int status, const QByteArray &location);
// A page of the browse extension.
[[nodiscard]] QByteArray browsePage(const QList<Message> &messages);

[[nodiscard]] HttpAnswer errorAnswer(int status, const QString &detail);
[[nodiscard]] HttpAnswer errorAnswer(const Refusal &refusal);

} // namespace localbroker
