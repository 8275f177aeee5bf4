#include "tests/support/rabbit/rabbitserver.h"

#include <QFile>
#include <QTcpServer>
#include <QTest>

#include <csignal>

#include <unistd.h>

using namespace std::chrono_literals;

namespace support {

namespace {

const QString program = QStringLiteral("/usr/lib/rabbitmq/bin/rabbitmq-server");
constexpr int readyTries = 900; // of 200 ms: a busy machine starts it slowly

QList<quint16> freePorts(int count)
{
    std::vector<std::unique_ptr<QTcpServer>> servers; // all open at once, so that no port comes twice
    QList<quint16> ports;
    for (int i = 0; i < count; ++i) {
        servers.push_back(std::make_unique<QTcpServer>());
        if (!servers.back()->listen(QHostAddress::LocalHost))
            qFatal("No free port on 127.0.0.1.");
        ports.append(servers.back()->serverPort());
    }
    return ports;
}

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("Cannot write %s", qPrintable(path));
}

QString rootOf(const QString &suite)
{
    return suite.isEmpty() ? QString() : QStringLiteral(REDRIVE_RABBITMQS "/") + suite;
}

// Mounts of its own, which end with it; and a user who is root there alone.
QStringList namespaceOptions()
{
    return ::geteuid() == 0 ? QStringList{QStringLiteral("--mount")}
                            : QStringList{QStringLiteral("--mount"), QStringLiteral("--map-root-user")};
}

} // namespace

RabbitServer::RabbitServer(const QString &suite)
    : RabbitServer(suite, Member{})
{
}

RabbitServer::RabbitServer(const QString &suite, Member member)
    : m_root(rootOf(suite))
    , m_member(std::move(member))
    , m_folder(QDir(tempPathOf(suite)).filePath(QStringLiteral("redrive-XXXXXX")))
{
}

RabbitServer::~RabbitServer()
{
    m_client.cancelAll();
    kill();
    // epmd refuses to end until it has noticed that its node is gone.
    for (int tries = 0; m_epmdPort != 0 && m_member.epmdPort == 0 && tries < 50; ++tries) {
        QProcess epmd;
        epmd.setProcessChannelMode(QProcess::MergedChannels);
        epmd.setProcessEnvironment(environment());
        epmd.start(QStringLiteral("epmd"),
                   {QStringLiteral("-port"), QString::number(m_epmdPort), QStringLiteral("-kill")});
        epmd.waitForFinished(5000);
        if (!epmd.readAll().contains("not allowed"))
            return;
        pause(100ms);
    }
}

QString RabbitServer::tempPathOf(const QString &suite)
{
    return suite.isEmpty() ? QDir::tempPath() : rootOf(suite) + QLatin1String("/tmp");
}

QString RabbitServer::chosenSuite()
{
    return qEnvironmentVariable("REDRIVE_RABBITMQ");
}

bool RabbitServer::isQuorumByDefault()
{
    return qEnvironmentVariable("REDRIVE_RABBITMQ_QUEUES") == QLatin1String("quorum");
}

bool RabbitServer::isFurtherRun()
{
    return isQuorumByDefault() || !chosenSuite().isEmpty();
}

QString RabbitServer::missing(const QString &suite)
{
    const QString root = rootOf(suite);
    if (root.isEmpty())
        return QFile::exists(program) ? QString() : QStringLiteral("rabbitmq-server is not installed");
    if (!QFile::exists(root + program))
        return QStringLiteral("%1 holds no RabbitMQ: packaging/install-rabbitmqs.sh fetches it").arg(root);
    if (QProcess::execute(QStringLiteral("unshare"), namespaceOptions() + QStringList{QStringLiteral("true")}) != 0)
        return QStringLiteral("this user may not start a program in a root folder of its own");
    return {};
}

QString RabbitServer::inside(const QString &path) const
{
    return path.mid(m_root.size());
}

