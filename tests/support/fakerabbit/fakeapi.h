#pragma once

#include "backend/http/httpclient.h"
#include "tests/support/fakerabbit/fakeshovels.h"

#include <QStringList>

namespace support::fakerabbit {

// The management API over the fake broker: one request, one answer, at once.
class FakeApi final
{
public:
    FakeApi(RabbitState &broker, FakeShovels &shovels, core::Clock &clock);

    [[nodiscard]] http::Response answer(const http::Request &request);

    void setAlarm(bool alarm) { m_alarm = alarm; }
    void setShovelPlugin(bool installed) { m_hasShovelPlugin = installed; }
    void setVersion(const QString &version);
    // A node that is new, or one that was started again.
    void setNode(const Node &node);
    // A node of 4.0 or later that has started: so many requests do not see its queues.
    void beginRecovery(int requests);
    // management_agent.disable_metrics_collector: the nodes tell neither run queue nor processors.
    void setStatistics(bool collected) { m_hasStatistics = collected; }
    // Nodes run and do not tell how long before that.
    void tellUptimeFrom(core::TimePoint at) { m_uptimeFrom = at; }
    void addUser(const User &user) { m_users.append(user); }

private:
    struct Call
    {
        QByteArray verb;
        QStringList path; // decoded, without "api"
        QUrl url;
        QCborMap body;
        bool bodyIsObject = true;
        const User *user = nullptr;
    };
    using Answer = http::Response;

    [[nodiscard]] Answer administer(const Call &call); // vhosts, users, permissions
    [[nodiscard]] Answer vhostList(const Call &call);
    [[nodiscard]] bool seesNoQueues(const Call &call);
    [[nodiscard]] Answer tell(const Call &call); // whoami, overview, nodes, health
    [[nodiscard]] Answer featureFlags(const Call &call) const;
    [[nodiscard]] Answer queues(const Call &call, Vhost &vhost);
    [[nodiscard]] Answer oneQueue(const Call &call, Vhost &vhost, const QString &name);
    [[nodiscard]] Answer declareQueue(const Call &call, Vhost &vhost, const QString &name);
    [[nodiscard]] Answer deleteQueue(const Call &call, Vhost &vhost, Queue &queue);
    [[nodiscard]] Answer getMessages(const Call &call, Vhost &vhost, Queue &queue);
    [[nodiscard]] Answer exchanges(const Call &call, Vhost &vhost);
    [[nodiscard]] Answer publish(const Call &call, Vhost &vhost, const QString &exchange);
    [[nodiscard]] Answer bindings(const Call &call, Vhost &vhost);
    [[nodiscard]] Answer parameters(const Call &call, Vhost &vhost);
    [[nodiscard]] Answer shovelList(const Vhost &vhost, const QString &vhostName);
    [[nodiscard]] Answer connections(const Call &call);
    [[nodiscard]] Answer consumers(const Vhost &vhost);
    [[nodiscard]] Answer policies(const Call &call, Vhost &vhost, bool byOperator);
    [[nodiscard]] QCborMap describe(const Queue &queue, bool live) const;

    RabbitState &m_broker;
    FakeShovels &m_shovels;
    core::Clock &m_clock;
    QList<User> m_users;
    QString m_version = QStringLiteral("3.10.8");
    bool m_alarm = false;
    bool m_hasShovelPlugin = true;
    bool m_hasStatistics = true;
    QList<Node> m_nodes;
    core::TimePoint m_uptimeFrom{};
    int m_unrecovered = 0; // requests that do not see the queues yet
    Vhost m_unrecoveredVhost; // what they see
};

// Answers as the API gives them.
[[nodiscard]] http::Response json(const QCborValue &value, int status = 200);
[[nodiscard]] http::Response refusal(int status, const QString &error, const QString &reason);
[[nodiscard]] http::Response nothing(int status); // 201, 204
[[nodiscard]] http::Response notFound();
[[nodiscard]] bool hasTag(const User &user, QLatin1String tag);

} // namespace support::fakerabbit
