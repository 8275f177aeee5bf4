#pragma once

#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/records/connection.h"
#include "tests/support/rabbit/rabbitsite.h"

#include <QProcess>
#include <QTemporaryDir>

namespace support {

// A rabbitmq-server of Debian with management and shovel plugins, in a temporary folder, on free ports of 127.0.0.1,
// with a node name and an epmd of its own. Ends what it started, and nothing else.
// `suite` is a newer Debian (trixie, sid), whose server packaging/install-rabbitmqs.sh leaves in a root folder of its own; empty:
// the server that is installed.
class RabbitServer final : public RabbitSite
{
public:
    // What the nodes of a cluster share, and what they do not.
    struct Member
    {
        QString home; // with the Erlang cookie
        QString node; // "n1@localhost"
        quint16 epmdPort = 0; // of an epmd that is not ended with this server
        QByteArray config; // further lines of rabbitmq.conf
        bool hasStatistics = true; // false: the lines switch them off
    };

    explicit RabbitServer(const QString &suite = chosenSuite());
    RabbitServer(const QString &suite, Member member);
    ~RabbitServer() override;

    // What REDRIVE_RABBITMQ says: CTest runs the same tests on several servers.
    [[nodiscard]] static QString chosenSuite();
    // REDRIVE_RABBITMQ_QUEUES=quorum: tests run where queues that are declared without a type are quorum queues.
    [[nodiscard]] static bool isQuorumByDefault();
    // Another server or type of queue than in the first run of a test: what does not depend on them has been tested.
    [[nodiscard]] static bool isFurtherRun();
    // How often a quorum queue counts its messages, where tests make quorum queues by default; else it does so each 5 s.
    static constexpr core::Milliseconds quorumTick{250};
    // Why it cannot be started; empty: it can.
    [[nodiscard]] static QString missing(const QString &suite = chosenSuite());
    // False: it does not answer; error() says why.
    [[nodiscard]] bool start();
    // The same without waiting for it; waitUntilReady() does.
    [[nodiscard]] bool launch();
    [[nodiscard]] bool waitUntilReady();
    [[nodiscard]] QString error() const { return m_error; }

    [[nodiscard]] http::HttpClient &client() override { return m_client; }
    [[nodiscard]] core::Clock &clock() override { return m_clock; }
    [[nodiscard]] bool until(const std::function<bool()> &done, core::Milliseconds limit) override;
    void kill() override;
    [[nodiscard]] bool restart() override;
    // In order, as its service does it.
    void stop();
    // From the next start on.
    void enableShovel(bool enable) { m_shovel = enable; }
    [[nodiscard]] broker::rabbitmq::Settings settings(const QString &vhost) override;
    [[nodiscard]] QUrl url() const;
    // Of AMQP, with name and password.
    [[nodiscard]] QString amqpUrl(const QString &vhost) const;
    // As a person enters it who fixes the failed messages of these queues; the password is that of the user guest.
    [[nodiscard]] records::Connection connection(const QString &vhost, const QStringList &errorQueues) const;
    // Of its processors, since it was started.
    [[nodiscard]] core::Milliseconds processorTime() const;

    [[nodiscard]] qint64 nodePid() const; // 0: it does not run
    [[nodiscard]] quint16 httpPort() const { return m_httpPort; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    // As its own programs need it.
    [[nodiscard]] QProcessEnvironment environment() const;
    // How one of its programs is started: the command line.
    [[nodiscard]] QStringList command(const QString &name, const QStringList &arguments = {}) const;
    // Where such a server may have files.
    [[nodiscard]] static QString tempPathOf(const QString &suite);

private:
    void choosePorts();
    void writeFiles() const;

    [[nodiscard]] QString inside(const QString &path) const; // as the server sees it

    const QString m_root;
    const Member m_member;
    QTemporaryDir m_folder;
    core::SystemClock m_clock;
    http::QnamHttpClient m_client;
    QProcess m_process;
    quint16 m_amqpPort = 0;
    quint16 m_httpPort = 0;
    quint16 m_distributionPort = 0;
    quint16 m_epmdPort = 0;
    bool m_shovel = true;
    QString m_error;
};

} // namespace support
