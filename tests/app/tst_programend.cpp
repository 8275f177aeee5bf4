// The end of the real program: when its exit handlers run, it has no thread left but the first one.
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class TestProgramEnd final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noThreadOutlivesMain_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        const auto words = [](const char *line) { return QString::fromLatin1(line).split(u' '); };
        QTest::addRow("adding a connection") << words("connection add shop rabbitmq+http://ann@127.0.0.1:1/") << 0;
        QTest::addRow("reading the store") << words("groups --json") << 0;
        QTest::addRow("a broker that does not answer") << words("queues --connection shop") << 3;
        QTest::addRow("a simulation") << words("demo --scenario documents --headless --json") << 0;
    }

    void noThreadOutlivesMain()
    {
        QFETCH(const QStringList, words);
        QFETCH(const int, code);
        const QString witness = m_folder.filePath(QStringLiteral("threads"));
        QFile::remove(witness);
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(REDRIVE_END_WITNESS_FILE));
        environment.insert(QStringLiteral("REDRIVE_END_WITNESS"), witness);
        environment.insert(QStringLiteral("REDRIVE_SECRET_SHOP"), QStringLiteral("secret"));
        environment.insert(QStringLiteral("ASAN_OPTIONS"), QStringLiteral("verify_asan_link_order=0"));
        environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
        program.setProcessEnvironment(environment);
        const QStringList store{QStringLiteral("--store"), m_folder.filePath(QStringLiteral("store.db"))};
        program.start(QStringLiteral(REDRIVE_PROGRAM), words.first() == u"demo" ? words : words + store);
        QVERIFY(program.waitForFinished(120000));
        const QByteArray said = program.readAllStandardError();
        QVERIFY2(program.exitStatus() == QProcess::NormalExit, said.constData());
        QVERIFY2(program.exitCode() == code, said.constData());
        QFile counted(witness);
        QVERIFY2(counted.open(QIODevice::ReadOnly), said.constData());
        QCOMPARE(counted.readAll(), QByteArray("1"));
    }

private:
    QTemporaryDir m_folder;
};

REDRIVE_TEST(TestProgramEnd)
#include "tst_programend.moc"
