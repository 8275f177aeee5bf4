// `redrive store roles` of the real program: an administrator gives what it prints to psql.
#include "tests/support/store/leasedstore.h"
#include "tests/support/testmain/testmain.h"

#include <QProcess>
#include <QTest>

namespace {

constexpr int timeoutMs = 60000;
const QString psql = QStringLiteral("/usr/lib/postgresql/15/bin/psql");

QByteArray outputOf(QProcess &program, const QByteArray &input = {})
{
    if (!program.waitForStarted(timeoutMs))
        return {};
    program.write(input);
    program.closeWriteChannel();
    program.waitForFinished(timeoutMs);
    return program.readAllStandardOutput();
}

} // namespace

class TestStoreRolesProgram final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void psqlRunsWhatItPrints()
    {
        if (!support::PostgresServer::isInstalled() || !QFile::exists(psql))
            QSKIP("PostgreSQL 15 and Qt's driver for it are not installed: postgresql-15, libqt6sql6-psql.");
        support::LeasedStore store;
        QProcess program;
        program.start(QStringLiteral(REDRIVE_PROGRAM),
                      {QStringLiteral("store"), QStringLiteral("roles"), QStringLiteral("--schema"), store.schema()});
        const QByteArray printed = outputOf(program);
        QCOMPARE(program.exitCode(), 0);
        for (int i = 0; i < 2; ++i) { // twice does no harm
            QProcess administrator;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("PGPASSWORD"), support::PostgresServer::password());
            environment.remove(QStringLiteral("LD_PRELOAD"));
            administrator.setProcessEnvironment(environment);
            administrator.start(psql, {support::LeasedStore::server().url(), QStringLiteral("-v"),
                                       QStringLiteral("ON_ERROR_STOP=1"), QStringLiteral("-q")});
            outputOf(administrator, printed);
            QVERIFY2(administrator.exitCode() == 0, administrator.readAllStandardError().constData());
        }
        const QString may = QStringLiteral("SELECT has_table_privilege('%1', 'failed_message', '%2')");
        QCOMPARE(store.sql(may.arg(QStringLiteral("redrive_viewer"), QStringLiteral("SELECT"))).toBool(), true);
        QCOMPARE(store.sql(may.arg(QStringLiteral("redrive_support"), QStringLiteral("UPDATE"))).toBool(), false);
        QCOMPARE(store.sql(may.arg(QStringLiteral("redrive_engine"), QStringLiteral("UPDATE"))).toBool(), true);
    }
};

REDRIVE_TEST(TestStoreRolesProgram)
#include "tst_storerolesprogram.moc"
