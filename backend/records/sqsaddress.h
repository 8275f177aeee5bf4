#pragma once

#include "backend/records/connectionurl.h"

namespace records {

// The region that the name of an endpoint of Amazon says: "eu-west-1" of "sqs.eu-west-1.amazonaws.com"; empty: none.
[[nodiscard]] QString sqsRegionOfHost(const QString &host);
// The region of a connection: from its query, else from its host.
[[nodiscard]] QString sqsRegion(const QUrl &url);
void setSqsRegion(QUrl &url, const QString &region);

// The address of an SQS endpoint, its access key id as the user and its region in the query.
[[nodiscard]] core::Result<ConnectionUrl> sqsAddress(QUrl url);

} // namespace records
