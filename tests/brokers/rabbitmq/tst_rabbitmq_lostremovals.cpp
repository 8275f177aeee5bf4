// The real RabbitMQ behind a network that loses each request to remove something of ours, and delivers it a moment after it was
// sent again: everything is taken and returned once.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/http/retryingclient.h"
#include "tests/brokers/round.h"
#include "tests/support/must.h"
#include "tests/support/network/faultyproxy.h"
#include "tests/support/rabbit/rabbitserver.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::ReceivedPage;
using broker::StagingPlace;
using broker::TakeRequest;
using test::must;

namespace {

const QString errors = QStringLiteral("errors");
const QString orders = QStringLiteral("orders");

} // namespace

class TestRabbitMqLostRemovals final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyPageIsTaken();
    void everyBatchIsReturned();

private:
    // Until it is done: a call may end with an error that says that it may be repeated.
    template<typename T, typename Call>
    T insist(Call call)
    {
        for (int tries = 0; tries < 50; ++tries) {
            core::Result<T> done = m_server->wait(call());
            if (done)
                return std::move(*done);
            if (done.error().kind != core::ErrorKind::Transient && done.error().kind != core::ErrorKind::UnknownOutcome)
                qFatal("%s", qPrintable(done.error().message));
        }
        qFatal("a call does not succeed");
    }
    template<typename Call>
    void insistDone(Call call)
    {
        core::Result<> done = m_server->wait(call());
        for (int tries = 0; tries < 50 && !done; ++tries)
            done = m_server->wait(call());
        must(std::move(done));
    }
    void settleLate()
    {
        QVERIFY(m_server->until([this] { return m_proxy->late() == 0; }, core::Milliseconds{10000}));
    }

    std::unique_ptr<support::RabbitServer> m_server;
    std::unique_ptr<support::FaultyProxy> m_proxy;
    std::unique_ptr<support::RabbitAdmin> m_admin;
    core::SeededRandom m_random{20261127};
    http::QnamHttpClient m_client;
    std::unique_ptr<http::RetryingClient> m_line;
    std::unique_ptr<broker::RabbitMq> m_rabbit;
};

void TestRabbitMqLostRemovals::initTestCase()
{
    if (const QString missing = support::RabbitServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_server = std::make_unique<support::RabbitServer>();
    QVERIFY2(m_server->start(), qPrintable(m_server->error()));
    m_admin = std::make_unique<support::RabbitAdmin>(*m_server, test::vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(errors);
    m_admin->makeQueue(orders);
    m_proxy = std::make_unique<support::FaultyProxy>(quint16(m_server->url().port()), 1);
    m_proxy->loseRemovals();
    broker::rabbitmq::Settings settings = m_server->settings(test::vhost);
    settings.base.setPort(m_proxy->port());
    m_line = std::make_unique<http::RetryingClient>(m_client, m_server->clock(), m_random);
    m_rabbit = std::make_unique<broker::RabbitMq>(*m_line, m_server->clock(), m_random, settings);
    must(m_server->wait(m_rabbit->probe()));
}

void TestRabbitMqLostRemovals::everyPageIsTaken()
{
    constexpr int messages = 600;
    QList<records::Envelope> failed;
    QMap<QByteArray, int> sent;
    for (int i = 0; i < messages; ++i) {
        failed.append(test::message(QByteArray::number(i)));
        sent.insert(failed.constLast().body, 1);
    }
    m_admin->publish(errors, failed);
    const TakeRequest request{errors, QStringLiteral("redrive.store.1.run"), 50, 1 << 20, {}, true};
    QMap<QByteArray, int> stored;
    for (int pages = 0; pages < 30; ++pages) {
        const auto page = insist<ReceivedPage>([&] { return m_rabbit->take(request); });
        if (page.messages.isEmpty())
            break;
        QVERIFY(!page.interrupted);
        for (const broker::ReceivedMessage &held : page.messages)
            ++stored[held.envelope.body];
        insistDone([&] { return m_rabbit->release(request, page); });
    }
    settleLate();
    QVERIFY(m_proxy->removalsLost() >= 3 * messages / 50);
    QCOMPARE(stored, sent);
    QCOMPARE(m_admin->depth(errors), 0);
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestRabbitMqLostRemovals::everyBatchIsReturned()
{
    broker::StagingQueue &staging = *m_rabbit->stagingQueue();
    constexpr int batches = 5;
    constexpr int copies = 40;
    for (int batch = 0; batch < batches; ++batch) {
        const StagingPlace place{QStringLiteral("redrive.store.1.place%1").arg(batch), {orders}};
        insistDone([&] { return staging.open(place); });
        QList<broker::Outgoing> due;
        for (int i = 0; i < copies; ++i)
            due.append(test::copy(orders, batch * copies + i));
        const QList<broker::SendOutcome> outcomes = m_server->wait(staging.stage(place, due));
        for (const broker::SendOutcome &outcome : outcomes)
            QCOMPARE(outcome.verdict, broker::Verdict::Accepted);
        QString mark;
        broker::ForwardHooks hooks;
        hooks.keepMark = [&](const QString &text) {
            mark = text;
            return core::Result<>();
        };
        const auto report = insist<broker::ForwardReport>([&] { return staging.forward({place, mark}, hooks); });
        QVERIFY(report.ejected.isEmpty() && report.inDoubt.isEmpty() && !report.interrupted);
        insistDone([&] { return staging.discard(place); });
    }
    settleLate();
    QCOMPARE(m_admin->drain(orders).size(), batches * copies);
    QCOMPARE(m_admin->ours(), QStringList());
}

REDRIVE_TEST(TestRabbitMqLostRemovals)
#include "tst_rabbitmq_lostremovals.moc"
