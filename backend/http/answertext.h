// How errors name a request and an answer that makes no sense: one short line, without secrets and without what a terminal or a
// window could take for more than text.
#pragma once

#include "backend/http/httpclient.h"

#include <QString>

namespace http {

// "GET /api/whoami": without host, query and secrets, at most 160 characters.
[[nodiscard]] QString askedText(const QByteArray &verb, const QUrl &url);

// The first words of a body, at most 120 characters, without markup, control and direction characters; empty where it has none.
[[nodiscard]] QString firstText(const QByteArray &body);

// "GET /api/whoami (HTTP 200): Sign in to go on".
[[nodiscard]] QString answerText(const Response &answer);

} // namespace http
