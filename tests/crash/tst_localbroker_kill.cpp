#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/time/systemclock.h"
#include "backend/http/qnamhttpclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using broker::Outgoing;
using broker::SendOutcome;
using broker::Verdict;

// kill -9 in the middle of sends: what was accepted is there, what was refused is not, and nothing is there twice. So it is
// where topics copy and queues forward, and each message is at all its ends or at none.
class TestLocalBrokerKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptedMessagesSurviveKills();

private:
    static std::unique_ptr<QProcess> startChild(const QString &file, QUrl &url);
    static QSet<QByteArray> allOf(broker::ServiceBus &bus, const QString &queue);
};

namespace {

struct Ledger
{
    QSet<QByteArray> accepted;
    QSet<QByteArray> unknown;
};

// To where a lane sends, and where all of it comes out (localbroker_child.cpp).
struct Way
{
    QString to;
    QStringList ends;
};
const QList<Way> ways{
    {QStringLiteral("orders"), {QStringLiteral("orders")}},
    {QStringLiteral("in"), {QStringLiteral("out")}},
    {QStringLiteral("events"), {QStringLiteral("events/Subscriptions/one"), QStringLiteral("collected")}},
    {QStringLiteral("mortal"), {QStringLiteral("grave")}}};

core::Task<> sendUntilItBreaks(broker::ServiceBus &bus, QString to, QByteArray mark, Ledger &ledger)
{
    for (int i = 0; i < 100000; ++i) {
        Outgoing message;
        message.destination = to;
        message.envelope.body = mark + QByteArray::number(i);
        const QByteArray body = message.envelope.body;
        QList<Outgoing> one{message};
        const QList<SendOutcome> outcomes = co_await bus.send(std::move(one));
        const Verdict verdict = outcomes.constFirst().verdict;
        if (verdict == Verdict::Accepted)
            ledger.accepted.insert(body);
        else if (verdict == Verdict::Unknown)
            ledger.unknown.insert(body);
        if (verdict != Verdict::Accepted)
            co_return;
    }
}

} // namespace

std::unique_ptr<QProcess> TestLocalBrokerKill::startChild(const QString &file, QUrl &url)
{
    auto child = std::make_unique<QProcess>();
    child->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child->start(QCoreApplication::applicationDirPath() + QStringLiteral("/localbroker_child"), {file});
    if (!child->waitForReadyRead(30000))
        return child;
    url = QUrl(QStringLiteral("http://127.0.0.1:%1/").arg(child->readLine().trimmed().toInt()));
    return child;
}

QSet<QByteArray> TestLocalBrokerKill::allOf(broker::ServiceBus &bus, const QString &queue)
{
    QSet<QByteArray> found;
    for (;;) {
        const auto page = QCoro::waitFor(bus.take({queue, {}, 1000, 0}));
        if (!page)
            qFatal("%s", qPrintable(page.error().message));
        for (const broker::ReceivedMessage &held : page->messages) {
            if (found.contains(held.envelope.body))
                qFatal("%s is twice in %s", held.envelope.body.constData(), qPrintable(queue));
            found.insert(held.envelope.body);
        }
        if (!page->more)
            return found;
    }
}

void TestLocalBrokerKill::acceptedMessagesSurviveKills()
{
    constexpr int rounds = 5;
    constexpr int lanes = 8;
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("broker.db"));
    core::SystemClock clock;
    std::vector<Ledger> ledgers(size_t(ways.size()));
    const auto accepted = [&ledgers] {
        qsizetype count = 0;
        for (const Ledger &one : ledgers)
            count += one.accepted.size();
        return count;
    };
    for (int round = 0; round < rounds; ++round) {
        QUrl url;
        const std::unique_ptr<QProcess> child = startChild(file, url);
        QVERIFY(url.isValid());
        http::QnamHttpClient client({2, {}});
        broker::ServiceBus bus(client, clock, {url, {}, {}, {}});
        std::vector<core::Task<>> tasks;
        for (int lane = 0; lane < lanes; ++lane) {
            const qsizetype way = lane % ways.size();
            const QByteArray mark = QByteArray::number(round) + '/' + QByteArray::number(lane) + '/';
            tasks.push_back(sendUntilItBreaks(bus, ways.at(way).to, mark, ledgers[size_t(way)]));
        }
        const qsizetype enough = accepted() + 40 + 17 * round; // then, in the middle of the next ones
        QTRY_VERIFY_WITH_TIMEOUT(accepted() >= enough, 60000);
        child->kill();
        QVERIFY(child->waitForFinished());
        QTRY_VERIFY(std::all_of(tasks.cbegin(), tasks.cend(), [](const core::Task<> &task) { return task.isReady(); }));
    }

    QUrl url;
    const std::unique_ptr<QProcess> child = startChild(file, url);
    QVERIFY(url.isValid());
    http::QnamHttpClient client({2, {}});
    broker::ServiceBus bus(client, clock, {url, {}, {}, {}});
    QVERIFY(QCoro::waitFor(bus.probe()).has_value());
    QVERIFY(accepted() >= rounds * 40);
    const auto waits = [&bus](const QString &queue) {
        qint64 waiting = 0;
        const auto listing = QCoro::waitFor(bus.queues());
        for (const broker::QueueInfo &info : listing.value_or(broker::Listing()).queues) {
            if (info.name == queue || info.name == queue + QStringLiteral("/$DeadLetterQueue"))
                waiting += info.depth.value_or(0);
        }
        return waiting;
    };
    QTRY_COMPARE_WITH_TIMEOUT(waits(QStringLiteral("mortal")), 0, 60000); // all of it has expired
    for (qsizetype way = 0; way < ways.size(); ++way) {
        const Ledger &ledger = ledgers[size_t(way)];
        QVERIFY(!ledger.accepted.isEmpty());
        QList<QSet<QByteArray>> ends;
        for (const QString &end : ways.at(way).ends)
            ends.append(allOf(bus, end));
        for (const QSet<QByteArray> &found : std::as_const(ends)) {
            QVERIFY2(found.contains(ledger.accepted), "an accepted message is missing");
            QVERIFY2((ledger.accepted + ledger.unknown).contains(found), "a message that was refused is there");
            QVERIFY2(found == ends.constFirst(), "a message is at one of its ends only");
        }
    }
    for (const char *passed : {"in", "events/Subscriptions/on"})
        QCOMPARE(waits(QString::fromLatin1(passed)), 0); // and nothing lies on the way
    child->kill();
    QVERIFY(child->waitForFinished());
}

REDRIVE_TEST(TestLocalBrokerKill)
#include "tst_localbroker_kill.moc"
