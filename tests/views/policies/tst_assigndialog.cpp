// Assigning a policy to a queue, a failure group or a rule.
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/policies/assigndialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using Of = recovery::Scope::Of;

class TestAssignDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theProposedQueueIsChosen();
    void aQueueThatIsNotSubscribedIsPointedOut();
    void aTypedQueueIsSentAsTyped();
    void theProposedGroupIsChosen();
    void groupsAreOffered();
    void aRuleNeedsAPattern();
    void aRuleMayBeForAllConnections();
    void withoutAPolicyOneIsAdded();
    void aRefusalStaysInTheDialog();
    void withoutTheRightNothingIsAssigned();
    void onlyNewFailuresAreAssignedByDefault();
    void messagesThatAreThereAreCountedBeforeTheyAreAssigned();
    void nothingIsAssignedWithoutTheCount();

private:
    template<typename T>
    T *child(const char *name)
    {
        return m_one->child<T>(name);
    }
    void show(const recovery::Scope &scope, const QString &words = {})
    {
        m_one->show(QStringLiteral("standard"), scope, words);
    }
    void chooseKind(Of of)
    {
        auto *box = child<QComboBox>("assignOf");
        box->setCurrentIndex(box->findData(int(of)));
    }
    [[nodiscard]] static recovery::Scope queueScope(const QString &queue)
    {
        recovery::Scope scope;
        scope.connection = core::ConnectionId{1};
        scope.queue = queue;
        return scope;
    }
    [[nodiscard]] QPushButton *button() { return child<QPushButton>("assign"); }
    [[nodiscard]] QString answer() { return child<QLabel>("assignAnswer")->text(); }

    std::unique_ptr<test::OnePart<views::AssignDialog>> m_one;
};

void TestAssignDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::AssignDialog>>();
    m_one->client.snapshot.engine = api::EngineState::Running;
    support::addPolicies(m_one->client);
    api::QueueView errors;
    errors.connection = core::ConnectionId{1};
    errors.name = QStringLiteral("error");
    errors.holdsFailed = true;
    errors.subscribed = true;
    api::QueueView dead = errors;
    dead.name = QStringLiteral("orders.dlq");
    dead.subscribed = false;
    m_one->client.snapshot.queues = {errors, dead};
}

void TestAssignDialog::cleanup()
{
    m_one.reset();
}

void TestAssignDialog::theProposedQueueIsChosen()
{
    show(queueScope(QStringLiteral("orders.dlq")));
    QCOMPARE(child<QComboBox>("assignPolicyName")->currentText(), QStringLiteral("standard"));
    QVERIFY(child<QLabel>("assignSentence")->text().contains(QStringLiteral("23 retries")));
    QVERIFY(!child<QWidget>("assignGroup")->isVisible());
    QVERIFY(!child<QWidget>("rulePattern0")->isVisible());
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    QCOMPARE(m_one->client.assigned.first().policy, QStringLiteral("standard"));
    QVERIFY(m_one->client.assigned.first().scope == queueScope(QStringLiteral("orders.dlq")));
    QTRY_VERIFY(!m_one->part->isVisible());
}

void TestAssignDialog::aQueueThatIsNotSubscribedIsPointedOut()
{
    show(queueScope(QStringLiteral("error")));
    QVERIFY(answer().isEmpty());
    child<QComboBox>("assignQueue")->setEditText(QStringLiteral("orders.dlq"));
    QVERIFY(answer().contains(QStringLiteral("orders.dlq")));
    // In words that need no glossary, with what to do.
    QVERIFY2(answer().contains(QStringLiteral("does not keep taking from")), qPrintable(answer()));
    QVERIFY2(answer().contains(QStringLiteral("Subscribe the queue")), qPrintable(answer()));
    QVERIFY2(!answer().contains(QStringLiteral("not subscribed")), qPrintable(answer()));
    QVERIFY(button()->isEnabled()); // it is a hint
}

void TestAssignDialog::aTypedQueueIsSentAsTyped()
{
    show(queueScope({}));
    child<QComboBox>("assignQueue")->setEditText(QString());
    QVERIFY(!button()->isEnabled());
    child<QComboBox>("assignQueue")->setEditText(QStringLiteral(" parked "));
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    QCOMPARE(m_one->client.assigned.first().scope.queue, QStringLiteral("parked"));
}

void TestAssignDialog::theProposedGroupIsChosen()
{
    recovery::Scope scope;
    scope.of = Of::Group;
    scope.group = core::GroupId{12};
    show(scope, QStringLiteral("TimeoutException"));
    QCOMPARE(child<QComboBox>("assignGroup")->currentText(), QStringLiteral("TimeoutException"));
    QVERIFY(!child<QWidget>("assignConnection")->isVisible());
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    QCOMPARE(m_one->client.assigned.first().scope.group.value, 12);
}

