#include "backend/localbroker/waiters.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace std::chrono_literals;
using localbroker::Delivery;
using localbroker::Draft;
using localbroker::Place;
using localbroker::Waiters;

class TestWaiters final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void firstComeFirstServed();
    void theTimeoutEnds();
    void whoHasHungUpGetsNothing();
    void anAnswerMayLeadBackHere();

private:
    void send(const QByteArray &body)
    {
        Draft draft;
        draft.body = body;
        QVERIFY(m_engine->send(m_place, {draft}).has_value());
    }
    Waiters::Waiter waiter(const QByteArray &name)
    {
        return {true, [] { return true; },
                [this, name](const std::optional<Delivery> &got) {
                    m_answers << name + ':' + (got ? got->message.draft.body : QByteArray("nothing"));
                }};
    }

    const Place m_place{QStringLiteral("orders"), false};
    std::unique_ptr<support::FakeClock> m_clock;
    std::unique_ptr<core::SeededRandom> m_random;
    std::unique_ptr<localbroker::QueueEngine> m_engine;
    std::unique_ptr<Waiters> m_waiters;
    QByteArrayList m_answers;
};

void TestWaiters::init()
{
    m_waiters.reset();
    m_engine.reset();
    m_answers.clear();
    m_clock = std::make_unique<support::FakeClock>();
    m_random = std::make_unique<core::SeededRandom>(1);
    m_engine = std::make_unique<localbroker::QueueEngine>(*m_clock, *m_random);
    m_waiters = std::make_unique<Waiters>(*m_clock, *m_engine);
    localbroker::QueueSettings settings;
    settings.name = m_place.queue;
    QVERIFY(m_engine->createQueue(settings).has_value());
}

void TestWaiters::firstComeFirstServed()
{
    m_waiters->add(m_place, 10s, waiter("first"));
    m_waiters->add(m_place, 10s, waiter("second"));
    send("a");
    m_waiters->serve(m_place);
    QCOMPARE(m_answers, QByteArrayList{"first:a"});
    send("b");
    m_waiters->serveAll();
    QCOMPARE(m_answers, (QByteArrayList{"first:a", "second:b"}));
}

void TestWaiters::theTimeoutEnds()
{
    m_waiters->add(m_place, 10s, waiter("first"));
    m_clock->advance(10s);
    QCOMPARE(m_answers, QByteArrayList{"first:nothing"});
    send("a");
    m_waiters->serve(m_place);
    QCOMPARE(m_answers.size(), 1);
}

void TestWaiters::whoHasHungUpGetsNothing()
{
    Waiters::Waiter gone = waiter("gone");
    gone.isThere = [] { return false; };
    m_waiters->add(m_place, 10s, gone);
    m_waiters->add(m_place, 10s, waiter("second"));
    send("a");
    m_waiters->serve(m_place);
    QCOMPARE(m_answers, QByteArrayList{"second:a"});
}

// An answer frees its client's connection, whose next request may be a message for the same queue.
void TestWaiters::anAnswerMayLeadBackHere()
{
    Waiters::Waiter first = waiter("first");
    first.answer = [this, answer = first.answer](const std::optional<Delivery> &got) {
        answer(got);
        send("b");
        m_waiters->serve(m_place);
        m_waiters->add(m_place, 10s, waiter("third"));
    };
    m_waiters->add(m_place, 10s, first);
    m_waiters->add(m_place, 10s, waiter("second"));
    send("a");
    m_waiters->serve(m_place);
    QCOMPARE(m_answers, (QByteArrayList{"first:a", "second:b"}));
    send("c");
    m_waiters->serve(m_place);
    QCOMPARE(m_answers.constLast(), QByteArray("third:c"));
}

REDRIVE_TEST(TestWaiters)
#include "tst_waiters.moc"
