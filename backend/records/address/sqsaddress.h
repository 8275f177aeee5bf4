#pragma once

#include "backend/records/address/connectionurl.h"

namespace records {

// The region in the host name of an Amazon endpoint: "eu-west-1" in "sqs.eu-west-1.amazonaws.com". Empty if there is
// none.
[[nodiscard]] QString sqsRegionOfHost(const QString &host);
// The region of a connection: from its query, or else from its host.
[[nodiscard]] QString sqsRegion(const QUrl &url);
// Makes the region the only part of the query; an empty region removes the query.
void setSqsRegion(QUrl &url, const QString &region);

// Brings the URL of an SQS endpoint into the form of Connection::url and takes the secret out of it. Rejected if the
// region is missing, or if the URL has a path or other parameters.
[[nodiscard]] core::Result<ConnectionUrl> sqsAddress(QUrl url);

} // namespace records
