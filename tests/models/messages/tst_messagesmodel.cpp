// The list of messages: pages, selection, sorting, and what changes while it is shown.
#include "models/common/roles.h"
#include "models/messages/messagescope.h"
#include "models/messages/messagesmodel.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

using models::MessageCells;

namespace {

records::FailedMessage failed(qint64 id)
{
    records::FailedMessage one;
    one.id = core::MessageId{id};
    one.connection = core::ConnectionId{1};
    one.queue = QStringLiteral("error");
    one.messageType = QStringLiteral("Type%1").arg(id % 7);
    one.lastFailed = core::fromMs(1000 * id);
    return one;
}

} // namespace

class TestMessagesModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void firstPageComesBeforeTheList();
    void rowsOfASearchComeBeforeItsCount();
    void namesAreShownByWhatDiffers();
    void whatWasOnlyLookedAtIsNoOrdinaryRow();
    void neverHoldsTheWholeList();
    void asksForWhatIsOnTheScreenOnly();
    void answersToAnEarlierFilterAreDropped();
    void newerAreCountedBeside();
    void selectionSurvivesReload();
    void sameFilterWhileReadingKeepsTheRows();
    void fewSelectedAreNamed();
    void nearlyAllSelectedIsTheFilterExcept();
    void sortsByIndexedColumnsOnly();
    void refreshChangesRowsInPlace();
    void rowsOfAnEarlierReadingAreAskedAgain();
    void failureIsSaid();
    void aNewListEndsTheOldOne();
    void randomListsAgreeWithTheModelTester();

private:
    void load(int count);

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<models::ConsoleFilter> m_filter;
    std::unique_ptr<models::MessagesModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

void TestMessagesModel::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_filter = std::make_unique<models::ConsoleFilter>();
    m_model = std::make_unique<models::MessagesModel>(*m_session, *m_filter);
}

void TestMessagesModel::cleanup()
{
    m_tester.reset();
    m_model.reset();
    m_filter.reset();
    m_session.reset();
    m_client.reset();
}

void TestMessagesModel::load(int count)
{
    for (int id = 1; id <= count; ++id)
        m_client->store.append(failed(id));
    m_model->setFilter({});
    QTRY_VERIFY(m_model->isListed());
}

void TestMessagesModel::firstPageComesBeforeTheList()
{
    for (int id = 1; id <= 1000; ++id)
        m_client->store.append(failed(id));
    m_client->holdAnswers(true);
    m_model->setFilter({});
    QVERIFY(m_model->isLoading());
    m_client->releaseOne();
    QTRY_COMPARE(m_model->rowCount(), 200);
    QCOMPARE(m_model->total(), 1000);
    QVERIFY(!m_model->isListed());
    QCOMPARE(m_model->idAt(0), core::MessageId{1000}); // newest first
    m_client->holdAnswers(false);
    QTRY_COMPARE(m_model->rowCount(), 1000);
    QVERIFY(m_model->isListed());
    QCOMPARE(m_client->count<api::MessageRowQuery>(), 0); // the first page was here already
}

void TestMessagesModel::rowsOfASearchComeBeforeItsCount()
{
    for (int id = 1; id <= 1000; ++id)
        m_client->store.append(failed(id));
    m_client->holdAnswers(true);
    records::MessageFilter search;
    search.search = QStringLiteral("Type");
    m_model->setFilter(search);
    QVERIFY(m_client->messageQueries.first().countLater);
    m_client->releaseOne();
    QTRY_COMPARE(m_model->rowCount(), 200);
    QVERIFY(!m_model->isLoading());
    QVERIFY(!m_model->isCounted());
    m_client->holdAnswers(false);
    QTRY_VERIFY(m_model->isCounted());
    QCOMPARE(m_model->total(), 1000);
    m_client->holdAnswers(true);
    search.search = QStringLiteral("Type1");
    m_model->setFilter(search); // the count of another list is not the count of this one
    QVERIFY(!m_model->isCounted());
    m_client->holdAnswers(false);
}

void TestMessagesModel::whatWasOnlyLookedAtIsNoOrdinaryRow()
{
    m_client->store.append(failed(50)); // the newest
    m_client->store[0].flags = records::MessageFlag::BrowsedOnly;
    load(1);
    const auto status = [this](int row) { return m_model->index(row, models::MessageCells::Status).data().toString(); };
    QTRY_COMPARE(status(0), QStringLiteral("Browsed only"));
    QCOMPARE(status(1), QStringLiteral("Unresolved"));
}

