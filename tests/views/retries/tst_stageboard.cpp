#include "tests/support/askedquestion.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/charts/throughputpanel.h"
#include "views/common/theme/theme.h"
#include "views/retries/retriespage.h"
#include "views/retries/stageboard.h"
#include "tests/support/testmain/testmain.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

class TestStageBoard final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void batchesMoveThroughTheColumns();
    void pauseAndResumeActOnTheShownOperation();
    void cancelSaysWhatCannotBeCalledBack();
    void aRefusalIsForgottenWhenItEnds();
    void theChosenOperationStaysChosen();
    void anEndedChoiceGivesWayToANewRetry();
    void whatEndedStaysInViewUntilAnotherOneBegins();
    void aReportOfTheChosenRetryIsSaved();
    void pausingSaysWhatGoesOnAllTheSame();
    void batchesThatAreNotListedAreCounted();
    void theChartFollowsAndReadsOut();
    void chartAndNumbersAreSavedAside_data();
    void chartAndNumbersAreSavedAside();
    void aLineStandsBetweenTwoStages();
    void nothingMovesWhenARetryBegins();
    void screenshots();

private:
    views::Theme *m_theme = nullptr;
};

namespace {

// What a page works with.
struct BoardScene
{
    BoardScene(models::ConsoleSession &session, const views::Theme &theme)
        : console{session, filter, selection, navigator, theme}
    {
    }

    models::ConsoleFilter filter;
    models::SharedSelection selection;
    views::Navigator navigator;
    views::Console console;
};

const core::TimePoint now = core::fromMs(1767323045000);

api::OperationView operation(qint64 id, const QString &scope)
{
    api::OperationView view;
    view.operation.id = {id};
    view.operation.scope = scope;
    view.operation.state = records::OperationState::Running;
    view.operation.total = 3620;
    view.operation.counts.sent = 2317;
    view.operation.counts.pending = 1303;
    view.operation.requested = now - std::chrono::seconds(40);
    view.operation.who = QStringLiteral("ana");
    view.messagesPerSecond = 812;
    view.timeLeft = std::chrono::seconds(1);
    view.batchesTotal = 4;
    view.batchesDone = 2;
    return view;
}

api::BatchView batch(qint64 operationId, int number, records::BatchStage stage)
{
    api::BatchView view;
    view.batch.id = {operationId * 100 + number};
    view.batch.operation = {operationId};
    view.batch.number = number;
    view.batch.lastOrdinal = 999;
    view.batch.stage = stage;
    view.batch.stagingId = stage == records::BatchStage::Forwarding ? QStringLiteral("41aa77") : QString();
    view.batch.stagedCount = 1000;
    (stage == records::BatchStage::Done ? view.batch.counts.sent : view.batch.counts.claimed) = 1000;
    view.forwarded = 318;
    return view;
}

api::Snapshot running()
{
    api::Snapshot snapshot;
    snapshot.engine = api::EngineState::Running;
    snapshot.at = now;
    snapshot.operations = {operation(7, QStringLiteral("Shipping.Quote 503"))};
    snapshot.batches = {batch(7, 4, records::BatchStage::Staging), batch(7, 3, records::BatchStage::Forwarding),
                        batch(7, 2, records::BatchStage::Done), batch(7, 1, records::BatchStage::Done)};
    snapshot.batches[0].waitingReason = QStringLiteral("waits for batch 3");
    snapshot.batches[0].staged = 1000;
    snapshot.batches[3].batch.counts.sent = 999;
    snapshot.batches[3].batch.counts.ejected = 1;
    return snapshot;
}

QList<records::RunSample> samples()
{
    QList<records::RunSample> list;
    for (int i = 240; i > 0; --i)
        list.append({now - std::chrono::seconds(i), 700 + (i * 37) % 150, 680 + (i * 53) % 160, i % 40 == 0 ? 30 : 0,
                     qint64(i * 9)});
    return list;
}

QString text(const QWidget &whole, const char *name)
{
    const auto *label = whole.findChild<QLabel *>(QLatin1String(name));
    return label == nullptr ? QString() : label->text();
}

} // namespace

