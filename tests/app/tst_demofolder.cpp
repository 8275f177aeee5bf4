#include "app/demo/demofolder.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

class TestDemoFolder final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFolderIsCreated();
    void theDataOfARunIsNotUsedTwice();
    void aFileIsNoFolder();
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

REDRIVE_TEST(TestDemoFolder)
#include "tst_demofolder.moc"
