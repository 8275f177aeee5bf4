// Notes and mutes of groups in the window, and what brokers throw away, driven as a person would.
#include "models/groups/groupsmodel.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/queues/expirydialog.h"

#include <QApplication>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

using models::GroupsModel;

class TestGroupMarksWindow final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(50); }
    void cleanup() { shut(); }
    void aNoteIsWrittenAndRemoved();
    void aNoteThatIsTooLongCannotBeSaved();
    void aGroupIsMutedFromItsMenuAndNotAnyMore();
    void aGroupIsMutedUntilADate();
    void whoMayNotArchiveMayNotMute();
    void whatWillBeLostIsListed();

private:
    void open()
    {
        show();
        QTRY_VERIFY(groups()->model()->rowCount() > 1);
    }

    views::DataTable *groups() { return child<views::DataTable>("groupsTable"); }

    // Of the first row, shown.
    QMenu *menu()
    {
        const QRect cell = groups()->visualRect(groups()->model()->index(0, GroupsModel::Cause));
        Q_EMIT groups()->customContextMenuRequested(cell.center());
        return child<QMenu>("groupMenu");
    }

    static QAction *entry(QObject *menu, const char *name)
    {
        return menu->findChild<QAction *>(QString::fromLatin1(name));
    }

    QString cause() { return groups()->model()->index(0, GroupsModel::Cause).data().toString(); }
};

void TestGroupMarksWindow::aNoteIsWrittenAndRemoved()
{
    open();
    const QString before = cause();
    QMenu *shown = menu();
    entry(shown, "note")->trigger();
    shown->close();
    auto *dialog = child<QDialog>("noteDialog");
    auto *text = dialog->findChild<QPlainTextEdit *>(QStringLiteral("noteText"));
    auto *save = dialog->findChild<QPushButton *>(QStringLiteral("noteSave"));
    QVERIFY(!save->isEnabled()); // nothing is written yet
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("noteRemove"))->isVisible());
    text->setPlainText(QStringLiteral("Known <b>bug</b>"));
    save->click();
    QCOMPARE(m_client->notes.size(), 1);
    QCOMPARE(m_client->notes.first().text, QStringLiteral("Known <b>bug</b>"));
    QCOMPARE(*m_client->notes.first().shown, QString());
    m_client->touchMessages();
    QTRY_VERIFY(cause().endsWith(before) && cause() != before);

    QTRY_VERIFY(m_window->findChild<QDialog *>(QStringLiteral("noteDialog")) == nullptr);
    shown = menu();
    entry(shown, "note")->trigger();
    shown->close();
    dialog = child<QDialog>("noteDialog");
    QCOMPARE(dialog->findChild<QPlainTextEdit *>(QStringLiteral("noteText"))->toPlainText(),
             QStringLiteral("Known <b>bug</b>"));
    dialog->findChild<QPushButton *>(QStringLiteral("noteRemove"))->click();
    QCOMPARE(m_client->notes.last().text, QString());
    QCOMPARE(*m_client->notes.last().shown, QStringLiteral("Known <b>bug</b>"));
    m_client->touchMessages();
    QTRY_COMPARE(cause(), before);
}

void TestGroupMarksWindow::aNoteThatIsTooLongCannotBeSaved()
{
    open();
    QMenu *shown = menu();
    entry(shown, "note")->trigger();
    shown->close();
    auto *dialog = child<QDialog>("noteDialog");
    dialog->findChild<QPlainTextEdit *>(QStringLiteral("noteText"))
        ->setPlainText(QString(records::GroupNote::longest + 1, QLatin1Char('x')));
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("noteSave"))->isEnabled());
    dialog->reject();
    QVERIFY(m_client->notes.isEmpty());
}

