// Acting on what a list shows: what is asked first, what is undone, where the keys and the message beside the list are
// afterwards.
#include "models/groups/groupsmodel.h"
#include "models/messages/messagecells.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/filterchips.h"
#include "views/common/widgets/banner.h"
#include "views/detail/detailpane.h"
#include "views/retries/plan/plandialog.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using records::Environment;
using records::MessageStatus;

class TestActingOnLists final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { shut(); }
    void theArchiveButtonNamesItsScope();
    void archivingInProductionIsAskedFirst();
    void archivingManyIsAskedFirst();
    void undoIsOfferedForAsLongAsItHolds();
    void noRowMovesForAnOfferToUndo();
    void archivingThatTakesLongIsShownAndCanBeCancelled();
    void whatWasTickedIsNotWhenThePageIsLeft();
    void deletingInProductionNeedsTheCount();
    void groupsInRetryAreNotArchived();
    void theKeysStayInTheListAfterArchiving();
    void theKeysStayInAListThatIsEmptyAfterArchiving();
    void theMessageStaysWhenItsGroupIsGone();
    void noMessageIsShownWhenNothingIsSelected();
    void theMessageIsThatOfTheListInFront();
    void everyFilterIsAChipThatCanBeClosed();
    void whatOneDecidedIsReadAgain();
    void aColumnThatIsNotSortedByWhatItShowsIsNotSorted();
    void archivedGroupsAreRestoredWhereTheyAreListed();
    void whatIsSelectedIsReleased();
    void decisionsStandInTheMenuBar();

private:
    void open(Environment environment, int every = 200);
    views::DataTable *groups() { return child<views::DataTable>("groupsTable"); }
    views::DataTable *messages() { return child<views::DataTable>("messagesTable"); }
    QDialog *question() { return m_window->findChild<QDialog *>(QStringLiteral("decisionQuestion")); }
    QAction *action(views::ActionId id)
    {
        return m_window->findChild<QAction *>(QStringLiteral("action%1").arg(int(id)));
    }
    void key(const QString &sequence)
    {
        m_window->activateWindow(); // a question that was closed may leave none active
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keySequence(m_window.get(), QKeySequence(sequence));
    }
    void showGroupsOf(MessageStatus status);
    views::Banner *undoBar() { return barWith(QStringLiteral("Undo")); }
    views::Banner *barWith(const QString &action);
    qint64 count(MessageStatus status) const;
    QMenu *groupMenu();
    core::MessageId idIn(const QTableView *table, int row) const
    {
        return core::MessageId{table->model()->index(row, 0).data(models::IdRole).toLongLong()};
    }
    core::MessageId shown(); // the message beside the list
};

void TestActingOnLists::init()
{
    prepare(200);
}

// All connections are of this environment.
void TestActingOnLists::open(Environment environment, int every)
{
    if (every != 200) {
        shut();
        prepare(every);
    }
    for (api::ConnectionView &view : m_client->snapshot.connections) {
        view.connection.environment = environment;
        view.connection.rights = records::defaultRights | records::Right::Delete;
    }
    show();
    QTRY_VERIFY(groups()->model()->rowCount() > 2);
    QTRY_COMPARE(m_window->focusWidget(), groups());
}

void TestActingOnLists::showGroupsOf(MessageStatus status)
{
    auto *box = child<QComboBox>("groupStatus");
    box->setCurrentIndex(box->findData(int(status)));
    QTRY_VERIFY(groups()->model()->rowCount() > 0);
}

// The banner that offers this, while it does.
views::Banner *TestActingOnLists::barWith(const QString &action)
{
    for (views::Banner *one : m_window->findChildren<views::Banner *>()) {
        const auto *button = one->findChild<QPushButton *>(QStringLiteral("bannerAction"));
        if (one->isVisible() && button->isVisible() && button->text() == action)
            return one;
    }
    return nullptr;
}

qint64 TestActingOnLists::count(MessageStatus status) const
{
    return std::count_if(m_client->store.cbegin(), m_client->store.cend(),
                         [status](const records::FailedMessage &one) { return one.status == status; });
}

QMenu *TestActingOnLists::groupMenu()
{
    groups()->selectRow(0);
    Q_EMIT groups()->customContextMenuRequested(groups()->visualRect(groups()->model()->index(0, 1)).center());
    return child<QMenu>("groupMenu");
}

core::MessageId TestActingOnLists::shown()
{
    return child<views::DetailPane>("detailPane")->scope().filter.messages.value(0);
}