QProcessEnvironment RabbitServer::environment() const
{
    QProcessEnvironment env = QProcessEnvironment::systemEnvironment();
    const QString folder = inside(m_folder.path()) + QLatin1Char('/');
    // A sanitizer's settings and preloads are not for Erlang.
    env.remove(QStringLiteral("LD_PRELOAD"));
    if (!m_root.isEmpty())
        env.insert(QStringLiteral("PATH"), QStringLiteral("/usr/sbin:/usr/bin:/sbin:/bin"));
    const bool isAlone = m_member.node.isEmpty();
    env.insert(QStringLiteral("HOME"), isAlone ? folder + QLatin1String("home") : inside(m_member.home));
    env.insert(QStringLiteral("RABBITMQ_NODENAME"),
               isAlone ? QStringLiteral("redrive%1@localhost").arg(m_httpPort) : m_member.node);
    env.insert(QStringLiteral("RABBITMQ_MNESIA_BASE"), folder + QLatin1String("mnesia"));
    env.insert(QStringLiteral("RABBITMQ_LOG_BASE"), folder + QLatin1String("log"));
    env.insert(QStringLiteral("RABBITMQ_PID_FILE"), folder + QLatin1String("pid"));
    env.insert(QStringLiteral("RABBITMQ_CONFIG_FILE"), folder + QLatin1String("rabbit.conf"));
    env.insert(QStringLiteral("RABBITMQ_ENABLED_PLUGINS_FILE"), folder + QLatin1String("plugins"));
    env.insert(QStringLiteral("RABBITMQ_DIST_PORT"), QString::number(m_distributionPort));
    QString arguments = QStringLiteral("-kernel inet_dist_use_interface {127,0,0,1}");
    if (isQuorumByDefault())
        arguments += QStringLiteral(" -rabbit quorum_tick_interval %1").arg(quorumTick.count());
    env.insert(QStringLiteral("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"), arguments);
    env.insert(QStringLiteral("ERL_EPMD_PORT"), QString::number(m_epmdPort));
    env.insert(QStringLiteral("ERL_EPMD_ADDRESS"), QStringLiteral("127.0.0.1"));
    return env;
}

QStringList RabbitServer::command(const QString &name, const QStringList &arguments) const
{
    if (m_root.isEmpty())
        return QStringList{name} + arguments;
    const QString script = QStringLiteral("mount --rbind /proc \"$0/proc\" && mount --rbind /dev \"$0/dev\" && "
                                          "exec chroot \"$0\" \"$@\"");
    return QStringList{QStringLiteral("unshare")} + namespaceOptions()
           + QStringList{QStringLiteral("sh"), QStringLiteral("-c"), script, m_root, name} + arguments;
}

void RabbitServer::writeFiles() const
{
    const QString folder = m_folder.path() + QLatin1Char('/');
    QDir(m_folder.path()).mkpath(QStringLiteral("home"));
    write(folder + QLatin1String("rabbit.conf"),
          "listeners.tcp.1 = 127.0.0.1:" + QByteArray::number(m_amqpPort)
              + "\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = " + QByteArray::number(m_httpPort)
              + "\ndisk_free_limit.absolute = 50MB\n" + m_member.config);
    write(folder + QLatin1String("plugins"), m_shovel
                                                 ? "[rabbitmq_management,rabbitmq_shovel,rabbitmq_shovel_management].\n"
                                                 : "[rabbitmq_management].\n");
}

void RabbitServer::choosePorts()
{
    const QList<quint16> ports = freePorts(4);
    m_amqpPort = ports.at(0);
    m_httpPort = ports.at(1);
    m_distributionPort = ports.at(2);
    m_epmdPort = m_member.epmdPort == 0 ? ports.at(3) : m_member.epmdPort;
}

bool RabbitServer::start()
{
    return launch() && waitUntilReady();
}

bool RabbitServer::restart()
{
    return start();
}

