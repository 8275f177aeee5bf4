#include "tests/support/pipeline/postgresserver.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSqlError>
#include <QTcpServer>
#include <QTest>

#include <csignal>

#include <sys/stat.h>
#include <unistd.h>

namespace support {

namespace {

const QString programs = QStringLiteral("/usr/lib/postgresql/15/bin/");

bool isRoot()
{
    return ::geteuid() == 0;
}

quint16 freePort()
{
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHost))
        qFatal("No free port on 127.0.0.1.");
    return server.serverPort();
}

void writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("Cannot write %s", qPrintable(path));
}

} // namespace

// Under /tmp, which the user postgres reaches and where the path of a socket is short.
PostgresServer::PostgresServer()
    : m_folder(QDir::temp().filePath(QStringLiteral("redrive-postgres-XXXXXX")))
{
}

PostgresServer::~PostgresServer()
{
    stop();
}

bool PostgresServer::isInstalled()
{
    return QFile::exists(programs + QLatin1String("postgres"))
           && QSqlDatabase::isDriverAvailable(QStringLiteral("QPSQL"));
}

PostgresServer &PostgresServer::ofProgram()
{
    static PostgresServer *const running = [] {
        auto *const fresh = new PostgresServer;
        qAddPostRoutine([] { delete &ofProgram(); });
        if (!fresh->start())
            qFatal("PostgreSQL does not start: %s", qPrintable(fresh->error()));
        return fresh;
    }();
    return *running;
}

// A sanitizer's settings are not for the server. runuser would start a session; setpriv only changes the user.
bool PostgresServer::run(const QString &program, const QStringList &arguments)
{
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    env.remove(QStringLiteral("LD_PRELOAD"));
    m_process.setProcessEnvironment(env);
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setStandardOutputFile(file("out.txt"), QIODevice::Append);
    m_process.setStandardErrorFile(file("out.txt"), QIODevice::Append);
    QStringList words{programs + program};
    if (isRoot())
        words = QStringList{QStringLiteral("setpriv"), QStringLiteral("--reuid=postgres"),
                            QStringLiteral("--regid=postgres"), QStringLiteral("--clear-groups")}
                + words;
    words += arguments;
    m_process.start(words.first(), words.mid(1));
    return m_process.waitForStarted();
}

bool PostgresServer::makeCluster()
{
    m_port = freePort();
    writeFile(file("password"), password().toUtf8());
    if (isRoot()) { // the server owns its folder
        const QByteArray owner = QByteArrayLiteral("postgres:postgres ");
        if (QProcess::execute(QStringLiteral("chown"),
                              {QStringLiteral("-R"), QString::fromLatin1(owner.trimmed()), m_folder.path()})
            != 0)
            return false;
    }
    return run(QStringLiteral("initdb"),
               {QStringLiteral("-D"), file("data"), QStringLiteral("-U"), QStringLiteral("redrive"),
                QStringLiteral("--pwfile"), file("password"), QStringLiteral("-A"), QStringLiteral("scram-sha-256"),
                QStringLiteral("-E"), QStringLiteral("UTF8"), QStringLiteral("--locale=C.UTF-8"),
                QStringLiteral("--no-sync")})
           && m_process.waitForFinished(180000) && m_process.exitCode() == 0;
}

bool PostgresServer::start(Writes writes)
{
    m_isMade = m_isMade || makeCluster();
    const bool runs = m_isMade
                      && run(QStringLiteral("postgres"),
                             {QStringLiteral("-D"), file("data"), QStringLiteral("-h"), QStringLiteral("127.0.0.1"),
                              QStringLiteral("-p"), QString::number(m_port), QStringLiteral("-k"), m_folder.path(),
                              QStringLiteral("-c"), QStringLiteral("autovacuum=off"), QStringLiteral("-c"),
                              QLatin1String(writes == Writes::Fast ? "fsync=off" : "fsync=on")});
    return runs && waitUntilReady();
}

bool PostgresServer::waitUntilReady()
{
    const bool answers = QTest::qWaitFor([this] { return connect().isOpen(); }, 30000);
    QFile output(file("out.txt"));
    if (!answers && output.open(QIODevice::ReadOnly))
        m_error = QString::fromUtf8(output.readAll().right(2000));
    return answers;
}

QSqlDatabase PostgresServer::connect(const QString &role)
{
    static int serial = 0;
    QSqlDatabase connection =
        QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), QStringLiteral("postgres-of-test-%1").arg(++serial));
    connection.setHostName(QStringLiteral("127.0.0.1"));
    connection.setPort(m_port);
    connection.setUserName(role);
    connection.setPassword(password());
    connection.setDatabaseName(QStringLiteral("postgres"));
    connection.open();
    return connection;
}

QString PostgresServer::url(const QString &role) const
{
    return QStringLiteral("postgresql://%1@127.0.0.1:%2/postgres").arg(role, QString::number(m_port));
}

// SIGQUIT: all of its processes end at once.
void PostgresServer::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    freeze(false);
    ::kill(pid_t(m_process.processId()), SIGQUIT);
    m_process.waitForFinished(10000);
}

QList<qint64> PostgresServer::pids() const
{
    const qint64 server = m_process.processId();
    QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(server));
    QList<qint64> found{server};
    if (children.open(QIODevice::ReadOnly)) {
        for (const QByteArray &pid : children.readAll().simplified().split(' '))
            found.append(pid.toLongLong());
    }
    found.removeAll(0);
    return found;
}

void PostgresServer::freeze(bool frozen)
{
    for (const qint64 pid : pids())
        ::kill(pid_t(pid), frozen ? SIGSTOP : SIGCONT);
}

} // namespace support
