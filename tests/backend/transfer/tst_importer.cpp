// Messages move from store to store without loss, never twice, and whole or not at all.
#include "backend/api/requests/decisions.h"
#include "tests/backend/transfer/transferring.h"

#include "backend/api/requests/conventions.h"
#include "backend/control/remoteclient.h"
#include "backend/control/server.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/messages/retentionstore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "backend/transfer/messageline.h"
#include "tests/support/policyfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTemporaryDir>

using core::ErrorKind;
using records::MessageFlag;
using records::MessageStatus;
using support::TransferStore;
using support::waitFor;

class TestImporter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void messagesMoveWithoutLoss();
    void throughAnotherProcessItIsTheSame();
    void theSameFileTwiceChangesNothing();
    void theStoreThatExportedThemHasThemAlready();
    void onTheWayBackTheyAreRecognised();
    void whatWasDeletedComesBack();
    void aMessageInAnotherStateIsLeftAlone();
    void otherMessagesWithTheSameIdAreOthers();
    void twoConnectionsHaveARecordEach();
    void theDialectsReadThemAgain();
    void theFileSaysWhatTheDialectsDoNotKnow();
    void readingThemAgainKeepsWhatTheFileSays_data();
    void readingThemAgainKeepsWhatTheFileSays();
    void theRecordSaysWhereItComesFrom();
    void whatWasSettledIsUnresolvedAndSaysSo();
    void browsedOnlyBecomesANormalRecord();
    void aPolicyLeavesThemToAPerson();
    void aDryRunOnlyCounts();
    void badLinesCanBeLeftOut();
    void anErrorInBetweenLeavesWholePagesAndTheNextImportDoesTheRest();
    void aCancelledImportSaysSo();
    void anotherKindOfBrokerIsRefused();
    void theRightToTakeIsNeeded();
    void aConnectionThatIsNotHereIsNamed();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("messages.ndjson")); }
    void write(const QList<records::ExportedMessage> &messages, const QByteArray &more = {}) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

QString words(const char *text)
{
    return QString::fromLatin1(text);
}

QList<records::FailedMessage> byId(QList<records::FailedMessage> messages)
{
    std::sort(messages.begin(), messages.end(), [](const records::FailedMessage &a, const records::FailedMessage &b) {
        return a.messageId < b.messageId;
    });
    return messages;
}

records::ExportedMessage plain(int n)
{
    records::ExportedMessage message;
    message.store = QString(32, u'a');
    message.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
    message.connection = words("shop");
    message.queue = words("error");
    message.firstFailed = core::fromMs(1'700'000'000'000);
    message.lastFailed = message.firstFailed;
    message.envelope.body = QByteArray::number(n);
    return message;
}

} // namespace

void TestImporter::write(const QList<records::ExportedMessage> &messages, const QByteArray &more) const
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(transfer::firstLine(core::fromMs(0)));
    for (const records::ExportedMessage &message : messages)
        file.write(*transfer::messageLine(message));
    file.write(more);
    file.write(transfer::lastLine(messages.size() + more.count('\n')));
}

void TestImporter::messagesMoveWithoutLoss()
{
    TransferStore from(210); // more than a page
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    const auto totals = to.importAll(path());
    QVERIFY2(totals.has_value(), totals ? "" : qPrintable(totals.error().message));
    QCOMPARE(totals->counts, (api::ImportCounts{210, 0}));
    const QList<records::FailedMessage> sent = byId(from.messages());
    const QList<records::FailedMessage> arrived = byId(to.messages());
    QCOMPARE(arrived.size(), 210);
    for (qsizetype i = 0; i < sent.size(); ++i) {
        const records::FailedMessage &one = arrived.at(i);
        QVERIFY(one.status == MessageStatus::Unresolved);
        QCOMPARE(one.queue, sent.at(i).queue);
        QCOMPARE(one.messageId, sent.at(i).messageId);
        QCOMPARE(one.failure.stackTrace, sent.at(i).failure.stackTrace);
        QVERIFY(one.destination == sent.at(i).destination);
        QVERIFY(one.failure.at == sent.at(i).failure.at);
        const records::Envelope a = from.envelope(sent.at(i).id);
        const records::Envelope b = to.envelope(one.id);
        QVERIFY(b.body == a.body && records::toCbor(b.headers) == records::toCbor(a.headers)
                && records::toCbor(b.properties) == records::toCbor(a.properties) && b.exchange == a.exchange
                && b.routingKey == a.routingKey);
    }
    QCOMPARE(to.logged(), QStringList{QStringLiteral(
                              "Messages imported: 210 messages from messages.ndjson; in the store already: 0")});
}

