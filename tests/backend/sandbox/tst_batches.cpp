// Batches of "reports": when the decider decides, how many events it makes, and what a receiver gets that splits.
#include "tests/backend/sandbox/scenariorig.h"
#include "tests/support/testmain/testmain.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

class TestBatches final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theDeciderLooksOnceAMinute();
    void aBatchHasAtMostSoManyReports();
    void aReceiverThatSplitsGetsEachItemAlone();
    void aSendThatFailedAsAWholeIsNotSentAgain();

private:
    // The parts of each line of the log that fits.
    [[nodiscard]] QList<QStringList> lines(const char *pattern) const;
    [[nodiscard]] static qint64 sql(const char *statement);

    QTemporaryDir m_folder;
    support::ScenarioOutcome m_outcome;
};

void TestBatches::initTestCase()
{
    QFile file(m_folder.filePath(QStringLiteral("batches.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"scenario": "reports", "messages": 40, "every": "21s",
        "process": {"policy": {"name": "process", "immediate": 3, "delayed": 0,
                               "exhausted": {"do": "move", "queue": "process_poison"}}},
        "send": {"policy": {"name": "send", "immediate": 0, "delayed": 4,
                            "schedule": {"kind": "exponential", "first": "1m"}, "jitter": "none"}},
        "receivers": [
          {"name": "county.elr", "share": 1, "max_reports": 2,
           "timing": {"name": "county", "schedule": {"kind": "cadence", "every": "5m"}}},
          {"name": "lab.elr", "share": 1, "splits": true,
           "timing": {"name": "lab", "schedule": {"kind": "cadence", "every": "10m", "offset": "3m"}}}]})");
    file.close();
    m_outcome = support::runScenario({file.fileName(), 7, {}, m_folder.path()});
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("batches"));
    database.setDatabaseName(m_folder.filePath(QStringLiteral("pipeline.db")));
    QVERIFY(database.open());
    QVERIFY(m_outcome.isOver);
    QCOMPARE(m_outcome.report.value(QStringLiteral("processed")).toInt(), 40);
    QCOMPARE(m_outcome.report.value(QStringLiteral("unaccounted")).toInt(-1), 0);
}

QList<QStringList> TestBatches::lines(const char *pattern) const
{
    const QRegularExpression wanted(QString::fromLatin1(pattern));
    QList<QStringList> found;
    for (const QString &line : m_outcome.log) {
        const QRegularExpressionMatch match = wanted.match(line);
        if (match.hasMatch())
            found.append(match.capturedTexts().mid(1));
    }
    return found;
}

qint64 TestBatches::sql(const char *statement)
{
    QSqlQuery query(QSqlDatabase::database(QStringLiteral("batches")));
    return query.exec(QString::fromLatin1(statement)) && query.next() ? query.value(0).toLongLong() : -1;
}

// So each turn has its event in the very minute, and none is left out.
void TestBatches::theDeciderLooksOnceAMinute()
{
    const auto minutesOf = [this](const char *pattern) {
        QList<qint64> minutes;
        for (const QStringList &line : lines(pattern))
            minutes.append(QDateTime::fromString(line.first(), Qt::ISODate).toSecsSinceEpoch() / 60);
        return minutes;
    };
    const QList<qint64> county = minutesOf("^(\\S+) BatchDecider county.elr: ");
    QVERIFY(county.size() >= 3);
    for (qsizetype i = 0; i < county.size(); ++i)
        QCOMPARE(county.at(i), county.first() + 5 * i);
    QCOMPARE(county.first() % 5, 0);
    const QList<qint64> lab = minutesOf("^(\\S+) BatchDecider lab.elr: ");
    QVERIFY(lab.size() >= 2);
    for (qsizetype i = 0; i < lab.size(); ++i)
        QCOMPARE(lab.at(i) % 10, 3);
}

void TestBatches::aBatchHasAtMostSoManyReports()
{
    int most = 0;
    for (const QStringList &line : lines("BatchDecider county.elr: (\\d+) events"))
        most = std::max(most, line.first().toInt());
    QVERIFY(most > 1); // one or more
    const QList<QStringList> batches = lines("Batch county.elr: (\\d+) tasks became (\\d+) sends");
    QVERIFY(batches.size() > 2);
    for (const QStringList &batch : batches) {
        QVERIFY(batch.first().toInt() <= 2);
        QCOMPARE(batch.last().toInt(), 1);
    }
    QCOMPARE(sql("select count(*) from task where schema_name = 'merged'"), batches.size());
    QCOMPARE(sql("select count(*) from task where schema_name = 'merged' and receiver_name <> 'county.elr'"), 0);
}

void TestBatches::aReceiverThatSplitsGetsEachItemAlone()
{
    const qint64 items =
        sql("select sum(item_count) from task where receiver_name = 'lab.elr' and schema_name <> 'split'");
    QVERIFY(items > 20);
    QCOMPARE(sql("select count(*) from task where schema_name = 'split'"), items);
    QCOMPARE(sql("select count(*) from task where schema_name = 'split' and item_count = 1"
                 " and report_id in (select action_params from action where action_name = 'send')"),
             items);
    QCOMPARE(m_outcome.report.value(QStringLiteral("delivered_twice")).toInt(-1), 0);
}

// "Does not do retries": the later turns of its receiver pass over it, and the task stays as it was. The events of one turn come
// together, and each sends all that waits.
void TestBatches::aSendThatFailedAsAWholeIsNotSentAgain()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("sends.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"scenario": "reports", "messages": 40, "every": "30s",
        "process": {"policy": {"name": "process", "immediate": 3, "delayed": 0,
                               "exhausted": {"do": "move", "queue": "process_poison"}}},
        "send": {"policy": {"name": "send", "immediate": 0, "delayed": 4,
                            "schedule": {"kind": "exponential", "first": "1m"}, "jitter": "none"},
                 "faults": [{"fault": "always", "share": "30%", "exception": "java.io.IOException",
                             "message": "The disk is full."}]},
        "receivers": [
          {"name": "county.elr", "share": 1, "max_reports": 1,
           "timing": {"name": "county", "schedule": {"kind": "cadence", "every": "5m"}}}]})");
    file.close();
    const support::ScenarioOutcome outcome = support::runScenario({file.fileName(), 7});
    QVERIFY(outcome.isOver);
    QHash<QString, QSet<qint64>> turns; // in which it was aborted, by report
    int aborts = 0;
    const QRegularExpression wanted(QStringLiteral("^(\\S+) Send (\\S+): aborted"));
    for (const QString &line : outcome.log) {
        const QRegularExpressionMatch match = wanted.match(line);
        if (!match.hasMatch())
            continue;
        ++aborts;
        const qint64 minute = QDateTime::fromString(match.captured(1), Qt::ISODate).toSecsSinceEpoch() / 60;
        turns[match.captured(2)].insert(minute / 5);
    }
    QVERIFY(turns.size() > 1);
    for (auto one = turns.cbegin(); one != turns.cend(); ++one)
        QVERIFY2(one->size() == 1, qPrintable(one.key()));
    QCOMPARE(outcome.report.value(QStringLiteral("send_aborts")).toInt(), aborts);
}

REDRIVE_TEST(TestBatches)
#include "tst_batches.moc"
