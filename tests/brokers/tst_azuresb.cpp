// The embedded broker as Microsoft's own client sees it: azure-sb from npm, unchanged, through a whole scenario.
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

constexpr int patienceMs = 240000;
constexpr auto key = "c2VjcmV0LWtleS1mb3ItdGVzdHM=";

// Ends with its scope.
struct Broker
{
    ~Broker()
    {
        process.terminate();
        if (!process.waitForFinished(patienceMs))
            process.kill();
    }
    // Its port; 0: it did not start.
    int start()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("REDRIVE_BROKER_KEY"), QLatin1StringView(key));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(REDRIVE_PROGRAM),
                      {QStringLiteral("--json"), QStringLiteral("broker"), QStringLiteral("--listen"),
                       QStringLiteral("127.0.0.1:0"), QStringLiteral("--data"), folder.path()});
        if (!process.waitForReadyRead(patienceMs))
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
    QProcess client;
    client.start(node, {QStringLiteral(REDRIVE_AZURESB_SCENARIO), packages,
                        QStringLiteral("Endpoint=http://127.0.0.1:%1/;SharedAccessKeyName=RootManageSharedAccessKey;"
                                       "SharedAccessKey=%2")
                            .arg(QString::number(port), QLatin1StringView(key))});
    QVERIFY(client.waitForFinished(patienceMs));
    const QByteArray said = client.readAllStandardOutput();
    QVERIFY2(client.exitCode() == 0 && said.endsWith("done\n"), (said + client.readAllStandardError()).constData());
}

QTEST_GUILESS_MAIN(TestAzureSb)
#include "tst_azuresb.moc"
