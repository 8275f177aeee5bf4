// Takes secrets out of what goes to logs, errors and events. Rather too much than too little.
#pragma once

#include "backend/http/httpclient.h"

#include <QString>

namespace http {

// Without user, password and the values of signing parameters.
[[nodiscard]] QString redacted(const QUrl &url);
// Free text: URLs with user info, Basic and Bearer credentials, SAS signatures, keys of connection strings, passwords.
[[nodiscard]] QString redacted(const QString &text);
// "Name: value", the value of credentials and cookies hidden.
[[nodiscard]] QString redacted(const HeaderField &field);

} // namespace http
