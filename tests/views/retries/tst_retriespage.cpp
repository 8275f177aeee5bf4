// The Retries page: what it lists, and where it leads.
#include "models/common/roles.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/preferences.h"
#include "views/common/theme/theme.h"
#include "views/retries/retriespage.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

class TestRetriesPage final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyOperationIsListedWithItsSums();
    void whatIsNarrowGetsTheRoomThatIsThere();
    void nothingYetIsSaid();
    void nothingFoundIsSaid();
    void whatCannotBeReadCanBeAskedAgain();
    void whatCameBackIsShownAndRetried();
    void withoutTheRightNothingIsRetried();
    void doubtsAreOfferedToBeSettled();
    void enterOpensWhatThereIs();
    void theBoxSearchesAfterAMoment();
    void columnsThatSayNothingAreHidden();
    void markingARowChoosesNothing();
    void whatRunsAndIsNotListedIsShownByOneClick();
    void aChoiceThatIsFilteredOutLeavesNoOtherChosen();
    void aPastRetryIsFoundByItsNumber();
    void whatRunsIsPausedAndCancelledHere();
    void screenshots();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void show();
    void run(qint64 id); // as the snapshot shows it
    [[nodiscard]] QTableView *table() { return child<QTableView>("retriesTable"); }

    std::unique_ptr<test::OnePart<views::RetriesPage>> m_one;
};

void TestRetriesPage::init()
{
    m_one = std::make_unique<test::OnePart<views::RetriesPage>>();
    records::RetryOperation back = m_one->completed(2);
    back.scope = QStringLiteral("Group Timeout");
    back.total = 1200;
    back.counts.sent = 1200;
    back.counts.cameBack = 31;
    records::RetryOperation clean = back;
    clean.id = core::OperationId{1};
    clean.counts.cameBack = 0;
    m_one->client.operationList = {back, clean};
}

void TestRetriesPage::cleanup()
{
    m_one.reset();
}

void TestRetriesPage::show()
{
    m_one->show();
    m_one->part->resize(1100, 400);
    m_one->part->setActive(true);
}

void TestRetriesPage::everyOperationIsListedWithItsSums()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(table()->isVisible());
    const auto labels = m_one->part->findChildren<QLabel *>();
    const bool summed = std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->text().contains(QStringLiteral("2 in all")) && label->text().contains(QStringLiteral("31 came"));
    });
    QVERIFY(summed);
    QVERIFY(!child<QPushButton>("retriesReport")->isEnabled()); // of none: nothing is chosen
    table()->selectRow(1);
    QVERIFY(child<QPushButton>("retriesReport")->isEnabled());
    QVERIFY(!child<QPushButton>("retriesCameBack")->isEnabled());
    QVERIFY(!child<QPushButton>("retriesRetry")->isEnabled());
}

// As in a window of 1440 pixels, of which the queues take some.
void TestRetriesPage::whatIsNarrowGetsTheRoomThatIsThere()
{
    m_one->client.operationList[0].who = QStringLiteral("policy orders-of-the-shop");
    m_one->client.operationList[0].plan.reason = QStringLiteral("Ticket 4711, the database is back");
    show();
    m_one->part->resize(1180, 400);
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    using Model = models::OperationsModel;
    for (const int column : {Model::State, Model::Who, Model::Why, Model::Requested}) {
        const QString text = table()->model()->index(0, column).data().toString();
        const int needed = table()->fontMetrics().horizontalAdvance(text);
        QTRY_VERIFY2(table()->columnWidth(column) > needed, qPrintable(text));
    }
    QCOMPARE(table()->horizontalScrollBar()->maximum(), 0);
    m_one->client.operationList[0].plan.reason = QStringLiteral("word ").repeated(60);
    m_one->part->reload();
    QTRY_VERIFY2(table()->columnWidth(Model::Why) > 150, qPrintable(QString::number(table()->columnWidth(Model::Why))));
    QVERIFY(table()->columnWidth(Model::What) >= 150);
    QCOMPARE(table()->horizontalScrollBar()->maximum(), 0); // no column is pushed out
    table()->hideColumn(Model::Who);
    QTRY_COMPARE(table()->horizontalHeader()->length(), table()->viewport()->width()); // and none leaves a gap
    m_one->part->resize(300, 400); // too little for all of them
    QTRY_VERIFY(table()->isColumnHidden(Model::Requested));
    QVERIFY(table()->columnWidth(Model::What) >= 150);
}

void TestRetriesPage::nothingYetIsSaid()
{
    m_one->client.operationList.clear();
    show();
    QTRY_COMPARE(child<QLabel>("stateTitle")->text(), QStringLiteral("No current retries"));
    m_one->part->setShown(models::OperationsShown::All);
    QTRY_COMPARE(child<QLabel>("stateTitle")->text(), QStringLiteral("Nothing was retried yet"));
}

