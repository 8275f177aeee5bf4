// What an older version took from RabbitMQ is flagged when its store is opened, if a number in its headers may be an AMQP
// decimal. tst_faithfulness has the flags of today's intake for the same messages.
#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTemporaryDir>
#include <QTest>

using core::MessageId;
using core::Result;
using records::BrokerKind;
using records::MessageFlag;
using records::MessageFlags;
using test::must;

namespace {

const QString header = QStringLiteral("price");

} // namespace

class TestOlderDecimals final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatMayBeADecimalIsFlagged_data();
    void whatMayBeADecimalIsFlagged();
    void noBodyIsWrittenAgain();
    void itHappensAsAWhole();

private:
    [[nodiscard]] std::unique_ptr<store::SqliteStore> open()
    {
        return must(store::SqliteStore::open(path(), m_random));
    }
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("redrive.db")); }
    void storeAsVersion15(BrokerKind kind, const QCborValue &value, MessageFlags flags, const records::Receipt &receipt,
                          int count);

    QTemporaryDir m_folder;
    core::SeededRandom m_random{3};
};

void TestOlderDecimals::storeAsVersion15(BrokerKind kind, const QCborValue &value, MessageFlags flags,
                                         const records::Receipt &receipt, int count)
{
    QFile::remove(path());
    must(open()->transact([&](store::Session &session) -> Result<> {
        records::Connection connection = test::sampleConnection(QStringLiteral("c"));
        connection.kind = kind;
        connection.id = must(session.connections().add(connection));
        for (int n = 1; n <= count; ++n) {
            store::NewMessage fresh = test::sampleMessage(connection.id, n);
            fresh.envelope.headers = {{QStringLiteral("text"), QStringLiteral("û")}, {header, value}};
            fresh.message.flags = flags;
            fresh.receipt = receipt;
            must(session.messages().insert(fresh));
        }
        return {};
    }));
    test::executeRaw(path(), {QStringLiteral("PRAGMA user_version=15"), QStringLiteral("DROP TABLE intake_step"),
                              QStringLiteral("DROP TABLE deliveries_used"),
                              QStringLiteral("ALTER TABLE retry_operation DROP COLUMN broker_share"),
                              QStringLiteral("ALTER TABLE retry_operation DROP COLUMN include_duplicates"),
                              QStringLiteral("ALTER TABLE retry_operation DROP COLUMN ask_endpoints")});
}

void TestOlderDecimals::whatMayBeADecimalIsFlagged_data()
{
    QTest::addColumn<BrokerKind>("kind");
    QTest::addColumn<QCborValue>("value");
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<bool>("lossy");
    const int none = 0;
    const int unfaithful = int(MessageFlag::NotFaithful);
    const int decimals = unfaithful | int(MessageFlag::Decimals);
    const int damaged = int(MessageFlag::Damaged);
    QTest::newRow("decimal") << BrokerKind::RabbitMq << QCborValue(2.314) << none << decimals << false;
    QTest::newRow("in a list") << BrokerKind::RabbitMq << QCborValue(QCborArray{1, QCborArray{2.5}}) << none << decimals
                               << false;
    QTest::newRow("other flags stay") << BrokerKind::RabbitMq << QCborValue(1.0) << damaged << (damaged | decimals)
                                      << false;
    QTest::newRow("certainly a double") << BrokerKind::RabbitMq << QCborValue(-2.5) << none << none << false;
    QTest::newRow("integer") << BrokerKind::RabbitMq << QCborValue(251) << none << none << false;
    QTest::newRow("bytes") << BrokerKind::RabbitMq << QCborValue(QByteArray("\xfb\x40", 2)) << none << none << false;
    QTest::newRow("another broker") << BrokerKind::ServiceBus << QCborValue(2.314) << none << none << false;
    QTest::newRow("cannot be sent in any case")
        << BrokerKind::RabbitMq << QCborValue(2.314) << unfaithful << unfaithful << false;
    const int empty = unfaithful | int(MessageFlag::EmptyHeaders);
    QTest::newRow("not only for an empty header")
        << BrokerKind::RabbitMq << QCborValue(2.314) << empty << unfaithful << true;
}

void TestOlderDecimals::whatMayBeADecimalIsFlagged()
{
    QFETCH(const BrokerKind, kind);
    QFETCH(const QCborValue, value);
    QFETCH(const int, before);
    QFETCH(const int, after);
    QFETCH(const bool, lossy);
    records::Receipt receipt;
    receipt.lossyHeaders = lossy ? QStringList{QStringLiteral("gone")} : QStringList();
    storeAsVersion15(kind, value, MessageFlags::fromInt(before), receipt, 1);
    must(open()->read([&](store::Session &session) -> Result<> {
        const store::Original original = must(session.messages().loadOriginal(MessageId{1}));
        [&] {
            QCOMPARE(int(original.flags.toInt()), after);
            QCOMPARE(original.receipt.lossyHeaders, receipt.lossyHeaders);
        }();
        return {};
    }));
}

// A change of message_content would write each body once more.
void TestOlderDecimals::noBodyIsWrittenAgain()
{
    storeAsVersion15(BrokerKind::RabbitMq, 2.5, {}, {}, 1);
    test::executeRaw(path(), {QStringLiteral("CREATE TRIGGER untouched BEFORE UPDATE ON message_content"
                                             " BEGIN SELECT RAISE(ABORT, 'written'); END")});
    must(open()->read([](store::Session &session) -> Result<> {
        [&] { QVERIFY(must(session.messages().load(MessageId{1})).flags.testFlag(MessageFlag::Decimals)); }();
        return {};
    }));
}

// On the second page it fails once, as on a full disk: nothing of it is kept, and the next start does all of it.
void TestOlderDecimals::itHappensAsAWhole()
{
    constexpr int count = 1001;
    storeAsVersion15(BrokerKind::RabbitMq, 2.5, {}, {}, count);
    test::executeRaw(path(), {QStringLiteral("CREATE TRIGGER full BEFORE UPDATE ON failed_message WHEN new.id = %1"
                                             " BEGIN SELECT RAISE(ABORT, 'full'); END")
                                  .arg(count)});
    QVERIFY(!store::SqliteStore::open(path(), m_random));
    // These statements fail if the file has any other format, or a flagged message.
    test::executeRaw(path(), {QStringLiteral("DROP TRIGGER full"),
                              QStringLiteral("CREATE TABLE proof (ok INTEGER NOT NULL CHECK (ok))"),
                              QStringLiteral("INSERT INTO proof SELECT user_version = 15 FROM pragma_user_version"),
                              QStringLiteral("INSERT INTO proof SELECT flags = 0 FROM failed_message"),
                              QStringLiteral("DROP TABLE proof")});
    must(open()->read([](store::Session &session) -> Result<> {
        for (qint64 id = 1; id <= count; ++id)
            [&] { QVERIFY(must(session.messages().load(MessageId{id})).flags.testFlag(MessageFlag::Decimals)); }();
        return {};
    }));
}

REDRIVE_TEST(TestOlderDecimals)
#include "tst_olderdecimals.moc"
