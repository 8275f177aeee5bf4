// Which messages are flagged because the broker's interface cannot send their headers back.
#include "backend/intake/pages/interpretation.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::MessageFlag;
using records::MessageFlags;

namespace {

// The flags of a message with the headers "plain", "lost", "empty" (null) and "number".
MessageFlags flagsOf(const QStringList &lossy, const QStringList &maybeDecimals)
{
    broker::ReceivedMessage held;
    held.envelope.headers = {{QStringLiteral("plain"), QStringLiteral("x")},
                             {QStringLiteral("lost"), QStringLiteral("undefined?")},
                             {QStringLiteral("empty"), QCborValue(nullptr)},
                             {QStringLiteral("number"), 2.5}};
    held.lossyHeaders = lossy;
    held.maybeDecimals = maybeDecimals;
    store::NewMessage fresh;
    fresh.envelope = held.envelope;
    fresh.receipt = intake::receiptOf(held);
    dialect::Arrival arrival;
    arrival.envelope = held.envelope;
    dialect::Reading reading;
    reading.dialect = QStringLiteral("unknown");
    intake::interpret(fresh, arrival, reading, {}, held.notFaithful);
    return fresh.message.flags;
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
};

REDRIVE_TEST(TestFaithfulness)
#include "tst_faithfulness.moc"
