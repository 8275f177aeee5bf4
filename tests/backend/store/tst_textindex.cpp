// Words of headers and bodies are found whether the index has come to them or not, and always the same ones.
#include "backend/core/limits.h"
#include "backend/store/connectionstore.h"
#include "backend/store/search/textsearch.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::MessageId;
using core::Result;
using test::must;

class TestTextIndex final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void wordsOfHeadersAndBodiesAreFound_data();
    void wordsOfHeadersAndBodiesAreFound();
    void theIndexFollowsInSteps();
    void aStepHoldsNoMoreThanItsBytes();
    void whatFailedAgainIsFoundByItsNewWordsOnly();
    void wordsOfARemovedConnectionAreGone();
    void theListsLinesAreStillSearchedForAnyPart();
    void indexAndReadingAgree();

private:
    MessageId add(int number, const QByteArray &body, const records::Headers &headers = {});
    static store::NewMessage message(core::ConnectionId connection, int number, const QByteArray &body,
                                     const records::Headers &headers = {});
    QList<MessageId> found(const QString &search);
    store::TextProgress step();
    void indexAll();
    void integrityCheck();

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
};

void TestTextIndex::init()
{
    REDRIVE_SKIP_WITHOUT_DATABASE();
    core::SeededRandom random(5);
    m_store = m_place.open(random);
    must(m_store->transact([this](store::Session &session) -> Result<> {
        m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("one"))));
        return {};
    }));
}

store::NewMessage TestTextIndex::message(core::ConnectionId connection, int number, const QByteArray &body,
                                         const records::Headers &headers)
{
    store::NewMessage fresh = test::sampleMessage(connection, number);
    fresh.envelope.headers += headers;
    fresh.envelope.body = body;
    fresh.message.bodySize = body.size();
    return fresh;
}

MessageId TestTextIndex::add(int number, const QByteArray &body, const records::Headers &headers)
{
    MessageId id;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        id = must(session.messages().insert(message(m_connection, number, body, headers)));
        return {};
    }));
    return id;
}

QList<MessageId> TestTextIndex::found(const QString &search)
{
    QList<MessageId> ids;
    must(m_store->read([&](store::Session &session) -> Result<> {
        records::MessageFilter filter;
        filter.search = search;
        ids = must(session.messages().slice(filter, {}, 1000)).ids;
        return {};
    }));
    return ids;
}

store::TextProgress TestTextIndex::step()
{
    store::TextProgress progress;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        progress = must(session.messages().indexText());
        return {};
    }));
    return progress;
}

void TestTextIndex::indexAll()
{
    while (!step().isComplete()) {
    }
    integrityCheck();
}

void TestTextIndex::integrityCheck()
{
    if (support::StorePlace::isPostgres())
        return; // it is a table as any other
    store::Statement check =
        m_store->database().sql(QStringLiteral("INSERT INTO content_text (content_text) VALUES ('integrity-check')"));
    must(check.run());
}

