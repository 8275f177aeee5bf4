// A store that is found at another place: moved, copied, or only reached by another name.
#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/query/questions/logqueries.h"
#include "backend/store/retry/forwardingstore.h"
#include "backend/store/retry/retrybatchstore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/backend/store/underway.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;
using core::Result;
using records::OperationState;
using records::Outcome;
using store::Provenance;
using store::Session;
using store::SqliteStore;
using test::must;
using test::why;

class TestStoreCopy final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aCopyGetsAnIdOfItsOwn();
    void aMovedFileKeepsItsId();
    void aLinkIsTheSameStore();
    void aFolderMovedBehindALinkIsTheSameStore();
    void fromAnotherMachineItIsAsked();
    void aCopyRests_data();
    void aCopyRests();
    void theOriginalGoesOn();

private:
    [[nodiscard]] QString path(const QString &name = QStringLiteral("redrive.db")) const
    {
        return m_folder->filePath(name);
    }
    [[nodiscard]] Result<std::unique_ptr<SqliteStore>> open(const QString &name = QStringLiteral("redrive.db"),
                                                            Provenance provenance = Provenance::Unknown)
    {
        return SqliteStore::open(path(name), m_random, provenance);
    }
    // Five messages in one operation: two sent without an answer so far, three not yet; one intake, one followed queue.
    void fill(bool onBroker);

    std::unique_ptr<QTemporaryDir> m_folder;
    core::SeededRandom m_random{3};
    core::ConnectionId m_connection;
    core::OperationId m_operation;
};

void TestStoreCopy::initTestCase()
{
    if (QSysInfo::machineUniqueId().isEmpty())
        QSKIP("this machine has no id");
}

void TestStoreCopy::fill(bool onBroker)
{
    const auto store = must(open());
    must(store->transact([&](Session &session) -> Result<> {
        m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        QList<core::MessageId> messages;
        for (int n = 0; n < 5; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.status = records::MessageStatus::Unresolved;
            fresh.message.cameBack = 0;
            fresh.message.flags = {};
            messages.append(must(session.messages().insert(fresh)));
        }
        records::IntakeRun run;
        run.connection = m_connection;
        run.sourceQueue = QStringLiteral("error");
        run.holdingName = QStringLiteral("redrive.holding");
        must(session.intakes().begin(run));
        must(session.intakes().setSubscribed(m_connection, QStringLiteral("error"), true));

        m_operation = test::retryUnderWay(session, m_connection, messages, onBroker);
        return {};
    }));
}

void TestStoreCopy::aCopyGetsAnIdOfItsOwn()
{
    const QString id = must(open())->storeId();
    QVERIFY(QFile::copy(path(), path(QStringLiteral("copy.db"))));
    QString copied;
    {
        const auto copy = must(open(QStringLiteral("copy.db")));
        copied = copy->storeId();
        QVERIFY(copied != id);
        QCOMPARE(copy->copiedFrom(), path());
        const QList<records::Event> told = must(store::readEvents(copy->database(), {}));
        QCOMPARE(told.size(), 1); // it says so, once
        QCOMPARE(told.first().onWhat, path(QStringLiteral("copy.db")));
        QVERIFY(told.first().severity == records::Severity::Warning);
        QVERIFY2(told.first().result.contains(path()), qPrintable(told.first().result));
    }
    const auto original = must(open());
    QCOMPARE(original->storeId(), id);
    QCOMPARE(original->copiedFrom(), QString());
    const auto again = must(open(QStringLiteral("copy.db")));
    QCOMPARE(again->storeId(), copied);
    QCOMPARE(again->copiedFrom(), QString());
    QCOMPARE(must(store::readEvents(again->database(), {})).size(), 1);
}

void TestStoreCopy::aMovedFileKeepsItsId()
{
    const QString id = must(open())->storeId();
    QVERIFY(QFile::rename(path(), path(QStringLiteral("moved.db"))));
    QCOMPARE(must(open(QStringLiteral("moved.db")))->storeId(), id);
}

void TestStoreCopy::aLinkIsTheSameStore()
{
    auto store = must(open());
    QVERIFY(QFile::link(path(), path(QStringLiteral("link.db"))));
    const auto second = open(QStringLiteral("link.db"));
    QVERIFY(!second); // one file, one lock
    QVERIFY(second.error().kind == ErrorKind::Conflict);
    QVERIFY(store::StoreLock::holder(path(QStringLiteral("link.db"))));
    const QString id = store->storeId();
    store.reset();
    QCOMPARE(must(open(QStringLiteral("link.db")))->storeId(), id);
}