void TestMessagesModel::namesAreShownByWhatDiffers()
{
    m_client->store.append(failed(1));
    m_client->store[0].queue = QStringLiteral("billing/$DeadLetterQueue");
    m_client->store[0].destination.queue = QStringLiteral("orders/$DeadLetterQueue");
    m_client->store[0].messageType = QStringLiteral("Shop.Orders.PlaceOrder");
    m_client->store[0].failure.exceptionType = QStringLiteral("System.Data.SqlException");
    m_model->setFilter({});
    QTRY_VERIFY(m_model->isListed());
    const auto cell = [this](int column, int role) { return m_model->index(0, column).data(role); };
    QTRY_COMPARE(cell(MessageCells::Queue, Qt::DisplayRole).toString(), QStringLiteral("billing / DLQ"));
    QCOMPARE(cell(MessageCells::Queue, Qt::ToolTipRole).toString(), QStringLiteral("billing/$DeadLetterQueue"));
    QCOMPARE(cell(MessageCells::ReturnsTo, Qt::DisplayRole).toString(), QStringLiteral("orders / DLQ"));
    QCOMPARE(cell(MessageCells::Type, Qt::DisplayRole).toString(), QStringLiteral("PlaceOrder"));
    QCOMPARE(cell(MessageCells::Type, Qt::ToolTipRole).toString(), QStringLiteral("Shop.Orders.PlaceOrder"));
    QCOMPARE(cell(MessageCells::Exception, Qt::DisplayRole).toString(), QStringLiteral("SqlException"));
    QCOMPARE(cell(MessageCells::Exception, Qt::ToolTipRole).toString(), QStringLiteral("System.Data.SqlException"));
}

