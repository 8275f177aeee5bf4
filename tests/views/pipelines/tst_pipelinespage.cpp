// The Pipelines page: the counts of the steps, the lists behind them, the query, and raising an event after a question.
#include "tests/support/askedquestion.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/pipelines/pipelinespage.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace std::chrono_literals;
using records::PipelineStep;

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

records::Pipeline pipeline(qint64 id, const char *name)
{
    records::Pipeline one;
    one.id = core::PipelineId{id};
    one.name = text(name);
    return one;
}

} // namespace

class TestPipelinesPage final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_one.reset(); }
    void theCountsOpenTheirLists();
    void aListThatIsNotWholeHasAPlus();
    void theQueryCanBeCopied();
    void anEventIsRaisedAfterAQuestion();
    void withoutTheRightNothingIsRaised();
    void poisonOpensItsMessages();
    void anotherPipelineIsRead();
    void anErrorIsShownAndAskedAgain();
    void anUnreadableValueIsShownBesideTheList();
    void whyACadenceIsUnknownIsInItsTip();
    void hostileTextsAreShownAsTheyAre();
    void theKeyboardReachesEverything();
    void anInactivePageReadsNothing();
    void withoutPipelinesThereIsNoPage();
    void theChosenOneIsRemovedAfterAQuestion();
    void anAddedOneIsChosen();

private:
    void show();
    [[nodiscard]] QTableView *table() { return m_one->child<QTableView>("pipelineTable"); }
    [[nodiscard]] QPushButton *button(const char *name) { return m_one->child<QPushButton>(name); }
    [[nodiscard]] QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }

    std::unique_ptr<test::OnePart<views::PipelinesPage>> m_one;
};

void TestPipelinesPage::init()
{
    m_one = std::make_unique<test::OnePart<views::PipelinesPage>>();
    support::FakeClient &client = m_one->client;
    client.pipelines = {pipeline(1, "reports"), pipeline(2, "tests")};
    const core::TimePoint now = client.snapshot.at;
    client.pipelineReading.asOf = now;
    for (const PipelineStep step : records::taskSteps) {
        const QString word = records::toString(step);
        records::StepTasks tasks;
        tasks.step = step;
        tasks.sql = text("select %1").arg(word);
        for (int i = 0; i <= int(step); ++i)
            tasks.tasks.append(
                {word + QString::number(i), word, now - 20min, text("covid-19"), text("hospital"), 7, now - 1h});
        client.pipelineReading.overdue.append(tasks);
    }
    client.pipelineReading.sendActions = {{text("1"), text("send_error"), {}, text("refused"), now}};
    client.pipelineReading.receivers = {{text("hospital.daily"), 24h, records::PipelineReceiver::CadenceFrom::Settings,
                                         1, text("06:00"), text("EASTERN"), 3, now - 70h, text("r1"), now + 5h, 0}};
}

void TestPipelinesPage::show()
{
    m_one->show();
    m_one->part->resize(1100, 600);
    m_one->part->setActive(true);
    QTRY_VERIFY(m_one->client.pipelines.isEmpty() || m_one->client.count<api::ReadPipeline>() > 0);
    QTRY_VERIFY(m_one->part->hasPipelines() != m_one->client.pipelines.isEmpty());
}

void TestPipelinesPage::theCountsOpenTheirLists()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2); // process
    QVERIFY(button("overdueProcess")->isChecked());
    QVERIFY2(button("overdueProcess")->text().endsWith(text("2")), qPrintable(button("overdueProcess")->text()));
    QCOMPARE(cell(0, 0), text("process0"));
    button("overdueSend")->click();
    QCOMPARE(table()->model()->rowCount(), 4);
    QVERIFY(!button("overdueProcess")->isChecked());
    button("receivers")->click();
    QCOMPARE(table()->model()->rowCount(), 1);
    QCOMPARE(cell(0, 0), text("hospital.daily"));
    QVERIFY2(cell(0, 4).startsWith(text("in 5 h")), qPrintable(cell(0, 4)));
    button("sendActions")->click();
    QCOMPARE(cell(0, 2), text("refused"));
    button("sendRetries")->click();
    QCOMPARE(table()->model()->rowCount(), 0);
    QVERIFY(m_one->takePicture(text("pipelines-empty-list")));
}

void TestPipelinesPage::aListThatIsNotWholeHasAPlus()
{
    m_one->client.pipelineReading.moreSendRetries = true;
    m_one->client.pipelineReading.moreReceivers = true;
    show();
    QTRY_VERIFY(button("receivers")->text().endsWith(text("1+")));
    QVERIFY2(button("sendRetries")->text().endsWith(text("0+")), qPrintable(button("sendRetries")->text()));
}

