// Every broker behind a server that answers wrongly: as a whole, on the wire, with the answer to another request.
#include "tests/brokers/hostileside.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::Verdict;
using support::BrokenServer;
using test::Asked;
using test::Kind;
using test::Side;
using Fault = support::Tamper::Fault;
using Wire = support::BrokenServer::Wire;


namespace {

constexpr int failed = 40; // messages

const QList<std::pair<Kind, const char *>> kinds{{Kind::RabbitMq, "RabbitMQ"},
                                                 {Kind::ServiceBus, "Service Bus"},
                                                 {Kind::StorageQueues, "Storage Queues"},
                                                 {Kind::Sqs, "SQS"}};

struct Named
{
    Fault fault;
    const char *name;
};
const QList<Named> wrongAnswers{{Fault::LoginPage, "login page"},
                                {Fault::OtherForm, "other form"},
                                {Fault::Empty, "empty"},
                                {Fault::HalfBody, "half a body"},
                                {Fault::Elsewhere, "redirect to another host"}};
const QList<Named> othersAnswers{{Fault::Again, "an earlier answer again"},
                                 {Fault::Shifted, "the answer before"},
                                 {Fault::Swapped, "two answers swapped"}};
const QList<Named> wrongLists{
    {Fault::EntryTwice, "an entry twice"}, {Fault::Reversed, "another order"}, {Fault::UnknownIds, "unknown ids"}};

void eachKindWith(const QList<Named> &faults)
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Fault>("fault");
    for (const auto &[kind, name] : kinds) {
        for (const Named &one : faults)
            QTest::addRow("%s: %s", name, one.name) << kind << one.fault;
    }
}

// Empty: it is one line that a person can read.
QByteArray faultOf(const core::Error &error)
{
    const QString &text = error.message;
    const bool isFine =
        !text.isEmpty() && text.size() < 500 && !text.contains(QLatin1Char('\n')) && !text.contains(QLatin1Char('<'));
    return isFine ? QByteArray() : "unclear: " + text.left(600).toUtf8();
}

template<typename T>
QByteArray notTold(const char *call, const core::Result<T> &result)
{
    return result ? QByteArray(call) + " succeeded" : faultOf(result.error());
}

// The answer is a message itself, and its body may be anything: nobody can see that another stands in its place.
bool isAnyBody(Kind kind, Fault fault)
{
    return kind == Kind::ServiceBus && (fault == Fault::HalfBody || fault == Fault::OtherForm);
}

} // namespace

class TestHostileAnswers final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutFaultsAllWorks_data();
    void withoutFaultsAllWorks();
    void aWrongAnswerIsToldInOneLine_data();
    void aWrongAnswerIsToldInOneLine();
    void aBrokenLineIsToldInOneLine_data();
    void aBrokenLineIsToldInOneLine();
    void anUntrustedCertificateIsToldAndNothingIsSaid_data();
    void anUntrustedCertificateIsToldAndNothingIsSaid();
    void nothingIsLostToWrongAnswers_data();
    void nothingIsLostToWrongAnswers();
    void whatCountsAsSentHasArrived_data();
    void whatCountsAsSentHasArrived();
    void aListIsWholeOrSaysThatItIsNot_data();
    void aListIsWholeOrSaysThatItIsNot();
};

void TestHostileAnswers::withoutFaultsAllWorks_data()
{
    eachKindWith({{Fault::None, "no fault"}, {Fault::WrongLabel, "the right answer with a wrong label"}});
}

void TestHostileAnswers::withoutFaultsAllWorks()
{
    QFETCH(Kind, kind);
    QFETCH(Fault, fault);
    Side side(kind);
    side.put(failed);
    side.tamper().set(fault);
    QVERIFY(side.wait(side.broker().probe()));
    const auto listed = side.wait(side.broker().queues());
    QVERIFY(listed && listed->complete && !listed->queues.isEmpty());
    const auto sent = side.wait(side.broker().send(side.copies(0, 12)));
    QVERIFY(std::all_of(sent.begin(), sent.end(), [](const auto &one) { return one.verdict == Verdict::Accepted; }));
    QCOMPARE(side.arrived().size(), 12);
    QHash<QString, QByteArray> stored;
    for (int round = 0; round < 20 && stored.size() < failed; ++round)
        QVERIFY2(side.takeAndRelease(stored).isEmpty(), "taking failed");
    QCOMPARE(stored.size(), failed);
    QCOMPARE(side.left(), QList<QByteArray>());
}

void TestHostileAnswers::aWrongAnswerIsToldInOneLine_data()
{
    eachKindWith(wrongAnswers);
}