void TestActingOnLists::theArchiveButtonNamesItsScope()
{
    open(Environment::Test);
    QTest::keyClick(groups(), Qt::Key_Down, Qt::ShiftModifier);
    const auto *archive = child<QPushButton>("archiveSelected");
    const qint64 both = groups()->model()->index(0, models::GroupsModel::Messages).data().toLongLong()
                        + groups()->model()->index(1, models::GroupsModel::Messages).data().toLongLong();
    QVERIFY2(archive->text().contains(QStringLiteral("2 groups · %1").arg(both)), qPrintable(archive->text()));
}

void TestActingOnLists::archivingInProductionIsAskedFirst()
{
    open(Environment::Production);
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_VERIFY(question() != nullptr);
    QVERIFY(m_client->decisions.isEmpty());
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(question() == nullptr);
    QVERIFY(m_client->decisions.isEmpty());

    key(QStringLiteral("Ctrl+2"));
    QTRY_VERIFY(messages()->model()->rowCount() > 2);
    messages()->selectRow(0);
    auto *one = child<QPushButton>("archiveThis");
    QTRY_VERIFY2(one->isEnabled(), qPrintable(one->toolTip()));
    one->click(); // a single message, too
    QTRY_VERIFY(question() != nullptr);
    child<QPushButton>("decisionGo")->click();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QCOMPARE(count(MessageStatus::Archived), 1);
    QTRY_VERIFY(undoBar() != nullptr);
}

void TestActingOnLists::archivingManyIsAskedFirst()
{
    open(Environment::Test, 100); // the first group has more than a hundred then
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_VERIFY(question() != nullptr);
    QVERIFY(m_client->decisions.isEmpty());
    question()->reject();
}

void TestActingOnLists::undoIsOfferedForAsLongAsItHolds()
{
    open(Environment::Test);
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_VERIFY(undoBar() != nullptr);
    key(QStringLiteral("Ctrl+Z"));
    QTRY_COMPARE(m_client->decisions.size(), 2);
    QVERIFY(undoBar() == nullptr);
    QVERIFY(!action(views::ActionId::UndoArchive)->isEnabled());
    QCOMPARE(count(MessageStatus::Archived), 0);
}

void TestActingOnLists::noRowMovesForAnOfferToUndo()
{
    open(Environment::Test);
    const QPoint before = groups()->viewport()->mapTo(m_window.get(), QPoint());
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_VERIFY(undoBar() != nullptr);
    QCoreApplication::processEvents();
    QCOMPARE(groups()->viewport()->mapTo(m_window.get(), QPoint()), before);
    QTest::mouseClick(undoBar()->findChild<QPushButton *>(QStringLiteral("bannerClose")), Qt::LeftButton);
    QVERIFY(undoBar() == nullptr);
    QVERIFY(action(views::ActionId::UndoArchive)->isEnabled()); // Ctrl+Z goes on
}

void TestActingOnLists::archivingThatTakesLongIsShownAndCanBeCancelled()
{
    open(Environment::Test);
    m_client->workProgress = {1, 2};
    m_client->heldNames = {m_client->nameOf<api::DecideMessages>()};
    QTest::keyClick(groups(), Qt::Key_Delete);
    const auto bar = [this] { return barWith(QStringLiteral("Cancel the rest")); };
    QTRY_VERIFY(bar() != nullptr);
    QTRY_VERIFY(bar()->text().contains(QStringLiteral("1 of 2")));
    const views::Banner *const shown = bar();
    QTest::mouseClick(bar()->findChild<QPushButton *>(QStringLiteral("bannerAction")), Qt::LeftButton);
    QCOMPARE(m_client->cancelledWork, QStringList{m_client->decisions.last().ticket});
    QVERIFY(bar() == nullptr && shown->isVisible()); // until the engine has answered
    m_client->releaseOne();
    QTRY_VERIFY(!shown->isVisible());
    QTRY_VERIFY(undoBar() != nullptr);
}

