// Notes and mutes of groups, and what brokers throw away: as the store keeps them and lists show them.
#include "backend/api/requests/expiry.h"
#include "backend/api/requests/queries.h"
#include "backend/store/connectionstore.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/groupmarkstore.h"
#include "backend/store/query/queries.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;
using core::Result;
using records::Expiry;
using test::must;

namespace {

constexpr core::TimePoint start = core::fromMs(1'790'000'000'000);
constexpr core::Milliseconds hour = std::chrono::hours(1);

QString text(const char *words)
{
    return QString::fromLatin1(words);
}

} // namespace

class TestGroupMarks final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aNoteStaysWithItsGroup();
    void aNoteIsRemoved();
    void onlyAGroupThatWasThereIsMarked();
    void theFilterOfCausesFindsNotes();
    void aMutedGroupComesLastAndIsFoundByItself();
    void aMuteEndsByItself();
    void aMutedGroupThatExplodesIsLoud_data();
    void aMutedGroupThatExplodesIsLoud();
    void whoListsGroupsIsToldToReadAgain();
    void aConnectionTakesItsMarksAlong();
    void theFirstToBeLostComesFirst();
    void atTheLatestIsNoLaterThanItWas();
    void whatWasTakenIsNotLost();
    void aQueueTellsWhatIsLostSoon();

private:
    void reopen();
    void write(const std::function<Result<>(store::Session &)> &work) { must(m_store->transact(work)); }
    core::MessageId add(int n, std::optional<Expiry> browsedOnly = {});
    void note(core::GroupId group, const char *words);
    void mute(core::GroupId group, core::TimePoint until, qint64 count);
    [[nodiscard]] api::GroupPage groups(api::GroupQuery query = {});
    [[nodiscard]] api::GroupRow only(api::GroupQuery query = {});
    [[nodiscard]] api::ExpiryPage expiring(api::ExpiryQuery query = {}) { return must(m_queries->ask(query)); }
    [[nodiscard]] records::QueueLoss loss();

    core::SeededRandom m_random{5};
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    std::unique_ptr<store::Queries> m_queries;
    core::ConnectionId m_shop;
    core::TimePoint m_now = start;
};

void TestGroupMarks::init()
{
    m_queries.reset();
    m_store.reset();
    REDRIVE_SKIP_WITHOUT_DATABASE();
    m_now = start;
    m_store = m_place.open(m_random, support::StorePlace::On::Disk);
    m_queries = m_place.queries([this] { return m_now; });
    write([this](store::Session &session) -> Result<> {
        m_shop = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        return {};
    });
}

void TestGroupMarks::reopen()
{
    m_queries.reset();
    m_store.reset();
    m_store = m_place.reopen(m_random);
    m_queries = m_place.queries([this] { return m_now; });
}

core::MessageId TestGroupMarks::add(int n, std::optional<Expiry> browsedOnly)
{
    store::NewMessage fresh = test::sampleMessage(m_shop, n);
    if (browsedOnly) {
        fresh.message.flags.setFlag(records::MessageFlag::BrowsedOnly);
        fresh.expiry = *browsedOnly;
    }
    core::MessageId id;
    write([&](store::Session &session) -> Result<> {
        id = must(session.messages().insert(fresh));
        return {};
    });
    return id;
}

void TestGroupMarks::note(core::GroupId group, const char *words)
{
    write([&](store::Session &session) {
        return session.groupMarks().setNote(group, records::GroupNote{text(words), text("ann"), start});
    });
}

void TestGroupMarks::mute(core::GroupId group, core::TimePoint until, qint64 count)
{
    write([&](store::Session &session) {
        return session.groupMarks().setMute(group, records::GroupMute{until, text("ann"), start, count, false});
    });
}

api::GroupPage TestGroupMarks::groups(api::GroupQuery query)
{
    return must(m_queries->ask(query));
}

