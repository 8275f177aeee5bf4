// Every question is answered, on whatever thread and however it ends.
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/store/connectionstore.h"
#include "backend/store/query/queryservice.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using test::must;

class TestQueryService final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void questionsAreAnsweredFromTheStore();
    void aStoreThatComesLaterIsFound();
    void aNewerQuestionReplacesTheOlder();
    void anotherListEndsTheSearchOfTheSameAsker();
    void aNewListEndsTheCountBesideTheOldOne();
    void questionsOfDifferentAskersAreAllAnswered();
    void questionsThatWaitAtTheEndAreCancelled();

private:
    void makeStore();
    [[nodiscard]] static api::MessageQuery search(quint32 caller = 0)
    {
        api::MessageQuery query;
        query.caller = caller;
        query.filter.search = QStringLiteral("order");
        return query;
    }

    support::StorePlace m_place;
    records::StoreAddress m_address;
    std::unique_ptr<store::DatabaseStore> m_store;
};

void TestQueryService::init()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_store.reset();
    m_address = m_place.nextAddress(support::StorePlace::On::Disk);
}

void TestQueryService::makeStore()
{
    core::SeededRandom random(5);
    m_store = m_place.reopen(random);
    must(m_store->transact([](store::Session &session) -> Result<> {
        const auto connection = must(session.connections().add(test::sampleConnection(QStringLiteral("one"))));
        for (int n = 0; n < 500; ++n)
            (void)must(session.messages().insert(test::sampleMessage(connection, n)));
        return {};
    }));
}

void TestQueryService::questionsAreAnsweredFromTheStore()
{
    makeStore();
    const auto service = store::QueryService::open(m_address);
    QCOMPARE(must(service->ask(search()).result()).total, 500);
    QCOMPARE(must(service->ask(api::GroupQuery{}).result()).messages, 500);
    QCOMPARE(must(service->ask(api::MessageIdQuery{}).result()).ids.size(), 500);
    QCOMPARE(must(service->ask(api::MessageRowQuery{{{7}, {3}}}).result()).constLast().id, core::MessageId{3});
    QCOMPARE(must(service->ask(api::MessageDetailQuery{{7}}).result()).message.id, core::MessageId{7});
    QCOMPARE(must(service->ask(api::BodyQuery{{7}}).result()).size(), 64);
    QVERIFY(must(service->ask(api::EventQuery{}).result()).isEmpty());
    QVERIFY(must(service->ask(api::SeriesQuery{}).result()).isEmpty());
}

void TestQueryService::aStoreThatComesLaterIsFound()
{
    const auto service = store::QueryService::open(m_address);
    QVERIFY(service->ask(api::GroupQuery{}).result().error().kind == ErrorKind::NotFound);
    makeStore();
    QCOMPARE(must(service->ask(api::GroupQuery{}).result()).messages, 500);
}

void TestQueryService::aNewerQuestionReplacesTheOlder()
{
    makeStore();
    const auto service = store::QueryService::open(m_address);
    QList<QFuture<Result<api::MessagePage>>> answers;
    for (int i = 0; i < 50; ++i)
        answers += service->ask(search(1));
    QCOMPARE(must(answers.constLast().result()).total, 500);
    int replaced = 0;
    for (const auto &answer : std::as_const(answers)) {
        const Result<api::MessagePage> result = answer.result();
        replaced += result ? 0 : 1;
        QVERIFY(result || result.error().kind == ErrorKind::Cancelled);
    }
    QVERIFY2(replaced > 0, "asked far faster than a search takes");
}

void TestQueryService::anotherListEndsTheSearchOfTheSameAsker()
{
    makeStore();
    const auto service = store::QueryService::open(m_address);
    QList<QFuture<Result<api::MessagePage>>> others;
    for (int i = 0; i < 50; ++i) // so that the search has to wait
        others += service->ask(search());
    const auto searched = service->ask(search(1));
    api::MessageQuery firstPage;
    firstPage.caller = 1;
    QCOMPARE(must(service->ask(firstPage).result()).total, 500); // on the other thread
    const Result<api::MessagePage> ended = searched.result();
    QVERIFY(!ended);
    QVERIFY(ended.error().kind == ErrorKind::Cancelled);
}

void TestQueryService::aNewListEndsTheCountBesideTheOldOne()
{
    makeStore();
    const auto service = store::QueryService::open(m_address);
    QList<QFuture<Result<api::MessagePage>>> others;
    for (int i = 0; i < 50; ++i) // so that the count has to wait
        others += service->ask(search());
    const auto elsewhere = service->ask(api::OtherMatchesQuery{search(1)});
    const auto counted = service->ask(api::MessageCountQuery{search(1)});
    const auto ofAnother = service->ask(api::MessageCountQuery{search(2)});
    const auto list = service->ask(search(1));
    QVERIFY(!elsewhere.result());
    QVERIFY(elsewhere.result().error().kind == ErrorKind::Cancelled);
    QVERIFY(!counted.result());
    QVERIFY(counted.result().error().kind == ErrorKind::Cancelled);
    QCOMPARE(must(ofAnother.result()), 500);
    QCOMPARE(must(list.result()).total, 500);
}

void TestQueryService::questionsOfDifferentAskersAreAllAnswered()
{
    makeStore();
    const auto service = store::QueryService::open(m_address);
    QList<QFuture<Result<api::MessagePage>>> answers;
    for (quint32 caller = 1; caller <= 5; ++caller)
        answers += service->ask(search(caller));
    answers += service->ask(search());
    answers += service->ask(search());
    for (const auto &answer : std::as_const(answers))
        QCOMPARE(must(answer.result()).total, 500);
}

void TestQueryService::questionsThatWaitAtTheEndAreCancelled()
{
    makeStore();
    auto service = store::QueryService::open(m_address);
    QList<QFuture<Result<api::MessagePage>>> answers;
    for (int i = 0; i < 50; ++i)
        answers += service->ask(search());
    service.reset();
    int cancelled = 0;
    for (const auto &answer : std::as_const(answers)) {
        QVERIFY(answer.isFinished());
        const Result<api::MessagePage> result = answer.result();
        QVERIFY(result || result.error().kind == ErrorKind::Cancelled);
        cancelled += result ? 0 : 1;
    }
    QVERIFY(cancelled > 0);
}

REDRIVE_TEST(TestQueryService)
#include "tst_queryservice.moc"