void TestActingOnLists::whatWasTickedIsNotWhenThePageIsLeft()
{
    open(Environment::Test);
    QTest::keyClick(groups(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(groups()->selectedCount(), 2);
    key(QStringLiteral("Ctrl+2"));
    QTRY_VERIFY(messages()->model()->rowCount() > 2);
    messages()->selectAll();
    key(QStringLiteral("Ctrl+1"));
    QCOMPARE(groups()->selectedCount(), 1); // where the reader stood
    QCOMPARE(m_window->console().selection.scope().groups, 1);
    key(QStringLiteral("Ctrl+2"));
    QVERIFY(messages()->selectedCount() <= 1);
}

void TestActingOnLists::deletingInProductionNeedsTheCount()
{
    shut();
    prepare(50);
    for (records::FailedMessage &one : m_client->store)
        one.status = MessageStatus::Archived;
    const qint64 all = m_client->store.size();
    QVERIFY(all >= 100);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::defaultRights | records::Right::Delete;
    show();
    showGroupsOf(MessageStatus::Archived);
    groups()->selectAll();
    child<QPushButton>(qPrintable(QStringLiteral("decide%1").arg(int(api::Decision::Delete))))->click();
    QTRY_VERIFY(question() != nullptr);
    auto *go = child<QPushButton>("decisionGo");
    auto *typed = child<QLineEdit>("decisionTyped");
    QVERIFY(!go->isEnabled());
    typed->setText(QString::number(all - 1));
    QVERIFY(!go->isEnabled());
    typed->setText(QString::number(all));
    QVERIFY(go->isEnabled());
    typed->setFocus();
    QTest::keyClick(typed, Qt::Key_Return); // Enter decides nothing
    QVERIFY(m_client->decisions.isEmpty());
    go->click();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QVERIFY(m_client->store.isEmpty());
}

// Both groups have messages of either status: what is not listed is not archived.
void TestActingOnLists::groupsInRetryAreNotArchived()
{
    for (qsizetype i = 0; i < m_client->store.size(); i += 2)
        m_client->store[i].status = MessageStatus::RetryIssued;
    open(Environment::Test);
    showGroupsOf(MessageStatus::RetryIssued);
    QMenu *menu = groupMenu();
    for (const QAction *entry : menu->actions())
        QVERIFY2(!entry->text().startsWith(QStringLiteral("Archive")), qPrintable(entry->text()));
    menu->close();
    const models::ActionScope scope = m_window->console().selection.scope();
    QVERIFY(!scope.isEmpty());
    Q_EMIT m_window->navigator().archiveRequested(scope);
    m_session->archive(scope);
    QCoreApplication::processEvents();
    QVERIFY(m_client->decisions.isEmpty());
    QCOMPARE(count(MessageStatus::Archived), 0);
}

void TestActingOnLists::theKeysStayInTheListAfterArchiving()
{
    open(Environment::Test);
    const int all = groups()->model()->rowCount();
    groups()->selectRow(1);
    const QVariant next = groups()->model()->index(2, 0).data(models::IdRole);
    auto *archive = child<QPushButton>("archiveSelected");
    archive->setFocus(Qt::TabFocusReason);
    QTest::keyClick(archive, Qt::Key_Space);
    QTRY_COMPARE(m_client->decisions.size(), 1);
    m_client->touchMessages();
    QTRY_COMPARE(groups()->model()->rowCount(), all - 1);
    QCOMPARE(m_window->focusWidget(), groups());
    QCOMPARE(groups()->currentIndex().siblingAtColumn(0).data(models::IdRole), next);
    QCOMPARE(groups()->selectedCount(), 0); // nothing else is chosen unasked
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Space);
    QVERIFY(m_client->pauses.isEmpty());
    QCOMPARE(groups()->selectedRowNumbers(), QList<int>{1});
}

void TestActingOnLists::theKeysStayInAListThatIsEmptyAfterArchiving()
{
    m_client->store = m_client->store.mid(0, 3);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.environment = Environment::Test;
    show();
    QTRY_COMPARE(groups()->model()->rowCount(), 1);
    QTRY_COMPARE(groups()->selectedCount(), 1);
    auto *archive = child<QPushButton>("archiveSelected");
    archive->setFocus(Qt::TabFocusReason);
    QTest::keyClick(archive, Qt::Key_Space);
    QTRY_COMPARE(m_client->decisions.size(), 1);
    m_client->touchMessages();
    QTRY_COMPARE(groups()->model()->rowCount(), 0);
    QTRY_VERIFY(m_window->focusWidget() != nullptr
                && child<QWidget>("groupsPage")->isAncestorOf(m_window->focusWidget()));
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Space);
    QVERIFY(m_client->pauses.isEmpty());
}

void TestActingOnLists::theMessageStaysWhenItsGroupIsGone()
{
    open(Environment::Test);
    const int all = groups()->model()->rowCount();
    groups()->selectRow(2);
    QTRY_VERIFY(child<QPushButton>("retryThis")->isEnabled());
    const QString title = child<QLabel>("detailTitle")->text();
    QTest::keyClick(groups(), Qt::Key_Delete);
    QTRY_COMPARE(m_client->decisions.size(), 1);
    m_client->details.clear(); // their status is that of the store
    m_client->touchMessages();
    QTRY_COMPARE(groups()->model()->rowCount(), all - 1);
    QTRY_VERIFY(!child<QPushButton>("retryThis")->isEnabled());
    QCOMPARE(child<QLabel>("detailTitle")->text(), title);
    QVERIFY(!child<QPushButton>("archiveThis")->isEnabled());
}

