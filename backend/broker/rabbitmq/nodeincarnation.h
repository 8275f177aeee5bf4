#pragma once

#include "backend/broker/rabbitmq/managementapi.h"
#include "backend/core/clock.h"
#include "backend/core/timers.h"

#include <functional>

namespace broker::rabbitmq {

// Names one run of one broker node: by its process id and by the time it was started, as far as that can be known (the
// broker tells its uptime, up to 5 s late). Kept over restarts, so it is wall-clock time: where that is set meanwhile, a run looks
// like another one, and more is flagged than was in danger. The process id tells a real restart all the same.
struct NodeIncarnation
{
    QString node;
    QString process;
    qint64 startedMs = 0;

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<NodeIncarnation> from(const QString &text);
    [[nodiscard]] bool isSameRun(const NodeIncarnation &other) const;
};

// The runs of all nodes that were up at one moment. Two nodes are never compared with each other: each has a run of its own.
class ClusterIncarnation final
{
public:
    ClusterIncarnation() = default;
    explicit ClusterIncarnation(QList<NodeIncarnation> nodes)
        : m_nodes(std::move(nodes))
    {
    }

    // The mark of `first` comes first.
    [[nodiscard]] QString toText(const QString &first) const;
    [[nodiscard]] static ClusterIncarnation from(const QString &text);
    [[nodiscard]] std::optional<NodeIncarnation> of(const QString &node) const;
    // The node is up now and was up then, in the same run.
    [[nodiscard]] bool isSameRun(const ClusterIncarnation &then, const QString &node) const;

private:
    QList<NodeIncarnation> m_nodes;
};

class NodeIncarnations final
{
public:
    NodeIncarnations(ManagementApi &api, core::Clock &clock);

    // Transient while `node` is down or just starting. A node that the cluster does not know is not among the marks.
    [[nodiscard]] Task<Result<ClusterIncarnation>> read(QString node);
    // The same; a node that runs and does not tell its uptime yet, as in the first seconds of its life, is asked again for up
    // to 15 s. `waiting` may be empty.
    [[nodiscard]] Task<Result<ClusterIncarnation>> readWhenTold(QString node, core::Timers &timers,
                                                                std::function<void(const QString &)> waiting);

private:
    struct Look
    {
        ClusterIncarnation marks;
        bool isRunning = true; // the node that was asked for
        bool isTold = true; // it tells its uptime
    };
    [[nodiscard]] Task<Result<Look>> look(QString node);
    [[nodiscard]] static Result<ClusterIncarnation> marksOf(const Look &look, const QString &node);

    ManagementApi &m_api;
    core::Clock &m_clock;
};

} // namespace broker::rabbitmq