void TestTextIndex::wordsOfHeadersAndBodiesAreFound_data()
{
    QTest::addColumn<QString>("search");
    QTest::addColumn<bool>("isFound");
    QTest::newRow("word of the body") << QStringLiteral("Zwieback") << true;
    QTest::newRow("whatever the case") << QStringLiteral("zWIEBACK") << true;
    QTest::newRow("in another alphabet") << QStringLiteral("ΆΡΤΟΣ") << true;
    QTest::newRow("beginning of a word") << QStringLiteral("Zwie") << true;
    QTest::newRow("end of a word") << QStringLiteral("back") << false;
    QTest::newRow("words in any order") << QStringLiteral("grams Zwieb") << true;
    QTest::newRow("only the last may be unfinished") << QStringLiteral("Zwie grams") << false;
    QTest::newRow("one that is missing") << QStringLiteral("Zwieback rusk") << false;
    QTest::newRow("number") << QStringLiteral("471199") << true;
    QTest::newRow("id with hyphens") << QStringLiteral("inc-2024-0815") << true;
    QTest::newRow("name of a header") << QStringLiteral("Shop.Voucher") << true;
    QTest::newRow("value of a header") << QStringLiteral("springtime") << true;
    QTest::newRow("inside an array of a header") << QStringLiteral("nested") << true;
    QTest::newRow("two letters are a whole word") << QStringLiteral("Zwieback kg") << true;
    QTest::newRow("two letters are no beginning") << QStringLiteral("Zwieback gr") << false;
    QTest::newRow("what would be an operator") << QStringLiteral("Zwieback OR rusk") << false;
    QTest::newRow("quotes") << QStringLiteral("\"Zwieback\"") << true;
    QTest::newRow("a star") << QStringLiteral("rus* Zwieback") << false;
    QTest::newRow("a column") << QStringLiteral("text:nothing") << false;
    QTest::newRow("what belongs together") << QStringLiteral("V.V") << true;
    QTest::newRow("apart in the text") << QStringLiteral("Q.Q") << false;
    QTest::newRow("in another order") << QStringLiteral("0815-2024") << false;
    QTest::newRow("together and more") << QStringLiteral("kg v.v Shop.Vouch") << true;
    QTest::newRow("together, one beginning unfinished") << QStringLiteral("Shop.Vouch kg") << false;
    QTest::newRow("a part that begins like the whole") << QStringLiteral("a.a.b") << true;
    QTest::newRow("quotes and an operator") << QStringLiteral("\"v\" OR \"v") << false;
    QTest::newRow("a quote in the middle") << QStringLiteral("v\"v") << true;
    QTest::newRow("brackets and NEAR") << QStringLiteral("NEAR(v Zwieback)") << false;
    QTest::newRow("a column and a caret") << QStringLiteral("^text:v") << false;
    QTest::newRow("no word at all") << QStringLiteral("---") << false;
}

void TestTextIndex::wordsOfHeadersAndBodiesAreFound()
{
    QFETCH(QString, search);
    QFETCH(bool, isFound);
    add(1, "{\"article\":\"rye bread\"}");
    const MessageId wanted = add(
        2,
        "{\"article\":\"Zwieback\",\"weight\":\"250 grams, not kg\",\"no\":471199,\"greek\":\"άρτος\",\"code\":\"V.V\","
        "\"apart\":\"q and q\",\"again\":\"a.a.a.b\"}",
        {{QStringLiteral("Shop.Voucher"), QStringLiteral("SpringTime INC-2024-0815")},
         {QStringLiteral("list"), QCborArray{1, QStringLiteral("nested")}}});
    add(3, QByteArray("Zwieback\0grams", 14)); // no text
    add(4, QByteArray("Zwieback \xff grams")); // no UTF-8
    const QList<MessageId> expected = isFound ? QList<MessageId>{wanted} : QList<MessageId>{};
    QCOMPARE(found(search), expected); // read one by one
    indexAll();
    QCOMPARE(found(search), expected);
}

void TestTextIndex::theIndexFollowsInSteps()
{
    if (support::StorePlace::isPostgres())
        QSKIP("PostgreSQL indexes words in the transaction that adds the message.");
    const int messages = 2 * store::TextProgress::stepMessages + 7;
    must(m_store->transact([&](store::Session &session) -> Result<> {
        for (int n = 0; n < messages; ++n)
            (void)must(session.messages().insert(message(m_connection, n, "a body with the word Zwieback")));
        return {};
    }));
    QCOMPARE(step().reached, MessageId{store::TextProgress::stepMessages});
    QCOMPARE(found(QStringLiteral("zwieback")).size(), 1000); // half by index, half read: the slice is full
    QCOMPARE(step().reached, MessageId{2LL * store::TextProgress::stepMessages});
    QCOMPARE(step().reached, MessageId{messages});
    QVERIFY(step().isComplete());
    integrityCheck();
}

