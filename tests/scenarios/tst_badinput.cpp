// A fault of a store or a broker gives one clear line on standard error and the exit code of cli.md; nothing is lost.
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>
#include <unistd.h>

using test::must;

namespace {

constexpr int timeoutMs = 60000;

struct Ended
{
    int code = -1;
    QString out;
    QString err; // without messages of the tests' sanitizer
    [[nodiscard]] bool isOneLine() const
    {
        return err.startsWith(QStringLiteral("redrive: ")) && err.count(QLatin1Char('\n')) == 1
               && err.endsWith(QStringLiteral(".\n"));
    }
};

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Statements of another program.
void execute(const QString &path, const QStringList &statements)
{
    const QString name = QStringLiteral("raw");
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        raw.setDatabaseName(path);
        QVERIFY(raw.open());
        for (const QString &text : statements) {
            QSqlQuery query(raw);
            QVERIFY2(query.exec(text), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

// A file system of this many bytes, if this user may mount one.
class SmallDisk
{
public:
    SmallDisk(const QString &folder, int bytes)
        : m_folder(folder)
    {
        QDir().mkpath(folder);
        m_mounted = ::mount("tmpfs", QFile::encodeName(folder).constData(), "tmpfs", 0,
                            qPrintable(QStringLiteral("size=%1").arg(bytes)))
                    == 0;
    }
    ~SmallDisk()
    {
        if (m_mounted)
            ::umount2(QFile::encodeName(m_folder).constData(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk &) = delete;
    SmallDisk &operator=(const SmallDisk &) = delete;
    [[nodiscard]] bool isThere() const { return m_mounted; }

private:
    QString m_folder;
    bool m_mounted = false;
};

} // namespace

class TestBadInput final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aStoreThatCannotBeOpened_data();
    void aStoreThatCannotBeOpened();
    void aDamagedPageStopsAllWriting();
    void aFolderWithoutRights();
    void aMachineWithoutASession();
    void aStoreThatIsInUse();
    void aStoreFromAnotherMachineIsAskedAbout();
    void aFullDiskLosesNothing();
    void aDiskThatIsTooSmallForAStore();
    void aBrokerThatCannotBeUsed_data();
    void aBrokerThatCannotBeUsed();
    void aBrokerFileThatIsInUse();
    void aBrokerFileThatIsNone();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QProcess *start(const QStringList &arguments, const QString &user = {});
    [[nodiscard]] Ended run(const QStringList &arguments, const QString &user = {});
    [[nodiscard]] Ended onStore(const QStringList &arguments, const QString &name = QStringLiteral("redrive.db"))
    {
        return run(QStringList{QStringLiteral("--store"), path(name)} + arguments);
    }
    [[nodiscard]] static QStringList addingTo(const QString &store);
    void makeStore(int messages = 0);
    [[nodiscard]] QString startBroker(const QString &key);

    std::unique_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
    std::vector<std::unique_ptr<QProcess>> m_programs; // ended by the test
};

void TestBadInput::init()
{
    for (const auto &program : m_programs) {
        program->terminate();
        program->waitForFinished(timeoutMs);
    }
    m_programs.clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_environment = QProcessEnvironment::systemEnvironment();
    for (const char *variable : {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        m_environment.insert(QString::fromLatin1(variable), m_folder->path());
    m_environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    m_environment.insert(QStringLiteral("REDRIVE_SECRET_SHOP"), QStringLiteral("right"));
}

QProcess *TestBadInput::start(const QStringList &arguments, const QString &user)
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setProgram(user.isEmpty() ? QStringLiteral(REDRIVE_PROGRAM) : QStringLiteral("setpriv"));
    process->setArguments(user.isEmpty()
                              ? arguments
                              : QStringList{QStringLiteral("--reuid"), user, QStringLiteral("--regid"), user,
                                            QStringLiteral("--clear-groups"), QStringLiteral(REDRIVE_PROGRAM)}
                                    + arguments);
    process->start();
    m_programs.push_back(std::move(process));
    return m_programs.back().get();
}

Ended TestBadInput::run(const QStringList &arguments, const QString &user)
{
    QProcess *process = start(arguments, user);
    process->waitForFinished(timeoutMs);
    return {process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1,
            QString::fromUtf8(process->readAllStandardOutput()), QString::fromUtf8(process->readAllStandardError())};
}

// The command that makes a store where there is none.
QStringList TestBadInput::addingTo(const QString &store)
{
    return {QStringLiteral("--store"),    store,
            QStringLiteral("connection"), QStringLiteral("add"),
            QStringLiteral("shop"),       QStringLiteral("servicebus+http://key@127.0.0.1:1/")};
}

void TestBadInput::makeStore(int messages)
{
    core::SeededRandom random(5);
    const auto made = must(store::SqliteStore::open(path(QStringLiteral("redrive.db")), random));
    must(made->transact([&](store::Session &session) -> core::Result<> {
        if (messages == 0)
            return {};
        const core::ConnectionId id = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < messages; ++n)
            (void)must(session.messages().insert(test::sampleMessage(id, n)));
        return {};
    }));
}

void TestBadInput::aStoreThatCannotBeOpened_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const QString foreign = QStringLiteral("is not a Redrive store");
    QTest::newRow("noise") << QStringLiteral("noise") << 5 << foreign;
    QTest::newRow("a text") << QStringLiteral("text") << 5 << foreign;
    QTest::newRow("another program's database") << QStringLiteral("foreign") << 5 << foreign;
    QTest::newRow("newer") << QStringLiteral("newer") << 4 << QStringLiteral("newer version of Redrive");
    QTest::newRow("cut off") << QStringLiteral("cut") << 5 << QStringLiteral("is damaged");
    QTest::newRow("overwritten") << QStringLiteral("overwritten") << 5 << QStringLiteral("is damaged");
    QTest::newRow("a folder") << QStringLiteral("folder") << 5 << QStringLiteral("cannot be written");
    QTest::newRow("a device") << QStringLiteral("device") << 5 << QStringLiteral("is not a file");
    QTest::newRow("a place that cannot be") << QStringLiteral("nowhere") << 5 << QStringLiteral("cannot be created");
}

void TestBadInput::aStoreThatCannotBeOpened()
{
    QFETCH(QString, what);
    QFETCH(int, code);
    QFETCH(QString, says);
    const QHash<QString, QString> places{{QStringLiteral("nowhere"), QStringLiteral("/proc/none/redrive.db")},
                                         {QStringLiteral("device"), QStringLiteral("/dev/null")}};
    const QFile::Permissions readableForAll =
        QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther;
    const QString file = path(QStringLiteral("redrive.db"));
    QByteArray noise(20000, '\0');
    QRandomGenerator(7).generate(reinterpret_cast<quint32 *>(noise.data()),
                                 reinterpret_cast<quint32 *>(noise.data() + noise.size()));
    if (what == QLatin1String("noise"))
        write(file, noise);
    else if (what == QLatin1String("text"))
        write(file, "hello");
    else if (what == QLatin1String("foreign"))
        execute(file, {QStringLiteral("CREATE TABLE t (x)")});
    else if (what == QLatin1String("folder"))
        QVERIFY(QDir().mkpath(file));
    else if (!places.contains(what))
        makeStore(20);
    if (what == QLatin1String("newer"))
        execute(file, {QStringLiteral("PRAGMA user_version=99")});
    else if (what == QLatin1String("cut"))
        write(file, read(file).first(30000));
    else if (what == QLatin1String("overwritten"))
        write(file, read(file).replace(8192, noise.size(), noise));
    const QByteArray before = read(file);
    const bool isForeign = says.contains(QStringLiteral("not a Redrive store"));
    if (isForeign)
        QVERIFY(QFile::setPermissions(file, readableForAll));
    const Ended ended = places.contains(what) ? run(addingTo(places.value(what))) : onStore({QStringLiteral("groups")});
    QVERIFY2(ended.isOneLine(), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    QCOMPARE(ended.code, code);
    QVERIFY(ended.out.isEmpty());
    QCOMPARE(read(file), before); // the file is unchanged
    if (isForeign) {
        QVERIFY(QFileInfo(file).permissions().testFlag(QFile::ReadOther));
        QCOMPARE(QFileInfo(file).dir().entryList({QFileInfo(file).fileName() + u'*'}).size(), 1);
    }
}

// Opening does not read the damaged place: the first statement that does ends all writing.
void TestBadInput::aDamagedPageStopsAllWriting()
{
    makeStore(20);
    const QString file = path(QStringLiteral("redrive.db"));
    qint64 root = 0;
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("look"));
        raw.setDatabaseName(file);
        QVERIFY(raw.open());
        QSqlQuery query(raw);
        QVERIFY(query.exec(QStringLiteral("SELECT rootpage FROM sqlite_schema WHERE name = 'event_log'"))
                && query.next());
        root = query.value(0).toLongLong();
    }
    QSqlDatabase::removeDatabase(QStringLiteral("look"));
    write(file, read(file).replace((root - 1) * 8192, 8192, QByteArray(8192, '\xaa')));
    const Ended ended = onStore({QStringLiteral("connection"), QStringLiteral("remove"), QStringLiteral("shop")});
    QVERIFY2(ended.err.contains(QStringLiteral("redrive: The store accepts no more writes")), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(QStringLiteral("is damaged")), qPrintable(ended.err));
    QCOMPARE(ended.code, 5);
}

void TestBadInput::aFolderWithoutRights()
{
    if (::geteuid() != 0)
        QSKIP("Needs root, to run the program as somebody else.");
    makeStore();
    QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7755)); // readable, not writable
    const QString nobody = QStringLiteral("65534");
    const auto list = [&](const QString &name) {
        return run({QStringLiteral("--store"), path(name), QStringLiteral("connection"), QStringLiteral("list")},
                   nobody);
    };
    const Ended theirs = list(QStringLiteral("redrive.db"));
    if (theirs.err.contains(QStringLiteral("setpriv:")))
        QSKIP("The program cannot be run as somebody else here.");
    const Ended fresh = run(addingTo(path(QStringLiteral("new.db"))), nobody);
    for (const Ended *ended : {&theirs, &fresh}) {
        QVERIFY2(ended->isOneLine(), qPrintable(ended->err));
        QVERIFY2(ended->err.contains(QStringLiteral("Check the permissions")), qPrintable(ended->err));
        QCOMPARE(ended->code, 5);
    }
    QVERIFY(!QFile::exists(path(QStringLiteral("new.db"))));
}

