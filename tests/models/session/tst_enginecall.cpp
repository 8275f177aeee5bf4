// One question at a time: which answers are used, and when something is read again.
#include "backend/api/longwork.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/pipelines.h"
#include "models/session/enginecall.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using models::EngineCall;
using Pipelines = core::Result<QList<records::Pipeline>>;

class TestEngineCall final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theAnswerOfAReplacedQuestionIsDropped();
    void aDroppedQuestionHasNoAnswer();
    void workThatNobodyWaitsForIsCancelled();
    void anAnswerNeedsItsAsker();
    void manyChangesLeadToOneMoreReading();
    void afterARestartTheOldAnswerIsDropped();
    void whatWasMissedIsReadWhenActive();
    void nothingIsReadBeforeTheFirstSnapshot();
    void aChainIsOneReading();

private:
    void ask(EngineCall &call, const QString &name)
    {
        call.ask(api::ListPipelines{}, [this, name](const Pipelines &) { m_answers.append(name); });
    }
    // Every answer that is on its way arrives.
    void release()
    {
        m_client->holdAnswers(false);
        bool last = false;
        m_session->ask(this, api::ListPipelines{}, [&last](const Pipelines &) { last = true; });
        QTRY_VERIFY(last);
    }
    [[nodiscard]] qsizetype asked() const { return m_client->count<api::ListPipelines>(); }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    QStringList m_answers;
};

void TestEngineCall::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_answers.clear();
    m_client->publish();
    QTRY_VERIFY(m_session->hasSnapshot());
    m_client->holdAnswers(true);
}

void TestEngineCall::cleanup()
{
    m_session.reset();
    m_client.reset();
}

void TestEngineCall::theAnswerOfAReplacedQuestionIsDropped()
{
    EngineCall call(*m_session);
    ask(call, QStringLiteral("first"));
    ask(call, QStringLiteral("second"));
    QVERIFY(call.isPending());
    release();
    QCOMPARE(m_answers, QStringList{QStringLiteral("second")});
    QVERIFY(!call.isPending());
}

void TestEngineCall::aDroppedQuestionHasNoAnswer()
{
    EngineCall call(*m_session);
    ask(call, QStringLiteral("first"));
    call.drop();
    QVERIFY(!call.isPending());
    release();
    QVERIFY(m_answers.isEmpty());
}

void TestEngineCall::workThatNobodyWaitsForIsCancelled()
{
    const auto preview = [](EngineCall &call) {
        call.askUntilReplaced(api::PreviewEdit{}, [](const core::Result<api::EditSample> &) {});
    };
    const auto cancelled = [this] { return m_client->count<api::CancelWork>(); };
    {
        EngineCall call(*m_session);
        preview(call);
        QCOMPARE(cancelled(), 0);
        preview(call);
        QCOMPARE(cancelled(), 1);
        call.drop();
        QCOMPARE(cancelled(), 2);
        preview(call);
    }
    QCOMPARE(cancelled(), 3);
    EngineCall answered(*m_session);
    preview(answered);
    release();
    QVERIFY(!answered.isPending());
    answered.drop();
    QCOMPARE(cancelled(), 3);
    QVERIFY(m_client->editQuestions.at(0).ticket != m_client->editQuestions.at(1).ticket);
}

void TestEngineCall::anAnswerNeedsItsAsker()
{
    auto call = std::make_unique<EngineCall>(*m_session);
    ask(*call, QStringLiteral("first"));
    call.reset();
    release();
    QVERIFY(m_answers.isEmpty());
}

void TestEngineCall::manyChangesLeadToOneMoreReading()
{
    EngineCall call(*m_session, [&] { ask(call, QStringLiteral("read")); });
    for (int change = 0; change < 5; ++change)
        call.refresh();
    QCOMPARE(asked(), 1);
    m_client->releaseOne();
    QTRY_COMPARE(asked(), 2);
    release();
    QCOMPARE(m_answers.size(), 2);
    QVERIFY(!call.isPending());
}

void TestEngineCall::afterARestartTheOldAnswerIsDropped()
{
    QString wanted = QStringLiteral("old");
    EngineCall call(*m_session, [&] { ask(call, wanted); });
    call.refresh();
    wanted = QStringLiteral("new");
    call.restart();
    QCOMPARE(asked(), 1); // one question at a time
    m_client->releaseOne();
    QTRY_COMPARE(asked(), 2);
    release();
    QCOMPARE(m_answers, QStringList{QStringLiteral("new")});
}

void TestEngineCall::whatWasMissedIsReadWhenActive()
{
    EngineCall call(*m_session, [&] { ask(call, QStringLiteral("read")); });
    call.setActive(false);
    call.refresh();
    call.restart();
    QCOMPARE(asked(), 0);
    call.setActive(true);
    QCOMPARE(asked(), 1);
    call.setActive(false);
    call.setActive(true); // nothing was missed
    release();
    QCOMPARE(m_answers.size(), 1);
}

void TestEngineCall::nothingIsReadBeforeTheFirstSnapshot()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    EngineCall call(session, [&] { ask(call, QStringLiteral("read")); });
    call.refresh();
    QCOMPARE(client.count<api::ListPipelines>(), 0);
    client.publish();
    QTRY_COMPARE(client.count<api::ListPipelines>(), 1);
}

void TestEngineCall::aChainIsOneReading()
{
    EngineCall call(*m_session, [&] {
        call.ask(api::ListPipelines{}, [&](const Pipelines &) { ask(call, QStringLiteral("end")); });
    });
    call.refresh();
    m_client->releaseOne();
    QTRY_COMPARE(asked(), 2);
    call.refresh(); // in the middle
    QCOMPARE(asked(), 2);
    m_client->releaseOne();
    QTRY_COMPARE(asked(), 3); // read again from the start
    QCOMPARE(m_answers, QStringList{QStringLiteral("end")});
}

REDRIVE_TEST(TestEngineCall)
#include "tst_enginecall.moc"
