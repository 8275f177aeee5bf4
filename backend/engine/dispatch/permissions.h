#pragma once

#include "backend/api/request.h"
#include "backend/engine/enginedependencies.h"
#include "backend/records/pipeline.h"

namespace engine {

// Whether the connections or the pipeline that a request concerns grant the rights that it needs. Engine thread.
class Permissions final
{
public:
    explicit Permissions(EngineDependencies &dependencies);

    // Refused: a connection or pipeline does not grant a right; the message names both. NotFound: what the request names is not in
    // the store. A request that needs no right is not looked up.
    [[nodiscard]] core::Result<> check(const api::RightsNeeded &needed) const;
    // What a request is about, for the activity log: "shop", "operation 12". What cannot be read is left out.
    [[nodiscard]] QString describe(const api::RightsNeeded::Subject &subject) const;

private:
    [[nodiscard]] core::Result<records::Pipeline> pipeline(core::PipelineId id) const;
    [[nodiscard]] core::Result<QList<records::Connection>> concerned(const api::RightsNeeded::Subject &subject) const;

    EngineDependencies &m_dependencies;
};

} // namespace engine