void TestPipelinesPage::theQueryCanBeCopied()
{
    show();
    button("overdueBatch")->click();
    QTRY_COMPARE(m_one->child<QPlainTextEdit>("pipelineQuery")->toPlainText(), text("select batch"));
    button("copyQuery")->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), text("select batch"));
    button("receivers")->click();
    QVERIFY(!button("copyQuery")->isEnabled());
    QVERIFY(!m_one->child<QPlainTextEdit>("pipelineQuery")->isVisible());
}

void TestPipelinesPage::anEventIsRaisedAfterAQuestion()
{
    m_one->client.raisedAnswer.task.reportId = text("send1");
    m_one->client.raisedAnswer.queue = text("send");
    show();
    QSignalSpy told(&m_one->session, &models::ConsoleSession::succeeded);
    QVERIFY(!button("raiseEvent")->isEnabled());
    button("overdueSend")->click();
    QTRY_COMPARE(table()->model()->rowCount(), 4);
    table()->setCurrentIndex(table()->model()->index(1, 0));
    QVERIFY(button("raiseEvent")->isEnabled());
    button("raiseEvent")->click();
    const test::AskedQuestion question(*m_one->part, "confirmRaise");
    QVERIFY2(question.text().contains(text("send1")), qPrintable(question.text()));
    QVERIFY(question.leave()->isDefault()); // Enter raises nothing
    question.leave()->click();
    QVERIFY(m_one->client.raises.isEmpty());
    QTRY_VERIFY(!test::AskedQuestion(*m_one->part, "confirmRaise").isOpen());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    button("raiseEvent")->click();
    test::AskedQuestion(*m_one->part, "confirmRaise").go()->click();
    QTRY_COMPARE(m_one->client.raises.size(), 1);
    QCOMPARE(m_one->client.raises.first().reportId, text("send1"));
    QVERIFY(m_one->client.raises.first().shown == m_one->client.snapshot.at - 20min);
    QTRY_COMPARE(told.size(), 1);
}

void TestPipelinesPage::withoutTheRightNothingIsRaised()
{
    m_one->client.pipelines.first().rights = records::Right::See;
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->setCurrentIndex(table()->model()->index(0, 0));
    QVERIFY(!button("raiseEvent")->isEnabled());
    QVERIFY(button("raiseEvent")->toolTip().contains(text("retry")));
}

void TestPipelinesPage::poisonOpensItsMessages()
{
    api::QueueView queue;
    queue.connection = core::ConnectionId{1};
    queue.name = text("process-poison");
    queue.depth = 2;
    queue.unresolved = 3;
    m_one->client.snapshot.queues = {queue};
    show();
    QTRY_VERIFY2(button("poison-process")->text().endsWith(text("5")), qPrintable(button("poison-process")->text()));
    QVERIFY(!button("poison-send")->isEnabled());
    QSignalSpy opened(&m_one->navigator, &views::Navigator::messagesRequested);
    button("poison-process")->click();
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.first().first().value<records::MessageFilter>().queue, text("process-poison"));
}

void TestPipelinesPage::anotherPipelineIsRead()
{
    show();
    QTRY_COMPARE(m_one->child<QComboBox>("pipelineChoice")->count(), 2);
    auto *choice = m_one->child<QComboBox>("pipelineChoice");
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Down);
    QTRY_COMPARE(m_one->client.pipelineQuestions.last().pipeline, core::PipelineId{2});
}

void TestPipelinesPage::anErrorIsShownAndAskedAgain()
{
    m_one->client.failNext<api::ReadPipeline>({core::ErrorKind::Transient, text("The tables are locked."), {}, {}});
    show();
    QTRY_VERIFY(m_one->child<QLabel>("stateSentence")->text().contains(text("locked")));
    m_one->part->reload();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
}

void TestPipelinesPage::anUnreadableValueIsShownBesideTheList()
{
    m_one->client.pipelineReading.unreadable = text("task.next_action_at is not a time in the row r1.");
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    bool isShown = false;
    for (const QLabel *label : m_one->part->findChildren<QLabel *>())
        isShown = isShown || (label->isVisible() && label->text().contains(text("next_action_at")));
    QVERIFY(isShown);
}

