// Which messages are flagged because the broker's interface cannot send their headers back.
#include "backend/intake/pages/interpretation.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Convention;
using records::MessageFlag;
using records::MessageFlags;
using Place = records::MessagePlace;

namespace {

records::Headers headers()
{
    return {{QStringLiteral("plain"), QStringLiteral("x")},
            {QStringLiteral("lost"), QStringLiteral("undefined?")},
            {QStringLiteral("empty"), QCborValue(nullptr)},
            {QStringLiteral("number"), 2.5}};
}

// The flags of a message with these headers.
MessageFlags flagsOf(const QStringList &lossy, const QStringList &maybeDecimals,
                     const records::Conventions &applied = {})
{
    broker::ReceivedMessage held;
    held.envelope.headers = headers();
    held.lossyHeaders = lossy;
    held.maybeDecimals = maybeDecimals;
    store::NewMessage fresh;
    fresh.envelope = held.envelope;
    fresh.receipt = intake::receiptOf(held);
    dialect::Arrival arrival;
    arrival.envelope = held.envelope;
    dialect::Reading reading;
    reading.dialect = QStringLiteral("unknown");
    intake::interpret(fresh, arrival, reading, applied, held.notFaithful);
    return fresh.message.flags;
}

// A stored message with these headers, read again.
records::FailedMessage readAnew(const records::FailedMessage &record, const QStringList &lossy,
                                const records::Conventions &conventions)
{
    records::Connection connection;
    connection.kind = records::BrokerKind::RabbitMq;
    store::Original original;
    original.envelope.headers = headers();
    original.receipt.lossyHeaders = lossy;
    return intake::readAnew(connection, record, original, {}, conventions).message;
}

} // namespace

class TestFaithfulness final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNumberThatMayBeADecimalIsToldApart()
    {
        const QStringList number{QStringLiteral("number")};
        QVERIFY(flagsOf({}, {}) == MessageFlags());
        QVERIFY(flagsOf({}, number) == (MessageFlag::NotFaithful | MessageFlag::Decimals));
        // What cannot be sent in any case is not only a matter of decimals.
        QVERIFY(flagsOf({QStringLiteral("lost")}, number) == MessageFlags(MessageFlag::NotFaithful));
        QVERIFY(flagsOf({QStringLiteral("lost")}, {}) == MessageFlags(MessageFlag::NotFaithful));
    }

    // A store of an older version has no names of such headers, only the flags (store::flagOlderDecimals).
    void whatAnOlderVersionTookIsReadAsToday_data()
    {
        QTest::addColumn<QStringList>("lossy");
        QTest::addColumn<bool>("mayBeMissing"); // a convention says so of the empty header
        QTest::addColumn<MessageFlags>("flags");
        const MessageFlags decimals = MessageFlag::NotFaithful | MessageFlag::Decimals;
        const QStringList empty{QStringLiteral("empty")};
        QTest::newRow("alone") << QStringList() << false << decimals;
        QTest::newRow("and an empty header") << empty << false << MessageFlags(MessageFlag::NotFaithful);
        QTest::newRow("and one that may be missing") << empty << true << decimals;
        QTest::newRow("and a lost one") << QStringList{QStringLiteral("lost")} << false
                                        << MessageFlags(MessageFlag::NotFaithful);
    }

    void whatAnOlderVersionTookIsReadAsToday()
    {
        QFETCH(const QStringList, lossy);
        QFETCH(const bool, mayBeMissing);
        QFETCH(const MessageFlags, flags);
        Convention convention;
        convention.name = QStringLiteral("ours");
        convention.beforeRetry = {
            {Convention::BeforeRetry::Do::EmptyIsMissing, {Place::In::Header, QStringLiteral("empty"), {}}}};
        const records::Conventions applied = mayBeMissing ? records::Conventions{convention} : records::Conventions();
        records::FailedMessage record;
        record.flags = flags;
        QVERIFY(flagsOf(lossy, {QStringLiteral("number")}, applied) == flags);
        QVERIFY(readAnew(record, lossy, applied).flags == flags);
    }

    // Only its intake knew why it cannot be sent.
    void anotherReasonStays()
    {
        records::FailedMessage record;
        record.flags = MessageFlag::NotFaithful;
        QVERIFY(readAnew(record, {}, {}).flags == MessageFlags(MessageFlag::NotFaithful));
    }
};

REDRIVE_TEST(TestFaithfulness)
#include "tst_faithfulness.moc"
