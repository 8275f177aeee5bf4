// How errors name a request and a response that makes no sense: one short line without secrets, markup or control
// characters, so that it is safe to show in a terminal and in a window. Any thread.
#pragma once

#include "backend/http/httpclient.h"

#include <QString>

namespace http {

// "GET /api/whoami": without host, query and secrets, and with at most 140 characters of the path.
[[nodiscard]] QString askedText(const QByteArray &verb, const QUrl &url);

// The first words of a body, at most 120 characters, without markup. Control and direction characters are replaced.
// Empty if the body has no words.
[[nodiscard]] QString firstText(const QByteArray &body);

// "GET /api/whoami (HTTP 200): Sign in to go on".
[[nodiscard]] QString answerText(const Response &answer);

} // namespace http
