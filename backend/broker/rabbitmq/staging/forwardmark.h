#pragma once

#include "backend/broker/rabbitmq/nodeincarnation.h"
#include "backend/broker/rabbitmq/staging/shovels.h"

namespace broker::rabbitmq {

// What forward() must know after a crash: to go on, and to tell whether it was interrupted. Stored as text by the
// caller.
struct ForwardMark
{
    QString node; // of the staging queue
    ClusterIncarnation nodes; // the runs of the nodes when forwarding started
    QStringList involved; // nodes of the destinations
    ShovelWatch watch; // of the current shovel and all earlier ones
    int shovels = 0; // number of shovels started that worked
    int lastShovel = 0; // number in the name of the newest shovel: each has another one
    // In the staging queue before the first shovel was started, with its end marker; -1: none was
    qint64 copies = -1;
    bool restOnly = false; // the shovel is removed for good: account for the remaining copies
    bool restInDoubt = false; // it was removed while it had unconfirmed messages
    QMap<QString, QString> unreachable; // destinations that could not be bound, with the reason for people
    QMap<QString, QString> refused; // destinations that RabbitMQ never binds, likewise
    int lastEnd = 0; // number of the shovel that has the newest end marker before it; 0: there is none
    bool lateStartPossible = false; // a request to start a shovel may still arrive

    // A shovel worked, or one was started and nobody knows yet whether it does.
    [[nodiscard]] bool mayHaveForwarded() const;

    [[nodiscard]] QString toText() const;
    [[nodiscard]] static std::optional<ForwardMark> from(const QString &text, const QString &place);
};

} // namespace broker::rabbitmq
