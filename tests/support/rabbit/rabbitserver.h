#pragma once

#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/records/connection.h"
#include "tests/support/rabbit/rabbitsite.h"

#include <QProcess>
#include <QTemporaryDir>

namespace support {

// The rabbitmq-server of Debian with management and shovel plugins, in a temporary folder, on free ports of 127.0.0.1,
// with a node name and an epmd of its own. Ends what it started, and nothing else.
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
    };

    // `root`: a folder that holds another Debian with its server, for chroot; empty: the server that is installed here.
    explicit RabbitServer(const QString &root = {});
    RabbitServer(const QString &root, Member member);
    ~RabbitServer() override;

    [[nodiscard]] static bool isInstalled();
    // The folders of that kind that REDRIVE_RABBITMQ_ROOTS names, separated by colons, and that this user can use. Empty with
    // a reason: none.
    [[nodiscard]] static QStringList otherRoots(QString *reason);
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