// As under sudo, cron or in a container: standard error is still only for errors.
void TestBadInput::aMachineWithoutASession()
{
    makeStore();
    m_environment.remove(QStringLiteral("XDG_RUNTIME_DIR"));
    m_environment.insert(QStringLiteral("TMPDIR"), m_folder->path());
    const Ended listed = onStore({QStringLiteral("queues")});
    QCOMPARE(listed.code, 0);
    QCOMPARE(listed.err, QString());
}

void TestBadInput::aStoreThatIsInUse()
{
    QProcess *engine = start({QStringLiteral("--store"), path(QStringLiteral("redrive.db")), QStringLiteral("run")});
    QVERIFY(engine->waitForReadyRead(timeoutMs));
    const Ended second = onStore({QStringLiteral("run")});
    QVERIFY2(second.isOneLine(), qPrintable(second.err));
    QVERIFY2(second.err.contains(QStringLiteral("in use by process %1 of").arg(engine->processId())),
             qPrintable(second.err));
    QCOMPARE(second.code, 4);
    const Ended asking = onStore({QStringLiteral("connection"), QStringLiteral("list")});
    QCOMPARE(asking.code, 0); // the holder answers
    QVERIFY2(asking.err.isEmpty(), qPrintable(asking.err));
}

void TestBadInput::aStoreFromAnotherMachineIsAskedAbout()
{
    makeStore(3);
    const QString file = path(QStringLiteral("redrive.db"));
    execute(file, {QStringLiteral("UPDATE store_meta SET home = '0123456789abcdef /var/lib/redrive.db'")});
    if (QSysInfo::machineUniqueId().isEmpty())
        QSKIP("This machine has no id of its own.");
    const Ended asked = onStore({QStringLiteral("connection"), QStringLiteral("list")});
    QVERIFY2(asked.isOneLine(), qPrintable(asked.err));
    QVERIFY2(asked.err.contains(QStringLiteral("--store-was moved or --store-was copied")), qPrintable(asked.err));
    QCOMPARE(asked.code, 4);
    const auto told = [&](const char *how) {
        return onStore({QStringLiteral("--store-was"), QString::fromLatin1(how), QStringLiteral("connection"),
                        QStringLiteral("list")});
    };
    QCOMPARE(told("stolen").code, 2);
    QCOMPARE(told("moved").code, 0);
    QCOMPARE(onStore({QStringLiteral("connection"), QStringLiteral("list")}).code, 0); // asked once
}

