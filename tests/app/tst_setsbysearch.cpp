// A set that was chosen by a search is made of what the search finds, in the real engine with its threads and its file.
#include "app/host/storeaccess.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::Result;
using test::must;

namespace {

constexpr int messages = 40; // number 1 and 10 to 19 are orders "1..."
constexpr int ordersOne = 11;

template<typename T>
Result<T> answerOf(const api::Answer<T> &answer)
{
    return QTest::qWaitFor([&] { return answer.isFinished(); }, 30'000) && answer.resultCount() > 0
               ? answer.result()
               : Result<T>(core::fail(core::ErrorKind::Cancelled, QStringLiteral("There was no answer.")));
}

records::MessageFilter searchFor(const QString &text)
{
    records::MessageFilter filter;
    filter.search = text;
    return filter;
}

} // namespace

class TestSetsBySearch final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void thePlanCountsWhatTheSearchFinds();
    void archivingAndRestoringTakeWhatTheSearchFinds();
    void aSearchThatFindsNothingTakesNothing();
    void cleanup() { m_access.reset(); }

private:
    void fill(const QString &path);
    [[nodiscard]] qint64 archived();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<app::StoreAccess> m_access;
    core::ConnectionId m_connection;
};

void TestSetsBySearch::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    app::EngineHostSettings settings;
    settings.store = m_folder->filePath(QStringLiteral("redrive.db"));
    settings.keychain = false;
    settings.servesOthers = false;
    fill(settings.store.file);
    m_access = std::make_unique<app::StoreAccess>(settings, app::StoreAccess::WaitLimit::OfACommand);
    QVERIFY(m_access->open());
}

void TestSetsBySearch::fill(const QString &path)
{
    core::SystemRandom random;
    const auto store = must(store::SqliteStore::open(path, random));
    records::Connection connection = test::sampleConnection(QStringLiteral("one"));
    connection.url = QUrl(QStringLiteral("http://guest@127.0.0.1:1/")); // nobody answers there
    connection.caFile.clear();
    must(store->transact([&](store::Session &session) -> Result<> {
        m_connection = must(session.connections().add(connection));
        for (int n = 0; n < messages; ++n)
            (void)must(session.messages().insert(test::sampleMessage(m_connection, n)));
        return {};
    }));
}

qint64 TestSetsBySearch::archived()
{
    api::MessageQuery query;
    query.filter.status = records::MessageStatus::Archived;
    return must(answerOf(m_access->client().ask(api::MessageIdQuery{query}))).ids.size();
}

void TestSetsBySearch::thePlanCountsWhatTheSearchFinds()
{
    api::RetryDraft request;
    request.filter = searchFor(QStringLiteral("ORDER 1"));
    const api::PlanPreview plan = must(answerOf(m_access->client().ask(api::PreviewRetry{request})));
    QCOMPARE(plan.frozenCount, ordersOne);
    QCOMPARE(plan.connection, m_connection); // told by the messages alone
    QVERIFY2(plan.sentence.contains(QStringLiteral("ORDER 1")), qPrintable(plan.sentence));
    QVERIFY2(!plan.sentence.contains(QStringLiteral("selected")), qPrintable(plan.sentence));

    // One of them is archived meanwhile: the plan that was shown no longer holds.
    api::DecideMessages command;
    command.filter = searchFor(QStringLiteral("order 12 "));
    QCOMPARE(must(answerOf(m_access->client().ask(command))).changed, 1);
    request.asOfChange = plan.asOfChange;
    QCOMPARE(must(answerOf(m_access->client().ask(api::PreviewRetry{request}))).frozenCount, ordersOne - 1);
}

void TestSetsBySearch::archivingAndRestoringTakeWhatTheSearchFinds()
{
    api::DecideMessages command;
    command.filter = searchFor(QStringLiteral("order 1"));
    QCOMPARE(must(answerOf(m_access->client().ask(command))).changed, ordersOne);
    QCOMPARE(archived(), ordersOne);
    command.decision = api::Decision::Restore;
    QCOMPARE(must(answerOf(m_access->client().ask(command))).changed, ordersOne);
    QCOMPARE(archived(), 0);
}

void TestSetsBySearch::aSearchThatFindsNothingTakesNothing()
{
    api::DecideMessages command;
    command.filter = searchFor(QStringLiteral("nobody wrote this"));
    QCOMPARE(must(answerOf(m_access->client().ask(command))).changed, 0);
    QCOMPARE(archived(), 0);

    api::RetryDraft request;
    request.filter = command.filter;
    const Result<api::PlanPreview> plan = answerOf(m_access->client().ask(api::PreviewRetry{request}));
    QVERIFY(!plan && plan.error().kind == core::ErrorKind::NotFound);
}

REDRIVE_TEST(TestSetsBySearch)
#include "tst_setsbysearch.moc"