void TestStoreCopy::aFolderMovedBehindALinkIsTheSameStore()
{
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("old")));
    const QString id = must(open(QStringLiteral("old/redrive.db")))->storeId();
    QVERIFY(QDir(m_folder->path()).rename(QStringLiteral("old"), QStringLiteral("new")));
    QVERIFY(QFile::link(path(QStringLiteral("new")), path(QStringLiteral("old"))));
    QCOMPARE(must(open(QStringLiteral("old/redrive.db")))->storeId(), id);
    QCOMPARE(must(open(QStringLiteral("new/redrive.db")))->storeId(), id);
}

void TestStoreCopy::fromAnotherMachineItIsAsked()
{
    const auto cameFromElsewhere = [this] {
        const auto store = must(open(QStringLiteral("redrive.db"), Provenance::Moved));
        const int rows =
            must(store->database()
                     .sql(QStringLiteral("UPDATE store_meta SET home = 'elsewhere /home/maria/redrive.db'"))
                     .run());
        return rows == 1 ? store->storeId() : QString();
    };
    const QString id = cameFromElsewhere();
    const auto refused = open();
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::Refused);
    QVERIFY(store::asksForProvenance(refused.error()));
    QVERIFY2(refused.error().message.contains(QStringLiteral("/home/maria/redrive.db")), why(refused).constData());
    QVERIFY2(refused.error().message.contains(QStringLiteral("--store-was")), why(refused).constData());
    QCOMPARE(must(open(QStringLiteral("redrive.db"), Provenance::Moved))->storeId(), id);
    QCOMPARE(must(open())->storeId(), id); // said once
    QCOMPARE(cameFromElsewhere(), id);
    const QString copy = must(open(QStringLiteral("redrive.db"), Provenance::Copied))->storeId();
    QVERIFY(copy != id);
    QCOMPARE(must(open())->storeId(), copy);
}

void TestStoreCopy::aCopyRests_data()
{
    QTest::addColumn<bool>("onBroker");
    QTest::addColumn<qint64>("inDoubt");
    QTest::newRow("staging queue") << true << qint64{5};
    QTest::newRow("intent log") << false << qint64{2};
}

// The original may send what it has under way: the copy must not send any of it by itself.
void TestStoreCopy::aCopyRests()
{
    QFETCH(bool, onBroker);
    QFETCH(qint64, inDoubt);
    fill(onBroker);
    QVERIFY(QFile::copy(path(), path(QStringLiteral("copy.db"))));
    const auto copy = must(open(QStringLiteral("copy.db")));
    must(copy->read([&](Session &session) -> Result<> {
        const records::RetryOperation operation = must(session.retryOperations().load(m_operation));
        [&] {
            QVERIFY(operation.state == OperationState::Paused);
            QVERIFY(!operation.waitingReason.isEmpty());
            QCOMPARE(operation.counts.inDoubt, inDoubt);
            QCOMPARE(operation.counts.claimed, 5 - inDoubt);
            QCOMPARE(operation.counts.staged, qint64{0});
            QVERIFY(operation.counts == must(session.retryBatches().recount(m_operation)));
            QVERIFY(!must(session.forwarding().nowForwarding(m_connection)));
            QVERIFY(must(session.intakes().open(m_connection)).isEmpty());
            QVERIFY(must(session.intakes().subscribed(m_connection)).isEmpty());
        }();
        return {};
    }));
}

void TestStoreCopy::theOriginalGoesOn()
{
    fill(true);
    QVERIFY(QFile::copy(path(), path(QStringLiteral("copy.db"))));
    QVERIFY(open(QStringLiteral("copy.db")));
    const auto original = must(open());
    must(original->read([&](Session &session) -> Result<> {
        const records::RetryOperation operation = must(session.retryOperations().load(m_operation));
        [&] {
            QVERIFY(operation.state == OperationState::Running);
            QCOMPARE(operation.counts.staged, qint64{5});
            QVERIFY(must(session.forwarding().nowForwarding(m_connection)));
            QCOMPARE(must(session.intakes().open(m_connection)).size(), 1);
            QCOMPARE(must(session.intakes().subscribed(m_connection)).size(), 1);
        }();
        return {};
    }));
}

REDRIVE_TEST(TestStoreCopy)
#include "tst_storecopy.moc"
