#include "tests/support/storagequeue/azuriteserver.h"

#include <QFile>
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

QString node()
{
    const QString found = QStandardPaths::findExecutable(QStringLiteral("node"));
    return found.isEmpty() ? QStandardPaths::findExecutable(QStringLiteral("nodejs")) : found;
}

QString program()
{
    return QStringLiteral(REDRIVE_AZURITE);
}

} // namespace

AzuriteServer::~AzuriteServer()
{
    kill();
}

bool AzuriteServer::isInstalled()
{
    return !node().isEmpty() && QFile::exists(program());
}

bool AzuriteServer::start()
{
    for (int tries = 0; tries < startsTried; ++tries) {
        if (startOnce())
            return true;
        kill();
    }
    return false;
}

bool AzuriteServer::startOnce()
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
    m_process.start(node(), {program(), QStringLiteral("--queueHost"), QStringLiteral("127.0.0.1"),
                             QStringLiteral("--queuePort"), QString::number(m_port),
                             QStringLiteral("--inMemoryPersistence"), QStringLiteral("--skipApiVersionCheck"),
                             QStringLiteral("--silent"), QStringLiteral("--disableTelemetry")});
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
    m_error = QStringLiteral("azurite does not answer");
    if (output.open(QIODevice::ReadOnly))
        m_error += QLatin1String(": ") + QString::fromUtf8(output.readAll().right(2000));
    return false;
}

void AzuriteServer::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished(endMs);
}

} // namespace support
