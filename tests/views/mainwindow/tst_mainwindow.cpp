// The whole window on the scene, driven by keys and mouse as a person would.
#include "models/groups/groupsmodel.h"
#include "models/messages/messagecells.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/filterchips.h"
#include "views/common/widgets/banner.h"
#include "views/mainwindow/bannerstack.h"
#include "views/retries/plan/plandialog.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using views::ActionId;

class TestMainWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void opensOnTheCausesWithTheFirstChosen();
    void theButtonNamesItsScope();
    void contextMenuNamesItsScope();
    void boxesMirrorTheSelection();
    void headerBoxHasThreeStates();
    void selectionSurvivesARefresh();
    void enterOpensTheMembers();
    void messagesFitTheWindowOfTheDesign();
    void deleteArchivesAndUndoRestores();
    void ctrlRAsksForAPlanOfWhatIsSelected();
    void whatComesBackAfterARetryIsNotChosen();
    void rowsStayUnderAPointerThatMovesThereAlone();
    void ctrlFGoesToTheFilterOfThePage();
    void searchOpensMessages();
    void aSearchFromTheToolBarIsOverEverything();
    void aListThatChangedWhileHiddenIsReadAnew();
    void queueNarrowsThePages();
    void viewerKeepsConnectionsAndSaysWhy();
    void missingRightDisablesWithItsReason();
    void pauseTurnsIntoResume();
    void hostileTextStaysText();
    void zoneTurnsEveryTime();
    void themeSwitchesLive();
    void layoutIsRemembered();
    void everyControlHasAName();
    void allKeysDiffer();
    void emptyStoreSaysWhatToDo();
    void whatWaitsOnTheBrokerIsOfferedToBeTaken();

private:
    void open();
    views::DataTable *groups() { return child<views::DataTable>("groupsTable"); }
    void key(const QString &sequence)
    {
        m_window->activateWindow(); // a question that was closed may leave none active
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keySequence(m_window.get(), QKeySequence(sequence));
    }
};

void TestMainWindow::init()
{
    prepare(10);
}

void TestMainWindow::open()
{
    show();
    QTRY_COMPARE(groups()->model()->rowCount(), m_client->store.isEmpty() ? 0 : 7);
}

void TestMainWindow::cleanup()
{
    shut();
}

void TestMainWindow::opensOnTheCausesWithTheFirstChosen()
{
    open();
    QCOMPARE(groups()->selectedRowNumbers(), QList<int>{0});
    QCOMPARE(groups()->model()->index(0, models::GroupsModel::Cause).data().toString(),
             QStringLiteral("SqlException: OrderStore.Save(Order)"));
    QTRY_VERIFY(child<QLabel>("detailTitle")->text().contains(QStringLiteral("SqlException")));
    const auto texts = child<QWidget>("detailPane")->findChildren<QPlainTextEdit *>();
    QVERIFY(std::any_of(texts.cbegin(), texts.cend(), [](const QPlainTextEdit *one) {
        return one->toPlainText().contains(QStringLiteral("at OrderStore.Save(Order)"));
    }));
    QTRY_COMPARE(m_window->focusWidget(), groups());
    QCOMPARE(child<QLabel>("engineState")->text(), QStringLiteral("Engine running · session 5d0f"));
    QVERIFY(child<QLabel>("store")->text().contains(QStringLiteral("redrive.db")));
}