void TestGroupMarksWindow::aGroupIsMutedFromItsMenuAndNotAnyMore()
{
    open();
    const QString first = cause();
    QMenu *shown = menu();
    QVERIFY(entry(shown, "unmute") == nullptr); // nothing is muted
    entry(shown, "muteShift")->trigger();
    shown->close();
    QCOMPARE(m_client->mutes.size(), 1);
    const qint64 left = core::toMs(*m_client->mutes.first().until) - QDateTime::currentMSecsSinceEpoch();
    constexpr qint64 shift = 8LL * 3600 * 1000;
    QVERIFY(left <= shift && left > shift / 2);
    m_client->touchMessages();
    const auto last = [this] {
        return groups()->model()->index(groups()->model()->rowCount() - 1, GroupsModel::Cause);
    };
    QTRY_COMPARE(last().data().toString(), first);
    QCOMPARE(last().data(models::ToneRole).toInt(), int(models::Tone::Muted));

    auto *filter = child<QComboBox>("groupMuted");
    filter->setCurrentIndex(2);
    QTRY_COMPARE(groups()->model()->rowCount(), 1);
    groups()->selectRow(0);
    shown = menu();
    entry(shown, "unmute")->trigger();
    shown->close();
    QVERIFY(!m_client->mutes.last().until);
    m_client->touchMessages();
    QTRY_COMPARE(groups()->model()->rowCount(), 0);
}

void TestGroupMarksWindow::aGroupIsMutedUntilADate()
{
    open();
    QMenu *shown = menu();
    entry(shown, "muteDate")->trigger();
    shown->close();
    auto *dialog = child<QDialog>("muteDialog");
    auto *when = dialog->findChild<QDateTimeEdit *>(QStringLiteral("muteUntil"));
    const QDateTime wanted(QDate::currentDate().addDays(3), QTime(9, 30));
    when->setDateTime(wanted);
    dialog->accept();
    QTRY_COMPARE(m_client->mutes.size(), 1);
    QCOMPARE(core::toMs(*m_client->mutes.first().until), wanted.toMSecsSinceEpoch());
}

void TestGroupMarksWindow::whoMayNotArchiveMayNotMute()
{
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights = records::Right::See;
    open();
    QMenu *shown = menu();
    QVERIFY(!entry(shown, "mute")->isEnabled());
    QVERIFY(entry(shown, "mute")->toolTip().contains(QStringLiteral("archive")));
    QVERIFY(entry(shown, "note")->isEnabled());
    shown->close();
}

void TestGroupMarksWindow::whatWillBeLostIsListed()
{
    api::ExpiringRow row;
    row.message = m_client->store.first().id;
    row.connection = core::ConnectionId{1};
    row.queue = QStringLiteral("error");
    row.cause = QStringLiteral("Timeout");
    row.expiry = {records::Expiry::Known::At, m_client->snapshot.at + std::chrono::hours(3)};
    m_client->expiryPage.rows = {row};
    m_client->expiryPage.notKnown = 2;
    open();
    auto *tree = child<QTreeView>("queueTree");
    QTRY_VERIFY(tree->model()->rowCount(tree->model()->index(0, 0)) > 0);
    const QModelIndex queue = tree->model()->index(0, 0, tree->model()->index(0, 0));
    tree->setCurrentIndex(queue);
    Q_EMIT tree->customContextMenuRequested(tree->visualRect(queue).center());
    auto *queueMenu = child<QMenu>("queueMenu");
    const QList<QAction *> entries = queueMenu->actions();
    const auto lost = std::find_if(entries.begin(), entries.end(), [](const QAction *one) {
        return one->text() == QStringLiteral("Expiring messages…");
    });
    QVERIFY(lost != entries.end());
    (*lost)->trigger();
    queueMenu->close();
    auto *dialog = child<views::ExpiryDialog>("expiryDialog");
    auto *table = dialog->findChild<views::DataTable *>(QStringLiteral("expiryTable"));
    const auto asked = [this] {
        return m_client->expiryQueries.isEmpty() ? QString() : m_client->expiryQueries.last().queue;
    };
    QVERIFY(!asked().isEmpty());
    m_client->expiryPage.rows.first().queue = asked();
    m_client->touchMessages();
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("in 3 h 0 min"));
    auto *summary = dialog->findChild<QLabel *>(QStringLiteral("expirySummary"));
    QVERIFY2(summary->text().contains(QStringLiteral("2 more")), qPrintable(summary->text()));
    Q_EMIT table->opened(table->model()->index(0, 0));
    dialog->reject();
}

REDRIVE_WIDGET_TEST(TestGroupMarksWindow)
#include "tst_groupmarks_window.moc"
