#pragma once

#include <QProcess>
#include <QSqlDatabase>
#include <QTemporaryDir>

namespace support {

// The PostgreSQL 15 of Debian in a temporary folder, on a free port of 127.0.0.1, with the user "redrive" and the password
// "secret". PostgreSQL refuses to run as root: it then runs as the user postgres. Ends what it started, and nothing else.
class PostgresServer final
{
public:
    PostgresServer();
    ~PostgresServer();
    PostgresServer(const PostgresServer &) = delete;
    PostgresServer &operator=(const PostgresServer &) = delete;

    [[nodiscard]] static bool isInstalled(); // with Qt's driver
    // One for all tests of a program, started when it is asked for; it ends with the application.
    [[nodiscard]] static PostgresServer &ofProgram();
    enum class Writes { Fast, Durable }; // Fast: a commit does not wait for the disk
    // For the first time, or again after stop(), with the same port and data. False: it does not answer; error() says why.
    [[nodiscard]] bool start(Writes writes = Writes::Fast);
    [[nodiscard]] QString error() const { return m_error; }
    void stop(); // at once: all connections are lost
    // Its processes stop (SIGSTOP) or go on: connections stay open and nothing answers.
    void freeze(bool frozen);

    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QString url(const QString &role = QStringLiteral("redrive")) const; // without the password
    [[nodiscard]] static QString password() { return QStringLiteral("secret"); }
    // A connection of the test, as its superuser, or as another role with the same password.
    [[nodiscard]] QSqlDatabase connect(const QString &role = QStringLiteral("redrive"));

private:
    [[nodiscard]] bool makeCluster();
    [[nodiscard]] bool run(const QString &program, const QStringList &arguments);
    [[nodiscard]] QString file(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] bool waitUntilReady();
    [[nodiscard]] QList<qint64> pids() const;

    QTemporaryDir m_folder;
    QProcess m_process;
    bool m_isMade = false;
    quint16 m_port = 0;
    QString m_error;
};

} // namespace support