void TestStageBoard::initTestCase()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_theme = new views::Theme(views::ThemeMode::Light, this);
}

void TestStageBoard::batchesMoveThroughTheColumns()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    client.snapshot = running();
    client.publish();
    QTRY_COMPARE(text(board, "stageCount2"), QStringLiteral("1"));
    QCOMPARE(text(board, "stageCount3"), QStringLiteral("2 of 4"));
    const auto *done = board.findChild<QLabel *>(QStringLiteral("stageCount3"));
    QVERIFY(done->toolTip().contains(QStringLiteral("2 of 4 batches left")));
    QVERIFY(text(board, "boardTitle").endsWith(QStringLiteral("Shipping.Quote 503")));

    client.snapshot.batches[1].batch.stage = records::BatchStage::Done;
    client.snapshot.batches[1].batch.counts.sent = 1000;
    client.snapshot.operations[0].batchesDone = 3;
    client.publish();
    QTRY_COMPARE(text(board, "stageCount2"), QStringLiteral("0"));
    QCOMPARE(text(board, "stageCount3"), QStringLiteral("3 of 4"));
    QVERIFY(done->toolTip().contains(QStringLiteral("1 of 4 batches left")));

    client.snapshot.operations[0].operation.state = records::OperationState::Completed;
    client.publish();
    QTRY_COMPARE(text(board, "stageCount3"), QStringLiteral("3")); // nothing is left
    QVERIFY(done->toolTip().isEmpty());
}

void TestStageBoard::pauseAndResumeActOnTheShownOperation()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    board.show();
    client.snapshot = running();
    client.publish();
    auto *pause = board.findChild<QPushButton *>(QStringLiteral("boardPause"));
    QTRY_VERIFY(pause->isVisible());
    QTest::mouseClick(pause, Qt::LeftButton);
    QCOMPARE(client.actions.last(), std::pair(core::OperationId{7}, api::OperationAction::Pause));
    client.snapshot.operations[0].operation.state = records::OperationState::Paused;
    client.publish();
    QTRY_COMPARE(pause->text(), QStringLiteral("Resume"));
    QTest::mouseClick(pause, Qt::LeftButton);
    QCOMPARE(client.actions.last(), std::pair(core::OperationId{7}, api::OperationAction::Resume));
}

void TestStageBoard::cancelSaysWhatCannotBeCalledBack()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    board.show();
    client.snapshot = running();
    client.publish();
    auto *cancel = board.findChild<QPushButton *>(QStringLiteral("boardCancel"));
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    const test::AskedQuestion question(board, "confirmCancel");
    QVERIFY(question.isOpen());
    QVERIFY(question.consequences().contains(QStringLiteral("2,317")));
    QCOMPARE(client.actions.size(), 0);
    QTest::mouseClick(question.go(), Qt::LeftButton);
    QTRY_COMPARE(client.actions.size(), 1);
    QCOMPARE(client.actions.last().second, api::OperationAction::Cancel);
}

void TestStageBoard::aRefusalIsForgottenWhenItEnds()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    board.show();
    client.snapshot = running();
    client.snapshot.engine = api::EngineState::Starting;
    client.publish();
    auto *cancel = board.findChild<QPushButton *>(QStringLiteral("boardCancel"));
    QTRY_VERIFY(cancel->isVisible());
    QVERIFY(!cancel->isEnabled());
    const QString refusal = cancel->toolTip();
    client.snapshot = running();
    client.publish();
    QTRY_VERIFY(cancel->isEnabled());
    QVERIFY(cancel->toolTip() != refusal);
    QVERIFY(!cancel->toolTip().isEmpty());
}

