#include "backend/http/callpolicy.h"

namespace http {

using recovery::FailureClass;

recovery::Policy callPolicy()
{
    recovery::Policy policy;
    policy.immediate = 1;
    policy.delayed = 3;
    policy.schedule.kind = recovery::Schedule::Kind::Exponential;
    policy.schedule.first = core::Milliseconds{800};
    policy.schedule.factor = 2;
    policy.schedule.cap = std::chrono::seconds(30);
    policy.jitter.kind = recovery::Jitter::Kind::Full;
    return policy;
}

FailureClass classOf(const core::Result<Response> &result)
{
    if (!result)
        return result.error().kind == core::ErrorKind::Transient ? FailureClass::Transient : FailureClass::Permanent;
    switch (result->status) {
    case 408:
        return FailureClass::Transient;
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
        return FailureClass::Delayed;
    default:
        return FailureClass::Permanent;
    }
}

} // namespace http
