// A message of an AMQP 1.0 client that RabbitMQ 4 can neither show nor move: what is before it is taken, and nothing is touched for
// nothing. On the RabbitMQ in memory; tst_rabbitmq_amqp10 has a real one with such a message.
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/core/random.h"
#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/must.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <algorithm>

using namespace std::chrono_literals;
using broker::ReceivedPage;
using core::ErrorKind;
using core::Result;
using test::must;

namespace {

const QString vhost = QStringLiteral("hidden");
const QString errors = QStringLiteral("error");
constexpr int pageSize = 100;

QCborMap ofType(const QString &type)
{
    return {{QStringLiteral("x-queue-type"), type}};
}

records::Envelope failed(int number)
{
    records::Envelope envelope;
    envelope.body = "order " + QByteArray::number(number);
    envelope.properties = {{QStringLiteral("delivery_mode"), 2}};
    return envelope;
}

} // namespace

class TestRabbitMqUnreadable final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void whatIsBeforeItIsKeptWithoutALimit();
    void whatArrivesDoesNotHideThatItIsGone();
    void anAccountThatMayNotLookIsRefusedToo();
    void aPageThatMetItIsNotHeldBesideAnother();
    void aLookAtAPriceIsDoneOnce();
    void onlyWhatIsHeldIsTaken();
    void settlingStartsNoOtherShovel();
    void whatTheEmptyPageSaidIsSaidByTheNextOne();
    void whatWasLostIsSaidAlthoughMoreIsTaken();
    void whatWasLostIsSaidAlthoughTheRestIsRefused();
    void aCountThatIsOlderThanTheLastPageProvesNothing();

private:
    // A queue with so many messages, one of which is such a message.
    void begin(const QString &version, const QCborMap &arguments, int messages, int unshowable);
    [[nodiscard]] support::fakerabbit::Queue &queue()
    {
        return m_site->rabbit().broker().vhosts().at(vhost).queues.at(errors);
    }
    void connect(); // as the next start of the program
    [[nodiscard]] broker::TakeRequest request();
    // Runs at each request to start a shovel, before it arrives; `started` counts them.
    void atShovelStart(std::function<void()> act);
    // A shovel met the message and left what was before it in a holding queue, which somebody deletes.
    [[nodiscard]] broker::TakeRequest loseHeldPage();
    // Takes and releases pages until one is refused; returns how many there were. Others than Refused fail the test.
    [[nodiscard]] int takeUntilRefused();

    std::unique_ptr<support::FakeSite> m_site;
    std::unique_ptr<support::RabbitAdmin> m_admin;
    std::unique_ptr<core::SeededRandom> m_random;
    std::unique_ptr<broker::RabbitMq> m_rabbit;
    int m_runs = 0;
    int m_started = 0;
};

void TestRabbitMqUnreadable::cleanup()
{
    m_rabbit.reset();
    m_admin.reset();
    m_site.reset();
}

void TestRabbitMqUnreadable::begin(const QString &version, const QCborMap &arguments, int messages, int unshowable)
{
    cleanup();
    m_site = std::make_unique<support::FakeSite>();
    m_site->rabbit().api().setVersion(version);
    m_admin = std::make_unique<support::RabbitAdmin>(*m_site, vhost);
    m_admin->makeVhost();
    m_admin->makeQueue(errors, arguments);
    QList<records::Envelope> all;
    for (int i = 0; i < messages; ++i)
        all.append(failed(i));
    m_admin->publish(errors, all);
    queue().ready.at(size_t(unshowable)).isUnshowable = true;
    m_random = std::make_unique<core::SeededRandom>(1);
    connect();
    m_site->pause(6000ms); // statistics
}

void TestRabbitMqUnreadable::connect()
{
    m_rabbit =
        std::make_unique<broker::RabbitMq>(m_site->client(), m_site->clock(), *m_random, m_site->settings(vhost));
    must(m_site->wait(m_rabbit->probe()));
}

broker::TakeRequest TestRabbitMqUnreadable::request()
{
    return {errors, QStringLiteral("redrive.store.1.run%1").arg(++m_runs), pageSize, 1 << 20};
}

void TestRabbitMqUnreadable::atShovelStart(std::function<void()> act)
{
    m_started = 0;
    m_site->rabbit().setOthers([this, act](const http::Request &request) -> std::optional<http::Response> {
        if (request.verb == "PUT" && request.url.path().contains(QLatin1String("/parameters/shovel/"))) {
            ++m_started;
            act();
        }
        return std::nullopt;
    });
}