void TestMainWindow::theButtonNamesItsScope()
{
    open();
    QTest::keyClick(groups(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(groups()->selectedCount(), 2);
    auto *retry = child<QPushButton>("retrySelected");
    QVERIFY2(retry->text().contains(QStringLiteral("2 groups · ")), qPrintable(retry->text()));
    QVERIFY(retry->isEnabled());
    groups()->clearSelection();
    QVERIFY(!retry->isEnabled());
    QVERIFY(retry->toolTip().contains(QStringLiteral("Select groups or messages first.")));
}

void TestMainWindow::contextMenuNamesItsScope()
{
    open();
    const QRect cell = groups()->visualRect(groups()->model()->index(0, models::GroupsModel::Cause));
    Q_EMIT groups()->customContextMenuRequested(cell.center());
    auto *menu = child<QMenu>("groupMenu");
    QVERIFY(menu->isVisible());
    const QList<QAction *> entries = menu->actions();
    QVERIFY2(entries.first()->text().contains(QStringLiteral("1 group")), qPrintable(entries.first()->text()));
    QSignalSpy gone(menu, &QObject::destroyed);
    entries.first()->trigger();
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() != nullptr);
    m_window->findChild<views::PlanDialog *>()->reject();
    menu->close();
    QTRY_COMPARE(gone.count(), 1);
}

void TestMainWindow::boxesMirrorTheSelection()
{
    open();
    const auto clickBox = [&](int row) {
        const QRect box = groups()->visualRect(groups()->model()->index(row, models::GroupsModel::Check));
        QTest::mouseClick(groups()->viewport(), Qt::LeftButton, {}, box.center());
    };
    clickBox(3);
    QCOMPARE(groups()->selectedRowNumbers(), (QList<int>{0, 3}));
    clickBox(0);
    QCOMPARE(groups()->selectedRowNumbers(), QList<int>{3});
    const QRect cause = groups()->visualRect(groups()->model()->index(1, models::GroupsModel::Cause));
    QTest::mouseClick(groups()->viewport(), Qt::LeftButton, {}, cause.center());
    QCOMPARE(groups()->selectedRowNumbers(), QList<int>{1});
    QTest::keyClick(groups(), Qt::Key_Space);
    QCOMPARE(groups()->selectedCount(), 0);
}

void TestMainWindow::headerBoxHasThreeStates()
{
    open();
    QHeaderView *header = groups()->horizontalHeader();
    const auto click = [&] {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(header->sectionViewportPosition(0) + 10, 10));
    };
    click();
    QCOMPARE(groups()->selectedCount(), 7);
    click();
    QCOMPARE(groups()->selectedCount(), 0);
}

void TestMainWindow::selectionSurvivesARefresh()
{
    open();
    groups()->selectionModel()->select(groups()->model()->index(2, 0),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
    const QVariant chosen = groups()->model()->index(2, 0).data(models::IdRole);
    const qsizetype asked = m_client->count<api::GroupQuery>();
    for (records::FailedMessage &one : m_client->store) {
        if (one.messageType == QLatin1String("Shop.OrderShipped"))
            one.status = records::MessageStatus::Archived;
    }
    m_client->touchMessages();
    QTRY_VERIFY(m_client->count<api::GroupQuery>() > asked);
    QTRY_COMPARE(groups()->model()->rowCount(), 6);
    QCOMPARE(groups()->selectedCount(), 2);
    QVERIFY(groups()->selectionModel()->selectedRows().contains(
        groups()->model()->match(groups()->model()->index(0, 0), models::IdRole, chosen).first()));
}

void TestMainWindow::enterOpensTheMembers()
{
    open();
    QTest::keyClick(groups(), Qt::Key_Return);
    QCOMPARE(child<QTabBar>("pageTabs")->currentIndex(), 1);
    auto *messages = child<views::DataTable>("messagesTable");
    QTRY_COMPARE(messages->model()->rowCount(), 1291);
    const QString type = messages->model()->index(0, models::MessageCells::Type).data().toString();
    QCOMPARE(type, QStringLiteral("SubmitOrder"));
}

void TestMainWindow::messagesFitTheWindowOfTheDesign()
{
    open();
    m_window->resize(1440, 900);
    key(QStringLiteral("Ctrl+2"));
    auto *messages = child<views::DataTable>("messagesTable");
    QTRY_VERIFY(messages->model()->rowCount() > 0);
    QTRY_COMPARE(messages->horizontalScrollBar()->maximum(), 0); // nothing lies beyond the edge
    QVERIFY(messages->isColumnHidden(models::MessageCells::Status)); // the filter says it
    auto *status = child<QComboBox>("messageStatus");
    status->setCurrentIndex(status->findText(QStringLiteral("All")));
    QVERIFY(!messages->isColumnHidden(models::MessageCells::Status));
}

void TestMainWindow::deleteArchivesAndUndoRestores()
{
    open();
    const qint64 before = m_client->snapshot.unresolvedTotal;
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("decisionQuestion")) != nullptr); // Production
    child<QPushButton>("decisionGo")->click();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    const auto banners = m_window->findChildren<views::Banner *>();
    const auto said = [&](const QString &text) {
        return std::any_of(banners.cbegin(), banners.cend(),
                           [&](const views::Banner *one) { return one->text().contains(text); });
    };
    QTRY_VERIFY(said(QStringLiteral("Archived 1,291 messages.")));
    m_client->touchMessages();
    QVERIFY(m_client->snapshot.unresolvedTotal < before);
    key(QStringLiteral("Ctrl+Z"));
    QTRY_COMPARE(m_client->decisions.size(), 2);
    QVERIFY(m_client->decisions.last().decision == api::Decision::Restore);
    m_client->touchMessages();
    QCOMPARE(m_client->snapshot.unresolvedTotal, before);
}