bool RabbitServer::launch()
{
    if (m_httpPort == 0)
        choosePorts();
    writeFiles();
    m_process.setProcessEnvironment(environment());
    m_process.setWorkingDirectory(m_folder.path());
    m_process.setStandardOutputFile(m_folder.filePath(QStringLiteral("out.txt")));
    m_process.setStandardErrorFile(m_folder.filePath(QStringLiteral("err.txt")));
    const QStringList line = command(program);
    m_process.start(line.constFirst(), line.mid(1));
    if (!m_process.waitForStarted()) {
        m_error = m_process.errorString();
        return false;
    }
    return true;
}

bool RabbitServer::waitUntilReady()
{
    for (int tries = 0; tries < readyTries && m_process.state() != QProcess::NotRunning; ++tries) {
        http::Request request;
        request.url = QUrl(url().toString() + QStringLiteral("/api/nodes?columns=name,running,uptime"));
        request.headers = {{"Authorization", settings({}).authorization}};
        const core::Result<http::Response> answer = wait(m_client.send(request));
        if (answer && answer->status == 200 && answer->body.contains(m_member.hasStatistics ? "uptime" : "running"))
            return true;
        pause(200ms);
    }
    QFile output(m_folder.filePath(QStringLiteral("out.txt")));
    m_error = QStringLiteral("rabbitmq-server does not answer");
    if (output.open(QIODevice::ReadOnly))
        m_error += QLatin1String(": ") + QString::fromUtf8(output.readAll().right(2000));
    return false;
}

qint64 RabbitServer::nodePid() const
{
    QFile file(m_folder.filePath(QStringLiteral("pid")));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
}

core::Milliseconds RabbitServer::processorTime() const
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(nodePid()));
    if (!file.open(QIODevice::ReadOnly))
        return core::Milliseconds{0};
    const QByteArray line = file.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' '); // from the third of proc(5)
    const qint64 ticks = fields.value(11).toLongLong() + fields.value(12).toLongLong(); // utime, stime
    return core::Milliseconds{ticks * 1000 / ::sysconf(_SC_CLK_TCK)};
}

void RabbitServer::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    if (const qint64 node = nodePid(); node > 1)
        ::kill(pid_t(node), SIGKILL);
    m_process.kill();
    m_process.waitForFinished(10000);
    QFile::remove(m_folder.filePath(QStringLiteral("pid")));
}

void RabbitServer::stop()
{
    if (const qint64 node = nodePid(); node > 1)
        ::kill(pid_t(node), SIGTERM);
    if (!m_process.waitForFinished(60000))
        qFatal("rabbitmq-server does not stop.");
}

bool RabbitServer::until(const std::function<bool()> &done, core::Milliseconds limit)
{
    return QTest::qWaitFor(done, int(limit.count()));
}

QUrl RabbitServer::url() const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_httpPort));
}

QString RabbitServer::amqpUrl(const QString &vhost) const
{
    return QStringLiteral("amqp://guest:guest@127.0.0.1:%1/%2")
        .arg(QString::number(m_amqpPort), QString::fromLatin1(QUrl::toPercentEncoding(vhost)));
}

records::Connection RabbitServer::connection(const QString &vhost, const QStringList &errorQueues) const
{
    records::Connection connection;
    connection.name = QStringLiteral("shop");
    connection.environment = records::Environment::Test;
    connection.errorQueues = errorQueues;
    connection.url = url();
    connection.url.setUserName(QStringLiteral("guest"));
    const QByteArray path = QUrl::toPercentEncoding(vhost);
    connection.url.setPath(QLatin1Char('/') + QString::fromLatin1(path), QUrl::TolerantMode);
    connection.url.setQuery(
        QStringLiteral("decimals=none")); // the failed orders have doubles like 0.5 in their headers
    return connection;
}

broker::rabbitmq::Settings RabbitServer::settings(const QString &vhost)
{
    broker::rabbitmq::Settings settings;
    settings.base = url();
    settings.vhost = vhost;
    settings.authorization = "Basic " + QByteArray("guest:guest").toBase64();
    return settings;
}

} // namespace support