// Messages that are longer than a frame of the control socket, and many that fill more than one together.
void TestImporter::throughAnotherProcessItIsTheSame()
{
    QList<records::ExportedMessage> messages;
    for (int n = 1; n <= 250; ++n) {
        messages.append(plain(n));
        messages.last().messageId = QStringLiteral("id %1").arg(n);
        messages.last().envelope.body += QByteArray(20'000, '\0'); // base64 in the file
    }
    messages[100].envelope.body = QByteArray(17'000'000, 'b');
    // A list counts as nothing when only texts are counted.
    QCborArray list;
    for (int i = 0; i < 17; ++i)
        list.append(QString(1'000'000, u'x'));
    messages[200].envelope.headers = {{words("list"), list}};
    write(messages);
    TransferStore direct(0);
    QVERIFY(direct.importAll(path()).has_value());
    TransferStore holder(0);
    control::Server server(holder.client);
    const QString socket = m_folder->filePath(words("s"));
    QVERIFY(server.listen(socket));
    control::RemoteClient guest(socket, nullptr);
    const auto totals = holder.importThrough(guest, path());
    QVERIFY2(totals, totals ? "" : qPrintable(totals.error().message));
    QCOMPARE(totals->counts, (api::ImportCounts{250, 0}));
    const QList<records::FailedMessage> wanted = byId(direct.messages());
    const QList<records::FailedMessage> got = byId(holder.messages());
    QCOMPARE(got.size(), wanted.size());
    for (qsizetype i = 0; i < got.size(); ++i) {
        QCOMPARE(got.at(i).messageId, wanted.at(i).messageId);
        const records::Envelope a = direct.envelope(wanted.at(i).id);
        const records::Envelope b = holder.envelope(got.at(i).id);
        QVERIFY(a.body == b.body && records::toCbor(a.headers) == records::toCbor(b.headers));
    }
    const auto again = holder.importThrough(guest, path());
    QVERIFY(again && again->counts == (api::ImportCounts{0, 250}));
}

void TestImporter::theSameFileTwiceChangesNothing()
{
    TransferStore from(30);
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    QVERIFY(to.importAll(path()).has_value());
    const auto again = to.importAll(path());
    QVERIFY(again && again->counts == (api::ImportCounts{0, 30}));
    QCOMPARE(to.messages().size(), 30);
    write({plain(1), plain(1)}); // twice in one file
    const auto doubled = to.importAll(path());
    QVERIFY(doubled && doubled->counts == (api::ImportCounts{1, 1}));
}

void TestImporter::theStoreThatExportedThemHasThemAlready()
{
    TransferStore shop(10);
    QVERIFY(shop.exportAll(path()).has_value());
    const auto totals = shop.importAll(path());
    QVERIFY(totals && totals->counts == (api::ImportCounts{0, 10}));
    QCOMPARE(shop.messages().size(), 10);
}

void TestImporter::onTheWayBackTheyAreRecognised()
{
    TransferStore first(10);
    TransferStore second(0);
    QVERIFY(first.exportAll(path()).has_value());
    QVERIFY(second.importAll(path()).has_value());
    const QString back = m_folder->filePath(QStringLiteral("back.ndjson"));
    QVERIFY(second.exportAll(back).has_value());
    const auto totals = first.importAll(back);
    QVERIFY(totals && totals->counts == (api::ImportCounts{0, 10}));
    TransferStore third(0);
    QVERIFY(third.importAll(back).has_value());
    const auto both = third.importAll(path()); // the same messages by two ways
    QVERIFY(both && both->counts == (api::ImportCounts{0, 10}));
}

void TestImporter::whatWasDeletedComesBack()
{
    TransferStore shop(3);
    QVERIFY(shop.exportAll(path()).has_value());
    const QList<records::FailedMessage> all = shop.messages();
    api::DecideMessages archive;
    archive.filter.connection = shop.shop;
    archive.filter.messages = {all.first().id};
    QVERIFY(shop.carryOut(archive).has_value());
    QVERIFY(shop.store->transact<int>([&all](store::Session &session) {
        return session.retention().removeOf({all.first().id}, MessageStatus::Archived);
    }));
    const auto totals = shop.importAll(path());
    QVERIFY(totals && totals->counts == (api::ImportCounts{1, 2}));
    QCOMPARE(shop.messages().size(), 3);
}

void TestImporter::aMessageInAnotherStateIsLeftAlone()
{
    TransferStore shop(2);
    QVERIFY(shop.exportAll(path()).has_value());
    const records::FailedMessage before = shop.messages().first();
    api::DecideMessages archive;
    archive.filter.connection = shop.shop;
    archive.filter.messages = {before.id};
    QVERIFY(shop.carryOut(archive).has_value());
    QVERIFY(shop.importAll(path()).has_value());
    QVERIFY(shop.message(before.id).status == MessageStatus::Archived);
    QCOMPARE(shop.messages().size(), 2);
}

void TestImporter::otherMessagesWithTheSameIdAreOthers()
{
    // Ids that two stores made up for themselves, each for a message of its own.
    TransferStore shop(0);
    records::ExportedMessage here = plain(1);
    records::ExportedMessage there = plain(1);
    there.store = QString(32, u'b');
    write({here, there});
    const auto totals = shop.importAll(path());
    QVERIFY(totals && totals->counts == (api::ImportCounts{2, 0}));
    here.envelope.body = "another";
    write({here});
    const auto other = shop.importAll(path());
    QVERIFY(other && other->counts == (api::ImportCounts{1, 0}));
}

void TestImporter::twoConnectionsHaveARecordEach()
{
    TransferStore shop(3);
    QVERIFY(shop.exportAll(path()).has_value());
    records::Connection other = shop.connection;
    other.name = words("test");
    const auto added = shop.store->transact<core::ConnectionId>(
        [&other](store::Session &session) { return session.connections().add(other); });
    QVERIFY(added.has_value());
    shop.shop = *added;
    const auto totals = shop.importAll(path());
    QVERIFY(totals && totals->counts == (api::ImportCounts{3, 0}));
    const auto again = shop.importAll(path());
    QVERIFY(again && again->counts == (api::ImportCounts{0, 3}));
}

void TestImporter::theDialectsReadThemAgain()
{
    TransferStore shop(0);
    records::ExportedMessage message = plain(1);
    message.dialect = words("unknown"); // as an older version read it
    message.failure.exceptionType = words("Old");
    const auto add = [&message](const char *name, const char *value) {
        message.envelope.headers.append({words(name), words(value)});
    };
    add("NServiceBus.MessageId", "id");
    add("NServiceBus.ProcessingEndpoint", "Shop.Billing");
    add("NServiceBus.FailedQ", "billing");
    add("NServiceBus.ExceptionInfo.ExceptionType", "System.TimeoutException");
    write({message});
    QVERIFY(shop.importAll(path()).has_value());
    const records::FailedMessage read = shop.messages().first();
    QCOMPARE(read.dialect, words("NServiceBus"));
    QCOMPARE(read.failure.exceptionType, words("System.TimeoutException"));
    QCOMPARE(read.destination.queue, words("billing"));
    const auto groups = waitFor(shop.client.ask(api::GroupQuery{}));
    QVERIFY(groups && groups->rows.size() == 1);
    QVERIFY(groups->rows.first().title.contains(words("TimeoutException")));
}

void TestImporter::theFileSaysWhatTheDialectsDoNotKnow()
{
    TransferStore shop(0);
    records::ExportedMessage message = plain(1);
    message.messageType = words("Order");
    message.failure = {words("NewException"),          words("text"), words("at X"), words("E"), words("H"),
                       core::fromMs(1'690'000'000'000)};
    message.destination = {words("billing"), records::Certainty::Derived, words("the broker")};
    message.flags = records::MessageFlags(MessageFlag::NotFaithful) | MessageFlag::BrowsedOnly;
    write({message});
    QVERIFY(shop.importAll(path()).has_value());
    const records::FailedMessage read = shop.messages().first();
    QCOMPARE(read.messageType, words("Order"));
    QCOMPARE(read.failure.exceptionType, words("NewException"));
    QCOMPARE(read.failure.stackTrace, words("at X"));
    QVERIFY(read.failure.at == core::fromMs(1'690'000'000'000));
    QVERIFY(read.destination == message.destination);
    QVERIFY(read.flags.testFlag(MessageFlag::NotFaithful) && !read.flags.testFlag(MessageFlag::BrowsedOnly));
    const auto groups = waitFor(shop.client.ask(api::GroupQuery{}));
    QVERIFY(groups && groups->rows.first().title.contains(words("NewException")));
}

void TestImporter::readingThemAgainKeepsWhatTheFileSays_data()
{
    QTest::addColumn<bool>("byAnOlderProgram"); // which kept only the record
    QTest::newRow("imported now") << false;
    QTest::newRow("imported by an older program") << true;
}

void TestImporter::readingThemAgainKeepsWhatTheFileSays()
{
    QFETCH(bool, byAnOlderProgram);
    TransferStore shop(0, records::defaultRights | records::Right::Edit);
    records::ExportedMessage message = plain(1);
    message.messageId = words("m-1");
    message.messageType = words("Order");
    message.correlationId = words("c-1");
    message.conversationId = words("v-1");
    message.failure = {words("NewException"),          words("text"), words("at X"), words("E"), words("H"),
                       core::fromMs(1'690'000'000'000)};
    message.destination = {words("billing"), records::Certainty::Derived, words("the broker")};
    message.envelope.headers = {{words("x-cause"), words("Card.Declined")}};
    write({message});
    QVERIFY(shop.importAll(path()).has_value());
    const records::FailedMessage before = shop.messages().first();
    if (byAnOlderProgram) {
        auto &sqlite = dynamic_cast<store::SqliteStore &>(*shop.store);
        QVERIFY(sqlite.database().execute(words("UPDATE message_import SET facts = x''"), {}).has_value());
    }
    const auto same = [&before](const records::FailedMessage &now) {
        return now.failure == before.failure && now.messageId == before.messageId
               && now.messageType == before.messageType && now.correlationId == before.correlationId
               && now.conversationId == before.conversationId && now.destination == before.destination
               && now.firstFailed == before.firstFailed && now.lastFailed == before.lastFailed;
    };
    QCOMPARE(shop.carryOut(api::ApplyConventions{})->changed, 0);
    QVERIFY(same(shop.messages().first()));
    QVERIFY(shop.carryOut(api::SetConvention{R"({"name": "cause", "for": {"headers": {"x-cause": "*"}},
 "read": {"exception_type": {"header": "x-cause"}}})"})
                .has_value());
    QCOMPARE(shop.carryOut(api::ApplyConventions{})->changed, 1);
    QCOMPARE(shop.messages().first().failure.exceptionType, words("Card.Declined"));
    QCOMPARE(shop.messages().first().failure.stackTrace, words("at X"));
    QVERIFY(shop.carryOut(api::RemoveConvention{words("cause")}).has_value());
    QCOMPARE(shop.carryOut(api::ApplyConventions{})->changed, 1);
    QVERIFY(same(shop.messages().first()));
}

void TestImporter::theRecordSaysWhereItComesFrom()
{
    TransferStore from(1);
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    QVERIFY(to.importAll(path()).has_value());
    const QStringList trail = to.trail(to.messages().first().id);
    QCOMPARE(trail.size(), 2);
    QVERIFY2(trail.first().contains(words("In another store: Failed")), qPrintable(trail.first()));
    QCOMPARE(trail.last(), words("Imported from messages.ndjson"));
}

void TestImporter::whatWasSettledIsUnresolvedAndSaysSo()
{
    TransferStore shop(0);
    records::ExportedMessage message = plain(1);
    message.status = MessageStatus::Resolved;
    write({message});
    const auto check = transfer::checkFile(path());
    QVERIFY(check && check->settled == 1);
    QVERIFY(shop.importAll(path()).has_value());
    const records::FailedMessage read = shop.messages().first();
    QVERIFY(read.status == MessageStatus::Unresolved);
    QVERIFY(shop.trail(read.id).last().contains(words("resolved")));
}

void TestImporter::browsedOnlyBecomesANormalRecord()
{
    TransferStore shop(0);
    records::ExportedMessage message = plain(1);
    message.flags = MessageFlag::BrowsedOnly;
    message.destination = {words("billing"), records::Certainty::Exact, words("test")};
    write({message});
    QVERIFY(shop.importAll(path()).has_value());
    const auto operation = shop.retryAll();
    QVERIFY(operation && shop.runToEnd(*operation));
    QCOMPARE(shop.operation(*operation).counts.sent, 1);
}

void TestImporter::aPolicyLeavesThemToAPerson()
{
    TransferStore shop(0);
    QCOMPARE(support::setPolicy(shop, support::twiceThenDelayed), words("standard"));
    QVERIFY(support::assignPolicy(shop).has_value());
    records::ExportedMessage message = plain(1);
    message.destination = {words("billing"), records::Certainty::Exact, words("test")};
    write({message});
    QVERIFY(shop.importAll(path()).has_value());
    const core::MessageId id = shop.messages().first().id;
    shop.advance(std::chrono::hours(1));
    QVERIFY(support::heldMessage(shop, id).state == recovery::HeldState::Excluded);
    QVERIFY(support::allOperations(shop).isEmpty());
    const api::ExcludeFromPolicy include{{id}, false};
    QVERIFY(shop.carryOut(include) == 1);
    shop.advance(std::chrono::hours(1));
    QVERIFY(!support::allOperations(shop).isEmpty()); // a person said so
}

void TestImporter::aDryRunOnlyCounts()
{
    TransferStore from(7);
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    const auto totals = to.importAll(path(), true);
    QVERIFY(totals && totals->counts == (api::ImportCounts{7, 0}));
    QVERIFY(to.messages().isEmpty());
    QCOMPARE(to.logged(), QStringList());
}

void TestImporter::badLinesCanBeLeftOut()
{
    TransferStore shop(0);
    write({plain(1), plain(2)}, "{}\n[]\n");
    QVERIFY(!shop.importAll(path()));
    QVERIFY(shop.messages().isEmpty()); // nothing half taken
    transfer::Importer importer(shop.client, path());
    transfer::Importer::Order order;
    order.routes = {{words("shop"), shop.shop}};
    order.skipInvalid = true;
    const auto totals = waitFor(importer.run(order));
    QVERIFY(totals && totals->counts == (api::ImportCounts{2, 0}));
    QCOMPARE(totals->refused, 2);
}

void TestImporter::anErrorInBetweenLeavesWholePagesAndTheNextImportDoesTheRest()
{
    TransferStore from(210);
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    int requests = 0;
    to.client.refuses = [&requests](const api::PendingRequest &request) {
        return request.rules().name == api::ImportMessages::rules.name && ++requests == 2;
    };
    QVERIFY(!to.importAll(path()));
    QCOMPARE(to.messages().size(), api::ImportMessages::most);
    QVERIFY(to.logged().constLast().contains(words("ended early")));
    const auto rest = to.importAll(path());
    QVERIFY(rest && rest->counts == (api::ImportCounts{10, 200}));
}

void TestImporter::aCancelledImportSaysSo()
{
    TransferStore from(210);
    TransferStore to(0);
    QVERIFY(from.exportAll(path()).has_value());
    transfer::Importer importer(to.client, path());
    transfer::Importer::Order order;
    order.routes = {{words("shop"), to.shop}};
    order.progress = [&importer](qint64, qint64) { importer.cancel(); };
    const auto totals = waitFor(importer.run(order));
    QVERIFY(!totals && totals.error().kind == ErrorKind::Cancelled);
    QCOMPARE(to.messages().size(), api::ImportMessages::most);
}

void TestImporter::anotherKindOfBrokerIsRefused()
{
    TransferStore shop(0);
    records::ExportedMessage message = plain(1);
    message.broker = records::BrokerKind::Sqs;
    write({message});
    const auto totals = shop.importAll(path());
    QVERIFY(!totals && totals.error().kind == ErrorKind::Rejected);
    const auto asked = shop.carryOut(api::ImportMessages{shop.shop, words("f"), {message}});
    QVERIFY(!asked && asked.error().kind == ErrorKind::Rejected);
    QVERIFY(shop.messages().isEmpty());
}

void TestImporter::theRightToTakeIsNeeded()
{
    TransferStore shop(0, records::Right::See);
    write({plain(1)});
    const auto totals = shop.importAll(path());
    QVERIFY(!totals && totals.error().kind == ErrorKind::Refused);
    QVERIFY(shop.messages().isEmpty());
}

void TestImporter::aConnectionThatIsNotHereIsNamed()
{
    transfer::FileCheck check;
    check.sources = {{words("elsewhere"), records::BrokerKind::RabbitMq, 1}};
    records::Connection shop;
    shop.id = {1};
    shop.name = words("shop");
    const auto byName = transfer::routesFor(check, {shop}, {});
    QVERIFY(!byName && byName.error().kind == ErrorKind::NotFound);
    QVERIFY(byName.error().message.contains(words("elsewhere")));
    const auto chosen = transfer::routesFor(check, {shop}, words("shop"));
    QVERIFY(chosen && chosen->value(words("elsewhere")) == core::ConnectionId{1});
}

REDRIVE_TEST(TestImporter)
#include "tst_importer.moc"
