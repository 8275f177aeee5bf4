// A search is replaced by the messages it finds, read once by a read-only connection.
#include "backend/core/random.h"
#include "backend/engine/planning/searchresolver.h"
#include "backend/store/connectionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using core::Result;
using test::must;

namespace {

constexpr int messages = 40;

struct Shelf
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("redrive.db"));
    core::SeededRandom random{3};
    std::unique_ptr<store::SqliteStore> store = must(store::SqliteStore::open(path, random));
    core::ConnectionId connection;
    qint64 change = 0;

    Shelf()
    {
        must(store->transact([this](store::Session &session) -> Result<> {
            connection = must(session.connections().add(test::sampleConnection(QStringLiteral("one"))));
            for (int n = 0; n < messages; ++n)
                (void)must(session.messages().insert(test::sampleMessage(connection, n)));
            change = must(session.changeNumber());
            return {};
        }));
    }
    // What the store itself finds.
    [[nodiscard]] QList<core::MessageId> slice(const records::MessageFilter &filter) const
    {
        QList<core::MessageId> ids;
        must(store->read([&](store::Session &session) -> Result<> {
            ids = must(session.messages().slice(filter, {}, messages)).ids;
            return {};
        }));
        return ids;
    }
};

// The answer, or nothing while there is none.
struct Asked
{
    Asked(engine::SearchResolver &finder, const records::MessageFilter &filter) { run(finder, filter, answer); }
    static core::Task<> run(engine::SearchResolver &finder, records::MessageFilter filter,
                            std::optional<Result<engine::Choice>> &answer)
    {
        const Result<engine::Choice> found = co_await finder.find(std::move(filter));
        answer = found;
    }
    std::optional<Result<engine::Choice>> answer;
};

records::MessageFilter searchFor(const QString &text)
{
    records::MessageFilter filter;
    filter.queue = QStringLiteral("error");
    filter.search = text;
    return filter;
}

} // namespace

class TestSearchResolver final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSearchBecomesTheMessagesItFinds();
    void aSearchThatFindsNothingNamesNoMessage();
    void withoutASearchNothingIsAsked();
    void aSearchThatIsTooShortIsRefused();
    void theEndAnswersWhatWaits();
};

void TestSearchResolver::aSearchBecomesTheMessagesItFinds()
{
    const Shelf shelf;
    const records::MessageFilter filter = searchFor(QStringLiteral("order 1"));
    const QList<core::MessageId> expected = shelf.slice(filter);
    QVERIFY(!expected.isEmpty() && expected.size() < messages);

    engine::SearchResolver finder(store::QueryService::open(shelf.path));
    const Asked asked(finder, filter);
    QTRY_VERIFY(asked.answer.has_value());
    const engine::Choice choice = must(*asked.answer);
    QVERIFY(choice.filter.search.isEmpty());
    QCOMPARE(choice.filter.queue, filter.queue); // the rest of the filter is unchanged
    QVERIFY(shelf.slice(choice.filter) == expected);
    QCOMPARE(choice.change, shelf.change);
}

void TestSearchResolver::aSearchThatFindsNothingNamesNoMessage()
{
    const Shelf shelf;
    engine::SearchResolver finder(store::QueryService::open(shelf.path));
    const Asked asked(finder, searchFor(QStringLiteral("nobody wrote this")));
    QTRY_VERIFY(asked.answer.has_value());
    QVERIFY(shelf.slice(must(*asked.answer).filter).isEmpty()); // and not all of the queue
}

void TestSearchResolver::withoutASearchNothingIsAsked()
{
    engine::SearchResolver finder(store::QueryService::open(QStringLiteral("/nowhere/redrive.db")));
    const records::MessageFilter filter = searchFor({});
    const Asked asked(finder, filter);
    QVERIFY(asked.answer.has_value()); // at once
    QVERIFY(must(*asked.answer).filter == filter);
    QVERIFY(!must(*asked.answer).change);
}

void TestSearchResolver::aSearchThatIsTooShortIsRefused()
{
    const Shelf shelf;
    engine::SearchResolver finder(store::QueryService::open(shelf.path));
    const Asked asked(finder, searchFor(QStringLiteral("or")));
    QTRY_VERIFY(asked.answer.has_value());
    QVERIFY(!*asked.answer);
    QVERIFY(asked.answer->error().kind == core::ErrorKind::Rejected);
}

void TestSearchResolver::theEndAnswersWhatWaits()
{
    const Shelf shelf;
    engine::SearchResolver finder(store::QueryService::open(shelf.path));
    const Asked before(finder, searchFor(QStringLiteral("order 1")));
    QVERIFY(!before.answer); // never from inside the call
    finder.cancelAll();
    QVERIFY(before.answer.has_value());
    QVERIFY(before.answer->error().kind == core::ErrorKind::Cancelled);
    const Asked after(finder, searchFor(QStringLiteral("order 1")));
    QVERIFY(after.answer.has_value());
    QVERIFY(after.answer->error().kind == core::ErrorKind::Cancelled);
    QCoreApplication::processEvents(); // a late answer is ignored
}

REDRIVE_TEST(TestSearchResolver)
#include "tst_searchresolver.moc"
