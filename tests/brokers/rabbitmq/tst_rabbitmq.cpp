// The broker interface end to end on the RabbitMQ of Debian, in a virtual host whose name has a slash, with a decoy queue
// "error" in "/" that has to stay as it is.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/records/messages/stamp.h"
#include "tests/brokers/bench.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using broker::ForwardReport;
using broker::ForwardRequest;
using broker::Outgoing;
using broker::RabbitMq;
using broker::ReceivedMessage;
using broker::ReceivedPage;
using broker::SendOutcome;
using broker::StagingPlace;
using broker::TakeRequest;
using broker::Verdict;
using core::ErrorKind;
using core::Result;
using support::RabbitServer;

namespace {

records::Envelope message(const QByteArray &body, records::Headers headers = {})
{
    records::Envelope envelope;
    envelope.body = body;
    envelope.headers = std::move(headers);
    return envelope;
}

// Content like any other: at the start of a text, too.
const QByteArray byteOrderMark = "\xef\xbb\xbf";
const QString marked = QChar(QChar::ByteOrderMark) + QStringLiteral("a");

QList<records::Envelope> failedMessages(int count)
{
    QList<records::Envelope> messages;
    for (int i = 0; i < count; ++i) {
        QByteArray body = QByteArray::number(i) + QByteArray(2000, 'x');
        if (i % 50 == 1)
            body = QByteArray();
        if (i % 50 == 2)
            body = QByteArray("\x00\xff\xfe\n\"\\", 6) + QByteArray::number(i);
        if (i == 3)
            body = QByteArray(300 * 1024, 'b');
        if (i == 4)
            body = byteOrderMark + "<order/>";
        if (i == 5)
            body = QByteArray("\0\x01\x1f\x7f\t \"\\", 8) + byteOrderMark;
        if (i == 6)
            body = "Gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x98\x80, cut \xe2\x82";
        messages.append(message(body, {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m%1").arg(i)},
                                       {QStringLiteral("one"), 1},
                                       {QStringLiteral("oneAsDouble"), 1.0},
                                       {QStringLiteral("big"), qint64(9007199254740993)},
                                       {QStringLiteral("flag"), true},
                                       {marked, marked},
                                       {QStringLiteral("list"), QCborArray{1, 2.5, QStringLiteral("\u00e9\n\"")}}}));
    }
    return messages;
}

QMap<QByteArray, int> bodies(const QList<records::Envelope> &messages)
{
    QMap<QByteArray, int> counts;
    for (const records::Envelope &one : messages)
        ++counts[one.body];
    return counts;
}

Outgoing stamped(const QString &destination, const records::Envelope &envelope, int ordinal)
{
    Outgoing outgoing{ordinal, QStringLiteral("%1").arg(ordinal, 32, 16, QLatin1Char('0')), destination, envelope, {}};
    const records::Stamp stamp{QStringLiteral("store"),   outgoing.uniqueId,
                               core::OperationId{1},      1,
                               QStringLiteral("staging"), records::bodyDigest(envelope.body)};
    records::set(outgoing.envelope.headers, records::stampHeader.toString(), records::toText(stamp));
    return outgoing;
}

} // namespace

class TestRabbitMq final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void aWrongPasswordAndAWrongVhostAreSaidClearly();
    void missingTagsAreNamedAndLeaveTheIntentLog();
    void takeAndReleaseKeepEveryMessageWhole_data();
    void takeAndReleaseKeepEveryMessageWhole();
    void aPageIsTheSameAfterACrashAndIsReleasedOnce();
    void identicalMessagesHaveDifferentNativeIds();
    void sendTellsAcceptedFromNoSuchQueue();
    void forwardingReachesTheDestinationsAndAccountsForTheRest();
    void aFullDestinationEjectsWhatItRefuses();
    void forwardingGoesOnAfterTheProgramDiedInIt();
    void aRestartOfTheBrokerIsFlaggedAndLosesNothing();
    void anOperatorPolicyThatExpiresQueuesIsRefusedByName();
    void aDeletedStagingQueueIsNotFound();