void TestBadInput::aFullDiskLosesNothing()
{
    const SmallDisk disk(path(QStringLiteral("small")), 4 * 1024 * 1024); // a new store and its log need less than 3
    if (!disk.isThere())
        QSKIP("No small file system may be mounted here.");
    const QString store = QStringLiteral("small/redrive.db");
    const QString fill = path(QStringLiteral("small/fill"));
    const auto add = [&](const char *name) {
        return onStore({QStringLiteral("connection"), QStringLiteral("add"), QString::fromLatin1(name),
                        QStringLiteral("servicebus+http://key@127.0.0.1:1/")},
                       store);
    };
    QCOMPARE(add("first").code, 0);
    QFile file(fill);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (file.write(QByteArray(4096, 'x')) == 4096) {
    }
    const Ended full = add("second");
    QVERIFY2(full.err.contains(QStringLiteral("is full. Free some space")), qPrintable(full.err));
    QCOMPARE(full.code, 5);
    QVERIFY(file.remove());
    QCOMPARE(add("third").code, 0);
    const Ended listed = onStore({QStringLiteral("connection"), QStringLiteral("list")}, store);
    QVERIFY(listed.out.contains(QStringLiteral("first")) && listed.out.contains(QStringLiteral("third")));
    QVERIFY(!listed.out.contains(QStringLiteral("second")));
}

