// What came back from a retry, by cause, and the ways from there.
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/theme/theme.h"
#include "views/retries/returnsdialog.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

class TestReturnsDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyCauseIsListedWithWhatIsNewOfIt();
    void aRowOpensItsMessages();
    void allOfThemAreShown();
    void theSelectedCausesAreRetried();
    void withoutTheRightNothingIsRetried();
    void whatIsGoneSinceIsSaid();
    void screenshots();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void show();
    [[nodiscard]] QTableView *table() { return child<QTableView>("returnsTable"); }
    [[nodiscard]] QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }

    std::unique_ptr<test::OnePart<views::ReturnsDialog>> m_one;
};

void TestReturnsDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::ReturnsDialog>>();
    records::RetryOperation operation = m_one->completed(7);
    operation.counts.cameBack = 1220;
    m_one->client.operationList = {operation};
    api::ReturnShare sql;
    sql.group = core::GroupId{71};
    sql.title = QStringLiteral("SqlException: <b>Save</b>\nOrders");
    sql.count = 1200;
    api::ReturnShare json;
    json.group = core::GroupId{72};
    json.title = QStringLiteral("JsonException: Read");
    json.count = 20;
    json.newCause = 17;
    json.note = QStringLiteral("Asked the team.");
    m_one->client.operationDetail.returns = {sql, json};
    m_one->client.operationDetail.proofs = {{api::Proof::Acknowledged, 7300, {}, {}, {}},
                                            {api::Proof::Quiet, 5, {}, {}, {}}};
}

void TestReturnsDialog::cleanup()
{
    m_one.reset();
}

void TestReturnsDialog::show()
{
    m_one->show(core::OperationId{7});
}

void TestReturnsDialog::everyCauseIsListedWithWhatIsNewOfIt()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(cell(0, 0).startsWith(QStringLiteral("SqlException: <b>Save</b>")));
    QVERIFY(!cell(0, 0).contains(QLatin1Char('\n')));
    QCOMPARE(cell(0, 1), QStringLiteral("1,200"));
    QCOMPARE(cell(1, 2), QStringLiteral("17"));
    const QString tip = table()->model()->index(1, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("Asked the team.")), qPrintable(tip));
    QCOMPARE(child<QLabel>("returnsSummary")->text(),
             QStringLiteral("1,220 came back, 17 of them with a new cause; 7,300 confirmed by the endpoint"));
}

void TestReturnsDialog::aRowOpensItsMessages()
{
    show();
    QTRY_VERIFY(table()->hasFocus());
    QSignalSpy wanted(&m_one->navigator, &views::Navigator::messagesRequested);
    table()->selectRow(1);
    QTest::keyClick(m_one->part->focusWidget(), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    const auto filter = wanted.first().first().value<records::MessageFilter>();
    QCOMPARE(filter.cameBackFrom, core::OperationId{7});
    QCOMPARE(filter.groups, QList<core::GroupId>{{72}});
    QCOMPARE(wanted.first().at(1).toString(), QStringLiteral("JsonException: Read"));
    QVERIFY(!m_one->part->isVisible());
}

void TestReturnsDialog::allOfThemAreShown()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(&m_one->navigator, &views::Navigator::messagesRequested);
    QTest::mouseClick(child<QPushButton>("returnsShow"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QVERIFY(wanted.first().first().value<records::MessageFilter>().groups.isEmpty());
    QCOMPARE(wanted.first().first().value<records::MessageFilter>().cameBackFrom, core::OperationId{7});
}

void TestReturnsDialog::theSelectedCausesAreRetried()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(&m_one->navigator, &views::Navigator::retryRequested);
    table()->selectRow(1);
    QTRY_COMPARE(child<QPushButton>("returnsRetry")->text(), QStringLiteral("Retry selected…"));
    QTest::mouseClick(child<QPushButton>("returnsRetry"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    const auto scope = wanted.first().first().value<models::ActionScope>();
    QCOMPARE(scope.count, 20);
    QCOMPARE(scope.connection, core::ConnectionId{1});
    QCOMPARE(scope.filter.groups, QList<core::GroupId>{{72}});
    QCOMPARE(scope.filter.cameBackFrom, core::OperationId{7});
    QVERIFY(scope.filter.status == records::MessageStatus::Unresolved);
}

void TestReturnsDialog::withoutTheRightNothingIsRetried()
{
    m_one->client.snapshot.connections[0].connection.rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(child<QPushButton>("returnsShow")->isEnabled());
    QVERIFY(!child<QPushButton>("returnsRetry")->isEnabled());
    QVERIFY(!child<QPushButton>("returnsRetry")->toolTip().isEmpty());
}

void TestReturnsDialog::whatIsGoneSinceIsSaid()
{
    m_one->client.operationDetail.returns.clear();
    show();
    QTRY_COMPARE(child<QLabel>("returnsSummary")->text(),
                 QStringLiteral("1,220 came back; 7,300 confirmed by the endpoint"));
    QVERIFY(!table()->isVisible());
    QVERIFY(!child<QPushButton>("returnsShow")->isEnabled());
}

void TestReturnsDialog::screenshots()
{
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_one->theme.setMode(mode);
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        table()->selectRow(0);
        QVERIFY(m_one->takePicture(QStringLiteral("returns")));
    }
}

REDRIVE_WIDGET_TEST(TestReturnsDialog)
#include "tst_returnsdialog.moc"