api::GroupRow TestGroupMarks::only(api::GroupQuery query)
{
    const api::GroupPage page = groups(query);
    return page.rows.size() == 1 ? page.rows.first() : api::GroupRow();
}

records::QueueLoss TestGroupMarks::loss()
{
    records::QueueLoss sum;
    must(m_store->read([&](store::Session &session) -> Result<> {
        for (const store::LossCount &one : must(session.messages().lossCounts(m_now)))
            sum = one.loss;
        return {};
    }));
    return sum;
}

void TestGroupMarks::aNoteStaysWithItsGroup()
{
    const core::MessageId id = add(1);
    const core::GroupId group = only().id;
    note(group, "Known: BILL-12");
    QCOMPARE(only().marks.note->text, text("Known: BILL-12"));
    QCOMPARE(only().marks.note->who, text("ann"));
    QVERIFY(only().marks.note->at == start);

    using records::MessageStatus;
    write([&](store::Session &session) -> Result<> {
        must(session.messages().setStatus({id}, {MessageStatus::Unresolved}, MessageStatus::Archived));
        return {};
    });
    QVERIFY(groups().rows.isEmpty());
    api::GroupQuery archived;
    archived.status = MessageStatus::Archived;
    QVERIFY(only(archived).marks.note.has_value());
    reopen();
    write([&](store::Session &session) {
        return session.messages().failedAgain(id, test::sampleMessage(m_shop, 1), true);
    });
    QCOMPARE(only().marks.note->text, text("Known: BILL-12"));
}

void TestGroupMarks::aNoteIsRemoved()
{
    add(1);
    const core::GroupId group = only().id;
    note(group, "Known");
    mute(group, start + hour, 1);
    write([&](store::Session &session) { return session.groupMarks().setNote(group, std::nullopt); });
    QVERIFY(!only().marks.note);
    QVERIFY(only().marks.mute.has_value()); // the one has nothing to do with the other
}

void TestGroupMarks::onlyAGroupThatWasThereIsMarked()
{
    add(1);
    const core::GroupId group = only().id;
    const Result<> read = m_store->read([&](store::Session &session) -> Result<> {
        const store::MarkedGroup found = must(session.groupMarks().load(group, m_now));
        if (found.connection != m_shop || found.unresolved != 1 || found.title != only().title)
            return core::fail(ErrorKind::Corrupt, QStringLiteral("another group"));
        return session.groupMarks().load(core::GroupId{4711}, m_now).map([](const store::MarkedGroup &) {});
    });
    QVERIFY(!read);
    QVERIFY(read.error().kind == ErrorKind::NotFound);
}

void TestGroupMarks::theFilterOfCausesFindsNotes()
{
    add(1);
    add(2);
    const core::GroupId second = groups().rows.at(1).id;
    note(second, "See BILL-12, asked JÖRG");
    api::GroupQuery query;
    query.titleFilter = text("bill-12");
    QCOMPARE(only(query).id, second);
    query.titleFilter = groups().rows.at(0).title;
    QCOMPARE(only(query).id, groups().rows.at(0).id);
    query.titleFilter = text("no such words");
    QVERIFY(groups(query).rows.isEmpty());
}

void TestGroupMarks::aMutedGroupComesLastAndIsFoundByItself()
{
    for (const int n : {1, 8, 15, 2}) // 7 causes: three of one, one of the other
        add(n);
    const core::GroupId big = groups().rows.at(0).id;
    const core::GroupId small = groups().rows.at(1).id;
    QCOMPARE(groups().rows.at(0).count, 3);
    mute(big, start + hour, 3);
    QCOMPARE(groups().rows.at(0).id, small);
    QCOMPARE(groups().rows.at(1).id, big);
    QVERIFY(groups().rows.at(1).marks.isQuiet());
    QCOMPARE(groups().messages, 4); // counted all the same
    api::GroupQuery query;
    query.muted = api::GroupQuery::Muted::Only;
    QCOMPARE(only(query).id, big);
    QCOMPARE(groups(query).total, 1);
    query.muted = api::GroupQuery::Muted::Without;
    QCOMPARE(only(query).id, small);
}