void TestBadInput::aDiskThatIsTooSmallForAStore()
{
    const SmallDisk disk(path(QStringLiteral("small")), 64 * 1024);
    if (!disk.isThere())
        QSKIP("No small file system may be mounted here.");
    const Ended ended = run(addingTo(path(QStringLiteral("small/redrive.db"))));
    QVERIFY2(ended.isOneLine(), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(QStringLiteral("is full")), qPrintable(ended.err));
    QCOMPARE(ended.code, 5);
}

QString TestBadInput::startBroker(const QString &key)
{
    m_environment.insert(QStringLiteral("REDRIVE_BROKER_KEY"), key);
    QProcess *broker = start({QStringLiteral("--json"), QStringLiteral("broker"), QStringLiteral("--listen"),
                              QStringLiteral("127.0.0.1:0"), QStringLiteral("--data"), path(QStringLiteral("broker"))});
    broker->waitForReadyRead(timeoutMs);
    return QJsonDocument::fromJson(broker->readLine())[QLatin1StringView("url")].toString();
}

void TestBadInput::aBrokerThatCannotBeUsed_data()
{
    QTest::addColumn<QString>("url"); // empty: the broker of the test
    QTest::addColumn<QString>("secret");
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const QStringList tried{QStringLiteral("connection"), QStringLiteral("test"), QStringLiteral("shop")};
    const QStringList taken{QStringLiteral("intake"), QStringLiteral("--once")};
    const QString closed = QStringLiteral("servicebus+http://key@127.0.0.1:1/");
    const QString nobody = QStringLiteral("servicebus+http://key@no.such.host.invalid/");
    const QString right = QStringLiteral("right");
    QTest::newRow("nobody listens") << closed << right << tried << 3
                                    << QStringLiteral("127.0.0.1:1 refused the connection");
    QTest::newRow("nobody listens, intake")
        << closed << right << taken << 3 << QStringLiteral("refused the connection");
    QTest::newRow("no such host") << nobody << right << tried << 3 << QStringLiteral("no.such.host.invalid");
    QTest::newRow("wrong key") << QString() << QStringLiteral("wrong") << tried << 4
                               << QStringLiteral("Check the name of the key and the key.");
    QTest::newRow("wrong key, intake") << QString() << QStringLiteral("wrong") << taken << 4
                                       << QStringLiteral("Check the name of the key and the key.");
    QTest::newRow("missing queue") << QString() << right
                                   << taken + QStringList{QStringLiteral("--queue"), QStringLiteral("no")} << 3
                                   << QStringLiteral("The queue no does not exist on shop");
}