void TestMainWindow::ctrlRAsksForAPlanOfWhatIsSelected()
{
    open();
    QTest::keyClick(groups(), Qt::Key_Down, Qt::ShiftModifier);
    key(QStringLiteral("Ctrl+R"));
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() != nullptr);
    QCOMPARE(m_client->previews.size(), 1);
    QCOMPARE(m_client->previews.first().filter.groups.size(), 2);
    QVERIFY(m_client->retries.isEmpty());
    m_window->findChild<views::PlanDialog *>()->reject();
}

void TestMainWindow::whatComesBackAfterARetryIsNotChosen()
{
    open();
    QTest::keyClick(groups(), Qt::Key_Down, Qt::ShiftModifier);
    QTRY_VERIFY(child<QPushButton>("retrySelected")->text().contains(QStringLiteral("2 groups")));
    key(QStringLiteral("Ctrl+R"));
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() != nullptr);
    auto *go = m_window->findChild<views::PlanDialog *>()->findChild<QPushButton *>(QStringLiteral("planGo"));
    QTRY_VERIFY(go->isEnabled());
    go->click();
    QTRY_COMPARE(m_client->retries.size(), 1);
    QTRY_VERIFY(child<QPushButton>("retrySelected")->text().contains(QStringLiteral("1 group")));
    QCOMPARE(groups()->selectedCount(), 1); // where the reader stands
}

