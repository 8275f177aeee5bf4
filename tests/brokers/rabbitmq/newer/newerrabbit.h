#pragma once

#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbitconsole/rabbitconsole.h"

#include <QTemporaryDir>

#include <memory>

namespace support {

// A RabbitMQ for tests of what only newer versions have: the server, virtual hosts one after the other, each with an error queue and
// a destination, and the program on the newest of them. Test thread.
class NewerRabbit final
{
public:
    static constexpr int timeoutMs = 120000;
    static inline const QString errors = QStringLiteral("error");
    static inline const QString orders = QStringLiteral("orders");
    static inline const QString exception =
        QStringLiteral("TimeoutException"); // the title of their group begins with it

    NewerRabbit();
    explicit NewerRabbit(const RabbitServer::Member &member);

    // Starts the server unless it runs. False: the test is skipped, because there is no such server or it is older than this, or
    // has failed. `why` says what older ones do not have.
    [[nodiscard]] bool start(const QVersionNumber &oldest, const char *why);
    // A new virtual host, and a new store for its program. What was there before is closed.
    void makeHost();
    void makeQueues(const QCborMap &argumentsOfErrors = {});
    // As a person enters it who fixes the failed messages of this virtual host.
    [[nodiscard]] records::Connection connection() const;
    void openConsole();
    void openConsole(const records::Connection &connection);
    // At the end of each test: the program, before its broker.
    void close();

    // A failed message for `orders`.
    [[nodiscard]] static records::Envelope failed(int number);

    [[nodiscard]] RabbitServer &server() { return m_server; }
    [[nodiscard]] RabbitAdmin &admin() { return *m_admin; }
    [[nodiscard]] RabbitConsole &console() { return *m_console; }
    [[nodiscard]] QString vhost() const { return m_vhost; }

private:
    RabbitServer m_server;
    QString m_vhost;
    int m_vhosts = 0;
    std::unique_ptr<RabbitAdmin> m_admin;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RabbitConsole> m_console;
};

} // namespace support
