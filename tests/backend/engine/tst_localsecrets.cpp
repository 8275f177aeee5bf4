#include "backend/engine/localsecrets.h"

#include <QTemporaryDir>
#include <QTest>

namespace {

core::Result<QString> read(core::Secrets &secrets, const QString &name)
{
    core::Result<QString> answer = core::fail(core::ErrorKind::Cancelled, QStringLiteral("never answered"));
    const auto ask = [](core::Secrets &from, QString connection, core::Result<QString> &to) -> core::Task<> {
        core::Result<QString> found = co_await from.read(connection);
        to = std::move(found);
    };
    ask(secrets, name, answer);
    return answer;
}

core::Result<> write(core::Secrets &secrets, const QString &name, const QString &secret)
{
    core::Result<> answer = core::fail(core::ErrorKind::Cancelled, QStringLiteral("never answered"));
    const auto ask = [](core::Secrets &to, QString connection, QString what, core::Result<> &done) -> core::Task<> {
        const core::Result<> kept = co_await to.write(connection, what);
        done = kept;
    };
    ask(secrets, name, secret, answer);
    return answer;
}

} // namespace

class TestLocalSecrets final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void variableNameFollowsTheConnection()
    {
        QCOMPARE(engine::LocalSecrets::variableFor(QStringLiteral("shop-prod 2é")),
                 QByteArray("REDRIVE_SECRET_SHOP_PROD_2_"));
    }

    void givenThenEnvironmentThenFile()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("secret")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("other=x\r\ntst local=from=file\r\n");
        file.close();
        engine::LocalSecrets secrets(file.fileName());
        const QString name = QStringLiteral("tst local");
        QCOMPARE(read(secrets, name).value(), QStringLiteral("from=file"));
        qputenv("REDRIVE_SECRET_TST_LOCAL", "from-environment");
        QCOMPARE(read(secrets, name).value(), QStringLiteral("from-environment"));
        static_cast<void>(write(secrets, name, QStringLiteral("given")));
        QCOMPARE(read(secrets, name).value(), QStringLiteral("given"));
        static_cast<void>(secrets.remove(name));
        QCOMPARE(read(secrets, name).value(), QStringLiteral("from-environment"));
        qunsetenv("REDRIVE_SECRET_TST_LOCAL");
    }

    void whatHasNoPlaceIsSaid()
    {
        engine::LocalSecrets secrets;
        const QString name = QStringLiteral("tst place");
        const core::Result<> kept = write(secrets, name, QStringLiteral("hunter2"));
        QVERIFY(!kept);
        QVERIFY(kept.error().kind == core::ErrorKind::Refused);
        QVERIFY(kept.error().message.contains(
            u"Set REDRIVE_SECRET_TST_PLACE, or give --secret-file with a line tst place="));
        QVERIFY(!kept.error().message.contains(u"hunter2"));
        QCOMPARE(read(secrets, name).value(), QStringLiteral("hunter2")); // this run has it all the same
        qputenv("REDRIVE_SECRET_TST_PLACE", "hunter2");
        QVERIFY(write(secrets, name, QStringLiteral("hunter2"))); // it lies where the next run finds it
        qunsetenv("REDRIVE_SECRET_TST_PLACE");
    }

    void whatIsMissingSaysHowToGiveIt()
    {
        engine::LocalSecrets secrets;
        const core::Result<QString> none = read(secrets, QStringLiteral("shop"));
        QVERIFY(!none);
        QVERIFY(none.error().kind == core::ErrorKind::NotFound);
        QVERIFY(none.error().message.contains(u"REDRIVE_SECRET_SHOP"));
    }
};

QTEST_GUILESS_MAIN(TestLocalSecrets)
#include "tst_localsecrets.moc"
