// What came back from a retry, by cause, and the ways from there.
#include "tests/support/fakeclient.h"
#include "views/common/theme.h"
#include "views/retries/returnsdialog.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

Q_DECLARE_METATYPE(models::ActionScope)

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
        T *found = m_dialog->findChild<T *>(QString::fromLatin1(name));
        if (found == nullptr)
            qFatal("no %s", name);
        return found;
    }
    void show();
    [[nodiscard]] QTableView *table() { return child<QTableView>("returnsTable"); }
    [[nodiscard]] QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    models::ConsoleFilter m_filter;
    models::SharedSelection m_selection;
    views::Navigator m_navigator;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<views::ReturnsDialog> m_dialog;
};

void TestReturnsDialog::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = core::fromMs(1'790'000'000'000);
    api::ConnectionView shop;
    shop.connection.id = core::ConnectionId{1};
    shop.connection.name = QStringLiteral("shop");
    shop.connection.rights = records::defaultRights;
    m_client->snapshot.connections = {shop};
    records::RetryOperation operation;
    operation.id = core::OperationId{7};
    operation.connection = shop.connection.id;
    operation.state = records::OperationState::Completed;
    operation.counts.cameBack = 1220;
    m_client->operationList = {operation};
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
    m_client->operationDetail.returns = {sql, json};
    m_session = std::make_unique<models::ConsoleSession>(*m_client, QStringLiteral("maria"));
    m_theme = std::make_unique<views::Theme>(views::ThemeMode::Light);
}

void TestReturnsDialog::cleanup()
{
    m_dialog.reset();
    m_theme.reset();
    m_session.reset();
    m_client.reset();
}

void TestReturnsDialog::show()
{
    m_client->publish();
    m_dialog = std::make_unique<views::ReturnsDialog>(
        views::Console{*m_session, m_filter, m_selection, m_navigator, *m_theme}, core::OperationId{7});
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
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
    QCOMPARE(child<QLabel>("returnsSummary")->text(), QStringLiteral("1,220 came back, 17 of them with a new cause"));
}

void TestReturnsDialog::aRowOpensItsMessages()
{
    show();
    QTRY_VERIFY(table()->hasFocus());
    QSignalSpy wanted(&m_navigator, &views::Navigator::messagesRequested);
    table()->selectRow(1);
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    const auto filter = wanted.first().first().value<records::MessageFilter>();
    QCOMPARE(filter.cameBackFrom, core::OperationId{7});
    QCOMPARE(filter.groups, QList<core::GroupId>{{72}});
    QCOMPARE(wanted.first().at(1).toString(), QStringLiteral("came back from retry 7: JsonException: Read"));
    QVERIFY(!m_dialog->isVisible());
}

void TestReturnsDialog::allOfThemAreShown()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(&m_navigator, &views::Navigator::messagesRequested);
    QTest::mouseClick(child<QPushButton>("returnsShow"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QVERIFY(wanted.first().first().value<records::MessageFilter>().groups.isEmpty());
    QCOMPARE(wanted.first().at(1).toString(), QStringLiteral("came back from retry 7"));
}

void TestReturnsDialog::theSelectedCausesAreRetried()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QSignalSpy wanted(&m_navigator, &views::Navigator::retryRequested);
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
    m_client->snapshot.connections[0].connection.rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY(child<QPushButton>("returnsShow")->isEnabled());
    QVERIFY(!child<QPushButton>("returnsRetry")->isEnabled());
    QVERIFY(!child<QPushButton>("returnsRetry")->toolTip().isEmpty());
}

void TestReturnsDialog::whatIsGoneSinceIsSaid()
{
    m_client->operationDetail.returns.clear();
    show();
    QTRY_COMPARE(child<QLabel>("returnsSummary")->text(), QStringLiteral("1,220 came back"));
    QVERIFY(!table()->isVisible());
    QVERIFY(!child<QPushButton>("returnsShow")->isEnabled());
}

void TestReturnsDialog::screenshots()
{
    const QString folder = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_theme->setMode(mode);
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        table()->selectRow(0);
        if (!folder.isEmpty())
            QVERIFY(m_dialog->grab().save(folder + QStringLiteral("/returns-") + views::toString(mode)
                                          + QStringLiteral(".png")));
    }
}

QTEST_MAIN(TestReturnsDialog)
#include "tst_returnsdialog.moc"
