// A table as CSV: what is on the screen, in its order, and no formula.
#include "models/messages/messagesmodel.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/transfers/savetable.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

class TestSaveTable final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theFileHasWhatIsShown();
    void columnsKeepTheirOrderOnTheScreen();
    void aColumnWithoutRoomIsSaved();
    void textsAreNoFormulas();
    void rowsThatAreNotLoadedAreSavedToo();
    void anErrorIsSaid();
    void theTableWithTheFocusIsMeant();

private:
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("table.csv")); }
    [[nodiscard]] QByteArrayList saved(views::DataTable &table);

    QTemporaryDir m_folder;
    views::Theme m_theme{views::ThemeMode::Light};
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<QStandardItemModel> m_model;
};

void TestSaveTable::init()
{
    m_session.reset();
    m_client = std::make_unique<support::FakeClient>();
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_model = std::make_unique<QStandardItemModel>();
    m_model->setHorizontalHeaderLabels({QString(), QStringLiteral("Queue"), QStringLiteral("Count")});
    for (const auto &[queue, count] : {std::pair("error", "1,234"), std::pair("a \"b\"", "2")})
        m_model->appendRow({new QStandardItem, new QStandardItem(QString::fromLatin1(queue)),
                            new QStandardItem(QString::fromLatin1(count))});
}

QByteArrayList TestSaveTable::saved(views::DataTable &table)
{
    const QSignalSpy told(m_session.get(), &models::ConsoleSession::succeeded);
    views::saveTable(*m_session, &table, path());
    if (!QTest::qWaitFor([&told] { return !told.isEmpty(); }))
        return {};
    QFile file(path());
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
}

void TestSaveTable::theFileHasWhatIsShown()
{
    views::DataTable table(m_theme, 0);
    table.setModel(m_model.get());
    QCOMPARE(saved(table), (QByteArrayList{"Queue,Count\r", "error,\"1,234\"\r", "\"a \"\"b\"\"\",2\r", QByteArray()}));
}

void TestSaveTable::columnsKeepTheirOrderOnTheScreen()
{
    views::DataTable table(m_theme, 0);
    table.setModel(m_model.get());
    table.horizontalHeader()->moveSection(2, 1);
    QVERIFY(saved(table).first() == "Count,Queue\r");
    table.setColumnHidden(1, true);
    QVERIFY(saved(table).first() == "Count\r");
}

void TestSaveTable::aColumnWithoutRoomIsSaved()
{
    views::DataTable table(m_theme, 0);
    table.setModel(m_model.get());
    table.setWidths({0, 0, 100}, 1, 300);
    table.setDispensable({2});
    table.resize(200, 100);
    table.show();
    QTRY_VERIFY(table.isColumnHidden(2));
    QVERIFY(saved(table).first() == "Queue,Count\r");
}

void TestSaveTable::textsAreNoFormulas()
{
    m_model->item(0, 1)->setText(QStringLiteral("=cmd()"));
    m_model->item(1, 1)->setText(QStringLiteral("@x"));
    views::DataTable table(m_theme, 0);
    table.setModel(m_model.get());
    const QByteArrayList lines = saved(table);
    QVERIFY(lines.at(1).startsWith("'=cmd()") && lines.at(2).startsWith("'@x"));
}

void TestSaveTable::rowsThatAreNotLoadedAreSavedToo()
{
    constexpr int count = 2500; // pages of 1,000
    for (int n = 1; n <= count; ++n) {
        records::FailedMessage message;
        message.id = core::MessageId{n};
        message.queue = QStringLiteral("error");
        message.messageId = QStringLiteral("m-%1").arg(n);
        message.lastFailed = core::fromMs(1000 * n);
        m_client->store.append(message);
    }
    m_client->publish();
    const models::ConsoleFilter filter;
    models::MessagesModel model(*m_session, filter);
    model.setFilter({});
    QTRY_VERIFY(model.isListed());
    views::DataTable table(m_theme, models::MessageCells::Check);
    table.setModel(&model);
    const QByteArrayList lines = saved(table);
    QCOMPARE(lines.size(), count + 2);
    QVERIFY(lines.at(1).contains("m-2500") && lines.at(count).contains("m-1\r"));
    QVERIFY(model.messageAt(count / 2) == nullptr); // the list itself stays small
}

void TestSaveTable::anErrorIsSaid()
{
    views::DataTable table(m_theme, 0);
    table.setModel(m_model.get());
    const QSignalSpy told(m_session.get(), &models::ConsoleSession::failed);
    views::saveTable(*m_session, &table, m_folder.filePath(QStringLiteral("nowhere/table.csv")));
    QTRY_COMPARE(told.size(), 1);
}

void TestSaveTable::theTableWithTheFocusIsMeant()
{
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *page = new QWidget;
    auto *onPage = new views::DataTable(m_theme, -1, page);
    auto *inDock = new views::DataTable(m_theme, -1);
    layout->addWidget(page);
    layout->addWidget(inDock);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    inDock->setFocus();
    QCOMPARE(views::tableOnScreen(&window, page), inDock);
    inDock->clearFocus();
    QCOMPARE(views::tableOnScreen(&window, page), onPage);
    QVERIFY(views::tableOnScreen(&window, nullptr) == nullptr);
}

REDRIVE_WIDGET_TEST(TestSaveTable)
#include "tst_savetable.moc"
