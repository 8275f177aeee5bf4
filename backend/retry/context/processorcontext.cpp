#include "backend/retry/context/processorcontext.h"

#include "backend/retry/text.h"

namespace retry {

using core::fail;

ProcessorContext::ProcessorContext(records::Connection ofConnection, ProcessorDependencies dependencies)
    : ProcessorDependencies(std::move(dependencies))
    , connection(std::move(ofConnection))
{
}

Task<Result<>> ProcessorContext::ensureCapabilities()
{
    if (capabilities)
        co_return {};
    const Result<broker::Capabilities> probed = co_await broker.probe();
    if (!probed)
        co_return fail(explain ? explain(probed.error()) : probed.error());
    if (probed->handOver == records::HandOver::None) {
        co_return fail(core::ErrorKind::Unauthorized,
                       Text::tr("This account cannot send messages back. Missing or limited: %1.")
                           .arg(probed->missing.join(u"; ")));
    }
    capabilities = *probed;
    co_return {};
}

} // namespace retry
