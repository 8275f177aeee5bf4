#include "app/commandline/feed.h"
#include "tests/support/fakeclient.h"
#include "tests/support/fakeclock.h"

#include <QTest>

namespace {

core::Task<> readInto(commandline::Feed &feed, std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await feed.ready();
    result = snapshot;
}

core::Task<> newerInto(commandline::Feed &feed, quint64 sequence, std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await feed.newer(sequence);
    result = snapshot;
}

core::Task<> nextInto(commandline::Feed &feed, std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await feed.next();
    result = snapshot;
}

} // namespace

class TestFeed final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEngineThatStartsIsWaitedFor();
    void anEngineThatSaysNothingIsAnError();
    void aNewerSnapshotIsWaitedForAMomentOnly();
    void stoppingEndsEveryWait();
    void whatIsLostSaysWhy();
};

void TestFeed::anEngineThatStartsIsWaitedFor()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::Feed feed(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> result;
    const core::Task<> reading = readInto(feed, result);
    client.snapshot.engine = api::EngineState::Starting;
    client.publish();
    QVERIFY(!result);
    client.snapshot.engine = api::EngineState::Running;
    client.publish();
    QVERIFY(result && result->has_value());
    QVERIFY((**result)->engine == api::EngineState::Running);
}

void TestFeed::anEngineThatSaysNothingIsAnError()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::Feed feed(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> result;
    const core::Task<> reading = readInto(feed, result);
    clock.advance(commandline::Feed::patience);
    QVERIFY(result && !result->has_value());
    QVERIFY(result->error().kind == core::ErrorKind::Transient);
}

void TestFeed::aNewerSnapshotIsWaitedForAMomentOnly()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::Feed feed(client, clock);
    client.publish();
    std::optional<core::Result<api::SnapshotPtr>> newer;
    const core::Task<> waiting = newerInto(feed, 1, newer);
    QVERIFY(!newer); // the snapshot before does not count
    client.publish();
    QVERIFY(newer);
    QCOMPARE((**newer)->sequence, 2U);

    std::optional<core::Result<api::SnapshotPtr>> last;
    const core::Task<> giving = newerInto(feed, 2, last);
    clock.advance(commandline::Feed::moment);
    QVERIFY(last);
    QCOMPARE((**last)->sequence, 2U);
}

void TestFeed::stoppingEndsEveryWait()
{
    support::FakeClient client;
    support::FakeClock clock;
    std::optional<core::Result<api::SnapshotPtr>> first;
    std::optional<core::Result<api::SnapshotPtr>> second;
    {
        commandline::Feed feed(client, clock);
        const core::Task<> reading = readInto(feed, first);
        const core::Task<> waiting = nextInto(feed, second);
        QVERIFY(!first && !second);
        feed.stop();
    }
    QVERIFY(first->error().kind == core::ErrorKind::Cancelled);
    QVERIFY(second->error().kind == core::ErrorKind::Cancelled);
    client.publish(); // nobody listens any more
}

void TestFeed::whatIsLostSaysWhy()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::Feed feed(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> first;
    std::optional<core::Result<api::SnapshotPtr>> second;
    const core::Task<> reading = readInto(feed, first);
    const core::Task<> waiting = nextInto(feed, second);
    feed.lose({core::ErrorKind::Transient, QStringLiteral("gone"), {}, {}});
    std::optional<core::Result<api::SnapshotPtr>> later;
    const core::Task<> asking = nextInto(feed, later);
    for (const auto *one : {&first, &second, &later}) {
        QVERIFY(*one && !(*one)->has_value());
        QVERIFY((*one)->error().kind == core::ErrorKind::Transient);
        QCOMPARE((*one)->error().message, QStringLiteral("gone"));
    }
}

QTEST_GUILESS_MAIN(TestFeed)
#include "tst_feed.moc"
