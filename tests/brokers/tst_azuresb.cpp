// The embedded broker as Microsoft's own client sees it: azure-sb from npm, unchanged, through a whole scenario.
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int timeoutMs = 240000;
constexpr auto key = "c2VjcmV0LWtleS1mb3ItdGVzdHM=";
constexpr auto listenKey = "bGlzdGVuLWtleQ==";
constexpr auto sendKey = "c2VuZC1rZXk=";

// Ends with its scope.
struct Broker
{
    ~Broker()
    {
        process.terminate();
        if (!process.waitForFinished(timeoutMs))
            process.kill();
    }
    // Its port; 0: it did not start.
    int start(bool hasMainKey = true)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (hasMainKey)
            environment.insert(QStringLiteral("REDRIVE_BROKER_KEY"), QLatin1StringView(key));
        environment.insert(QStringLiteral("REDRIVE_BROKER_LISTEN_KEY"), QLatin1StringView(listenKey));
        environment.insert(QStringLiteral("REDRIVE_BROKER_SEND_KEY"), QLatin1StringView(sendKey));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(REDRIVE_PROGRAM),
                      {QStringLiteral("--json"), QStringLiteral("broker"), QStringLiteral("--listen"),
                       QStringLiteral("127.0.0.1:0"), QStringLiteral("--data"), folder.path()});
        if (!process.waitForReadyRead(timeoutMs))
            return 0;
        return QJsonDocument::fromJson(process.readLine())[QLatin1StringView("port")].toInt();
    }
    QTemporaryDir folder;
    QProcess process;
};

} // namespace

class TestAzureSb final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void microsoftsClientWorksUnchanged();
    void keysForLessNeedTheOneForAll();
};

void TestAzureSb::microsoftsClientWorksUnchanged()
{
    const QString packages = QStringLiteral(REDRIVE_TESTSERVERS "/node_modules");
    const QString node = QStandardPaths::findExecutable(QStringLiteral("node"));
    if (node.isEmpty() || !QFileInfo::exists(packages + QStringLiteral("/azure-sb")))
        QSKIP("azure-sb is not installed: packaging/install-testservers.sh installs it.");
    Broker broker;
    const int port = broker.start();
    QVERIFY2(port > 0, broker.process.readAllStandardError().constData());
    const auto account = [port](const char *name, const char *secret) {
        return QStringLiteral("Endpoint=http://127.0.0.1:%1/;SharedAccessKeyName=%2;SharedAccessKey=%3")
            .arg(QString::number(port), QLatin1StringView(name), QLatin1StringView(secret));
    };
    QProcess client;
    client.start(node, {QStringLiteral(REDRIVE_AZURESB_SCENARIO), packages, account("RootManageSharedAccessKey", key),
                        account("Listen", listenKey), account("Send", sendKey)});
    QVERIFY(client.waitForFinished(timeoutMs));
    const QByteArray said = client.readAllStandardOutput();
    QVERIFY2(client.exitCode() == 0 && said.endsWith("done\n"), (said + client.readAllStandardError()).constData());
}

// Else everybody would have all rights, or nobody could make a queue.
void TestAzureSb::keysForLessNeedTheOneForAll()
{
    Broker broker;
    QCOMPARE(broker.start(false), 0);
    QVERIFY(broker.process.state() == QProcess::NotRunning || broker.process.waitForFinished(timeoutMs));
    QCOMPARE(broker.process.exitCode(), 4);
    QVERIFY(broker.process.readAllStandardError().contains("REDRIVE_BROKER_KEY"));
}

REDRIVE_TEST(TestAzureSb)
#include "tst_azuresb.moc"