void TestActingOnLists::noMessageIsShownWhenNothingIsSelected()
{
    open(Environment::Test);
    QTRY_VERIFY(child<QLabel>("detailTitle")->isVisible());
    groups()->clearSelection();
    QTRY_VERIFY(!child<QLabel>("detailTitle")->isVisible());
    QVERIFY(!child<QPushButton>("retryThis")->isEnabled());
    groups()->selectRow(1);
    QTRY_VERIFY(child<QLabel>("detailTitle")->isVisible());
    m_window->console().filter.setPlace(m_client->snapshot.connections.at(1).connection.id, {}); // another list
    QTRY_VERIFY(!child<QLabel>("detailTitle")->isVisible());
}

void TestActingOnLists::theMessageIsThatOfTheListInFront()
{
    open(Environment::Test);
    QTRY_VERIFY(shown().isValid());
    const core::MessageId ofGroup = shown();
    key(QStringLiteral("Ctrl+2"));
    QTRY_VERIFY(messages()->model()->rowCount() > 5);
    QTRY_VERIFY(!child<QLabel>("detailTitle")->isVisible()); // nothing is selected here
    const int row = idIn(messages(), 5) == ofGroup ? 4 : 5;
    messages()->selectRow(row);
    QTRY_COMPARE(shown(), idIn(messages(), row));
    key(QStringLiteral("Ctrl+1"));
    QTRY_COMPARE(shown(), ofGroup);
}

void TestActingOnLists::everyFilterIsAChipThatCanBeClosed()
{
    open(Environment::Test);
    records::MessageFilter filter;
    filter.cameBackFrom = core::OperationId{11};
    Q_EMIT m_window->navigator().messagesRequested(filter, {});
    QTRY_VERIFY(!m_client->messageQueries.isEmpty());
    QCOMPARE(m_client->messageQueries.constLast().filter.cameBackFrom, core::OperationId{11});
    m_window->console().filter.setRange(models::TimeRange::LastWeek);
    auto *chips = child<QWidget>("messagesPage")->findChild<views::FilterChips *>();
    const auto closable = [&chips] {
        QList<QToolButton *> buttons;
        for (QToolButton *one : chips->findChildren<QToolButton *>()) {
            if (one->isVisible())
                buttons.append(one);
        }
        return buttons;
    };
    QTRY_COMPARE(closable().size(), 2);
    while (!closable().isEmpty()) {
        const qsizetype left = closable().size();
        QTest::mouseClick(closable().constFirst(), Qt::LeftButton);
        QTRY_VERIFY(closable().size() < left);
    }
    QVERIFY(!m_client->messageQueries.constLast().filter.cameBackFrom.isValid());
    QVERIFY(!m_client->messageQueries.constLast().filter.since);
    key(QStringLiteral("Ctrl+1"));
    m_window->console().filter.setPlace(m_client->snapshot.connections.at(0).connection.id, {});
    chips = child<QWidget>("groupsPage")->findChild<views::FilterChips *>();
    QTRY_COMPARE(closable().size(), 1);
    QTest::mouseClick(closable().constFirst(), Qt::LeftButton);
    QVERIFY(!m_window->console().filter.connection().isValid());
}

void TestActingOnLists::whatOneDecidedIsReadAgain()
{
    for (records::FailedMessage &one : m_client->store)
        one.status = MessageStatus::RetryIssued;
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::defaultRights;
    show();
    records::MessageFilter filter;
    filter.status = MessageStatus::RetryIssued;
    Q_EMIT m_window->navigator().messagesRequested(filter, {});
    const int all = int(m_client->store.size());
    QTRY_COMPARE(messages()->model()->rowCount(), all);
    messages()->selectRow(3);
    const core::MessageId next = idIn(messages(), 4);
    child<QWidget>("messagesPage")
        ->findChild<QPushButton *>(QStringLiteral("decide%1").arg(int(api::Decision::Resolve)))
        ->click();
    QTRY_VERIFY(question() != nullptr);
    child<QPushButton>("decisionGo")->click();
    QTRY_COMPARE(messages()->model()->rowCount(), all - 1);
    QVERIFY(!child<QPushButton>("showNewer")->isVisible());
    QCOMPARE(idIn(messages(), messages()->currentIndex().row()), next); // the keys stand on what followed
    QCOMPARE(messages()->selectedCount(), 0);
}