void TestMainWindow::rowsStayUnderAPointerThatMovesThereAlone()
{
    open();
    QWidget *list = groups()->viewport();
    const auto first = [this] { return groups()->model()->index(0, models::GroupsModel::Cause).data().toString(); };
    // All but one of the first group's messages are put away: it no longer has the most.
    const auto emptyFirst = [this] {
        const core::GroupId id{groups()->model()->index(0, 0).data(models::IdRole).toLongLong()};
        bool isFirst = true;
        for (records::FailedMessage &message : m_client->store) {
            if (m_client->groupOf(message, records::Classifier::ExceptionAndStack) == id
                && !std::exchange(isFirst, false))
                message.status = records::MessageStatus::Archived;
        }
        m_client->touchMessages();
    };
    const auto countOfFirst = [this] {
        return groups()->model()->index(0, models::GroupsModel::Messages).data().toString();
    };
    const auto pointerAt = [list](const QPointF &place) {
        QMouseEvent event(QEvent::MouseMove, place, place, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(list, &event);
    };
    QEnterEvent lies(QPointF(50, 50), QPointF(50, 50), QPointF(50, 50));
    QCoreApplication::sendEvent(list, &lies);
    pointerAt({50, 50}); // as it comes when the window opens under it
    const QString most = first();
    emptyFirst();
    QTRY_VERIFY(first() != most); // sorted anew

    pointerAt({50, 51});
    const QString next = first();
    emptyFirst();
    QTRY_COMPARE(countOfFirst(), QStringLiteral("1"));
    QCOMPARE(first(), next); // where the pointer found it
}

void TestMainWindow::ctrlFGoesToTheFilterOfThePage()
{
    open();
    key(QStringLiteral("Ctrl+F"));
    QCOMPARE(m_window->focusWidget()->objectName(), QStringLiteral("groupFilter"));
    QTest::keyClicks(m_window->focusWidget(), QStringLiteral("timeout"));
    QTRY_COMPARE(groups()->model()->rowCount(), 1);
    key(QStringLiteral("Ctrl+2"));
    key(QStringLiteral("Ctrl+F"));
    QCOMPARE(m_window->focusWidget()->objectName(), QStringLiteral("messageSearch"));
}

void TestMainWindow::searchOpensMessages()
{
    open();
    key(QStringLiteral("Ctrl+Shift+F"));
    QCOMPARE(m_window->focusWidget()->objectName(), QStringLiteral("search"));
    QTest::keyClicks(m_window->focusWidget(), QStringLiteral("gateway"));
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
    QCOMPARE(child<QTabBar>("pageTabs")->currentIndex(), 1);
    QTRY_COMPARE(child<views::DataTable>("messagesTable")->model()->rowCount(), 130);
}

// An older filter of the page, a place and a time range: none of them hides what is looked for.
void TestMainWindow::aSearchFromTheToolBarIsOverEverything()
{
    open();
    m_client->store[0].status = records::MessageStatus::Archived;
    m_client->store[0].messageId = QStringLiteral("zwieback-1");
    m_client->touchMessages();
    records::MessageFilter older;
    older.cameBackFrom = core::OperationId{1};
    older.status = records::MessageStatus::Unresolved;
    Q_EMIT m_window->navigator().messagesRequested(older, {});
    m_window->console().filter.setRange(models::TimeRange::LastHour);
    m_window->console().filter.setPlace(m_client->snapshot.connections.last().connection.id, {});
    const auto *chipsRow = child<QWidget>("messagesPage")->findChild<views::FilterChips *>();
    const auto chips = [chipsRow] {
        QStringList texts;
        for (const QToolButton *chip : chipsRow->findChildren<QToolButton *>())
            texts.append(chip->text());
        return texts.join(u'|');
    };
    QTRY_VERIFY2(chips().contains(QStringLiteral("Came back from retry 1")), qPrintable(chips()));
    key(QStringLiteral("Ctrl+Shift+F"));
    QTest::keyClicks(m_window->focusWidget(), QStringLiteral("zwieback-1"));
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(child<views::DataTable>("messagesTable")->model()->rowCount(), 1);
    QTRY_COMPARE(chips(), QStringLiteral("Search: zwieback-1"));
    auto *status = child<QComboBox>("messageStatus");
    status->setCurrentIndex(status->findData(int(records::MessageStatus::Unresolved)));
    QTRY_COMPARE(chips(), QStringLiteral("Status: Unresolved|Search: zwieback-1"));
}

void TestMainWindow::aListThatChangedWhileHiddenIsReadAnew()
{
    open();
    const auto *table = child<views::DataTable>("messagesTable");
    key(QStringLiteral("Ctrl+2"));
    QTRY_COMPARE(table->model()->rowCount(), int(m_client->snapshot.unresolvedTotal));
    key(QStringLiteral("Ctrl+1"));
    for (qsizetype i = 0; i < m_client->store.size(); i += 2)
        m_client->store[i].status = records::MessageStatus::RetryIssued;
    m_client->touchMessages();
    key(QStringLiteral("Ctrl+2"));
    QTRY_COMPARE(table->model()->rowCount(), int(m_client->snapshot.unresolvedTotal));
}

void TestMainWindow::queueNarrowsThePages()
{
    open();
    auto *tree = child<QTreeView>("queueTree");
    const QModelIndex dlq = tree->model()
                                ->match(tree->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("orders.dlq"), 1,
                                        Qt::MatchExactly | Qt::MatchRecursive)
                                .first();
    tree->scrollTo(dlq);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(dlq).center());
    QTRY_COMPARE(groups()->model()->rowCount(), 1);
    key(QStringLiteral("Ctrl+0"));
    QTRY_COMPARE(groups()->model()->rowCount(), 7);
}