void TestHostileAnswers::aWrongAnswerIsToldInOneLine()
{
    QFETCH(Kind, kind);
    QFETCH(Fault, fault);
    BrokenServer stranger;
    Side side(kind);
    side.put(failed);
    side.tamper().setElsewhere(stranger.url().toEncoded());
    side.tamper().set(fault);
    QCOMPARE(notTold("probe", side.wait(side.broker().probe())), QByteArray());
    QCOMPARE(notTold("queues", side.wait(side.broker().queues())), QByteArray());
    if (!isAnyBody(kind, fault))
        QCOMPARE(notTold("take", side.wait(side.broker().take(side.request()))), QByteArray());
    const auto sent = side.wait(side.broker().send(side.copies(0, 3)));
    for (const broker::SendOutcome &outcome : sent)
        QVERIFY(outcome.verdict == Verdict::Accepted || faultOf(outcome.error).isEmpty());
    QCOMPARE(stranger.connections(), 0);
    side.tamper().set(Fault::None);
    QCOMPARE(side.left().size(), failed);
}

void TestHostileAnswers::aBrokenLineIsToldInOneLine_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("wire");
    for (const auto &[kind, name] : kinds) {
        QTest::addRow("%s: cut short", name) << kind << int(Wire::CutShort);
        QTest::addRow("%s: silent", name) << kind << int(Wire::Silent);
        QTest::addRow("%s: endless", name) << kind << int(Wire::Endless);
        QTest::addRow("%s: a bomb", name) << kind << int(Wire::Folded);
    }
}

void TestHostileAnswers::aBrokenLineIsToldInOneLine()
{
    QFETCH(Kind, kind);
    QFETCH(int, wire);
    constexpr qint64 onTheLine = 32LL * 1024 * 1024; // read ahead, and what the kernel keeps
    Side side(kind, Side::Line::Port);
    if (Wire(wire) == Wire::Silent)
        side.setTimeout(core::Milliseconds{300});
    side.server()->setWire(Wire(wire));
    QCOMPARE(notTold("probe", side.wait(side.broker().probe())), QByteArray());
    const qint64 small = side.server()->written();
    QVERIFY2(small < http::smallAnswerBytes + onTheLine, QByteArray::number(small).constData());
    QCOMPARE(notTold("queues", side.wait(side.broker().queues())), QByteArray());
    const qint64 list = side.server()->written() - small;
    QVERIFY2(list < http::listAnswerBytes + onTheLine, QByteArray::number(list).constData());
    if (Wire(wire) == Wire::Endless)
        return; // each call reads as far as it may
    const auto sent = side.wait(side.broker().send(side.copies(0, 3)));
    for (const broker::SendOutcome &outcome : sent)
        QVERIFY(outcome.verdict == Verdict::Accepted || faultOf(outcome.error).isEmpty());
    if (kind == Kind::RabbitMq || (Wire(wire) == Wire::Folded && kind == Kind::ServiceBus))
        return; // what RabbitMQ is asked first was asked above; folded bytes are a body as any other
    side.put(failed);
    QCOMPARE(notTold("take", side.wait(side.broker().take(side.request()))), QByteArray());
    side.server()->setWire(Wire::Whole);
    QCOMPARE(side.left().size(), failed);
}

void TestHostileAnswers::anUntrustedCertificateIsToldAndNothingIsSaid_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("certificate");
    for (const auto &[kind, name] : kinds) {
        QTest::addRow("%s: of nobody known", name) << kind << QStringLiteral("server.pem");
        QTest::addRow("%s: expired", name) << kind << QStringLiteral("expired.pem");
    }
}

void TestHostileAnswers::anUntrustedCertificateIsToldAndNothingIsSaid()
{
    if (!QSslSocket::supportsSsl())
        QSKIP("Qt has no TLS here.");
    QFETCH(Kind, kind);
    QFETCH(QString, certificate);
    Side side(kind, Side::Line::Secured, certificate);
    for (const core::Result<> &result : {side.told(side.broker().probe()), side.told(side.broker().queues()),
                                         side.told(side.broker().take(side.request()))}) {
        QCOMPARE(notTold("a call", result), QByteArray());
        QVERIFY2(result.error().message.contains(QLatin1String("certificate of 127.0.0.1")),
                 qPrintable(result.error().message));
    }
    const auto sent = side.wait(side.broker().send(side.copies(0, 1)));
    QVERIFY(sent.constFirst().verdict == Verdict::NotSent);
    QCOMPARE(side.server()->started(), 0);
}

void TestHostileAnswers::nothingIsLostToWrongAnswers_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<Asked>("asked");
    const QList<std::pair<Asked, const char *>> calls{
        {Asked::Take, "taking"}, {Asked::Settle, "settling"}, {Asked::Count, "counting"}, {Asked::Any, "all"}};
    for (const auto &[kind, name] : kinds) {
        for (const auto &[asked, call] : calls) {
            if (asked == Asked::Count && kind != Kind::RabbitMq)
                continue; // nobody else is asked how many there are
            for (const Named &one : wrongAnswers + othersAnswers + wrongLists) {
                if (isAnyBody(kind, one.fault))
                    continue;
                QTest::addRow("%s: %s, %s", name, one.name, call) << kind << one.fault << asked;
            }
        }
    }
}

