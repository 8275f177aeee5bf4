#include "backend/engine/connection/localsecrets.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QScopeGuard>
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

// A fake keyring: gives the answers that the test sets.
class Behind final : public core::Secrets
{
public:
    core::Task<core::Result<QString>> read(QString) override
    {
        ++asked;
        const core::Result<QString> said = answer; // a member would be moved out
        co_return said;
    }
    core::Task<core::Result<>> write(QString, QString) override
    {
        const core::Result<> kept = place;
        co_return kept;
    }
    core::Task<core::Result<>> remove(QString) override
    {
        const core::Result<> removed = place;
        co_return removed;
    }
    core::Task<core::Result<>> keeps() override
    {
        const core::Result<> kept = place;
        co_return kept;
    }

    core::Result<QString> answer = core::fail(core::ErrorKind::NotFound, QStringLiteral("None."));
    core::Result<> place;
    int asked = 0;
};

struct SecretFile
{
    explicit SecretFile(const QByteArray &text)
    {
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
    }
    QTemporaryDir folder;
    QString path = folder.filePath(QStringLiteral("secret"));
};

bool isRefused(const core::Result<QString> &found)
{
    return !found && found.error().kind == core::ErrorKind::Refused;
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
            u"Set REDRIVE_SECRET_TST_PLACE, or use --secret-file with a line tst place="));
        QVERIFY(!kept.error().message.contains(u"hunter2"));
        QCOMPARE(read(secrets, name).value(), QStringLiteral("hunter2")); // this run still knows it
        qputenv("REDRIVE_SECRET_TST_PLACE", "hunter2");
        QVERIFY(write(secrets, name, QStringLiteral("hunter2"))); // the next run finds it there
        qunsetenv("REDRIVE_SECRET_TST_PLACE");
    }

    void aVariableOfTwoConnectionsServesNeither()
    {
        const QStringList names{QStringLiteral("tst-eu"), QStringLiteral("tst.eu"), QStringLiteral("Tst-EU"),
                                QStringLiteral("tst eu 2")};
        engine::LocalSecrets secrets;
        qputenv("REDRIVE_SECRET_TST_EU", "hunter2");
        const auto unset = qScopeGuard([] { qunsetenv("REDRIVE_SECRET_TST_EU"); });
        QCOMPARE(read(secrets, names.first()).value(), QStringLiteral("hunter2")); // alone
        secrets.setConnections(names);
        for (const QString &name : names.first(3)) {
            const core::Result<QString> found = read(secrets, name);
            QVERIFY(isRefused(found));
            for (const QString &other : names.first(3)) // says which collide
                QVERIFY2(found.error().message.contains(other), qPrintable(found.error().message));
            QVERIFY(found.error().message.contains(u"REDRIVE_SECRET_TST_EU"));
            QVERIFY(!found.error().message.contains(names.last()));
            QVERIFY(!found.error().message.contains(u"hunter2"));
        }
        secrets.give(names.first(), QStringLiteral("given"));
        QCOMPARE(read(secrets, names.first()).value(), QStringLiteral("given")); // by its whole name
        qunsetenv("REDRIVE_SECRET_TST_EU");
        QVERIFY(read(secrets, names.at(1)).error().kind == core::ErrorKind::NotFound);
    }

    void aLineOfTwoConnectionsServesNeither()
    {
        const SecretFile file("tst.a=b=hunter2\ntst.c=one=two\n");
        engine::LocalSecrets secrets(file.path);
        QCOMPARE(read(secrets, QStringLiteral("tst.a")).value(), QStringLiteral("b=hunter2"));
        const QStringList names{QStringLiteral("tst.a"), QStringLiteral("tst.a=b"), QStringLiteral("tst.c")};
        secrets.setConnections(names);
        for (const QString &name : names.first(2)) {
            const core::Result<QString> found = read(secrets, name);
            QVERIFY(isRefused(found));
            QVERIFY(found.error().message.contains(names.at(0)) && found.error().message.contains(names.at(1)));
            QVERIFY(!found.error().message.contains(u"hunter2"));
        }
        QCOMPARE(read(secrets, names.last()).value(), QStringLiteral("one=two"));
    }

    // Otherwise the broker would get a login without the secret, although there is one.
    void aFileThatCannotBeReadIsNoMissingSecret()
    {
        engine::LocalSecrets secrets(QStringLiteral("/nowhere/secrets"));
        QVERIFY(isRefused(read(secrets, QStringLiteral("tst"))));
    }

    void aKeyringThatCannotBeReadIsNoMissingSecret()
    {
        auto keyring = std::make_unique<Behind>();
        Behind &behind = *keyring;
        engine::LocalSecrets secrets({}, std::move(keyring));
        behind.answer = core::fail(core::ErrorKind::Transient, QStringLiteral("Locked."));
        const core::Result<QString> locked = read(secrets, QStringLiteral("tst"));
        QVERIFY(!locked && locked.error().kind == core::ErrorKind::Transient);
        QCOMPARE(behind.asked, 1);
    }

    void whereNothingIsKeptItSaysWhy()
    {
        auto keyring = std::make_unique<Behind>();
        keyring->place = core::fail(core::ErrorKind::Refused, QStringLiteral("No keyring runs."));
        engine::LocalSecrets secrets({}, std::move(keyring));
        const core::Result<QString> none = read(secrets, QStringLiteral("tst"));
        QVERIFY(!none && none.error().kind == core::ErrorKind::NotFound);
        QVERIFY(none.error().message.startsWith(u"No keyring runs."));
        QVERIFY(none.error().message.contains(u"REDRIVE_SECRET_TST"));
        const core::Result<> kept = write(secrets, QStringLiteral("tst"), QStringLiteral("hunter2"));
        QVERIFY(!kept && kept.error().message.contains(u"No keyring runs."));
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

REDRIVE_TEST(TestLocalSecrets)
#include "tst_localsecrets.moc"
