#include "tests/peers/shop.h"

#include <QSaveFile>

#include <csignal>

#include <sys/prctl.h>

namespace peers {

namespace {

constexpr int timeoutMs = 60000;

} // namespace

Shop::Shop(Peer peer, QString address)
    : m_peer(std::move(peer))
    , m_address(std::move(address))
{
}

Shop::~Shop()
{
    close();
}

bool Shop::open()
{
    return start(m_worker, QStringLiteral("work"), {});
}

void Shop::close()
{
    if (!isOpen())
        return;
    m_worker.terminate();
    if (!m_worker.waitForFinished(timeoutMs)) {
        m_worker.kill();
        m_worker.waitForFinished();
    }
}

bool Shop::send(int first, int count, const QStringList &more)
{
    QProcess sender;
    return start(sender, QStringLiteral("send"), QStringList{QString::number(first), QString::number(count)} + more)
           && sender.waitForFinished(timeoutMs) && sender.exitStatus() == QProcess::NormalExit
           && sender.exitCode() == 0;
}

bool Shop::start(QProcess &process, const QString &command, const QStringList &more)
{
    process.setProcessEnvironment(environment());
    process.setWorkingDirectory(m_folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardOutputFile(m_folder.filePath(QStringLiteral("log")), QIODevice::Append);
    // A test that is aborted does not leave it behind.
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    process.start(m_peer.program, m_peer.arguments + QStringList{command, m_address, m_folder.path()} + more);
    return process.waitForStarted(timeoutMs);
}

// It is replaced as a whole: a worker never reads half of it.
void Shop::breakDown(const QList<int> &orders)
{
    QSaveFile file(m_folder.filePath(QStringLiteral("broken")));
    QByteArray text;
    for (const int order : orders)
        text += QByteArray::number(order) + '\n';
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        qFatal("%s", qPrintable(file.errorString()));
}

void Shop::repair()
{
    QFile::remove(m_folder.filePath(QStringLiteral("broken")));
}

Shop::Counts Shop::lines(const char *name) const
{
    Counts counts;
    QFile file(m_folder.filePath(QLatin1StringView(name)));
    if (!file.open(QIODevice::ReadOnly))
        return counts;
    for (QByteArray line = file.readLine(); line.endsWith('\n'); line = file.readLine())
        ++counts[line.trimmed().toInt()];
    return counts;
}

QByteArray Shop::log() const
{
    QFile file(m_folder.filePath(QStringLiteral("log")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace peers
