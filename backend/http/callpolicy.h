#pragma once

#include "backend/http/httpclient.h"
#include "backend/recovery/policy.h"

namespace http {

// How Redrive repeats its own calls. Sources: Azure Service Bus, "Layer 1: Client/Connection Retries" (three retries,
// 0.8 s doubled, at most 30 s, never without jitter); before these, one at once for a broken connection; deferred
// dispatch, "Characterizing our failures"; AWS architecture blog for full jitter.
[[nodiscard]] recovery::Policy callPolicy();

// What can be expected of another try of a call that ended like this:
//  - Transient: no complete response came, or 408, with which servers end an idle connection. A new connection may work
//    at once.
//  - Delayed: 429 and 500, 502, 503, 504. The server is there and cannot do it now.
//  - Permanent: the result is final, a success or not.
// Any thread.
[[nodiscard]] recovery::FailureClass classOf(const core::Result<Response> &result);

} // namespace http
