// Signature Version 4 of AWS for requests without a query. Source: AWS IAM User Guide, "Create a signed AWS API
// request".
#pragma once

#include "backend/http/httpclient.h"

namespace broker::sqs {

struct SigningKey
{
    QByteArray keyId;
    QByteArray secret;
    QByteArray region;
    QByteArray service = "sqs";
};

// Signs every header of the request, and the host as it will be sent: with the port if the URL names one. The request
// must have the header X-Amz-Date, "20260102T030405Z".
[[nodiscard]] QByteArray canonicalRequest(const http::Request &request);
[[nodiscard]] QByteArray stringToSign(const http::Request &request, const SigningKey &key);
// The value of the Authorization header.
[[nodiscard]] QByteArray authorization(const http::Request &request, const SigningKey &key);

} // namespace broker::sqs