void TestStageBoard::theChosenOperationStaysChosen()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    QSignalSpy shown(&board, &views::StageBoard::shownChanged);
    client.snapshot = running();
    client.snapshot.operations.append(operation(8, QStringLiteral("newer")));
    client.publish();
    QTRY_COMPARE(board.shown(), core::OperationId{8});
    board.follow({7});
    QCOMPARE(board.shown(), core::OperationId{7});
    client.snapshot.operations.append(operation(9, QStringLiteral("newest")));
    client.publish();
    QTRY_COMPARE(session.snapshot().operations.size(), 3);
    QCOMPARE(board.shown(), core::OperationId{7});
    QCOMPARE(shown.size(), 2);
}

void TestStageBoard::anEndedChoiceGivesWayToANewRetry()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    views::StageBoard board(session);
    client.snapshot = running();
    client.publish();
    QTRY_VERIFY(session.hasSnapshot());
    board.follow({7});
    client.snapshot.operations[0].operation.state = records::OperationState::Completed;
    client.publish();
    QTRY_VERIFY(!records::isLive(session.snapshot().operations.first().operation.state));
    QCOMPARE(board.shown(), core::OperationId{7});
    client.snapshot.operations.append(operation(8, QStringLiteral("filed by the command line")));
    client.publish();
    QTRY_COMPARE(board.shown(), core::OperationId{8});
    board.follow({7}); // a person looks back while it runs
    client.publish();
    QCOMPARE(board.shown(), core::OperationId{7});
}

void TestStageBoard::aReportOfTheChosenRetryIsSaved()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("operation.html"));
    support::FakeClient client;
    models::ConsoleSession session(client);
    QSignalSpy saved(&session, &models::ConsoleSession::succeeded);
    BoardScene around{session, *m_theme};
    views::RetriesPage page(around.console);
    auto *button = page.findChild<QPushButton *>(QStringLiteral("retriesReport"));
    QVERIFY(!button->isEnabled());
    client.snapshot = running();
    client.operationList = {client.snapshot.operations.first().operation};
    client.publish();
    QTRY_COMPARE(session.snapshot().operations.size(), 1);
    page.choose({7});
    QVERIFY(button->isEnabled());
    button->click();
    auto *dialog = page.findChild<QFileDialog *>();
    QVERIFY(dialog != nullptr);
    Q_EMIT dialog->fileSelected(path);
    QTRY_COMPARE(saved.size(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("retry 7"));
}

void TestStageBoard::pausingSaysWhatGoesOnAllTheSame()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    const views::StageBoard board(session);
    client.snapshot = running();
    client.snapshot.batches[1].batch.place = QStringLiteral("redrive.staging.41aa77");
    client.publish();
    const auto *pause = board.findChild<QPushButton *>(QStringLiteral("boardPause"));
    QTRY_VERIFY(pause->toolTip().contains(QStringLiteral("682 messages")));
    client.snapshot.batches[1].batch.place.clear(); // sent one by one: nothing lies there
    client.publish();
    QTRY_VERIFY(!pause->toolTip().contains(QStringLiteral("682")));
}

void TestStageBoard::batchesThatAreNotListedAreCounted()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    const views::StageBoard board(session);
    client.snapshot = running();
    client.snapshot.batches.clear();
    client.publish();
    const auto labels = board.findChildren<QLabel *>();
    const auto says = [&labels](const QString &words) {
        return std::any_of(labels.cbegin(), labels.cend(),
                           [&words](const QLabel *one) { return one->text().contains(words); });
    };
    QTRY_VERIFY(says(QStringLiteral("2 batches")));
    QVERIFY(!says(QStringLiteral("+2 more")));
    for (const QLabel *one : labels)
        QVERIFY(!one->text().contains(QStringLiteral("no longer listed")) || one->wordWrap()); // nothing is cut
}