void TestMainWindow::viewerKeepsConnectionsAndSaysWhy()
{
    m_client->snapshot.engine = api::EngineState::Viewer;
    m_client->snapshot.engineText = QStringLiteral("held by process 4711");
    open();
    QAction *add = m_window->findChild<QAction *>(QStringLiteral("action%1").arg(int(ActionId::AddConnection)));
    QVERIFY(!add->isEnabled());
    QVERIFY(add->toolTip().contains(QStringLiteral("held by process 4711")));
    QCOMPARE(m_window->findChild<views::BannerStack *>()->findChild<views::Banner *>()->text(),
             QStringLiteral("held by process 4711")); // said once
}

void TestMainWindow::missingRightDisablesWithItsReason()
{
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::Right::See;
    open();
    QVERIFY(!child<QPushButton>("retrySelected")->isEnabled());
    QVERIFY(child<QPushButton>("retrySelected")->toolTip().contains(QStringLiteral("does not grant the right")));
    QVERIFY(!child<QPushButton>("archiveSelected")->isEnabled());
    QVERIFY(child<QPushButton>("pauseAll")->isEnabled());
}

void TestMainWindow::pauseTurnsIntoResume()
{
    open();
    auto *pause = child<QPushButton>("pauseAll");
    QCOMPARE(pause->text(), QStringLiteral("Pause all"));
    QTest::mouseClick(pause, Qt::LeftButton);
    m_client->publish();
    QTRY_COMPARE(pause->text(), QStringLiteral("Resume all"));
    auto *banner = m_window->findChild<views::BannerStack *>()->findChild<views::Banner *>();
    QVERIFY(banner->text().contains(QStringLiteral("All retries and policies are paused.")));
    QTest::mouseClick(banner->findChild<QPushButton *>(), Qt::LeftButton);
    QCOMPARE(m_client->pauses, (QList<bool>{true, false}));
}

void TestMainWindow::hostileTextStaysText()
{
    m_client->snapshot.connections.first().connection.name = support::hostileText();
    m_client->store.first().failure.exceptionMessage = support::hostileText();
    m_client->store.first().messageType = support::hostileText();
    m_client->store.first().lastFailed = m_client->snapshot.at;
    m_client->details.clear();
    open();
    for (const QLabel *label : m_window->findChildren<QLabel *>())
        QVERIFY2(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()),
                 qPrintable(label->objectName()));
    QVERIFY(child<QLabel>("rights")->text().contains(QStringLiteral("<b>bold</b>")));
}

void TestMainWindow::zoneTurnsEveryTime()
{
    open();
    QVERIFY(child<QLabel>("refreshed")->text().endsWith(QStringLiteral("03:02:11 UTC")));
    m_window->findChild<QAction *>(QStringLiteral("action%1").arg(int(ActionId::TimesLocal)))->trigger();
    QVERIFY(m_preferences->zone() == models::TimeZone::Local);
}

void TestMainWindow::themeSwitchesLive()
{
    open();
    const QColor light = m_window->grab().toImage().pixelColor(m_window->width() / 2, m_window->height() / 2);
    m_window->findChild<QAction *>(QStringLiteral("action%1").arg(int(ActionId::ThemeDark)))->trigger();
    const QColor dark = m_window->grab().toImage().pixelColor(m_window->width() / 2, m_window->height() / 2);
    QVERIFY(light.lightness() > 200);
    QVERIFY(dark.lightness() < 60);
    QVERIFY(m_preferences->theme() == views::ThemeMode::Dark);
}

