// A regular expression that takes long on a message keeps nobody else waiting, and can be cancelled.
#include "backend/api/client.h"
#include "backend/api/longwork.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/retryplan.h"
#include "backend/core/workthread.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QSemaphore>
#include <QTest>

#include <limits>

using core::ErrorKind;
using support::EngineFixture;
using test::must;

namespace {

const QString ticket = QStringLiteral("t1");

// Reads from each place of the body to its end: minutes, if nobody ends it.
records::Edit slowEdit()
{
    return {{{records::EditStep::Do::ReplaceText, QStringLiteral("x*[yz]"), QStringLiteral("=")}}};
}

const QByteArray slowBody(400 * 1024, 'x');

// An engine with messages of these bodies, and a thread for slow edits that does nothing before open().
class SlowEngine final
{
public:
    explicit SlowEngine(const QList<QByteArray> &bodies = {slowBody})
        : m_held(m_patience.start([this](const auto &) { m_gate.acquire(); }))
    {
        m_fixture.dependencies.patience = &m_patience;
        m_fixture.connection.rights = records::defaultRights | records::Right::Edit;
        m_fixture.fill(0);
        must(m_fixture.store->transact([&](store::Session &session) -> core::Result<> {
            for (int n = 0; n < bodies.size(); ++n) {
                store::NewMessage fresh = test::sampleMessage(m_fixture.shop, n + 1);
                fresh.message.dialect = QStringLiteral("unknown");
                fresh.message.queue = QStringLiteral("error");
                fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact,
                                             QStringLiteral("test")};
                fresh.envelope.body = bodies.at(n);
                (void)must(session.messages().insert(fresh));
            }
            return {};
        }));
        m_fixture.start();
    }
    ~SlowEngine() { open(); }
    SlowEngine(const SlowEngine &) = delete;
    SlowEngine &operator=(const SlowEngine &) = delete;

    void open() { m_gate.release(); }
    [[nodiscard]] EngineFixture &fixture() { return m_fixture; }
    template<api::Request R>
    [[nodiscard]] api::Answer<typename R::Answer> begin(const R &request)
    {
        const auto asked = std::make_shared<api::Asked<R>>(request);
        m_fixture.engine->carryOut(asked, QStringLiteral("ada@desk"));
        m_fixture.advance(std::chrono::seconds(5));
        return asked->reply.future();
    }
    // The other thread works in real time, which the clock of the engine does not know.
    template<typename T>
    [[nodiscard]] bool ends(const api::Answer<T> &answer)
    {
        return m_fixture.runUntil([&answer] { return answer.isFinished(); }, std::numeric_limits<int>::max());
    }

private:
    QSemaphore m_gate;
    core::WorkThread m_patience;
    core::WorkThread::JobPtr m_held;
    EngineFixture m_fixture;
};

api::PreviewRetry preview(const EngineFixture &fixture)
{
    api::PreviewRetry request;
    request.draft.filter.connection = fixture.shop;
    request.draft.plan.edit = slowEdit();
    request.ticket = ticket;
    return request;
}

} // namespace

class TestSlowEdits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void othersAreAnsweredMeanwhileAndItCanBeCancelled()
    {
        SlowEngine slow;
        const api::Answer<api::PlanPreview> shown = slow.begin(preview(slow.fixture()));
        QVERIFY(!shown.isFinished());
        QVERIFY(slow.fixture().carryOut(api::AskWork{ticket}));
        QVERIFY(slow.fixture().carryOut(api::CancelWork{ticket}));
        QVERIFY(slow.ends(shown));
        QVERIFY(shown.result().error().kind == ErrorKind::Cancelled);
    }

    void thePlanSaysThatItTakesTooLong()
    {
        SlowEngine slow;
        slow.open();
        const api::Answer<api::PlanPreview> shown = slow.begin(preview(slow.fixture()));
        QVERIFY(slow.ends(shown));
        const api::PlanPreview plan = must(shown.result());
        QCOMPARE(plan.frozenCount, 0);
        QCOMPARE(plan.leftOut[records::LeftOut::EditMisfit], 1);
        QCOMPARE(plan.misfits.size(), 1);
    }

    void theSampleOfAnEditWaitsElsewhereToo()
    {
        SlowEngine slow;
        api::PreviewEdit question;
        question.filter.connection = slow.fixture().shop;
        question.edit = slowEdit();
        const api::Answer<api::EditSample> sample = slow.begin(question);
        QVERIFY(!sample.isFinished());
        api::PreviewRetry plain = preview(slow.fixture());
        plain.draft.plan.edit = {};
        QCOMPARE(must(slow.fixture().carryOut(plain)).frozenCount, 1);
        slow.open();
        QVERIFY(slow.ends(sample));
        QVERIFY(!must(sample.result()).misfit.isEmpty());
    }

    // Nobody else's slow edit is tried meanwhile.
    void theSampleIsNotSoughtBehindManySlowMessages()
    {
        const QByteArray noMatch("a");
        const QByteArray changed("y");
        SlowEngine slow({noMatch, slowBody, slowBody, slowBody, changed});
        slow.open();
        api::PreviewEdit question;
        question.filter.connection = slow.fixture().shop;
        question.edit = slowEdit();
        const api::Answer<api::EditSample> sample = slow.begin(question);
        QVERIFY(slow.ends(sample));
        QCOMPARE(must(sample.result()).message, core::MessageId{2});
        QVERIFY(!must(sample.result()).misfit.isEmpty());
    }

    void theSampleThatNobodyWaitsForIsCancelled()
    {
        SlowEngine slow;
        api::PreviewEdit question;
        question.filter.connection = slow.fixture().shop;
        question.edit = slowEdit();
        question.ticket = ticket;
        const api::Answer<api::EditSample> sample = slow.begin(question);
        QVERIFY(slow.fixture().carryOut(api::CancelWork{ticket}));
        QVERIFY(slow.ends(sample));
        QVERIFY(sample.result().error().kind == ErrorKind::Cancelled);
    }

    void whatIsOnItsWayEndsWithTheEngine()
    {
        SlowEngine slow;
        const api::Answer<api::PlanPreview> shown = slow.begin(preview(slow.fixture()));
        QVERIFY(!shown.isFinished());
        slow.fixture().stop();
        QVERIFY(slow.ends(shown));
        QVERIFY(!shown.result());
    }
};

REDRIVE_TEST(TestSlowEdits)
#include "tst_slowedits.moc"
