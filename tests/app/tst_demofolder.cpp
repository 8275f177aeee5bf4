#include "app/demo/demofolder.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

class TestDemoFolder final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFolderIsCreated();
    void theDataOfARunIsNotUsedTwice();
    void aFileIsNoFolder();
    void theFolderOfAKilledDemoIsRemovedByTheNextOne();
};

void TestDemoFolder::aFolderIsCreated()
{
    const QTemporaryDir place;
    const QString folder = place.filePath(QStringLiteral("a/b"));
    const core::Result<QString> file = app::demoBrokerFile(folder, false);
    QVERIFY(file);
    QCOMPARE(*file, folder + QStringLiteral("/broker.db"));
    QVERIFY(QDir(folder).exists());
}

void TestDemoFolder::theDataOfARunIsNotUsedTwice()
{
    const QTemporaryDir place;
    QFile file(place.filePath(QStringLiteral("broker.db")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const core::Result<QString> refused = app::demoBrokerFile(place.path(), false);
    QVERIFY(!refused && refused.error().kind == core::ErrorKind::Refused);
    QVERIFY(refused.error().message.contains(place.path()));
    QVERIFY(app::demoBrokerFile(place.path(), true));
}

void TestDemoFolder::aFileIsNoFolder()
{
    const QTemporaryDir place;
    QFile file(place.filePath(QStringLiteral("taken")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const core::Result<QString> refused = app::demoBrokerFile(file.fileName() + QStringLiteral("/demo"), true);
    QVERIFY(!refused && refused.error().kind == core::ErrorKind::Unauthorized);
}

// The child is killed with its folder; the one of this process lives.
void TestDemoFolder::theFolderOfAKilledDemoIsRemovedByTheNextOne()
{
    const QTemporaryDir place;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", place.path().toLocal8Bit());
    const auto restore = qScopeGuard([&before] { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
    const QDir folders(place.path());
    const auto count = [&folders] { return folders.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(); };
    const app::DemoFolder living;
    QDir(place.path()).mkpath(QStringLiteral("redrive-demo-notlocked")); // made just now
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        const app::DemoFolder killed;
        QFile data(killed.path() + QStringLiteral("/broker.db"));
        data.open(QIODevice::WriteOnly);
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(count(), 3);
    {
        const app::DemoFolder next;
        QCOMPARE(count(), 3); // its own, and not the killed one
    }
    QCOMPARE(count(), 2);
    QVERIFY(QDir(living.path()).exists());
}

REDRIVE_TEST(TestDemoFolder)
#include "tst_demofolder.moc"