private:
    [[nodiscard]] RabbitMq &broker() { return *m_broker; }
    [[nodiscard]] TakeRequest request(const QString &queue, int limit = 1000) const
    {
        return {queue, QStringLiteral("redrive.store.1.%1").arg(QString::fromLatin1(QTest::currentTestFunction())),
                limit, 32 << 20};
    }
    [[nodiscard]] StagingPlace place(const QStringList &destinations) const
    {
        return {QStringLiteral("redrive.store.1.%1").arg(QString::fromLatin1(QTest::currentTestFunction())),
                destinations};
    }
    [[nodiscard]] bool stageAll(const StagingPlace &place, const QList<Outgoing> &copies);
    [[nodiscard]] Result<ForwardReport> forward(const StagingPlace &place);

    RabbitServer *server() { return m_server.get(); }
    std::unique_ptr<RabbitServer> m_server;
    std::unique_ptr<support::RabbitAdmin> m_decoy;
    std::unique_ptr<support::RabbitAdmin> m_admin;
    core::SystemRandom m_random;
    std::unique_ptr<RabbitMq> m_broker;
    QString m_mark;
};

void TestRabbitMq::initTestCase()
{
    if (const QString missing = RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_server = std::make_unique<RabbitServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
    m_decoy = std::make_unique<support::RabbitAdmin>(*m_server, QStringLiteral("/"));
    m_decoy->makeQueue(QStringLiteral("error"));
    m_decoy->publish(QStringLiteral("error"), {message("decoy")});
    const QString vhost = QStringLiteral("team/a b%");
    m_admin = std::make_unique<support::RabbitAdmin>(*m_server, vhost);
    m_admin->makeVhost();
    m_broker = std::make_unique<RabbitMq>(m_server->client(), m_server->clock(), m_random, m_server->settings(vhost));
    const Result<broker::Capabilities> found = m_server->wait(m_broker->probe());
    QVERIFY2(found, found ? "" : qPrintable(found.error().message));
    QCOMPARE(found->handOver, records::HandOver::StagingQueue);
    QCOMPARE(found->missing, QStringList());
    QCOMPARE(found->product, QStringLiteral("RabbitMQ ") + m_admin->version().toString());
}

void TestRabbitMq::cleanupTestCase()
{
    if (!m_server)
        return;
    QCOMPARE(m_admin->ours(), QStringList());
    QCOMPARE(m_decoy->ours(), QStringList());
    const QList<records::Envelope> decoys = m_decoy->drain(QStringLiteral("error"));
    QCOMPARE(decoys.size(), 1);
    QCOMPARE(decoys.first().body, QByteArray("decoy"));
}

bool TestRabbitMq::stageAll(const StagingPlace &place, const QList<Outgoing> &copies)
{
    const Result<> opened = server()->wait(broker().stagingQueue()->open(place));
    if (!opened)
        qFatal("open: %s %s", qPrintable(opened.error().message), qPrintable(opened.error().detail));
    const QList<SendOutcome> outcomes = server()->wait(broker().stagingQueue()->stage(place, copies));
    return outcomes.size() == copies.size()
           && std::all_of(outcomes.cbegin(), outcomes.cend(),
                          [](const SendOutcome &outcome) { return outcome.verdict == Verdict::Accepted; });
}

Result<ForwardReport> TestRabbitMq::forward(const StagingPlace &place)
{
    broker::ForwardHooks hooks;
    hooks.keepMark = [this](const QString &mark) {
        m_mark = mark;
        return Result<>();
    };
    return server()->wait(broker().stagingQueue()->forward(ForwardRequest{place, m_mark}, hooks));
}

void TestRabbitMq::aWrongPasswordAndAWrongVhostAreSaidClearly()
{
    broker::rabbitmq::Settings settings = server()->settings(QStringLiteral("nowhere"));
    RabbitMq elsewhere(server()->client(), server()->clock(), m_random, settings);
    const Result<broker::Capabilities> noVhost = server()->wait(elsewhere.probe());
    QVERIFY(!noVhost);
    QCOMPARE(noVhost.error().message, QStringLiteral("RabbitMQ has no virtual host \"nowhere\"."));
    settings.authorization = "Basic " + QByteArray("guest:wrong").toBase64();
    RabbitMq stranger(server()->client(), server()->clock(), m_random, settings);
    const Result<broker::Capabilities> noLogin = server()->wait(stranger.probe());
    QVERIFY(!noLogin);
    QCOMPARE(core::toString(noLogin.error().kind), core::toString(ErrorKind::Unauthorized));
    QVERIFY(noLogin.error().message.contains(QLatin1String("password")));
}

void TestRabbitMq::missingTagsAreNamedAndLeaveTheIntentLog()
{
    m_admin->makeUser(QStringLiteral("mana/ger"), QStringLiteral("p"), QStringLiteral("management"));
    broker::rabbitmq::Settings settings = m_admin->api().settings();
    settings.authorization = "Basic " + QByteArray("mana/ger:p").toBase64();
    RabbitMq limited(server()->client(), server()->clock(), m_random, settings);
    const Result<broker::Capabilities> found = server()->wait(limited.probe());
    QVERIFY2(found, found ? "" : qPrintable(found.error().message));
    QCOMPARE(found->handOver, records::HandOver::IntentLog);
    QCOMPARE(found->missing.size(), 2);
    QVERIFY(!found->canTake);
    QVERIFY(limited.stagingQueue() == nullptr);
}

void TestRabbitMq::takeAndReleaseKeepEveryMessageWhole_data()
{
    QTest::addColumn<QString>("queue");
    QTest::newRow("error") << QStringLiteral("error");
    QTest::newRow("slash, percent, blank") << QStringLiteral("err/or %2F?#&+");
    QTest::newRow("unicode") << QStringLiteral("fehler.\u00e4\u20ac\U0001F600");
    QTest::newRow("tab") << QStringLiteral("er\tror");
    QTest::newRow("brackets") << QStringLiteral("[a-z]+(.*)$^|\\\"'");
}

void TestRabbitMq::takeAndReleaseKeepEveryMessageWhole()
{
    QFETCH(QString, queue);
    m_admin->makeQueue(queue);
    const bool isFirst = queue == QLatin1String("error");
    const QList<records::Envelope> sent = failedMessages(isFirst ? 300 : 8);
    m_admin->publish(queue, sent);
    QList<records::Envelope> taken;
    for (int pages = 0; pages < 10; ++pages) {
        const Result<ReceivedPage> page = server()->wait(broker().take(request(queue, 200)));
        QVERIFY2(page, page ? "" : qPrintable(page.error().message));
        QVERIFY(page->messages.size() <= 200);
        QVERIFY(!page->interrupted);
        if (page->messages.isEmpty())
            break;
        for (const ReceivedMessage &held : page->messages) {
            QVERIFY(!held.notFaithful);
            QCOMPARE(held.envelope.routingKey, queue);
            taken.append(held.envelope);
        }
        const Result<> released = server()->wait(broker().release(request(queue, 200), *page));
        QVERIFY2(released, released ? "" : qPrintable(released.error().message));
    }
    QCOMPARE(taken.size(), sent.size());
    QCOMPARE(bodies(taken), bodies(sent));
    const records::Headers headers = taken.first().headers;
    QVERIFY(records::find(headers, u"one")->isInteger());
    QVERIFY(records::find(headers, u"oneAsDouble")->isDouble());
    QCOMPARE(records::find(headers, u"big")->toInteger(), qint64(9007199254740993));
    QCOMPARE(records::text(headers, marked), marked);
    QCOMPARE(records::find(headers, u"list")->toArray(), (QCborArray{1, 2.5, QStringLiteral("\u00e9\n\"")}));
    QCOMPARE(m_admin->depth(queue), 0);
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestRabbitMq::aPageIsTheSameAfterACrashAndIsReleasedOnce()
{
    const QString queue = QStringLiteral("error");
    m_admin->publish(queue, failedMessages(40));
    const Result<ReceivedPage> page = server()->wait(broker().take(request(queue, 30)));
    QVERIFY(page);
    QCOMPARE(page->messages.size(), 30);
    QVERIFY(page->more);

    RabbitMq next(server()->client(), server()->clock(), m_random, m_admin->api().settings());
    const Result<ReceivedPage> again = server()->wait(next.take(request(queue, 30)));
    QVERIFY(again);
    QCOMPARE(again->messages.size(), 30);
    for (int i = 0; i < 30; ++i)
        QCOMPARE(again->messages.at(i).nativeId, page->messages.at(i).nativeId);

    QVERIFY(server()->wait(next.release(request(queue), *again)));
    QVERIFY(server()->wait(next.release(request(queue), *again))); // as after an answer that never came
    QCOMPARE(m_admin->depth(queue), 10);
    QCOMPARE(m_admin->drain(queue).size(), 10);
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestRabbitMq::identicalMessagesHaveDifferentNativeIds()
{
    const QString queue = QStringLiteral("error");
    QSet<QString> ids;
    for (int round = 0; round < 2; ++round) {
        m_admin->publish(queue, {message("same"), message("same"), message("same")});
        const Result<ReceivedPage> page = server()->wait(broker().take(request(queue)));
        QVERIFY(page);
        for (const ReceivedMessage &held : page->messages)
            ids.insert(held.nativeId);
        QVERIFY(server()->wait(broker().release(request(queue), *page)));
    }
    QCOMPARE(ids.size(), 6);
}

void TestRabbitMq::sendTellsAcceptedFromNoSuchQueue()
{
    m_admin->makeQueue(QStringLiteral("orders"));
    records::Envelope envelope = message("x", {{QStringLiteral("CC"), QCborArray{QStringLiteral("error")}}});
    envelope.properties = {{QStringLiteral("expiration"), QStringLiteral("1")},
                           {QStringLiteral("user_id"), QStringLiteral("somebody")},
                           {QStringLiteral("message_id"), QStringLiteral("id")},
                           {QStringLiteral("priority"), 3}};
    m_admin->makeQueue(QStringLiteral("full"), test::fullAfter(0));
    const QList<Outgoing> all{stamped(QStringLiteral("orders"), envelope, 1),
                              stamped(QStringLiteral("nowhere"), envelope, 2),
                              stamped(QStringLiteral("full"), envelope, 3)};
    const QList<SendOutcome> outcomes = server()->wait(broker().send(all));
    QCOMPARE(outcomes.at(0).verdict, Verdict::Accepted);
    QCOMPARE(outcomes.at(1).verdict, Verdict::NoSuchDestination);
    QCOMPARE(outcomes.at(2).verdict, Verdict::Full); // no fault of the message
    QVERIFY(outcomes.at(2).error.message.contains(QLatin1String("Queue full is full")));
    m_admin->removeQueue(QStringLiteral("full"));
    const QList<records::Envelope> arrived = m_admin->drain(QStringLiteral("orders"));
    QCOMPARE(arrived.size(), 1);
    QCOMPARE(records::text(arrived.first().properties, u"message_id"), QStringLiteral("id"));
    QCOMPARE(records::text(arrived.first().properties, u"delivery_mode"), QStringLiteral("2"));
    QVERIFY(records::find(arrived.first().properties, u"expiration") == nullptr);
    QCOMPARE(m_admin->depth(QStringLiteral("error")), 0);
}

void TestRabbitMq::forwardingReachesTheDestinationsAndAccountsForTheRest()
{
    const QStringList queues{QStringLiteral("orders"), QStringLiteral("bill/ing \u00e9"), QStringLiteral("missing")};
    m_admin->makeQueue(queues.at(1));
    QList<Outgoing> copies;
    const QList<records::Envelope> messages = failedMessages(150);
    for (int i = 0; i < messages.size(); ++i)
        copies.append(stamped(queues.at(i % 3), messages.at(i), i));
    const StagingPlace where = place(queues);
    m_mark.clear();
    QVERIFY(stageAll(where, copies));
    const Result<qint64> depth = server()->wait(broker().stagingQueue()->depth(where));
    QVERIFY(depth);
    QCOMPARE(*depth, 150);
    QCOMPARE(m_admin->depth(queues.at(0)), 0); // nothing reaches a destination before forwarding
    const Result<ForwardReport> report = forward(where);
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    QVERIFY(!report->interrupted);
    QCOMPARE(report->inDoubt.size(), 0);
    QCOMPARE(report->ejected.size(), 50);
    QVERIFY(report->ejected.first().reason.contains(QLatin1String("missing")));
    QCOMPARE(report->ejected.first().stagingId, QStringLiteral("staging"));
    const Result<QList<broker::Leftover>> left = server()->wait(broker().leftovers());
    QVERIFY(left);
    QCOMPARE(left->size(), 3);
    QCOMPARE(left->first().storeId, QStringLiteral("store"));
    const Result<ForwardReport> again = forward(where); // as after a crash before the outcomes were recorded
    QVERIFY(again);
    QCOMPARE(again->ejected.size(), 50);
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
    QCOMPARE(m_admin->ours(), QStringList());
    for (int q = 0; q < 2; ++q) {
        QList<records::Envelope> expected;
        for (int i = q; i < messages.size(); i += 3)
            expected.append(messages.at(i));
        const QList<records::Envelope> arrived = m_admin->drain(queues.at(q));
        QCOMPARE(arrived.size(), 50);
        QCOMPARE(bodies(arrived), bodies(expected));
        QVERIFY(records::find(arrived.first().headers, u"oneAsDouble")->isDouble());
        QVERIFY(records::find(arrived.first().headers, u"one")->isInteger());
    }
}

void TestRabbitMq::aFullDestinationEjectsWhatItRefuses()
{
    const QString full = QStringLiteral("full");
    m_admin->makeQueue(full, test::fullAfter(5));
    QList<Outgoing> copies;
    for (int i = 0; i < 20; ++i)
        copies.append(stamped(full, message(QByteArray::number(i)), i));
    const StagingPlace where = place({full});
    m_mark.clear();
    QVERIFY(stageAll(where, copies));
    const Result<ForwardReport> report = forward(where);
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    const qsizetype arrived = m_admin->drain(full).size();
    QVERIFY(arrived >= 5); // it confirms a few more than its length when they come in one burst
    QCOMPARE(report->ejected.size(), 20 - arrived);
    QCOMPARE(report->inDoubt.size(), 0);
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
}

void TestRabbitMq::forwardingGoesOnAfterTheProgramDiedInIt()
{
    QList<Outgoing> copies;
    for (int i = 0; i < 100; ++i)
        copies.append(stamped(QStringLiteral("orders"), message(QByteArray::number(i)), i));
    const StagingPlace where = place({QStringLiteral("orders")});
    m_mark.clear();
    QVERIFY(stageAll(where, copies));
    {
        // A client of its own, cut off as soon as the mark is kept: the shovel may be there by then or not.
        http::QnamHttpClient client;
        RabbitMq dying(client, server()->clock(), m_random, m_admin->api().settings());
        QVERIFY(server()->wait(dying.probe()));
        broker::ForwardHooks hooks;
        hooks.keepMark = [&](const QString &mark) {
            m_mark = mark;
            return mark.contains(QLatin1String("\"shovels\":1")) ? core::fail(ErrorKind::StoreFailed, {}) : Result<>();
        };
        const Result<ForwardReport> cut =
            server()->wait(dying.stagingQueue()->forward(ForwardRequest{where, {}}, hooks));
        QVERIFY(!cut);
        QCOMPARE(core::toString(cut.error().kind), core::toString(ErrorKind::StoreFailed));
        dying.cancelAll();
    }
    QVERIFY(!m_mark.isEmpty());
    const Result<ForwardReport> report = forward(where);
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    QVERIFY(!report->interrupted); // our own crash is none
    QVERIFY(report->ejected.isEmpty() && report->inDoubt.isEmpty());
    QCOMPARE(m_admin->drain(QStringLiteral("orders")).size(), 100);
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
}

void TestRabbitMq::aRestartOfTheBrokerIsFlaggedAndLosesNothing()
{
    QList<Outgoing> copies;
    QList<records::Envelope> messages;
    for (int i = 0; i < 200; ++i) {
        messages.append(message(QByteArray::number(i)));
        copies.append(stamped(QStringLiteral("orders"), messages.last(), i));
    }
    const StagingPlace where = place({QStringLiteral("orders")});
    m_mark.clear();
    QVERIFY(stageAll(where, copies));
    // The mark is of the broker's run before the kill; forwarding happens in the run after it.
    broker::ForwardHooks hooks;
    hooks.keepMark = [&](const QString &mark) -> Result<> {
        m_mark = mark;
        return core::fail(ErrorKind::StoreFailed, {});
    };
    QVERIFY(!server()->wait(broker().stagingQueue()->forward(ForwardRequest{where, {}}, hooks)));
    server()->kill();
    const Result<ForwardReport> down = forward(where);
    QVERIFY(!down);
    QCOMPARE(core::toString(down.error().kind), core::toString(ErrorKind::Transient));
    QVERIFY2(server()->restart(), qPrintable(server()->error()));
    Result<ForwardReport> report = forward(where);
    for (int tries = 0; tries < 50 && !report && report.error().kind == ErrorKind::Transient; ++tries) {
        server()->pause(200ms);
        report = forward(where);
    }
    QVERIFY2(report, report ? "" : qPrintable(report.error().message));
    QVERIFY(report->interrupted);
    QCOMPARE(bodies(m_admin->drain(QStringLiteral("orders"))).size(), 200);
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
}

void TestRabbitMq::anOperatorPolicyThatExpiresQueuesIsRefusedByName()
{
    m_admin->publish(QStringLiteral("error"), {message("kept")});
    const QCborMap expiry{{QStringLiteral("expires"), 3600000}};
    m_admin->makePolicy(QStringLiteral("clean up"), QStringLiteral(".*"), expiry, 1, true);
    const Result<ReceivedPage> page = server()->wait(broker().take(request(QStringLiteral("error"))));
    const Result<> opened = server()->wait(broker().stagingQueue()->open(place({})));
    m_admin->removePolicy(QStringLiteral("clean up"), true);
    QVERIFY(!page);
    QCOMPARE(core::toString(page.error().kind), core::toString(ErrorKind::Refused));
    QVERIFY(page.error().message.contains(QLatin1String("\"clean up\"")));
    QVERIFY(!opened);
    QCOMPARE(core::toString(opened.error().kind), core::toString(ErrorKind::Refused));
    QCOMPARE(m_admin->drain(QStringLiteral("error")).size(), 1);
}

void TestRabbitMq::aDeletedStagingQueueIsNotFound()
{
    const StagingPlace where = place({QStringLiteral("orders")});
    m_mark.clear();
    QVERIFY(stageAll(where, {stamped(QStringLiteral("orders"), message("x"), 1)}));
    m_admin->removeQueue(where.name);
    const Result<qint64> depth = server()->wait(broker().stagingQueue()->depth(where));
    QVERIFY(!depth);
    QCOMPARE(core::toString(depth.error().kind), core::toString(ErrorKind::NotFound));
    const QList<SendOutcome> outcomes =
        server()->wait(broker().stagingQueue()->stage(where, {stamped(QStringLiteral("orders"), message("y"), 2)}));
    QCOMPARE(outcomes.first().verdict, Verdict::NotSent);
    QVERIFY(server()->wait(broker().stagingQueue()->discard(where)));
}

REDRIVE_TEST(TestRabbitMq)
#include "tst_rabbitmq.moc"
