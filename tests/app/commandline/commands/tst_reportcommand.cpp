// The report of an operation is written as a whole or not at all, and every obstacle is told.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

class TestReportCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aReportIsWritten();
    void whereToMustBeSaid();
    void anOperationThatIsNotThereIsSaid();
    void whatCannotBeWrittenIsSaidAndKept();
    void theStoreIsNeverWrittenOver();
    void anOperationTellsWhatCameBackWhy();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("operation 12.html")); }
    [[nodiscard]] static QByteArray content(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<support::CommandRun> m_run;
};

void TestReportCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_run = std::make_unique<support::CommandRun>();
    m_run->addConnection(QStringLiteral("shop"));
    records::RetryOperation operation;
    operation.id = core::OperationId{12};
    operation.state = records::OperationState::Completed;
    operation.finished = core::fromMs(1);
    operation.scope = QStringLiteral("All of group Timeout");
    operation.counts.sent = 5;
    operation.counts.cameBack = 3;
    m_run->client.operationList = {operation};
    m_run->client.operationDetail.returns = {
        {core::GroupId{77}, QStringLiteral("System.TimeoutException\nHandle"), 3, 1}};
}

QByteArray TestReportCommand::content(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestReportCommand::aReportIsWritten()
{
    const support::CommandResult result =
        (*m_run)({QStringLiteral("report"), QStringLiteral("12"), QStringLiteral("--to"), path()});
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.contains(path().toUtf8()));
    QVERIFY(content(path()).contains("All of group Timeout"));
    QVERIFY(content(path()).contains("System.TimeoutException"));

    const QStringList words{QStringLiteral("report"), QStringLiteral("12"), QStringLiteral("--json"),
                            QStringLiteral("--to"), path()};
    QCOMPARE((*m_run)(words).code, 4); // it is there
    const support::CommandResult again = (*m_run)(words + QStringList{QStringLiteral("--force")});
    QCOMPARE(again.json()[QStringLiteral("written")].toString(), path());
}

void TestReportCommand::whereToMustBeSaid()
{
    const support::CommandResult result = (*m_run)("report 12");
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("--to FILE.html"), result.err.constData());
}

void TestReportCommand::anOperationThatIsNotThereIsSaid()
{
    const support::CommandResult result =
        (*m_run)({QStringLiteral("report"), QStringLiteral("13"), QStringLiteral("--to"), path()});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("no such operation"), result.err.constData());
    QVERIFY(!QFile::exists(path()));
}

void TestReportCommand::whatCannotBeWrittenIsSaidAndKept()
{
    const QString nowhere = m_folder->filePath(QStringLiteral("nowhere/operation.html"));
    const support::CommandResult result =
        (*m_run)({QStringLiteral("report"), QStringLiteral("12"), QStringLiteral("--to"), nowhere});
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(nowhere.toUtf8()), result.err.constData());
}

void TestReportCommand::theStoreIsNeverWrittenOver()
{
    m_run->addMessage(m_run->client.snapshot.connections.constFirst().connection.id, QStringLiteral("Timeout"));
    const QString store = m_folder->filePath(QStringLiteral("redrive.db"));
    QFile file(store);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("the store") == 9);
    file.close();
    for (const char *suffix : {"", "-wal", "-journal", ".lock"}) {
        for (const QStringList &words : {QStringList{QStringLiteral("report"), QStringLiteral("12")},
                                         QStringList{QStringLiteral("export"), QStringLiteral("--all")}}) {
            const support::CommandResult result =
                (*m_run)(words
                         + QStringList{QStringLiteral("--to"), store + QLatin1String(suffix), QStringLiteral("--force"),
                                       QStringLiteral("--store"), QStringLiteral("sqlite:") + store});
            QVERIFY2(result.code == 4, result.err.constData());
            QVERIFY2(result.err.contains("belongs to the store"), result.err.constData());
        }
    }
    QCOMPARE(content(store), QByteArray("the store"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("redrive.db")});
}

void TestReportCommand::anOperationTellsWhatCameBackWhy()
{
    const support::CommandResult told = (*m_run)("operation 12");
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.contains("CAME BACK"), told.out.constData());
    QVERIFY2(told.out.contains("System.TimeoutException"), told.out.constData());
    QVERIFY(!told.out.contains("Handle")); // the cause in one line
    const QJsonValue cause = (*m_run)("operation 12 --json").json()[QStringLiteral("came_back_causes")][0];
    QCOMPARE(cause[QStringLiteral("group")].toString(), QStringLiteral("77"));
    QCOMPARE(cause[QStringLiteral("count")].toInt(), 3);
    QCOMPARE(cause[QStringLiteral("new_cause")].toInt(), 1);
}

REDRIVE_TEST(TestReportCommand)
#include "tst_reportcommand.moc"