void TestRetriesPage::nothingFoundIsSaid()
{
    m_one->client.operationList.clear();
    show();
    auto *wanted = child<QComboBox>("retriesShown");
    wanted->setCurrentIndex(wanted->findData(int(models::OperationsShown::Cancelled)));
    QTRY_COMPARE(child<QLabel>("stateTitle")->text(), QStringLiteral("No retry matches"));
}

void TestRetriesPage::whatCannotBeReadCanBeAskedAgain()
{
    m_one->client.failNext<api::OperationQuery>(
        core::Error{core::ErrorKind::StoreFailed, QStringLiteral("The disk is gone."), {}});
    show();
    QTRY_COMPARE(child<QLabel>("stateSentence")->text(), QStringLiteral("The disk is gone."));
    QTest::mouseClick(child<QPushButton>("stateAction"), Qt::LeftButton);
    QTRY_VERIFY(table()->isVisible());
}

void TestRetriesPage::whatCameBackIsShownAndRetried()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(0);
    QSignalSpy shown(m_one->part.get(), &views::RetriesPage::cameBackWanted);
    QTest::mouseClick(child<QPushButton>("retriesCameBack"), Qt::LeftButton);
    QCOMPARE(shown.size(), 1);
    models::ActionScope asked;
    connect(&m_one->navigator, &views::Navigator::retryRequested, m_one->part.get(),
            [&asked](const models::ActionScope &scope) { asked = scope; });
    QTest::mouseClick(child<QPushButton>("retriesRetry"), Qt::LeftButton);
    QCOMPARE(asked.filter.cameBackFrom.value, 2);
    QVERIFY(asked.filter.status == records::MessageStatus::Unresolved);
    QCOMPARE(asked.count, 31);
}

void TestRetriesPage::withoutTheRightNothingIsRetried()
{
    m_one->client.snapshot.connections.first().connection.rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(0);
    QVERIFY(!child<QPushButton>("retriesRetry")->isEnabled());
    QVERIFY(!child<QPushButton>("retriesRetry")->toolTip().isEmpty());
    QVERIFY(child<QPushButton>("retriesCameBack")->isEnabled());
}

void TestRetriesPage::doubtsAreOfferedToBeSettled()
{
    m_one->client.operationList[1].counts.inDoubt = 4;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(m_one->part.get(), &views::RetriesPage::doubtsWanted);
    table()->selectRow(0);
    QVERIFY(child<QPushButton>("retriesDoubt")->isHidden());
    table()->selectRow(1);
    QVERIFY(child<QPushButton>("retriesDoubt")->isVisible());
    QTest::mouseClick(child<QPushButton>("retriesDoubt"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().first().value<core::OperationId>(), core::OperationId{1});
}

void TestRetriesPage::enterOpensWhatThereIs()
{
    m_one->client.operationList[1].state = records::OperationState::Running;
    m_one->client.operationList[1].finished.reset();
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy back(m_one->part.get(), &views::RetriesPage::cameBackWanted);
    table()->setFocus();
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(back.size(), 1);
    table()->selectRow(1);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(back.size(), 1); // nothing came back from this one
}

void TestRetriesPage::theBoxSearchesAfterAMoment()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    m_one->part->focusFilter();
    QTest::keyClicks(child<QLineEdit>("retriesFilter"), QStringLiteral("quota "));
    QTRY_COMPARE(m_one->client.operationQueries.last().text, QStringLiteral("quota"));
}

void TestRetriesPage::columnsThatSayNothingAreHidden()
{
    using models::OperationsModel;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(table()->isColumnHidden(OperationsModel::Ejected));
    QVERIFY(table()->isColumnHidden(OperationsModel::Connection));
    m_one->client.operationList.first().counts.ejected = 3;
    m_one->part->reload();
    QTRY_VERIFY(!table()->isColumnHidden(OperationsModel::Ejected));
    QVERIFY(table()->isColumnHidden(OperationsModel::InDoubt));
}

void TestRetriesPage::run(qint64 id)
{
    api::OperationView view;
    view.operation = m_one->completed(id);
    view.operation.scope = QStringLiteral("Group Quota");
    view.operation.state = records::OperationState::Running;
    view.operation.finished.reset();
    view.operation.total = 3620;
    view.operation.counts.sent = 2317;
    view.operation.counts.pending = 1303;
    view.messagesPerSecond = 812;
    view.timeLeft = std::chrono::seconds{2};
    m_one->client.snapshot.operations.append(view);
}

