// What goes back changed: the copy alone, whatever happens on the way. The world itself checks every copy that arrives.
#include "backend/store/messagestore.h"
#include "tests/scenarios/worldquestions.h"

#include <QTest>

using records::HandOver;
using scenario::bothHandOvers;
using scenario::crashOften;
using scenario::isQuietEnd;
using scenario::RetryWorld;
using scenario::Settings;

namespace {

const QString mend = QStringLiteral(" mended");

QByteArray storedBody(RetryWorld &world, core::MessageId id)
{
    return world.ask<records::Envelope>([id](store::Session &session) { return session.messages().loadEnvelope(id); })
        .body;
}

} // namespace

class TestEdited : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatFailsAgainIsKeptAsItWasSent_data();
    void whatFailsAgainIsKeptAsItWasSent();
    void aCrashChangesNothingAboutIt_data();
    void aCrashChangesNothingAboutIt();
};

void TestEdited::whatFailsAgainIsKeptAsItWasSent_data()
{
    bothHandOvers();
}

// The original stays until the edited copy fails, too: then that is what failed, and what the next retry begins with.
void TestEdited::whatFailsAgainIsKeptAsItWasSent()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.messages = 8;
    settings.failsAgain = 3;
    RetryWorld world(51, settings);
    QMap<core::MessageId, QByteArray> before;
    for (const records::FailedMessage &one : world.messages())
        before.insert(one.id, storedBody(world, one.id));
    RetryWorld::Wish wish;
    wish.mend = mend;
    world.start();
    world.request(wish);
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.mended(), 8);
    int again = 0;
    for (const records::FailedMessage &one : world.messages()) {
        const bool cameBack = one.cameBack > 0;
        again += cameBack ? 1 : 0;
        const QByteArray expected = before.value(one.id) + (cameBack ? mend.toUtf8() : QByteArray());
        QCOMPARE(storedBody(world, one.id), expected);
        QCOMPARE(one.bodySize, expected.size());
    }
    QCOMPARE(again, 3);

    world.request(wish); // those three once more, on what the first edit left
    QVERIFY(isQuietEnd(world));
    QCOMPARE(world.mended(), 8 + 3);
    for (const records::FailedMessage &one : world.messages())
        QVERIFY(storedBody(world, one.id).count(mend.toUtf8())
                <= 1); // no third failure: the second edit is stored nowhere
}

void TestEdited::aCrashChangesNothingAboutIt_data()
{
    bothHandOvers();
}

// The edit is in the frozen set: whoever takes over needs to know nothing else.
void TestEdited::aCrashChangesNothingAboutIt()
{
    QFETCH(const HandOver, handOver);
    Settings settings;
    settings.handOver = handOver;
    settings.onUnknown = records::OnUnknown::SendAgain;
    settings.messages = 9;
    settings.batchMembers = 3;
    RetryWorld world(52, settings);
    RetryWorld::Wish wish;
    wish.mend = mend;
    world.start();
    world.request(wish);
    QVERIFY(world.runUntil([&] { return !world.isAsked(); }));
    crashOften(world);
    QVERIFY(isQuietEnd(world));
    QVERIFY(world.crashes > 3);
    QVERIFY(world.mended() >= 9);
}

QTEST_GUILESS_MAIN(TestEdited)
#include "tst_edited.moc"
