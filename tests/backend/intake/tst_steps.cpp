// What a step stores of messages is read again as it was, and what is gone afterwards is told from what others did.
#include "backend/intake/steps/stepmatch.h"
#include "backend/intake/steps/stepnote.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::ReceivedMessage;

namespace {

ReceivedMessage message(int number)
{
    ReceivedMessage one;
    one.nativeId = QString::number(number);
    one.envelope.body = QByteArray::number(number);
    return one;
}

QList<ReceivedMessage> messages(int from, int to)
{
    QList<ReceivedMessage> all;
    for (int i = from; i < to; ++i)
        all.append(message(i));
    return all;
}

QStringList idsOf(const QList<ReceivedMessage> &all)
{
    QStringList ids;
    for (const ReceivedMessage &one : all)
        ids.append(one.nativeId);
    return ids;
}

} // namespace

class TestSteps final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNoteIsReadAsItWas();
    void aDamagedNoteIsToldSo();
    void anAnswerIsMatchedWhateverItsOrder();
    void twinsAreMatchedOneByOne();
    void whatIsGoneIsOurs_data();
    void whatIsGoneIsOurs();
    void ofTwinsAllThatMayBeGoneIsGone_data();
    void ofTwinsAllThatMayBeGoneIsGone();
    void whatWasShownBeforeIsNotNew_data();
    void whatWasShownBeforeIsNotNew();
};

void TestSteps::aNoteIsReadAsItWas()
{
    ReceivedMessage full = message(7);
    full.envelope.headers = {{QStringLiteral("a"), 1.0}, {QStringLiteral("b"), QCborArray{1, QStringLiteral("x")}}};
    full.envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    full.envelope.body = QByteArray("\0\xff\n", 3);
    full.envelope.exchange = QStringLiteral("dlx");
    full.envelope.routingKey = QStringLiteral("orders");
    full.deliveryCount = 3;
    full.enqueuedAt = core::fromMs(1234567);
    full.origin = QStringLiteral("orders");
    full.notFaithful = true;
    full.lossyHeaders = {QStringLiteral("a")};
    full.maybeDecimals = {QStringLiteral("b")};
    full.retention = {records::BrokerRetention::Known::Limited, core::Milliseconds{60000}, {}};
    full.wasReturned = true;
    const auto read = intake::messagesFromStepNote(intake::toStepNote({full, message(8)}));
    QVERIFY(read);
    QCOMPARE(read->size(), 2);
    const ReceivedMessage &one = read->first();
    QCOMPARE(one.nativeId, full.nativeId);
    QVERIFY(one.envelope == full.envelope);
    QCOMPARE(one.deliveryCount, full.deliveryCount);
    QVERIFY(one.enqueuedAt == full.enqueuedAt);
    QCOMPARE(one.origin, full.origin);
    QCOMPARE(one.notFaithful, full.notFaithful);
    QCOMPARE(one.lossyHeaders, full.lossyHeaders);
    QCOMPARE(one.maybeDecimals, full.maybeDecimals);
    QVERIFY(one.retention.keeps == full.retention.keeps);
    QCOMPARE(one.wasReturned, full.wasReturned);
    QVERIFY(!read->last().deliveryCount);
    QVERIFY(!read->last().enqueuedAt);
    QVERIFY(!intake::isLookedAt(intake::toStepNote({full})));
    const QByteArray again = intake::toStepNote({full, message(8)}, true);
    QVERIFY(intake::isLookedAt(again));
    QCOMPARE(idsOf(*intake::messagesFromStepNote(again)), QStringList({full.nativeId, QStringLiteral("8")}));
}

void TestSteps::aDamagedNoteIsToldSo()
{
    const QByteArray note = intake::toStepNote(messages(0, 3));
    const auto read = intake::messagesFromStepNote(note.left(note.size() - 4));
    QVERIFY(!read);
    QCOMPARE(core::toString(read.error().kind), core::toString(core::ErrorKind::Corrupt));
}

// Others may have changed the order meanwhile, and a broker may count what it shows.
void TestSteps::anAnswerIsMatchedWhateverItsOrder()
{
    ReceivedMessage counted = message(1);
    counted.envelope.headers = {{QStringLiteral("x-delivery-count"), 1}};
    const intake::StepAnswer matched =
        intake::matchedAnswer(messages(0, 4), {message(3), counted, message(99), message(0)});
    QCOMPARE(idsOf(matched.known), QStringList({QStringLiteral("3"), QStringLiteral("1"), QStringLiteral("0")}));
    QCOMPARE(idsOf(matched.others), QStringList{QStringLiteral("99")});
}