void TestMainWindow::layoutIsRemembered()
{
    open();
    child<QDockWidget>("queuesDock")->hide();
    child<QDockWidget>("activityDock")->show();
    m_window->close();
    m_window.reset();
    open();
    QVERIFY(child<QDockWidget>("queuesDock")->isHidden());
    QVERIFY(!child<QDockWidget>("activityDock")->isHidden());
}

void TestMainWindow::everyControlHasAName()
{
    open();
    for (QWidget *widget : m_window->findChildren<QWidget *>()) {
        const bool control =
            qobject_cast<QAbstractButton *>(widget) != nullptr || qobject_cast<QLineEdit *>(widget) != nullptr
            || qobject_cast<QComboBox *>(widget) != nullptr || qobject_cast<QAbstractItemView *>(widget) != nullptr;
        const bool inner = widget->objectName().startsWith(QLatin1String("qt_"))
                           || qobject_cast<QComboBox *>(widget->parentWidget()) != nullptr
                           || qobject_cast<QLineEdit *>(widget->parentWidget()) != nullptr
                           || qobject_cast<QTabBar *>(widget->parentWidget()) != nullptr
                           || qobject_cast<QHeaderView *>(widget) != nullptr || widget->inherits("QTableCornerButton")
                           || widget->window() != m_window.get() || widget->inherits("QComboBoxListView");
        if (!control || inner)
            continue;
        const auto *button = qobject_cast<QAbstractButton *>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
        QVERIFY2(named || widget->isHidden(),
                 qPrintable(QString::fromLatin1(widget->metaObject()->className()) + widget->objectName()));
    }
}

void TestMainWindow::allKeysDiffer()
{
    open();
    QSet<QString> keys;
    for (const QAction *action : m_window->actions()) {
        const QString text = action->shortcut().toString();
        if (text.isEmpty())
            continue;
        QVERIFY2(!keys.contains(text), qPrintable(text));
        keys.insert(text);
    }
    QVERIFY(keys.contains(QStringLiteral("F5")));
    QVERIFY(keys.contains(QStringLiteral("Ctrl+K")));
}

void TestMainWindow::emptyStoreSaysWhatToDo()
{
    m_client->store.clear();
    m_client->snapshot.connections.clear();
    m_client->snapshot.queues.clear();
    open();
    auto *page = child<QWidget>("groupsPage");
    QTRY_COMPARE(page->findChild<QLabel *>(QStringLiteral("stateTitle"))->text(), QStringLiteral("No connection yet"));
    QVERIFY(page->findChild<QPushButton *>(QStringLiteral("stateAction"))->isVisible());
}

void TestMainWindow::whatWaitsOnTheBrokerIsOfferedToBeTaken()
{
    m_client->store.clear();
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::defaultRights;
    for (api::QueueView &queue : m_client->snapshot.queues) {
        queue.unresolved = 0;
        queue.depth = queue.holdsFailed ? 800 : 0;
    }
    open();
    auto *page = child<QWidget>("groupsPage");
    QTRY_COMPARE(page->findChild<QLabel *>(QStringLiteral("stateTitle"))->text(),
                 QStringLiteral("No messages taken yet"));
    QVERIFY(page->findChild<QLabel *>(QStringLiteral("stateSentence"))->text().startsWith(QStringLiteral("800 ")));
    auto *take = page->findChild<QPushButton *>(QStringLiteral("stateAction"));
    QCOMPARE(take->text(), QStringLiteral("Take failed messages…"));
    QTest::mouseClick(take, Qt::LeftButton);
    QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("takeQuestion")) != nullptr);
    QVERIFY(m_client->intakes.isEmpty());
}

REDRIVE_WIDGET_TEST(TestMainWindow)
#include "tst_mainwindow.moc"