broker::TakeRequest TestRabbitMqUnreadable::loseHeldPage()
{
    const broker::TakeRequest one = request();
    static_cast<void>(must(m_site->wait(m_rabbit->prefetch(one))));
    auto &queues = m_site->rabbit().broker().vhosts().at(vhost).queues;
    const auto held = std::find_if(queues.begin(), queues.end(),
                                   [&one](const auto &entry) { return entry.first.startsWith(one.holdingName); });
    if (held == queues.end() || held->second.length() == 0)
        qFatal("nothing is held");
    queues.erase(held);
    return one;
}

int TestRabbitMqUnreadable::takeUntilRefused()
{
    for (int pages = 0; pages < 5; ++pages) {
        const broker::TakeRequest one = request();
        const Result<ReceivedPage> page = m_site->wait(m_rabbit->take(one));
        if (!page && page.error().kind == ErrorKind::Refused)
            return pages;
        if (!page) {
            QTest::qFail(qPrintable(page.error().message), __FILE__, __LINE__);
            return -1;
        }
        must(m_site->wait(m_rabbit->release(one, *page)));
    }
    QTest::qFail("It is never refused", __FILE__, __LINE__);
    return -1;
}

// The look after the page meets the message: the page must not be lost by that.
void TestRabbitMqUnreadable::whatIsBeforeItIsKeptWithoutALimit()
{
    QCborMap arguments = ofType(QStringLiteral("quorum"));
    arguments.insert(QStringLiteral("x-delivery-limit"), -1);
    begin(QStringLiteral("4.3.6"), arguments, 32, 30);
    QVERIFY(takeUntilRefused() > 0);
    const auto &left = queue().ready; // what the shovels that broke returned is behind it now
    QVERIFY2(left.size() >= 2 && left.size() <= 4, qPrintable(QString::number(left.size())));
    QVERIFY(std::any_of(left.cbegin(), left.cend(), [](const auto &one) { return one.isUnshowable; }));
    QCOMPARE(m_admin->ours(), QStringList());
}

void TestRabbitMqUnreadable::whatArrivesDoesNotHideThatItIsGone()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("quorum")), 5, 3); // a look counts
    QVERIFY(takeUntilRefused() > 0);
    QCOMPARE(queue().length(), 2);
    m_admin->publish(errors, {failed(5), failed(6), failed(7)});
    m_site->pause(6000ms);
    QCOMPARE(takeUntilRefused(), 0);
    QCOMPARE(queue().length(), 5);
    queue().ready.pop_front(); // as its consumer takes it out
    m_site->pause(6000ms);
    const Result<ReceivedPage> rest = m_site->wait(m_rabbit->take(request()));
    QVERIFY2(rest, test::why(rest).constData());
    QCOMPARE(rest->messages.size(), 4);
}

void TestRabbitMqUnreadable::anAccountThatMayNotLookIsRefusedToo()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), 5, 3);
    QVERIFY(takeUntilRefused() > 0);
    m_site->rabbit().setOthers([](const http::Request &request) -> std::optional<http::Response> {
        if (!request.url.path().endsWith(QLatin1String("/error/get")))
            return std::nullopt;
        return support::fakerabbit::refusal(401, QStringLiteral("not_authorized"), QStringLiteral("ACCESS_REFUSED"));
    });
    QCOMPARE(takeUntilRefused(), 0);
    QCOMPARE(queue().length(), 2);
    QCOMPARE(m_admin->ours(), QStringList()); // no other shovel was started
}

void TestRabbitMqUnreadable::aPageThatMetItIsNotHeldBesideAnother()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), pageSize + 10, 3);
    QCOMPARE(must(m_site->wait(m_rabbit->prefetch(request()))), broker::PrefetchResult::AllThereWas);
}

void TestRabbitMqUnreadable::aLookAtAPriceIsDoneOnce()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("quorum")), 64, 40);
    int asked = 0;
    const auto risk = [&asked](const records::DeliveryLimit &) {
        ++asked;
        return Result<>();
    };
    const Result<ReceivedPage> seen = m_site->wait(m_rabbit->browse(errors, 64, risk));
    QVERIFY(!seen);
    QCOMPARE(core::toString(seen.error().kind), core::toString(ErrorKind::Corrupt));
    QCOMPARE(asked, 1);
    QCOMPARE(queue().ready.front().returns, 1);
}