void TestGroupMarks::aMuteEndsByItself()
{
    add(1);
    const core::GroupId group = only().id;
    mute(group, start + hour, 1);
    m_now = start + hour - core::Milliseconds{1};
    QVERIFY(only().marks.mute.has_value());
    m_now = start + hour;
    QVERIFY(!only().marks.mute);
    api::GroupQuery query;
    query.muted = api::GroupQuery::Muted::Only;
    QVERIFY(groups(query).rows.isEmpty());
}

void TestGroupMarks::aMutedGroupThatExplodesIsLoud_data()
{
    QTest::addColumn<int>("then");
    QTest::addColumn<int>("now");
    QTest::addColumn<bool>("loud");
    QTest::newRow("ten times of little") << 1 << 100 << false;
    QTest::newRow("a hundred more of nothing") << 0 << 100 << true;
    QTest::newRow("both") << 11 << 111 << true;
    QTest::newRow("less than ten times") << 12 << 119 << false;
    QTest::newRow("ten times") << 12 << 120 << true;
}

void TestGroupMarks::aMutedGroupThatExplodesIsLoud()
{
    QFETCH(const int, then);
    QFETCH(const int, now);
    QFETCH(const bool, loud);
    for (int i = 0; i < now; ++i)
        add(1 + 7 * i);
    const core::GroupId group = only().id;
    QCOMPARE(only().count, now);
    mute(group, start + hour, then);
    QCOMPARE(only().marks.mute->loud, loud);
    QCOMPARE(only().marks.isQuiet(), !loud);
}

void TestGroupMarks::whoListsGroupsIsToldToReadAgain()
{
    add(1);
    const qint64 before = groups().change;
    note(only().id, "Known");
    QVERIFY(groups().change > before);
}

void TestGroupMarks::aConnectionTakesItsMarksAlong()
{
    const core::MessageId id = add(1);
    note(only().id, "Known");
    write([&](store::Session &session) -> Result<> {
        using records::MessageStatus;
        must(session.messages().setStatus({id}, {MessageStatus::Unresolved}, MessageStatus::Resolved));
        return {};
    });
    write([&](store::Session &session) { return session.connections().remove(m_shop); });
    store::Statement rows = m_store->database().sql(QStringLiteral("SELECT count(*) FROM group_mark"));
    QVERIFY(must(rows.step()));
    QCOMPARE(rows.integer(0), 0);
}

void TestGroupMarks::theFirstToBeLostComesFirst()
{
    const core::MessageId later = add(1, Expiry{Expiry::Known::At, start + 30 * hour});
    const core::MessageId first = add(2, Expiry{Expiry::Known::Latest, start + 2 * hour});
    add(3, Expiry{Expiry::Known::Never, {}});
    add(4, Expiry{});
    add(5); // taken: it lies in the store
    const api::ExpiryPage all = expiring();
    QCOMPARE(all.total, 2);
    QCOMPARE(all.rows.at(0).message, first);
    QVERIFY(all.rows.at(0).expiry.known == Expiry::Known::Latest);
    QVERIFY(all.rows.at(0).expiry.at == start + 2 * hour);
    QVERIFY(!all.rows.at(0).cause.isEmpty());
    QVERIFY(all.rows.at(0).group.isValid());
    QCOMPARE(all.rows.at(1).message, later);
    QCOMPARE(all.never, 1);
    QCOMPARE(all.notKnown, 1);

    api::ExpiryQuery query;
    query.until = start + 24 * hour;
    QCOMPARE(expiring(query).total, 1);
    query = {};
    query.limit = 1;
    QCOMPARE(expiring(query).rows.size(), 1);
    QCOMPARE(expiring(query).total, 2);
    query = {};
    query.group = all.rows.at(1).group;
    QCOMPARE(expiring(query).rows.size(), 1);
    QCOMPARE(expiring(query).rows.first().message, later);
    query = {};
    query.queue = text("elsewhere");
    QCOMPARE(expiring(query).total, 0);
    QVERIFY(must(m_queries->ask(api::MessageDetailQuery{first})).expiry == all.rows.at(0).expiry);
    for (const api::GroupRow &row : groups().rows) {
        const bool isFirst = row.id == all.rows.at(0).group;
        QVERIFY(row.firstLost.has_value() == (isFirst || row.id == all.rows.at(1).group));
        QCOMPARE(row.lostSoon, isFirst ? 1 : 0);
    }
}

