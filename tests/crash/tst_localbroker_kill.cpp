#include "backend/broker/servicebus/servicebus.h"
#include "backend/core/systemclock.h"
#include "backend/http/qnamhttpclient.h"

#include <QCoro/QCoroTask>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using broker::Outgoing;
using broker::SendOutcome;
using broker::Verdict;

// kill -9 in the middle of sends: what was accepted is there, what was refused is not, and nothing is there twice.
class TestLocalBrokerKill final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptedMessagesSurviveKills();

private:
    static std::unique_ptr<QProcess> startChild(const QString &file, QUrl &url);
};

namespace {

struct Ledger
{
    QSet<QByteArray> accepted;
    QSet<QByteArray> unknown;
};

core::Task<> sendUntilItBreaks(broker::ServiceBus &bus, int round, int lane, Ledger &ledger)
{
    for (int i = 0; i < 100000; ++i) {
        Outgoing message;
        message.destination = QStringLiteral("orders");
        message.envelope.body =
            QByteArray::number(round) + '/' + QByteArray::number(lane) + '/' + QByteArray::number(i);
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

void TestLocalBrokerKill::acceptedMessagesSurviveKills()
{
    constexpr int rounds = 5;
    constexpr int lanes = 8;
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("broker.db"));
    core::SystemClock clock;
    Ledger ledger;
    for (int round = 0; round < rounds; ++round) {
        QUrl url;
        const std::unique_ptr<QProcess> child = startChild(file, url);
        QVERIFY(url.isValid());
        http::QnamHttpClient client({2, {}});
        broker::ServiceBus bus(client, clock, {url, {}, {}, {}});
        std::vector<core::Task<>> tasks;
        for (int lane = 0; lane < lanes; ++lane)
            tasks.push_back(sendUntilItBreaks(bus, round, lane, ledger));
        const qsizetype enough = ledger.accepted.size() + 40 + 17 * round; // then, in the middle of the next ones
        QTRY_VERIFY_WITH_TIMEOUT(ledger.accepted.size() >= enough, 60000);
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
    QSet<QByteArray> found;
    for (;;) {
        const auto page = QCoro::waitFor(bus.take({QStringLiteral("orders"), {}, 1000, 0}));
        QVERIFY(page.has_value());
        for (const broker::Held &held : page->messages) {
            QVERIFY2(!found.contains(held.envelope.body), "twice");
            found.insert(held.envelope.body);
        }
        if (!page->more)
            break;
    }
    QVERIFY(ledger.accepted.size() >= rounds * 40);
    QVERIFY2(found.contains(ledger.accepted), "an accepted message is missing");
    QVERIFY2((ledger.accepted + ledger.unknown).contains(found), "a message that was refused is there");
    child->kill();
    QVERIFY(child->waitForFinished());
}

QTEST_GUILESS_MAIN(TestLocalBrokerKill)
#include "tst_localbroker_kill.moc"