void TestRetriesPage::markingARowChoosesNothing()
{
    run(7);
    run(8);
    show();
    QSignalSpy chosen(m_one->part.get(), &views::RetriesPage::chosen);
    QTRY_VERIFY(table()->model()->rowCount() >= 2);
    m_one->part->mark(core::OperationId{8});
    QCOMPARE(chosen.size(), 0);
    m_one->part->choose(core::OperationId{7});
    QCOMPARE(chosen.size(), 1);
    m_one->part->choose(core::OperationId{2}); // of the store alone: the board cannot show it
    QTRY_COMPARE(table()->currentIndex().data(models::IdRole).toLongLong(), 2);
    QCOMPARE(chosen.size(), 1);
    m_one->part->mark(core::OperationId{8}); // somebody reads the other one
    QCOMPARE(table()->currentIndex().data(models::IdRole).toLongLong(), 2);
}

void TestRetriesPage::whatRunsAndIsNotListedIsShownByOneClick()
{
    run(8);
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    auto *hidden = child<QPushButton>("retriesHidden");
    QVERIFY(hidden->isHidden());
    child<QLineEdit>("retriesFilter")->setText(QStringLiteral("x"));
    m_one->part->setShown(models::OperationsShown::Ended);
    m_one->filter.setPlace(core::ConnectionId{9}, {});
    QTRY_VERIFY(hidden->isVisible());
    QVERIFY(hidden->text().contains(QLatin1Char('1')));
    hidden->click();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QVERIFY(hidden->isHidden());
    QVERIFY(child<QLineEdit>("retriesFilter")->text().isEmpty());
    QVERIFY(!m_one->filter.connection().isValid());
}

// Else its neighbour would be cancelled by a button that was meant for the other.
void TestRetriesPage::aChoiceThatIsFilteredOutLeavesNoOtherChosen()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(0);
    QVERIFY(child<QPushButton>("retriesReport")->isEnabled());
    m_one->client.operationList.removeFirst();
    m_one->part->setShown(models::OperationsShown::Cancelled);
    QTRY_COMPARE(table()->model()->rowCount(), 1);
    QTRY_VERIFY(!child<QPushButton>("retriesReport")->isEnabled());
    QVERIFY(table()->selectionModel()->selectedRows().isEmpty());
}

void TestRetriesPage::aPastRetryIsFoundByItsNumber()
{
    run(8);
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    m_one->part->choose(core::OperationId{5}); // older than what the snapshot has
    QCOMPARE(child<QLineEdit>("retriesFilter")->text(), QStringLiteral("5"));
    QTRY_COMPARE(m_one->client.operationQueries.last().text, QStringLiteral("5"));
    QVERIFY(m_one->client.operationQueries.last().wanted == api::OperationsWanted::All);
    m_one->part->choose(core::OperationId{9}); // started just now: the next snapshot has it
    QVERIFY(child<QLineEdit>("retriesFilter")->text().isEmpty());
    run(9);
    m_one->client.publish();
    QTRY_COMPARE(table()->currentIndex().data(models::IdRole).toLongLong(), 9);
}

void TestRetriesPage::whatRunsIsPausedAndCancelledHere()
{
    run(8);
    show();
    m_one->part->choose(core::OperationId{8});
    QTRY_VERIFY(child<QPushButton>("retriesPause")->isEnabled());
    QVERIFY(!child<QPushButton>("retriesDismiss")->isEnabled());
    QVERIFY(child<QPushButton>("retriesRate")->isEnabled());
    child<QPushButton>("retriesPause")->click();
    QTRY_COMPARE(m_one->client.actions.size(), 1);
    QCOMPARE(m_one->client.actions.last(), std::pair(core::OperationId{8}, api::OperationAction::Pause));
    m_one->client.snapshot.operations[0].operation.state = records::OperationState::Completed;
    m_one->client.publish();
    QTRY_VERIFY(child<QPushButton>("retriesDismiss")->isEnabled());
    QVERIFY(!child<QPushButton>("retriesCancel")->isEnabled());
    child<QPushButton>("retriesDismiss")->click();
    QTRY_COMPARE(m_one->client.actions.last(), std::pair(core::OperationId{8}, api::OperationAction::Dismiss));
}

void TestRetriesPage::screenshots()
{
    run(8);
    m_one->client.operationList.first().who = QStringLiteral("maria");
    m_one->client.operationList.first().plan.reason = QStringLiteral("fixed in 4.2.1");
    m_one->client.operationList.first().counts.ejected = 3;
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_one->theme.setMode(mode);
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        m_one->part->choose(core::OperationId{8});
        QVERIFY(m_one->takePicture(QStringLiteral("retriespage")));
    }
}

REDRIVE_WIDGET_TEST(TestRetriesPage)
#include "tst_retriespage.moc"