void TestStageBoard::theChartFollowsAndReadsOut()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    client.samples[{7}] = samples();
    using Mark = records::RunMark;
    client.runMarks[{7}] = {{now - std::chrono::hours(3), Mark::Kind::Step, 1}, // before what is shown
                            {now - std::chrono::seconds(40), Mark::Kind::Step, 2},
                            {now - std::chrono::seconds(20), Mark::Kind::Stopped, 0},
                            {now - std::chrono::seconds(10), Mark::Kind::GoesOn, 0}};
    views::ThroughputPanel panel(session, *m_theme);
    panel.resize(600, 280);
    panel.show();
    client.snapshot = running();
    client.publish();
    QTRY_VERIFY(session.hasSnapshot());
    panel.follow({7});
    const auto *chart = panel.findChild<views::ThroughputChart *>();
    QTRY_COMPARE(chart->markText(),
                 (QStringList{QStringLiteral("step 2"), QStringLiteral("stopped"), QStringLiteral("resumed")}));
    const double newest = double(core::toMs(now)) / 1000.0 - 1.0;
    QTRY_VERIFY(chart->readOut(newest).contains(QStringLiteral("staged 737/s")));
    QVERIFY2(chart->readOut(newest).startsWith(QStringLiteral("03:04:04")), qPrintable(chart->readOut(newest)));
}

void TestStageBoard::chartAndNumbersAreSavedAside_data()
{
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QByteArray>("begin");
    QTest::newRow("picture") << QStringLiteral("PNG") << QByteArray("\x89PNG");
    QTest::newRow("numbers") << QStringLiteral("CSV") << QByteArray("time");
}

void TestStageBoard::chartAndNumbersAreSavedAside()
{
    QFETCH(const QString, entry);
    QFETCH(const QByteArray, begin);
    support::FakeClient client;
    models::ConsoleSession session(client);
    QSignalSpy told(&session, &models::ConsoleSession::succeeded);
    QSignalSpy failed(&session, &models::ConsoleSession::failed);
    client.samples[{7}] = samples();
    views::ThroughputPanel panel(session, *m_theme);
    panel.resize(600, 280);
    panel.show();
    client.snapshot = running();
    client.publish();
    QTRY_VERIFY(session.hasSnapshot());
    panel.follow({7});
    const auto entries = panel.findChildren<QAction *>();
    const auto found = std::find_if(entries.cbegin(), entries.cend(),
                                    [&entry](const QAction *one) { return one->text().contains(entry); });
    QVERIFY(found != entries.cend());
    (*found)->trigger(); // comes back at once
    auto *dialog = panel.findChild<QFileDialog *>();
    QVERIFY(dialog != nullptr);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("saved"));
    Q_EMIT dialog->fileSelected(path);
    QTRY_COMPARE(told.size(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith(begin));
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("no such folder/saved")));
    QTRY_COMPARE(failed.size(), 1);
}

void TestStageBoard::aLineStandsBetweenTwoStages()
{
    support::FakeClient client;
    client.snapshot = running();
    models::ConsoleSession session(client);
    client.publish();
    views::StageBoard board(session);
    board.resize(700, 260);
    board.show();
    QVERIFY(QTest::qWaitForWindowExposed(&board));
    const QList<QWidget *> columns = board.findChildren<QWidget *>(QStringLiteral("stageColumn"));
    QCOMPARE(columns.size(), 4);
    const QImage drawn = board.grab().toImage();
    const QColor line = m_theme->color(views::Token::Line);
    for (const QWidget *column : columns) {
        const QPoint edge = column->mapTo(&board, QPoint(0, 0));
        const bool first = edge.x() == 0;
        for (const int y : {edge.y() + 2, edge.y() + column->height() / 2, edge.y() + column->height() - 2})
            QCOMPARE(drawn.pixelColor(edge.x(), y) == line, !first);
    }
}

