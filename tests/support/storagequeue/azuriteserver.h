#pragma once

#include <QProcess>
#include <QTemporaryDir>

namespace support {

// Azurite's queue service on a free port of 127.0.0.1, in memory. Ends what it started, and nothing else.
class AzuriteServer final
{
public:
    AzuriteServer() = default;
    AzuriteServer(const AzuriteServer &) = delete;
    AzuriteServer &operator=(const AzuriteServer &) = delete;
    ~AzuriteServer();

    [[nodiscard]] static bool isInstalled();
    // False: it does not answer; error() says why.
    [[nodiscard]] bool start();
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] quint16 port() const { return m_port; }

private:
    [[nodiscard]] bool startOnce();
    void kill();

    QTemporaryDir m_folder;
    QProcess m_process;
    quint16 m_port = 0;
    QString m_error;
};

} // namespace support