void TestActingOnLists::aColumnThatIsNotSortedByWhatItShowsIsNotSorted()
{
    open(Environment::Test);
    key(QStringLiteral("Ctrl+2"));
    QTRY_VERIFY(messages()->model()->rowCount() > 5);
    auto *header = messages()->horizontalHeader();
    const auto click = [header](int column) {
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + 12, header->height() / 2));
    };
    const qsizetype asked = m_client->messageQueries.size();
    for (const int column : {models::MessageCells::ReturnsTo, models::MessageCells::Exception}) {
        click(column);
        QCOMPARE(header->sortIndicatorSection(), int(models::MessageCells::FailedAt));
    }
    QCOMPARE(m_client->messageQueries.size(), asked);
    click(models::MessageCells::Queue);
    QCOMPARE(header->sortIndicatorSection(), int(models::MessageCells::Queue));
    QVERIFY(m_client->messageQueries.constLast().order == records::MessageOrder::Queue);
}

void TestActingOnLists::archivedGroupsAreRestoredWhereTheyAreListed()
{
    for (records::FailedMessage &one : m_client->store)
        one.status = MessageStatus::Archived;
    const qint64 all = m_client->store.size();
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::defaultRights;
    show();
    showGroupsOf(MessageStatus::Archived);
    const QString restoreName = QStringLiteral("decide%1").arg(int(api::Decision::Restore));
    QMenu *menu = groupMenu();
    QVERIFY(menu->findChild<QAction *>(restoreName)->isEnabled());
    for (const QAction *entry : menu->actions())
        QVERIFY2(!entry->text().contains(QStringLiteral("etry")), qPrintable(entry->text())); // of nothing
    menu->close();
    auto *restore = child<QWidget>("groupsPage")->findChild<QPushButton *>(restoreName);
    QVERIFY(restore != nullptr && restore->isVisible());
    QTRY_VERIFY2(restore->isEnabled(), qPrintable(restore->toolTip()));
    restore->click();
    QTRY_VERIFY(question() != nullptr);
    child<QPushButton>("decisionGo")->click();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QVERIFY(m_client->decisions.first().decision == api::Decision::Restore);
    QVERIFY(count(MessageStatus::Unresolved) > 0 && count(MessageStatus::Unresolved) < all);
    showGroupsOf(MessageStatus::Unresolved);
    QVERIFY(child<QWidget>("groupsPage")->findChild<QPushButton *>(restoreName) == nullptr); // nothing to decide
}

void TestActingOnLists::whatIsSelectedIsReleased()
{
    open(Environment::Test);
    QMenu *menu = groupMenu();
    auto *release = menu->findChild<QAction *>(QStringLiteral("release"));
    QVERIFY(release != nullptr && release->isEnabled());
    release->trigger();
    menu->close();
    QTRY_VERIFY(m_window->findChild<views::PlanDialog *>() != nullptr);
    QCOMPARE(m_client->previews.size(), 1);
    QVERIFY(m_client->previews.first().kind == records::OperationKind::Release);
    QCOMPARE(m_client->previews.first().filter.groups.size(), 1);
    m_window->findChild<views::PlanDialog *>()->reject();
}

void TestActingOnLists::decisionsStandInTheMenuBar()
{
    using views::ActionId;
    for (qsizetype i = 0; i < m_client->store.size(); i += 2)
        m_client->store[i].status = MessageStatus::RetryIssued;
    open(Environment::Test);
    QVERIFY(action(ActionId::Release)->isEnabled());
    QVERIFY(!action(ActionId::TakeBack)->isEnabled());
    showGroupsOf(MessageStatus::RetryIssued);
    groups()->selectRow(0);
    QVERIFY(!action(ActionId::Release)->isEnabled());
    QVERIFY(!action(ActionId::Restore)->isEnabled());
    QVERIFY(action(ActionId::Resolve)->isEnabled());
    action(ActionId::TakeBack)->trigger();
    QTRY_VERIFY(question() != nullptr);
    child<QPushButton>("decisionGo")->click();
    QTRY_COMPARE(m_client->decisions.size(), 1);
    QVERIFY(m_client->decisions.first().decision == api::Decision::TakeBack);
}

REDRIVE_WIDGET_TEST(TestActingOnLists)
#include "tst_actingonlists.moc"