void TestBadInput::aBrokerThatCannotBeUsed()
{
    QFETCH(QString, url);
    QFETCH(QString, secret);
    QFETCH(QStringList, command);
    QFETCH(int, code);
    QFETCH(QString, says);
    const QString there = url.isEmpty() ? startBroker(QStringLiteral("right")) : url;
    QVERIFY(!there.isEmpty());
    m_environment.insert(QStringLiteral("REDRIVE_SECRET_SHOP"), secret);
    QCOMPARE(onStore({QStringLiteral("connection"), QStringLiteral("add"), QStringLiteral("shop"), there,
                      QStringLiteral("--environment"), QStringLiteral("development"), QStringLiteral("--error-queue"),
                      QStringLiteral("error")})
                 .code,
             0);
    const Ended ended = onStore(command);
    QVERIFY2(ended.err.startsWith(QStringLiteral("redrive: ")) && ended.err.count(QLatin1Char('\n')) == 1,
             qPrintable(ended.err));
    QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    QVERIFY(!ended.err.contains(secret));
    QCOMPARE(ended.code, code);
}

void TestBadInput::aBrokerFileThatIsInUse()
{
    QVERIFY(!startBroker(QStringLiteral("right")).isEmpty());
    const Ended second = run({QStringLiteral("broker"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                              QStringLiteral("--data"), path(QStringLiteral("broker"))});
    QVERIFY2(second.isOneLine(), qPrintable(second.err));
    QVERIFY2(second.err.contains(QStringLiteral("in use by another program")), qPrintable(second.err));
    QCOMPARE(second.code, 4);
}

void TestBadInput::aBrokerFileThatIsNone()
{
    QVERIFY(QDir().mkpath(path(QStringLiteral("broker"))));
    write(path(QStringLiteral("broker/broker.db")), QByteArray(9999, 'x'));
    const Ended ended = run({QStringLiteral("broker"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                             QStringLiteral("--data"), path(QStringLiteral("broker"))});
    QVERIFY2(ended.isOneLine(), qPrintable(ended.err));
    QVERIFY2(ended.err.contains(QStringLiteral("does not belong to this broker")), qPrintable(ended.err));
    QCOMPARE(ended.code, 5);
    QCOMPARE(read(path(QStringLiteral("broker/broker.db"))), QByteArray(9999, 'x'));
}

REDRIVE_TEST(TestBadInput)
#include "tst_badinput.moc"