void TestPipelinesPage::whyACadenceIsUnknownIsInItsTip()
{
    m_one->client.pipelineReading.receivers.first().cadence.reset();
    m_one->client.pipelineReading.whyNoSettings = text("Grant the missing right.");
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    button("receivers")->click();
    QCOMPARE(cell(0, 1), text("unknown"));
    const QString tip = table()->model()->index(0, 1).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(text("Grant the missing right.")), qPrintable(tip));
}

void TestPipelinesPage::hostileTextsAreShownAsTheyAre()
{
    m_one->client.pipelineReading.overdue.first().tasks.first().reportId = text("<b>x</b>\n\u202e");
    m_one->client.pipelines.first().name = text("<b>y</b>");
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QVERIFY2(cell(0, 0).startsWith(text("<b>x</b>")) && !cell(0, 0).contains(QChar(0x202e)), qPrintable(cell(0, 0)));
    table()->setCurrentIndex(table()->model()->index(0, 0));
    button("raiseEvent")->click();
    const test::AskedQuestion question(*m_one->part, "confirmRaise");
    QCOMPARE(test::child<QLabel>(*question.dialog(), "questionText")->textFormat(), Qt::PlainText);
}

void TestPipelinesPage::theKeyboardReachesEverything()
{
    show();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->setCurrentIndex(table()->model()->index(0, 0));
    for (const char *name : {"overdueProcess", "overdueBatch", "receivers", "overdueSend", "sendRetries", "sendActions",
                             "copyQuery", "raiseEvent"}) {
        QVERIFY2(button(name)->focusPolicy() & Qt::TabFocus, name);
        QVERIFY2(!button(name)->accessibleName().isEmpty() || !button(name)->text().isEmpty(), name);
    }
    m_one->part->resize(1100, 300); // low: the room is the list's
    QVERIFY(!m_one->child<QPlainTextEdit>("pipelineQuery")->isVisible());
    QVERIFY(button("copyQuery")->isEnabled());
    button("overdueBatch")->setFocus();
    QTest::keyClick(button("overdueBatch"), Qt::Key_Space);
    QCOMPARE(table()->model()->rowCount(), 3);
    m_one->part->focusList();
    QVERIFY(table()->hasFocus());
    m_one->part->focusFilter();
    QVERIFY(m_one->child<QComboBox>("pipelineChoice")->hasFocus());
}

void TestPipelinesPage::anInactivePageReadsNothing()
{
    show();
    m_one->part->setActive(false);
    const qsizetype before = m_one->client.count<api::ReadPipeline>();
    m_one->part->reload();
    m_one->client.publish();
    QCOMPARE(m_one->client.count<api::ReadPipeline>(), before);
}

void TestPipelinesPage::withoutPipelinesThereIsNoPage()
{
    m_one->client.pipelines.clear();
    show();
    QVERIFY(!m_one->part->hasPipelines());
    m_one->client.pipelines = {pipeline(1, "reports")};
    ++m_one->client.snapshot.revisions.events; // "Pipeline added" in the activity log
    m_one->client.publish();
    QTRY_VERIFY(m_one->part->hasPipelines());
}

void TestPipelinesPage::theChosenOneIsRemovedAfterAQuestion()
{
    show();
    m_one->part->askToRemove();
    const test::AskedQuestion question(*m_one->part, "removePipeline");
    QVERIFY(question.text().contains(text("reports")));
    question.leave()->click();
    QCOMPARE(m_one->client.pipelines.size(), 2);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    m_one->part->askToRemove();
    test::AskedQuestion(*m_one->part, "removePipeline").go()->click();
    QTRY_COMPARE(m_one->client.pipelines.size(), 1);
    QTRY_COMPARE(m_one->child<QComboBox>("pipelineChoice")->currentText(), text("tests"));
}

void TestPipelinesPage::anAddedOneIsChosen()
{
    show();
    const QSignalSpy added(m_one->part.get(), &views::PipelinesPage::added);
    m_one->part->addPipeline();
    m_one->child<QLineEdit>("pipelineName")->setText(text("nightly"));
    m_one->child<QLineEdit>("pipelineUrl")->setText(text("sqlite:/var/lib/tasks.db"));
    button("pipelineAdd")->click();
    QTRY_COMPARE(added.size(), 1);
    QTRY_COMPARE(m_one->child<QComboBox>("pipelineChoice")->currentText(), text("nightly"));
    QCOMPARE(m_one->client.addedPipelines.size(), 1);
}

REDRIVE_WIDGET_TEST(TestPipelinesPage)
#include "tst_pipelinespage.moc"
