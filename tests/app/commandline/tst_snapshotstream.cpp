#include "app/commandline/snapshotstream.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

core::Task<> readInto(commandline::SnapshotStream &stream, std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await stream.ready();
    result = snapshot;
}

core::Task<> newerInto(commandline::SnapshotStream &stream, quint64 sequence,
                       std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await stream.newer(sequence);
    result = snapshot;
}

core::Task<> nextInto(commandline::SnapshotStream &stream, std::optional<core::Result<api::SnapshotPtr>> &result)
{
    const core::Result<api::SnapshotPtr> snapshot = co_await stream.next();
    result = snapshot;
}

} // namespace

class TestSnapshotStream final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEngineThatStartsIsWaitedFor();
    void anEngineThatSaysNothingIsAnError();
    void aNewerSnapshotIsWaitedForAMomentOnly();
    void stoppingEndsEveryWait();
    void whatIsLostSaysWhy();
};

void TestSnapshotStream::anEngineThatStartsIsWaitedFor()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::SnapshotStream stream(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> result;
    const core::Task<> reading = readInto(stream, result);
    client.snapshot.engine = api::EngineState::Starting;
    client.publish();
    QVERIFY(!result);
    client.snapshot.engine = api::EngineState::Running;
    client.publish();
    QVERIFY(result && result->has_value());
    QVERIFY((**result)->engine == api::EngineState::Running);
}

void TestSnapshotStream::anEngineThatSaysNothingIsAnError()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::SnapshotStream stream(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> result;
    const core::Task<> reading = readInto(stream, result);
    clock.advance(commandline::SnapshotStream::timeout);
    QVERIFY(result && !result->has_value());
    QVERIFY(result->error().kind == core::ErrorKind::Transient);
}

void TestSnapshotStream::aNewerSnapshotIsWaitedForAMomentOnly()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::SnapshotStream stream(client, clock);
    client.publish();
    std::optional<core::Result<api::SnapshotPtr>> newer;
    const core::Task<> waiting = newerInto(stream, 1, newer);
    QVERIFY(!newer); // the snapshot before does not count
    client.publish();
    QVERIFY(newer);
    QCOMPARE((**newer)->sequence, 2U);

    std::optional<core::Result<api::SnapshotPtr>> last;
    const core::Task<> giving = newerInto(stream, 2, last);
    clock.advance(commandline::SnapshotStream::moment);
    QVERIFY(last);
    QCOMPARE((**last)->sequence, 2U);
}

void TestSnapshotStream::stoppingEndsEveryWait()
{
    support::FakeClient client;
    support::FakeClock clock;
    std::optional<core::Result<api::SnapshotPtr>> first;
    std::optional<core::Result<api::SnapshotPtr>> second;
    {
        commandline::SnapshotStream stream(client, clock);
        const core::Task<> reading = readInto(stream, first);
        const core::Task<> waiting = nextInto(stream, second);
        QVERIFY(!first && !second);
        stream.stop();
    }
    QVERIFY(first->error().kind == core::ErrorKind::Cancelled);
    QVERIFY(second->error().kind == core::ErrorKind::Cancelled);
    client.publish(); // nobody listens any more
}

void TestSnapshotStream::whatIsLostSaysWhy()
{
    support::FakeClient client;
    support::FakeClock clock;
    commandline::SnapshotStream stream(client, clock);
    std::optional<core::Result<api::SnapshotPtr>> first;
    std::optional<core::Result<api::SnapshotPtr>> second;
    const core::Task<> reading = readInto(stream, first);
    const core::Task<> waiting = nextInto(stream, second);
    stream.lose({core::ErrorKind::Transient, QStringLiteral("gone"), {}, {}});
    std::optional<core::Result<api::SnapshotPtr>> later;
    const core::Task<> asking = nextInto(stream, later);
    for (const auto *one : {&first, &second, &later}) {
        QVERIFY(*one && !(*one)->has_value());
        QVERIFY((*one)->error().kind == core::ErrorKind::Transient);
        QCOMPARE((*one)->error().message, QStringLiteral("gone"));
    }
}

REDRIVE_TEST(TestSnapshotStream)
#include "tst_snapshotstream.moc"
