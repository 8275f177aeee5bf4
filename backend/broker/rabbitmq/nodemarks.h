#pragma once

#include "backend/broker/rabbitmq/managementapi.h"
#include "backend/core/clock.h"

namespace broker::rabbitmq {

// Names one run of one broker node: by its process id and by the time it was started, as far as that can be known (the
// broker tells its uptime, up to 5 s late).
struct NodeMark
{
    QString node;
    QString process;
    qint64 startedMs = 0;

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<NodeMark> from(const QString &text);
    [[nodiscard]] bool isSameRun(const NodeMark &other) const;
};

class NodeMarks final
{
public:
    NodeMarks(ManagementApi &api, core::Clock &clock);

    // NotFound when the node is unknown; Transient while it is down or tells nothing yet.
    [[nodiscard]] Task<Result<NodeMark>> read(QString node);

private:
    ManagementApi &m_api;
    core::Clock &m_clock;
};

} // namespace broker::rabbitmq
