// Removes secrets from text for logs, errors and the activity log; in doubt too much rather than too little. Any
// thread.
#pragma once

#include "backend/http/httpclient.h"

#include <QString>

namespace http {

// The URL without user, password and the values of signature parameters.
[[nodiscard]] QString redacted(const QUrl &url);
// Free text without the secrets in URLs, Basic and Bearer credentials, SAS signatures, connection strings and
// passwords.
[[nodiscard]] QString redacted(const QString &text);
// "Name: value", with "***" for the value of credentials and cookies.
[[nodiscard]] QString redacted(const HeaderField &field);

} // namespace http