void TestSteps::twinsAreMatchedOneByOne()
{
    ReceivedMessage twin = message(0);
    twin.nativeId = QStringLiteral("twin");
    const intake::StepAnswer matched = intake::matchedAnswer({message(0), twin}, {twin, twin, twin});
    QCOMPARE(idsOf(matched.known), QStringList({QStringLiteral("0"), QStringLiteral("twin")}));
    QCOMPARE(matched.others.size(), 1);
    const intake::StepRest rest = intake::restOfStep({message(0), twin}, {twin}, {1, 2, 1});
    QCOMPARE(idsOf(rest.gone), QStringList{QStringLiteral("0")});
    QVERIFY(rest.isOurs);
}

void TestSteps::whatIsGoneIsOurs_data()
{
    QTest::addColumn<int>("gone");
    QTest::addColumn<int>("now"); // messages in the queue
    QTest::addColumn<int>("stored");
    QTest::addColumn<bool>("isOurs");
    QTest::addColumn<bool>("othersTook");
    QTest::newRow("nothing") << 0 << 20 << 0 << true << false;
    QTest::newRow("all that was asked for") << 5 << 15 << 5 << true << false;
    QTest::newRow("others arrived") << 5 << 40 << 5 << true << false;
    QTest::newRow("fewer than asked for") << 3 << 17 << 3 << false << false;
    QTest::newRow("more than asked for") << 6 << 14 << 6 << false << true;
    QTest::newRow("fewer are there than may be") << 5 << 14 << 10 << false << true;
    QTest::newRow("nothing, but fewer are there") << 0 << 19 << 10 << false << true;
}

void TestSteps::whatIsGoneIsOurs()
{
    QFETCH(const int, gone);
    QFETCH(const int, now);
    QFETCH(const int, stored);
    QFETCH(const bool, isOurs);
    QFETCH(const bool, othersTook);
    const intake::StepRest rest = intake::restOfStep(messages(0, 10), messages(gone, 15), {5, 20, now});
    QCOMPARE(idsOf(rest.gone), idsOf(messages(0, stored)));
    QCOMPARE(rest.isOurs, isOurs);
    QCOMPARE(rest.othersTook, othersTook);
}

void TestSteps::ofTwinsAllThatMayBeGoneIsGone_data()
{
    QTest::addColumn<int>("now"); // messages in the queue
    QTest::addColumn<int>("gone");
    QTest::addColumn<bool>("isOurs");
    QTest::addColumn<bool>("othersTook");
    QTest::newRow("our request was carried out") << 450 << 50 << true << false;
    QTest::newRow("it was not, or as many arrived") << 500 << 50 << false << false;
    QTest::newRow("some arrived") << 470 << 50 << false << false;
    QTest::newRow("others took some") << 443 << 100 << false << true;
}

// 500 identical messages, of which 100 were stored: those behind move up and look like those that are gone.
void TestSteps::ofTwinsAllThatMayBeGoneIsGone()
{
    QFETCH(const int, now);
    const intake::StepRest rest = intake::restOfStep(QList<ReceivedMessage>(100, message(0)),
                                                     QList<ReceivedMessage>(150, message(0)), {50, 500, now});
    QTEST(int(rest.gone.size()), "gone");
    QTEST(rest.isOurs, "isOurs");
    QTEST(rest.othersTook, "othersTook");
}

void TestSteps::whatWasShownBeforeIsNotNew_data()
{
    QTest::addColumn<bool>("wasReturned");
    QTest::addColumn<bool>("knowsReturned");
    QTest::addColumn<int>("gone");
    QTest::addColumn<bool>("isOurs");
    QTest::newRow("the same are there") << true << true << 0 << true;
    QTest::newRow("the same arrived again") << false << true << 20 << true;
    QTest::newRow("nobody knows") << true << false << 20 << false;
}

// All of the queue was asked for, and the same is there.
void TestSteps::whatWasShownBeforeIsNotNew()
{
    QFETCH(const bool, wasReturned);
    QFETCH(const bool, knowsReturned);
    QList<ReceivedMessage> there = messages(0, 20);
    for (ReceivedMessage &one : there)
        one.wasReturned = wasReturned;
    const intake::StepRest rest = intake::restOfStep(messages(0, 20), there, {20, 20, 20, knowsReturned});
    QTEST(int(rest.gone.size()), "gone");
    QTEST(rest.isOurs, "isOurs");
    QVERIFY(!rest.othersTook);
}

REDRIVE_TEST(TestSteps)
#include "tst_steps.moc"