void TestAssignDialog::groupsAreOffered()
{
    records::FailedMessage message;
    message.id = core::MessageId{1};
    message.connection = core::ConnectionId{1};
    message.failure.exceptionType = QStringLiteral("Shop.TimeoutException");
    m_one->client.store = {message};
    show(queueScope(QStringLiteral("error")));
    chooseKind(Of::Group);
    QTRY_COMPARE(child<QComboBox>("assignGroup")->count(), 1);
    QVERIFY(button()->isEnabled());
    QVERIFY(m_one->part->scope().group.isValid());
}

void TestAssignDialog::aRuleNeedsAPattern()
{
    show(queueScope(QStringLiteral("error")));
    chooseKind(Of::Rule);
    QVERIFY(child<QWidget>("rulePattern0")->isVisible());
    QVERIFY(!child<QWidget>("assignQueue")->isVisible());
    QVERIFY(!button()->isEnabled());
    QVERIFY(!answer().isEmpty());
    QTest::keyClicks(child<QLineEdit>("rulePattern2"), QStringLiteral("*Timeout*"));
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    const recovery::Scope sent = m_one->client.assigned.first().scope;
    QVERIFY(sent.of == Of::Rule);
    QCOMPARE(sent.rule.exception, QStringLiteral("*Timeout*"));
    QCOMPARE(sent.rule.patterns(), 1);
    QCOMPARE(sent.connection.value, 1);
}

void TestAssignDialog::aRuleMayBeForAllConnections()
{
    show(queueScope(QStringLiteral("error")));
    auto *connections = child<QComboBox>("assignConnection");
    connections->setCurrentIndex(connections->count() - 1);
    QVERIFY(!button()->isEnabled()); // a queue belongs to one
    chooseKind(Of::Rule);
    QTest::keyClicks(child<QLineEdit>("rulePattern0"), QStringLiteral("shop-*"));
    QVERIFY(button()->isEnabled());
    QVERIFY(!m_one->part->scope().connection.isValid());
}

void TestAssignDialog::withoutAPolicyOneIsAdded()
{
    m_one->client.snapshot.policies.clear();
    show(queueScope(QStringLiteral("error")));
    QSignalSpy wanted(m_one->part.get(), &views::AssignDialog::policyWanted);
    QVERIFY(button()->isEnabled());
    QTest::mouseClick(button(), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QVERIFY(m_one->client.assigned.isEmpty());
}

void TestAssignDialog::aRefusalStaysInTheDialog()
{
    show(queueScope(QStringLiteral("error")));
    m_one->client.failNext<api::AssignPolicy>(
        core::Error{core::ErrorKind::Conflict, QStringLiteral("This queue has a policy already."), {}});
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(answer(), QStringLiteral("This queue has a policy already."));
    QVERIFY(m_one->part->isVisible());
    QVERIFY(button()->isEnabled());
}

void TestAssignDialog::withoutTheRightNothingIsAssigned()
{
    m_one->client.snapshot.connections.first().connection.rights = records::Right::See;
    show(queueScope(QStringLiteral("error")));
    QVERIFY(!button()->isEnabled());
    QVERIFY(answer().contains(QStringLiteral("retry")));
}

void TestAssignDialog::onlyNewFailuresAreAssignedByDefault()
{
    m_one->client.assignmentPreview.existing = 1020;
    show(queueScope(QStringLiteral("error")));
    QTRY_VERIFY(child<QComboBox>("assignExisting")->itemText(1).contains(QStringLiteral("1,020")));
    QVERIFY(!child<QLabel>("assignExistingNote")->isVisible());
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    QVERIFY(!m_one->client.assigned.first().existing);
}

void TestAssignDialog::messagesThatAreThereAreCountedBeforeTheyAreAssigned()
{
    m_one->client.assignmentPreview = {1020, m_one->client.snapshot.at + std::chrono::seconds(30), 949};
    show(queueScope(QStringLiteral("error")));
    child<QComboBox>("assignExisting")->setCurrentIndex(1);
    auto *note = child<QLabel>("assignExistingNote");
    QTRY_VERIFY(note->text().contains(QStringLiteral("949")));
    QVERIFY(note->isVisible());
    QVERIFY(m_one->client.assignmentQuestions.last().scope == queueScope(QStringLiteral("error")));
    QTest::mouseClick(button(), Qt::LeftButton);
    QTRY_COMPARE(m_one->client.assigned.size(), 1);
    QVERIFY(m_one->client.assigned.first().existing);
}

void TestAssignDialog::nothingIsAssignedWithoutTheCount()
{
    m_one->client.failNext<api::PreviewAssignment>(
        {core::ErrorKind::Cancelled, QStringLiteral("The search was stopped."), {}, {}});
    show(queueScope(QStringLiteral("error")));
    child<QComboBox>("assignExisting")->setCurrentIndex(1);
    QTRY_VERIFY(!button()->isEnabled());
    child<QComboBox>("assignExisting")->setCurrentIndex(0);
    QVERIFY(button()->isEnabled());
    child<QComboBox>("assignExisting")->setCurrentIndex(1);
    child<QComboBox>("assignQueue")->setEditText(QStringLiteral("orders.dlq"));
    QTRY_VERIFY(button()->isEnabled()); // another question, which is answered
}

REDRIVE_WIDGET_TEST(TestAssignDialog)
#include "tst_assigndialog.moc"