// As what a crash left is settled: nobody asks for more, or may ask.
void TestRabbitMqUnreadable::onlyWhatIsHeldIsTaken()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), 5, 3);
    broker::TakeRequest late = request();
    late.onlyHeld = true;
    QCOMPARE(must(m_site->wait(m_rabbit->take(late))).messages.size(), 0);
    QCOMPARE(queue().ready.size(), size_t(5));
    QCOMPARE(m_admin->ours(), QStringList());
}

// A crash leaves a shovel that broke, and the next start learns from it that the message is there.
void TestRabbitMqUnreadable::settlingStartsNoOtherShovel()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), 5, 0);
    broker::TakeRequest one = request();
    {
        const core::Task<Result<broker::PrefetchResult>> filling = m_rabbit->prefetch(one);
        const auto &shovels = m_site->rabbit().broker().vhosts().at(vhost).shovels;
        QVERIFY(m_site->until([&] { return !shovels.empty(); }, 10s));
        m_rabbit->cancelAll();
    }
    connect();
    atShovelStart([] {});
    one.onlyHeld = true;
    QCOMPARE(must(m_site->wait(m_rabbit->take(one))).messages.size(), 0);
    QCOMPARE(m_started, 0);
    QCOMPARE(queue().length(), 5);
    QCOMPARE(m_admin->ours(), QStringList());
}

// Its consumer takes it out between the shovel that broke on it and the next one, which moves all the rest.
void TestRabbitMqUnreadable::whatTheEmptyPageSaidIsSaidByTheNextOne()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), 5, 0);
    atShovelStart([this] {
        if (m_started == 2)
            queue().ready.pop_front();
    });
    const ReceivedPage page = must(m_site->wait(m_rabbit->take(request())));
    QCOMPARE(m_started, 2);
    QCOMPARE(page.messages.size(), 4);
    QVERIFY(page.interrupted);
}

void TestRabbitMqUnreadable::whatWasLostIsSaidAlthoughMoreIsTaken()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("classic")), 5, 3);
    const broker::TakeRequest one = loseHeldPage();
    const ReceivedPage page = must(m_site->wait(m_rabbit->take(one)));
    QCOMPARE(page.messages.size(), 3);
    QVERIFY(page.trouble);
    QCOMPARE(core::toString(page.trouble->kind), core::toString(ErrorKind::NotFound));
}

void TestRabbitMqUnreadable::whatWasLostIsSaidAlthoughTheRestIsRefused()
{
    QCborMap arguments = ofType(QStringLiteral("quorum"));
    arguments.insert(QStringLiteral("x-delivery-limit"), -1);
    begin(QStringLiteral("4.3.6"), arguments, 5, 3);
    const broker::TakeRequest one = loseHeldPage();
    while (!queue().ready.front().isUnshowable)
        queue().ready.pop_front();
    const Result<ReceivedPage> page = m_site->wait(m_rabbit->take(one));
    QVERIFY2(page, test::why(page).constData());
    QCOMPARE(page->messages.size(), 0);
    QVERIFY(page->trouble);
    QCOMPARE(core::toString(page->trouble->kind), core::toString(ErrorKind::NotFound));
    QCOMPARE(takeUntilRefused(), 0);
}

// The count of a quorum queue arrives some seconds late: what the pages took would look as if the message had gone.
void TestRabbitMqUnreadable::aCountThatIsOlderThanTheLastPageProvesNothing()
{
    begin(QStringLiteral("4.0.5"), ofType(QStringLiteral("quorum")), 5, 3);
    for (int page = 0; page < 2; ++page) { // the second one has all before it out of the queue
        const broker::TakeRequest one = request();
        must(m_site->wait(m_rabbit->release(one, must(m_site->wait(m_rabbit->take(one))))));
    }
    QCOMPARE(queue().length(), 2);
    queue().statisticsLength = 5;
    atShovelStart([] {});
    QCOMPARE(takeUntilRefused(), 0);
    m_site->pause(6000ms); // statistics
    QCOMPARE(takeUntilRefused(), 0);
    QCOMPARE(m_started, 0);
    QCOMPARE(queue().length(), 2);
}

REDRIVE_TEST(TestRabbitMqUnreadable)
#include "tst_rabbitmq_unreadable.moc"