void TestTextIndex::aStepHoldsNoMoreThanItsBytes()
{
    if (support::StorePlace::isPostgres())
        QSKIP("PostgreSQL indexes words in the transaction that adds the message.");
    const QByteArray big(core::limits::bodyPreviewBytes * 2, 'x');
    for (int n = 0; n < 5; ++n)
        add(n, big + " Zwieback");
    QCOMPARE(step().reached, MessageId{2});
    indexAll();
    QVERIFY(found(QStringLiteral("Zwieback")).isEmpty()); // behind what is read of a body
    const QByteArray cut = QByteArray("Zwieback ") + QByteArray("ö").repeated(core::limits::bodyPreviewBytes);
    const MessageId last = add(9, cut + "ö"); // the cut goes through a letter
    QCOMPARE(found(QStringLiteral("Zwieback")), QList<MessageId>{last});
    indexAll();
    QCOMPARE(found(QStringLiteral("Zwieback")), QList<MessageId>{last});
}

void TestTextIndex::whatFailedAgainIsFoundByItsNewWordsOnly()
{
    const MessageId indexed = add(1, "the word is Zwieback");
    indexAll();
    const MessageId behind = add(2, "the word is Zwieback");
    must(m_store->transact([&](store::Session &session) -> Result<> {
        must(session.messages().failedAgain(indexed, message(m_connection, 1, "now it is Knaeckebrot"), true));
        must(session.messages().failedAgain(behind, message(m_connection, 2, "now it is Knaeckebrot"), true));
        return {};
    }));
    for (int round = 0; round < 2; ++round) {
        QVERIFY(found(QStringLiteral("Zwieback")).isEmpty());
        QCOMPARE(found(QStringLiteral("Knaeckebrot")), (QList<MessageId>{indexed, behind}));
        indexAll();
    }
}

void TestTextIndex::wordsOfARemovedConnectionAreGone()
{
    const MessageId gone = add(1, "the word is Zwieback");
    indexAll();
    must(m_store->transact([&](store::Session &session) -> Result<> {
        (void)must(session.messages().setStatus({gone}, {records::MessageStatus::Unresolved},
                                                records::MessageStatus::Resolved));
        return {};
    }));
    must(m_store->transact(
        [&](store::Session &session) -> Result<> { return session.connections().remove(m_connection); }));
    store::Statement row =
        m_store->database().sql(QStringLiteral("SELECT count(*) FROM content_text WHERE " SQL_HAS_WORDS));
    QVERIFY(must(row.bind(m_store->database().search().wordsQuery(QStringLiteral("zwieback"))).step()));
    QCOMPARE(row.integer(0), 0);
}

void TestTextIndex::theListsLinesAreStillSearchedForAnyPart()
{
    const MessageId id = add(5, "nothing");
    QCOMPARE(found(QStringLiteral("rder 5 could not be pla")), QList<MessageId>{id});
    indexAll();
    QCOMPARE(found(QStringLiteral("rder 5 could not be pla")), QList<MessageId>{id});
}

void TestTextIndex::indexAndReadingAgree()
{
    core::SeededRandom random(11);
    const QStringList letters{QStringLiteral("a"), QStringLiteral("B"),  QStringLiteral("ß"),
                              QStringLiteral("İ"), QStringLiteral("é"),  QStringLiteral("e\u0301"),
                              QStringLiteral("7"), QStringLiteral(" "),  QStringLiteral("-"),
                              QStringLiteral("_"), QStringLiteral("\""), QStringLiteral("漢")};
    const auto text = [&](int length) {
        QString made;
        for (int i = 0; i < length; ++i)
            made += letters.at(qsizetype(random.next() % quint64(letters.size())));
        return made;
    };
    for (int n = 0; n < 60; ++n)
        add(n, text(40).toUtf8(), {{QStringLiteral("x"), text(10)}});
    QHash<QString, QList<MessageId>> read;
    for (int i = 0; i < 200; ++i) {
        const QString search = text(3 + int(random.next() % 4));
        read.insert(search, found(search));
    }
    indexAll();
    int hits = 0;
    for (auto one = read.cbegin(); one != read.cend(); ++one) {
        QVERIFY2(found(one.key()) == *one, qPrintable(one.key()));
        hits += one->isEmpty() ? 0 : 1;
    }
    QVERIFY2(hits > 10, "the searches must find something");
}

REDRIVE_TEST(TestTextIndex)
#include "tst_textindex.moc"
