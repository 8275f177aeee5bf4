// The History page: what it shows, and where it leads.
#include "tests/views/onepart.h"
#include "views/common/preferences.h"
#include "views/common/theme.h"
#include "views/history/historypage.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

Q_DECLARE_METATYPE(models::ActionScope)

class TestHistoryPage final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyOperationIsListedWithItsSums();
    void nothingYetIsSaid();
    void nothingFoundIsSaid();
    void whatCannotBeReadCanBeAskedAgain();
    void whatCameBackIsShownAndRetried();
    void withoutTheRightNothingIsRetried();
    void doubtsAreOfferedToBeSettled();
    void enterOpensWhatThereIs();
    void theBoxSearchesAfterAMoment();
    void columnsThatSayNothingAreHidden();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void show();
    [[nodiscard]] QTableView *table() { return child<QTableView>("historyTable"); }

    std::unique_ptr<test::OnePart<views::HistoryPage>> m_one;
};

void TestHistoryPage::init()
{
    m_one = std::make_unique<test::OnePart<views::HistoryPage>>();
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

void TestHistoryPage::cleanup()
{
    m_one.reset();
}

void TestHistoryPage::show()
{
    m_one->show();
    m_one->part->resize(1100, 400);
    m_one->part->setActive(true);
}

void TestHistoryPage::everyOperationIsListedWithItsSums()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(table()->isVisible());
    const auto labels = m_one->part->findChildren<QLabel *>();
    const bool summed = std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->text().contains(QStringLiteral("2 in all")) && label->text().contains(QStringLiteral("31 came"));
    });
    QVERIFY(summed);
    QVERIFY(!child<QPushButton>("historyReport")->isEnabled()); // of none: nothing is chosen
    table()->selectRow(1);
    QVERIFY(child<QPushButton>("historyReport")->isEnabled());
    QVERIFY(!child<QPushButton>("historyCameBack")->isEnabled());
    QVERIFY(!child<QPushButton>("historyRetry")->isEnabled());
}

void TestHistoryPage::nothingYetIsSaid()
{
    m_one->client.operationList.clear();
    show();
    QTRY_COMPARE(child<QLabel>("stateTitle")->text(), QStringLiteral("Nothing was retried yet"));
}

void TestHistoryPage::nothingFoundIsSaid()
{
    m_one->client.operationList.clear();
    show();
    auto *wanted = child<QComboBox>("historyWanted");
    wanted->setCurrentIndex(wanted->findData(int(api::OperationsWanted::Cancelled)));
    QTRY_COMPARE(child<QLabel>("stateTitle")->text(), QStringLiteral("No retry matches"));
}

void TestHistoryPage::whatCannotBeReadCanBeAskedAgain()
{
    m_one->client.failNext<api::OperationQuery>(
        core::Error{core::ErrorKind::StoreFailed, QStringLiteral("The disk is gone."), {}});
    show();
    QTRY_COMPARE(child<QLabel>("stateSentence")->text(), QStringLiteral("The disk is gone."));
    QTest::mouseClick(child<QPushButton>("stateAction"), Qt::LeftButton);
    QTRY_VERIFY(table()->isVisible());
}

void TestHistoryPage::whatCameBackIsShownAndRetried()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(0);
    QSignalSpy shown(m_one->part.get(), &views::HistoryPage::cameBackWanted);
    QTest::mouseClick(child<QPushButton>("historyCameBack"), Qt::LeftButton);
    QCOMPARE(shown.size(), 1);
    models::ActionScope asked;
    connect(&m_one->navigator, &views::Navigator::retryRequested, m_one->part.get(),
            [&asked](const models::ActionScope &scope) { asked = scope; });
    QTest::mouseClick(child<QPushButton>("historyRetry"), Qt::LeftButton);
    QCOMPARE(asked.filter.cameBackFrom.value, 2);
    QVERIFY(asked.filter.status == records::MessageStatus::Unresolved);
    QCOMPARE(asked.count, 31);
}

void TestHistoryPage::withoutTheRightNothingIsRetried()
{
    m_one->client.snapshot.connections.first().connection.rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(0);
    QVERIFY(!child<QPushButton>("historyRetry")->isEnabled());
    QVERIFY(!child<QPushButton>("historyRetry")->toolTip().isEmpty());
    QVERIFY(child<QPushButton>("historyCameBack")->isEnabled());
}

void TestHistoryPage::doubtsAreOfferedToBeSettled()
{
    m_one->client.operationList[1].counts.inDoubt = 4;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(m_one->part.get(), &views::HistoryPage::doubtsWanted);
    table()->selectRow(0);
    QVERIFY(child<QPushButton>("historyDoubt")->isHidden());
    table()->selectRow(1);
    QVERIFY(child<QPushButton>("historyDoubt")->isVisible());
    QTest::mouseClick(child<QPushButton>("historyDoubt"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().first().value<core::OperationId>(), core::OperationId{1});
}

void TestHistoryPage::enterOpensWhatThereIs()
{
    m_one->client.operationList[1].state = records::OperationState::Running;
    m_one->client.operationList[1].finished.reset();
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy back(m_one->part.get(), &views::HistoryPage::cameBackWanted);
    QSignalSpy live(&m_one->navigator, &views::Navigator::operationRequested);
    table()->setFocus();
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(back.size(), 1);
    table()->selectRow(1);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(live.size(), 1);
    QCOMPARE(back.size(), 1);
}

void TestHistoryPage::theBoxSearchesAfterAMoment()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    m_one->part->focusFilter();
    QTest::keyClicks(child<QLineEdit>("historyFilter"), QStringLiteral("quota "));
    QTRY_COMPARE(m_one->client.operationQueries.last().text, QStringLiteral("quota"));
}

void TestHistoryPage::columnsThatSayNothingAreHidden()
{
    using models::HistoryModel;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(table()->isColumnHidden(HistoryModel::Ejected));
    QVERIFY(table()->isColumnHidden(HistoryModel::Connection));
    m_one->client.operationList.first().counts.ejected = 3;
    m_one->part->reload();
    QTRY_VERIFY(!table()->isColumnHidden(HistoryModel::Ejected));
    QVERIFY(table()->isColumnHidden(HistoryModel::InDoubt));
}

QTEST_MAIN(TestHistoryPage)
#include "tst_historypage.moc"