// Whatever was taken and settled was seen before, and whatever was not seen is still there.
void TestHostileAnswers::nothingIsLostToWrongAnswers()
{
    QFETCH(Kind, kind);
    QFETCH(Fault, fault);
    QFETCH(Asked, asked);
    Side side(kind);
    if (fault == Fault::Swapped)
        side.setTimeout(core::Milliseconds{500}); // of the last one, which waits for another in vain
    side.put(failed);
    side.tamper().set(fault, side.which(asked));
    QHash<QString, QByteArray> stored; // what is known by its id is not stored again
    constexpr int rounds = 9;
    for (int round = 0; round < rounds; ++round) {
        const QList<core::Error> errors = side.takeAndRelease(stored);
        for (const core::Error &error : errors)
            QCOMPARE(faultOf(error), QByteArray());
        side.show();
    }
    side.tamper().set(Fault::None);
    QList<QByteArray> all = side.left();
    for (const QByteArray &body : std::as_const(stored))
        all.append(body);
    for (int i = 0; i < failed; ++i)
        QVERIFY2(all.contains(side.body(i)), side.body(i).constData());
}

void TestHostileAnswers::whatCountsAsSentHasArrived_data()
{
    eachKindWith(wrongAnswers + othersAnswers + wrongLists);
    for (const auto &[kind, name] : kinds)
        QTest::addRow("%s: answered twice", name) << kind << Fault::None;
}

void TestHostileAnswers::whatCountsAsSentHasArrived()
{
    QFETCH(Kind, kind);
    QFETCH(Fault, fault);
    // Nothing in these answers tells to which send they belong: RabbitMQ's copies are counted where they are staged.
    if (fault == Fault::Again && (kind == Kind::RabbitMq || kind == Kind::ServiceBus))
        return;
    Side side(kind, Side::Line::Port);
    if (fault == Fault::Swapped)
        side.setTimeout(core::Milliseconds{500});
    side.tamper().set(fault, side.which(Asked::Send));
    if (fault == Fault::None)
        side.server()->setWire(Wire::Twice);
    for (int call = 0; call < 4; ++call) {
        const QList<broker::Outgoing> copies = side.copies(call * 12, 12);
        const auto outcomes = side.wait(side.broker().send(copies));
        QCOMPARE(outcomes.size(), copies.size());
        const QList<QByteArray> arrived = side.arrived();
        for (qsizetype i = 0; i < outcomes.size(); ++i) {
            const bool isThere = arrived.contains(copies.at(i).envelope.body);
            const Verdict verdict = outcomes.at(i).verdict;
            QVERIFY2(verdict != Verdict::Accepted || isThere, "a message counts as sent and is not there");
            // Who sends elsewhere says that nothing was done.
            QVERIFY2(verdict == Verdict::Accepted || verdict == Verdict::Unknown || !isThere
                         || fault == Fault::Elsewhere,
                     qPrintable(outcomes.at(i).error.message));
            QVERIFY(verdict == Verdict::Accepted || faultOf(outcomes.at(i).error).isEmpty());
        }
    }
}

void TestHostileAnswers::aListIsWholeOrSaysThatItIsNot_data()
{
    eachKindWith(QList<Named>{{Fault::None, "right"}, {Fault::Again, "one page again and again"}}
                 + QList<Named>{{Fault::Shifted, "a page late"}} + wrongLists.mid(0, 2));
}

void TestHostileAnswers::aListIsWholeOrSaysThatItIsNot()
{
    QFETCH(Kind, kind);
    QFETCH(Fault, fault);
    Side side(kind);
    const QStringList names = side.addManyQueues();
    side.tamper().set(fault, side.which(Asked::List));
    const auto listing = side.wait(side.broker().queues());
    if (!listing) {
        QVERIFY(fault != Fault::None);
        QCOMPARE(faultOf(listing.error()), QByteArray());
        return;
    }
    QStringList found;
    for (const broker::QueueInfo &queue : listing->queues)
        found.append(queue.name);
    QVERIFY(found.removeDuplicates() == 0);
    const bool isWhole =
        std::all_of(names.begin(), names.end(), [&](const QString &one) { return found.contains(one); });
    QVERIFY(isWhole || !listing->complete);
    QVERIFY(isWhole || fault != Fault::None);
}

REDRIVE_TEST(TestHostileAnswers)
#include "tst_hostileanswers.moc"
