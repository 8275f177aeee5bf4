#pragma once

#include "backend/http/httpclient.h"

namespace broker::azurequeue {

// What the account key signs of a request: protocols of Microsoft, "Authorize with Shared Key", versions from 2015-02-21 on.
// The request has all its headers but Authorization.
[[nodiscard]] QByteArray stringToSign(const http::Request &request, const QByteArray &account);

// The Authorization header. `key` is decoded.
[[nodiscard]] QByteArray sharedKey(const QByteArray &account, const QByteArray &key, const QByteArray &stringToSign);

} // namespace broker::azurequeue