void TestMessagesModel::neverHoldsTheWholeList()
{
    load(20'000);
    QCOMPARE(m_model->rowCount(), 20'000);
    for (int row = 0; row < 20'000; row += 100) {
        m_model->index(row, MessageCells::Type).data();
        QTRY_VERIFY(m_model->messageAt(row) != nullptr);
    }
    int held = 0;
    for (int row = 0; row < 20'000; ++row)
        held += m_model->messageAt(row) != nullptr ? 1 : 0;
    QVERIFY2(held <= 5000, qPrintable(QString::number(held)));
}

void TestMessagesModel::asksForWhatIsOnTheScreenOnly()
{
    load(5000);
    for (int row = 3000; row < 3030; ++row)
        m_model->index(row, MessageCells::Type).data();
    QTRY_VERIFY(m_model->messageAt(3029) != nullptr);
    QCOMPARE(m_client->count<api::MessageRowQuery>(), 1);
    QCOMPARE(m_model->index(3010, MessageCells::Type).data().toString(), failed(5000 - 3010).messageType);
    QVERIFY(m_model->messageAt(4000) == nullptr);
}

void TestMessagesModel::answersToAnEarlierFilterAreDropped()
{
    load(50);
    m_client->holdAnswers(true);
    records::MessageFilter first;
    first.messageType = QStringLiteral("Type1");
    m_model->setFilter(first);
    records::MessageFilter second;
    second.messageType = QStringLiteral("Type2");
    m_model->setFilter(second);
    m_client->holdAnswers(false);
    QTRY_VERIFY(m_model->isListed());
    QCoreApplication::sendPostedEvents();
    QVERIFY(m_model->rowCount() > 0);
    for (int row = 0; row < m_model->rowCount(); ++row)
        QCOMPARE(m_model->idAt(row).value % 7, 2);
}

void TestMessagesModel::newerAreCountedBeside()
{
    load(300);
    m_client->store.append(failed(301));
    m_client->store.append(failed(302));
    m_model->countNewer();
    QTRY_COMPARE(m_model->newer(), 2);
    QCOMPARE(m_model->rowCount(), 300);
    m_model->reload();
    QTRY_COMPARE(m_model->rowCount(), 302);
    QCOMPARE(m_model->newer(), 0);
}

void TestMessagesModel::selectionSurvivesReload()
{
    load(300);
    QItemSelectionModel selection(m_model.get());
    const core::MessageId chosen = m_model->idAt(250);
    selection.select(m_model->index(250, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    m_client->store.append(failed(301));
    m_model->reload();
    QTRY_COMPARE(m_model->rowCount(), 301);
    QCOMPARE(models::selectedIds(*m_model, selection.selection()), QList<core::MessageId>{chosen});
}

void TestMessagesModel::sameFilterWhileReadingKeepsTheRows()
{
    load(300);
    m_client->holdAnswers(true);
    m_model->reload(); // F5
    m_model->setFilter({}); // and again, before the answer
    QCOMPARE(m_model->rowCount(), 300);
    m_client->holdAnswers(false);
    QTRY_VERIFY(m_model->isListed());
    QCOMPARE(m_model->rowCount(), 300);
}

void TestMessagesModel::fewSelectedAreNamed()
{
    load(300);
    QItemSelection rows(m_model->index(3, 0), m_model->index(5, 0));
    const models::ActionScope scope = models::messageScope(*m_model, rows);
    QCOMPARE(scope.count, 3);
    QCOMPARE(scope.filter.messages.size(), 3);
    QVERIFY(scope.filter.except.isEmpty());
    QCOMPARE(scope.groups, 0);
}

void TestMessagesModel::nearlyAllSelectedIsTheFilterExcept()
{
    load(300);
    QItemSelectionModel selection(m_model.get());
    selection.select(QItemSelection(m_model->index(0, 0), m_model->index(299, 0)),
                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(models::messageScope(*m_model, selection.selection()).words, QStringLiteral("everything in this filter"));
    selection.select(m_model->index(7, 0), QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
    const models::ActionScope scope = models::messageScope(*m_model, selection.selection());
    QCOMPARE(scope.count, 299);
    QVERIFY(scope.filter.messages.isEmpty());
    QCOMPARE(scope.filter.except, QList<core::MessageId>{m_model->idAt(7)});
    QCOMPARE(scope.words, QStringLiteral("everything in this filter except 1"));
}

void TestMessagesModel::sortsByIndexedColumnsOnly()
{
    load(10);
    m_model->sort(MessageCells::Reason, Qt::AscendingOrder);
    QCOMPARE(m_model->query().order, records::MessageOrder::LastFailed);
    m_model->sort(MessageCells::FailedAt, Qt::AscendingOrder);
    QTRY_COMPARE(m_model->idAt(0), core::MessageId{1});
    QVERIFY(!MessageCells::orderOf(MessageCells::Status));
}

void TestMessagesModel::refreshChangesRowsInPlace()
{
    load(300);
    QCOMPARE(m_model->index(0, MessageCells::Status).data().toString(), QStringLiteral("Unresolved"));
    m_client->store.last().status = records::MessageStatus::RetryIssued;
    QSignalSpy inserted(m_model.get(), &QAbstractItemModel::rowsInserted);
    m_model->refreshRows(0, 20);
    QTRY_COMPARE(m_model->index(0, MessageCells::Status).data().toString(), QStringLiteral("In retry"));
    QCOMPARE(inserted.size(), 0);
}

void TestMessagesModel::rowsOfAnEarlierReadingAreAskedAgain()
{
    load(1000);
    m_model->index(700, MessageCells::Type).data();
    QTRY_VERIFY(m_model->messageAt(700) != nullptr);
    const core::MessageId id = m_model->idAt(700);
    for (records::FailedMessage &one : m_client->store) {
        if (one.id == id)
            one.status = records::MessageStatus::RetryIssued;
    }
    m_model->reload();
    QTRY_VERIFY(m_model->isListed());
    QCOMPARE(m_model->idAt(700), id);
    m_model->index(700, MessageCells::Type).data(); // as a view does when it draws
    QTRY_VERIFY(m_model->messageAt(700)->status == records::MessageStatus::RetryIssued);
}

void TestMessagesModel::aNewListEndsTheOldOne()
{
    load(3);
    m_model->countNewer();
    QTRY_COMPARE(m_client->countQueries.size(), 1);
    const quint32 list = m_client->messageQueries.at(0).caller;
    QVERIFY(list != 0);
    QCOMPARE(m_client->messageQueries.at(1).caller, list);
    QCOMPARE(m_client->countQueries.at(0).caller, list); // a new list ends the count beside the old one, too
}

void TestMessagesModel::failureIsSaid()
{
    m_client->failNext<api::MessageIdQuery>({core::ErrorKind::Transient, QStringLiteral("The store is busy."), {}, {}});
    m_model->setFilter({});
    QTRY_COMPARE(m_model->error(), QStringLiteral("The store is busy."));
    m_model->reload();
    QTRY_VERIFY(m_model->isListed());
    QCOMPARE(m_model->error(), QString());
}

void TestMessagesModel::randomListsAgreeWithTheModelTester()
{
    constexpr quint32 seed = 77;
    constexpr int steps = 1000;
    QRandomGenerator random(seed);
    m_tester = std::make_unique<QAbstractItemModelTester>(m_model.get(),
                                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    m_model->setFilter({});
    QTRY_VERIFY(m_model->isListed());
    qint64 next = 1;
    for (int step = 0; step < steps; ++step) {
        for (int i = random.bounded(3); i > 0; --i)
            m_client->store.append(failed(next++));
        for (int i = random.bounded(3); i > 0 && !m_client->store.isEmpty(); --i)
            m_client->store.removeAt(random.bounded(int(m_client->store.size())));
        QSignalSpy told(m_model.get(), &models::MessagesModel::stateChanged);
        m_model->reload();
        while (!m_model->isListed())
            QVERIFY(told.wait());
        QCOMPARE(m_model->rowCount(), int(m_client->store.size()));
        for (int row = 0; row < m_model->rowCount(); ++row)
            QCOMPARE(m_model->idAt(row), m_client->store.at(m_client->store.size() - 1 - row).id);
    }
}

REDRIVE_TEST(TestMessagesModel)
#include "tst_messagesmodel.moc"
