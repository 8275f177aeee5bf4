#include "tests/support/rabbit/rabbitcluster.h"

#include <QTcpServer>
#include <QTest>

#include <csignal>

using namespace std::chrono_literals;

namespace support {

namespace {

constexpr core::Milliseconds wholeWithin{120000};

quint16 freeEpmdPort()
{
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHost))
        qFatal("No free port on 127.0.0.1.");
    return server.serverPort();
}

// A node that is silent is down for the others after five seconds: the minute of the default is long for a test.
QByteArray configOf(int nodes)
{
    QByteArray lines = "cluster_partition_handling = pause_minority\nnet_ticktime = 5\n"
                       "cluster_formation.peer_discovery_backend = classic_config\n";
    for (int i = 0; i < nodes; ++i) {
        lines += "cluster_formation.classic_config.nodes." + QByteArray::number(i + 1) + " = "
                 + RabbitCluster::nameOf(i).toLatin1() + '\n';
    }
    return lines;
}

} // namespace

RabbitCluster::RabbitCluster(int nodes, const QString &suite)
    : m_home(QDir(RabbitServer::tempPathOf(suite)).filePath(QStringLiteral("redrive-XXXXXX")))
    , m_epmdPort(freeEpmdPort())
{
    for (int i = 0; i < nodes; ++i) {
        m_nodes.push_back(std::make_unique<RabbitServer>(
            suite, RabbitServer::Member{m_home.path(), nameOf(i), m_epmdPort, configOf(nodes)}));
    }
}

RabbitCluster::~RabbitCluster()
{
    const QProcessEnvironment environment = m_nodes.front()->environment();
    kill();
    // epmd refuses to end until it has noticed that its nodes are gone.
    for (int tries = 0; tries < 50; ++tries) {
        QProcess epmd;
        epmd.setProcessChannelMode(QProcess::MergedChannels);
        epmd.setProcessEnvironment(environment);
        epmd.start(QStringLiteral("epmd"),
                   {QStringLiteral("-port"), QString::number(m_epmdPort), QStringLiteral("-kill")});
        epmd.waitForFinished(5000);
        if (!epmd.readAll().contains("not allowed"))
            return;
        pause(100ms);
    }
}

QString RabbitCluster::nameOf(int index)
{
    return QStringLiteral("n%1@localhost").arg(index + 1);
}

// All at once: from version 4 on, a node waits for those that it is to form a cluster with.
bool RabbitCluster::start()
{
    bool isUp = true;
    for (int i = 0; isUp && i < size(); ++i)
        isUp = node(i).launch();
    for (int i = 0; isUp && i < size(); ++i) {
        isUp = node(i).waitUntilReady();
        m_error = node(i).error();
    }
    return isUp && waitUntilWhole(wholeWithin);
}

void RabbitCluster::killNode(int index) const
{
    if (const qint64 pid = m_nodes.at(size_t(index))->nodePid(); pid > 1)
        ::kill(pid_t(pid), SIGKILL);
}

void RabbitCluster::stopNode(int index) const
{
    if (const qint64 pid = m_nodes.at(size_t(index))->nodePid(); pid > 1)
        ::kill(pid_t(pid), SIGSTOP);
}

void RabbitCluster::goOn(int index) const
{
    if (const qint64 pid = m_nodes.at(size_t(index))->nodePid(); pid > 1)
        ::kill(pid_t(pid), SIGCONT);
}

bool RabbitCluster::restartNode(int index)
{
    node(index).kill(); // what is left of it
    m_error.clear();
    if (node(index).restart())
        return true;
    m_error = node(index).error();
    return false;
}

bool RabbitCluster::control(int index, const QStringList &arguments) const
{
    const RabbitServer &server = *m_nodes.at(size_t(index));
    const QStringList line = server.command(QStringLiteral("/usr/lib/rabbitmq/bin/rabbitmqctl"),
                                            QStringList{QStringLiteral("-n"), nameOf(index)} + arguments);
    QProcess ctl;
    ctl.setProcessEnvironment(server.environment());
    ctl.setProcessChannelMode(QProcess::MergedChannels);
    ctl.start(line.constFirst(), line.mid(1));
    const bool ended = ctl.waitForFinished(120000);
    if (ended && ctl.exitCode() == 0)
        return true;
    qWarning("rabbitmqctl %s: %s", qPrintable(arguments.join(u' ')), ctl.readAll().right(1000).constData());
    return false;
}

// A wrong cookie on one side is enough: neither can connect any more.
bool RabbitCluster::isolate(int index) const
{
    return control(index, {QStringLiteral("eval"),
                           QStringLiteral("[begin erlang:set_cookie(N, cut), erlang:disconnect_node(N) end || N <- "
                                          "rabbit_nodes:all() -- [node()]], ok.")});
}

bool RabbitCluster::heal(int index) const
{
    QStringList others;
    for (int i = 0; i < size(); ++i) {
        if (i != index)
            others.append(QLatin1Char('\'') + nameOf(i) + QLatin1Char('\''));
    }
    const QString healing = QStringLiteral("[erlang:set_cookie(N, erlang:get_cookie()) || N <- [%1]], ok.");
    return control(index, {QStringLiteral("eval"), healing.arg(others.join(u','))});
}

void RabbitCluster::loseMessages(int index) const
{
    const QString store = QStringLiteral("/mnesia/%1/msg_stores").arg(nameOf(index));
    if (!QDir(m_nodes.at(size_t(index))->folder() + store).removeRecursively())
        qFatal("The message store of a node cannot be removed.");
}

bool RabbitCluster::comeBackEmpty(int index)
{
    node(index).kill();
    QDir(node(index).folder() + QLatin1String("/mnesia")).removeRecursively();
    const int other = index == 0 ? 1 : 0;
    return control(other, {QStringLiteral("forget_cluster_node"), nameOf(index)}) && restartNode(index)
           && waitUntilWhole(wholeWithin);
}

bool RabbitCluster::seesAll(int index)
{
    http::Request request;
    request.url = QUrl(node(index).url().toString() + QStringLiteral("/api/nodes?columns=name,running,uptime"));
    request.headers = {{"Authorization", settings({}).authorization}};
    const core::Result<http::Response> answer = node(index).wait(node(index).client().send(request));
    return answer && answer->status == 200 && answer->body.count("\"running\":true") == size()
           && answer->body.count("uptime") == size();
}

bool RabbitCluster::waitUntilWhole(core::Milliseconds limit)
{
    const core::SteadyTime end = clock().steady() + limit;
    while (clock().steady() < end) {
        bool isWhole = true;
        for (int i = 0; isWhole && i < size(); ++i)
            isWhole = seesAll(i);
        if (isWhole)
            return true;
        pause(200ms);
    }
    m_error = QStringLiteral("the nodes do not form a cluster");
    return false;
}

bool RabbitCluster::until(const std::function<bool()> &done, core::Milliseconds limit)
{
    return QTest::qWaitFor(done, int(limit.count()));
}

void RabbitCluster::kill()
{
    for (const std::unique_ptr<RabbitServer> &one : m_nodes)
        one->kill();
}

bool RabbitCluster::restart()
{
    return start();
}

broker::rabbitmq::Settings RabbitCluster::settings(const QString &vhost)
{
    return m_nodes.at(size_t(m_entrance))->settings(vhost);
}

} // namespace support
