#include "backend/retry/context/processorcontext.h"

#include "backend/retry/text.h"

namespace retry {

using core::fail;

ProcessorContext::ProcessorContext(records::Connection ofConnection, ProcessorDependencies dependencies)
    : ProcessorDependencies(std::move(dependencies))
    , connection(std::move(ofConnection))
    , broker(brokerState.broker())
{
}

Task<Result<>> ProcessorContext::ensureCapabilities()
{
    const Result<> probed = co_await brokerState.probe();
    if (!probed)
        co_return fail(explain ? explain(probed.error()) : probed.error());
    if (capabilities().handOver == records::HandOver::None) {
        brokerState.rightsMayHaveChanged(); // ask again before the next step
        co_return fail(core::ErrorKind::Unauthorized,
                       Text::tr("This account cannot send messages back. Missing or limited: %1.")
                           .arg(capabilities().missing.join(u"; ")));
    }
    co_return {};
}

} // namespace retry
