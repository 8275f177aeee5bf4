// Signature Version 4 of AWS, as far as requests without a query need it.
// Source: AWS IAM User Guide, "Create a signed AWS API request".
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

// Every header of the request is signed, and the host as it will be sent: with the port where the URL names one. Among the
// headers is X-Amz-Date, "20260102T030405Z".
[[nodiscard]] QByteArray canonicalRequest(const http::Request &request);
[[nodiscard]] QByteArray stringToSign(const http::Request &request, const SigningKey &key);
// The Authorization header.
[[nodiscard]] QByteArray authorization(const http::Request &request, const SigningKey &key);

} // namespace broker::sqs
