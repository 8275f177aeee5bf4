#pragma once

#include "backend/http/httpclient.h"

namespace broker::azurequeue {

// The text of a request that the account key signs. Source: Microsoft, "Authorize with Shared Key", versions from
// 2015-02-21 on. The request must have all its headers but Authorization.
[[nodiscard]] QByteArray stringToSign(const http::Request &request, const QByteArray &account);

// The value of the Authorization header. `key` is decoded.
[[nodiscard]] QByteArray sharedKey(const QByteArray &account, const QByteArray &key, const QByteArray &stringToSign);

} // namespace broker::azurequeue