// The retry of a policy leaves the list when it is settled.
void TestStageBoard::whatEndedStaysInViewUntilAnotherOneBegins()
{
    support::FakeClient client;
    client.snapshot = running();
    models::ConsoleSession session(client);
    client.publish();
    const views::StageBoard board(session);
    const QString title = text(board, "boardTitle");
    client.snapshot.operations.first().operation.state = records::OperationState::Completed;
    client.snapshot.batches = {batch(7, 2, records::BatchStage::Done)};
    client.publish();
    QTRY_COMPARE(text(board, "stageCount3"), QStringLiteral("2"));
    client.snapshot.operations.clear();
    client.snapshot.batches.clear();
    client.publish();
    QTRY_VERIFY(session.snapshot().operations.isEmpty());
    QCOMPARE(board.shown(), core::OperationId{7});
    QCOMPARE(text(board, "boardTitle"), title);
    QCOMPARE(text(board, "stageCount3"), QStringLiteral("2"));
    QVERIFY(board.findChild<QPushButton *>(QStringLiteral("boardPause"))->isHidden());

    client.snapshot.operations = {operation(8, QStringLiteral("next"))};
    client.publish();
    QTRY_COMPARE(board.shown(), core::OperationId{8});
    client.snapshot.operations.clear(); // it vanished while it ran: nothing is known of it
    client.publish();
    QTRY_VERIFY(!board.shown().isValid());
}

void TestStageBoard::nothingMovesWhenARetryBegins()
{
    support::FakeClient client;
    client.snapshot = running();
    client.snapshot.operations.clear();
    models::ConsoleSession session(client);
    client.publish();
    views::StageBoard board(session);
    views::ThroughputPanel panel(session, *m_theme);
    const auto headOf = [](QWidget &whole) { return whole.findChild<QWidget *>(QStringLiteral("dockTitle")); };
    for (QWidget *one : {static_cast<QWidget *>(&board), static_cast<QWidget *>(&panel)}) {
        one->resize(700, 260);
        one->show();
        QVERIFY(QTest::qWaitForWindowExposed(one));
    }
    const int before = headOf(board)->height();
    QCOMPARE(headOf(panel)->height(), before);
    client.snapshot = running();
    client.publish();
    QTRY_VERIFY(board.findChild<QPushButton *>(QStringLiteral("boardPause"))->isVisible());
    QTRY_COMPARE(headOf(board)->height(), before);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(headOf(board)->height(), before);
}

void TestStageBoard::screenshots()
{
    const QString folder = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_theme->setMode(mode);
        support::FakeClient client;
        models::ConsoleSession session(client);
        client.samples[{7}] = samples();
        QWidget whole;
        whole.resize(1440, 520);
        BoardScene around{session, *m_theme};
        auto *page = new views::RetriesPage(around.console, &whole);
        auto *board = new views::StageBoard(session, &whole);
        auto *panel = new views::ThroughputPanel(session, *m_theme, &whole);
        auto *bottom = new QHBoxLayout;
        bottom->addWidget(board, 560);
        bottom->addWidget(panel, 880);
        auto *layout = new QVBoxLayout(&whole);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(page, 1);
        layout->addLayout(bottom, 1);
        connect(board, &views::StageBoard::shownChanged, panel, &views::ThroughputPanel::follow);
        whole.show();
        client.snapshot = running();
        client.publish();
        QTRY_COMPARE(board->shown(), core::OperationId{7});
        const auto *chart = panel->findChild<views::ThroughputChart *>();
        QTRY_VERIFY(!chart->readOut(double(core::toMs(now)) / 1000.0 - 1.0).isEmpty());
        QCoreApplication::processEvents(); // the queued replot
        if (!folder.isEmpty())
            QVERIFY(whole.grab().save(folder + QStringLiteral("/retries-") + views::toString(mode)
                                      + QStringLiteral(".png")));
    }
    m_theme->setMode(views::ThemeMode::Light);
}

REDRIVE_WIDGET_TEST(TestStageBoard)
#include "tst_stageboard.moc"
