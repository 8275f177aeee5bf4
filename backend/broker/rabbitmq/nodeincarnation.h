#pragma once

#include "backend/broker/rabbitmq/http/managementapi.h"
#include "backend/core/time/clock.h"
#include "backend/core/time/timers.h"

#include <QStringList>

#include <functional>

namespace broker::rabbitmq {

// Names one run of one broker node by its process id and its start time. The start time is as exact as the uptime,
// which RabbitMQ tells up to 5 s late. It is stored, so it is wall-clock time: if a clock is set meanwhile, the run
// looks like another one, and more messages are flagged than necessary. The process id changes with every real restart.
struct NodeIncarnation
{
    QString node;
    QString process;
    qint64 startedMs = 0;

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<NodeIncarnation> from(const QString &text);
    [[nodiscard]] bool isSameRun(const NodeIncarnation &other) const;
};

// The runs of all nodes that were up at one moment. Each node is compared with itself only.
class ClusterIncarnation final
{
public:
    ClusterIncarnation() = default;
    explicit ClusterIncarnation(QList<NodeIncarnation> nodes)
        : m_nodes(std::move(nodes))
    {
    }

    // The node `first` comes first in the text.
    [[nodiscard]] QString toText(const QString &first) const;
    [[nodiscard]] static ClusterIncarnation from(const QString &text);
    [[nodiscard]] std::optional<NodeIncarnation> of(const QString &node) const;
    [[nodiscard]] QStringList names() const;
    // True: the node is up now, was up then, and is in the same run.
    [[nodiscard]] bool isSameRun(const ClusterIncarnation &then, const QString &node) const;

private:
    QList<NodeIncarnation> m_nodes;
};

class NodeIncarnations final
{
public:
    NodeIncarnations(ManagementApi &api, core::Clock &clock);

    // Transient: `node` is down or just starting. A node that the cluster does not know is missing in the result.
    [[nodiscard]] Task<Result<ClusterIncarnation>> read(QString node);
    // The same, but asks again for up to 15 s while the node runs and does not report its uptime, as in its first
    // seconds. `waiting` is called as TakeRequest::waiting is; it may be null.
    [[nodiscard]] Task<Result<ClusterIncarnation>> readWhenTold(QString node, core::Timers &timers,
                                                                std::function<void(const QString &)> waiting);

private:
    struct Observation
    {
        ClusterIncarnation marks;
        bool isRunning = true; // of the requested node
        bool isTold = true; // it reports its uptime
    };
    [[nodiscard]] Task<Result<Observation>> observe(QString node);
    [[nodiscard]] static Result<ClusterIncarnation> marksOf(const Observation &seen, const QString &node);

    ManagementApi &m_api;
    core::Clock &m_clock;
};

} // namespace broker::rabbitmq
