#include "tests/support/nodeserver/nodeserver.h"

#include <QDir>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>

#include <csignal>

#include <sys/prctl.h>

namespace support {

namespace {

constexpr int startsTried = 3; // somebody else may be quicker on a port that was free
constexpr int endMs = 10000;

quint16 freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : quint16{0};
}

// "v20.1.2": 20
int nodeVersion()
{
    QProcess process;
    process.start(nodeProgram(), {QStringLiteral("--version")});
    process.waitForFinished();
    return QString::fromLatin1(process.readAllStandardOutput()).mid(1).section(QLatin1Char('.'), 0, 0).toInt();
}

QStringList azuriteArguments(const QString &packages, quint16 port)
{
    return {packages + QStringLiteral("/azurite/dist/src/queue/main.js"),
            QStringLiteral("--queueHost"),
            QStringLiteral("127.0.0.1"),
            QStringLiteral("--queuePort"),
            QString::number(port),
            QStringLiteral("--inMemoryPersistence"),
            QStringLiteral("--skipApiVersionCheck"),
            QStringLiteral("--silent"),
            QStringLiteral("--disableTelemetry")};
}

// Its own command line would listen on every address.
QStringList fauxqsArguments(const QString &packages, quint16 port)
{
    const QString code = QStringLiteral("import {buildApp} from 'file://%1/fauxqs/dist/app.js';"
                                        "await buildApp({logger: false}).listen({port: %2, host: '127.0.0.1'});");
    return {QStringLiteral("--input-type=module"), QStringLiteral("-e"), code.arg(packages, QString::number(port))};
}

} // namespace

QString nodeProgram()
{
    const QString found = QStandardPaths::findExecutable(QStringLiteral("node"));
    return found.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("nodejs")) : found;
}

QString nodePackages()
{
    return QStringLiteral(REDRIVE_TESTSERVERS "/node_modules");
}

NodeServer::Kind azurite()
{
    constexpr int leastNode = 18;
    return {QStringLiteral("azurite"), leastNode, azuriteArguments};
}

NodeServer::Kind fauxqs()
{
    constexpr int leastNode = 20;
    return {QStringLiteral("fauxqs"), leastNode, fauxqsArguments};
}

NodeServer::NodeServer(Kind kind)
    : m_kind(std::move(kind))
{
}

NodeServer::~NodeServer()
{
    kill();
}

bool NodeServer::isInstalled() const
{
    return QDir(nodePackages() + QLatin1Char('/') + m_kind.package).exists() && !nodeProgram().isEmpty()
           && nodeVersion() >= m_kind.leastNode;
}

bool NodeServer::start()
{
    for (int tries = 0; tries < startsTried; ++tries) {
        if (startOnce())
            return true;
        kill();
    }
    return false;
}

bool NodeServer::startOnce()
{
    m_port = freePort();
    m_process.setWorkingDirectory(m_folder.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("LD_PRELOAD")); // of a sanitizer
    m_process.setProcessEnvironment(environment);
    m_process.setStandardOutputFile(m_folder.filePath(QStringLiteral("out.txt")));
    m_process.setStandardErrorFile(m_folder.filePath(QStringLiteral("err.txt")));
    // A test that is aborted does not leave it behind.
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    const QStringList clock{QStringLiteral("--require"), QStringLiteral(REDRIVE_PASSINGTIME)};
    m_process.start(nodeProgram(), clock + m_kind.arguments(nodePackages(), m_port));
    if (!m_process.waitForStarted()) {
        m_error = m_process.errorString();
        return false;
    }
    constexpr int answersTried = 600;
    constexpr int pauseMs = 100;
    for (int tries = 0; tries < answersTried; ++tries) {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        if (socket.waitForConnected(pauseMs))
            return true;
        if (m_process.waitForFinished(pauseMs))
            break;
    }
    QFile output(m_folder.filePath(QStringLiteral("err.txt")));
    m_error = QStringLiteral("%1 does not answer").arg(m_kind.package);
    if (output.open(QIODevice::ReadOnly))
        m_error += QLatin1String(": ") + QString::fromUtf8(output.readAll().right(2000));
    return false;
}

// What a dead program asked last may still lie in a socket. If it were answered after the clock went on, what it takes would be
// hidden all the same.
void NodeServer::letTimePass()
{
    if (m_process.state() != QProcess::Running)
        return;
    catchUp();
    ::kill(pid_t(m_process.processId()), SIGUSR2);
    catchUp();
}

// Returns when it has answered what lay in its sockets before: it reads them in the order in which they got something.
void NodeServer::catchUp() const
{
    constexpr int answers = 3; // an answer may take more than one turn of its event loop
    for (int i = 0; i < answers; ++i) {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, m_port);
        socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        socket.waitForDisconnected(endMs);
    }
}

void NodeServer::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished(endMs);
}

} // namespace support
