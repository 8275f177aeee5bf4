#pragma once

#include "backend/core/time/clock.h"
#include "tests/support/fakerabbit/model.h"

#include <optional>

namespace support::fakerabbit {

// Routing, limits and queues as a RabbitMQ 3.10 has them, in memory and without I/O. Every rule is a row of what was seen
// on a real one, and the contract tests run the same rows on both.
class RabbitState final
{
public:
    enum class Publish { Routed, Unrouted, Refused };

    explicit RabbitState(core::Clock &clock);

    [[nodiscard]] Vhost *vhost(const QString &name);
    void addVhost(const QString &name);
    [[nodiscard]] std::map<QString, Vhost> &vhosts() { return m_vhosts; }

    // With confirm: Refused is a nack. Unrouted is confirmed all the same, and gone unless an alternate exchange takes it.
    Publish publish(Vhost &vhost, const QString &exchange, Message message);
    // Removes what the policies and arguments expire, shorten or delete by now.
    void applyPolicies(Vhost &vhost);
    // Statistics follow the truth only every five seconds.
    void refreshStatistics();
    // As SIGKILL: everything taken goes back to its place, redelivered; transient messages are gone.
    void crash();

    [[nodiscard]] static Queue makeQueue(const QString &name, const QCborMap &arguments);
    // Puts taken messages back at the head in their order.
    void requeue(Vhost &vhost, Queue &queue);
    // The same with these. A quorum queue of 4.3 puts what comes back behind what came back before.
    void giveBackAll(Vhost &vhost, Queue &queue, std::deque<Message> some, bool isLook = false);
    // Puts a message back at the head. A quorum queue counts that, and drops or dead-letters what exceeds its limit.
    void giveBack(Vhost &vhost, Queue &queue, Message message, bool isLook = false);
    // As a consumer does that ends with so many of the first messages in hand.
    void giveBackHead(Vhost &vhost, Queue &queue, qint64 count);
    // Of RabbitMQ: from 4.0 on quorum queues have a limit, from 4.3 on a look does not count.
    void setVersion(int major, int minor);
    // 4.0 does for ever, of those that were terminated when they were removed; 3.10 and 4.3 do not.
    [[nodiscard]] bool listsEndedShovels() const { return m_listsEndedShovels; }

private:
    [[nodiscard]] QStringList route(const Vhost &vhost, const QString &exchange, const Message &message) const;
    [[nodiscard]] bool accepts(const Queue &queue) const;
    [[nodiscard]] bool keepsReturnOrder(const Queue &queue) const;
    void deadLetter(Vhost &vhost, const Queue &queue, Message message, const QString &reason);
    [[nodiscard]] std::optional<qint64> limitOf(const Vhost &vhost, const Queue &queue, const QString &key) const;
    [[nodiscard]] std::optional<qint64> deliveryLimitOf(const Vhost &vhost, const Queue &queue) const;

    core::Clock &m_clock;
    std::map<QString, Vhost> m_vhosts;
    bool m_limitsByDefault = false;
    bool m_looksAreFree = false;
    bool m_listsEndedShovels = false;
};

} // namespace support::fakerabbit