void TestGroupMarks::atTheLatestIsNoLaterThanItWas()
{
    const core::MessageId id = add(1, Expiry{Expiry::Known::Latest, start + hour});
    const auto browse = [&](const Expiry &expiry) {
        store::NewMessage again = test::sampleMessage(m_shop, 1);
        again.message.flags.setFlag(records::MessageFlag::BrowsedOnly);
        again.expiry = expiry;
        write([&](store::Session &session) { return session.messages().readAgain(id, again); });
        return must(m_queries->ask(api::MessageDetailQuery{id})).expiry;
    };
    QVERIFY(browse({Expiry::Known::Latest, start + 2 * hour}).at == start + hour);
    QVERIFY(browse({Expiry::Known::Latest, start + hour / 2}).at == start + hour / 2); // its queue keeps less now
    QVERIFY(browse({Expiry::Known::At, start + 3 * hour}).at == start + 3 * hour); // the broker says so itself
    QVERIFY(browse({}).known == Expiry::Known::No);
}

void TestGroupMarks::whatWasTakenIsNotLost()
{
    const core::MessageId taken = add(1, Expiry{Expiry::Known::At, start + hour});
    add(2, Expiry{Expiry::Known::At, start + hour});
    QCOMPARE(expiring().total, 2);
    write([&](store::Session &session) { return session.messages().readAgain(taken, test::sampleMessage(m_shop, 1)); });
    QCOMPARE(expiring().total, 1);
    QVERIFY(must(m_queries->ask(api::MessageDetailQuery{taken})).expiry.known == Expiry::Known::No);
    const store::NewMessage other = test::sampleMessage(m_shop, 2);
    write([&](store::Session &session) -> Result<> {
        const qint64 now = must(session.changeNumber());
        must(session.messages().forgetBrowsedOnly(m_shop, other.message.queue, now, {}, 10));
        return {};
    });
    QCOMPARE(expiring().total, 0);
}

void TestGroupMarks::aQueueTellsWhatIsLostSoon()
{
    const core::MessageId first = add(7, Expiry{Expiry::Known::At, start + hour});
    const QString queue = must(m_queries->ask(api::MessageDetailQuery{first})).message.queue;
    for (const auto &[n, at] : {std::pair{14, start + 2 * hour}, std::pair{21, start + 25 * hour}}) {
        store::NewMessage fresh = test::sampleMessage(m_shop, n);
        fresh.message.queue = queue;
        fresh.message.flags.setFlag(records::MessageFlag::BrowsedOnly);
        fresh.expiry = {Expiry::Known::At, at};
        write([&](store::Session &session) -> Result<> {
            must(session.messages().insert(fresh));
            return {};
        });
    }
    records::QueueLoss loss = this->loss();
    QVERIFY(loss.first == start + hour);
    QCOMPARE(loss.soon, 2);
    QCOMPARE(loss.past, 0);
    QCOMPARE(loss.dated, 3);
    m_now = start + hour; // the first is gone, and nobody has looked since
    loss = this->loss();
    QVERIFY(loss.first == start + 2 * hour);
    QCOMPARE(loss.past, 1);
    QCOMPARE(loss.soon, 2);
}

REDRIVE_TEST(TestGroupMarks)
#include "tst_groupmarks.moc"
