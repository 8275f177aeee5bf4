// Adding and editing a policy: fields and JSON lead to the same policy, errors stand at their field, and the attempts are
// drawn as one types.
#include "backend/recovery/files/policyfile.h"
#include "tests/support/child.h"
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/policies/attempttimelineview.h"
#include "views/policies/policydialog.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>

using namespace std::chrono_literals;
using recovery::Exhausted;
using recovery::Jitter;
using recovery::Policy;
using recovery::Schedule;

class TestPolicyDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aNewPolicyBeginsWithTheDefaults();
    void whatIsTypedIsDrawnAtOnce();
    void anErrorStandsAtItsField_data();
    void anErrorStandsAtItsField();
    void onlyTheFieldsOfTheScheduleAreShown_data();
    void onlyTheFieldsOfTheScheduleAreShown();
    void aListHasAsManyRetriesAsDelays();
    void jitterFollowsTheScheduleUntilAPersonChoosesIt();
    void instancesMultiplyWhereTheBrokerDoesNotCount();
    void everyFieldReachesThePolicy();
    void theLastRetryIsSaidWithoutAForeignWord();
    void everyPolicySurvivesTheFields_data();
    void everyPolicySurvivesTheFields();
    void rulesAreEditedInATable();
    void aWrongRuleIsNamed();
    void jsonAndFieldsAreTheSamePolicy();
    void brokenJsonKeepsTheFieldsClosed();
    void aNameThatExistsIsRefused();
    void anEditedPolicyKeepsItsName();
    void aFileIsOpened();
    void savingSendsThePolicyOnce();
    void aRefusalStaysInTheDialog();
    void aNarrowDialogHasOneColumn();

private:
    template<typename T>
    T *child(const char *name)
    {
        return test::child<T>(*m_dialog, name);
    }
    void open(const QString &name = {});
    void type(const char *field, const QString &text);
    void chooseKind(Schedule::Kind kind);
    [[nodiscard]] QString wrong(); // what stands at a field; empty: nothing
    [[nodiscard]] QString answer() { return child<QLabel>("policyAnswer")->text(); }
    [[nodiscard]] QString drawn()
    {
        return child<views::AttemptTimelineView>("attemptTimeline")->accessibleDescription();
    }
    [[nodiscard]] bool canSave() { return child<QPushButton>("policySave")->isEnabled(); }

    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<views::PolicyDialog> m_dialog;
};

void TestPolicyDialog::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.at = core::fromMs(1'790'000'000'000);
    api::ConnectionView shop;
    shop.connection.id = core::ConnectionId{1};
    shop.connection.name = QStringLiteral("shop");
    shop.connection.rights = records::defaultRights;
    m_client->snapshot.connections = {shop};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
    m_theme = std::make_unique<views::Theme>(views::ThemeMode::Light);
}

void TestPolicyDialog::cleanup()
{
    m_dialog.reset();
    m_theme.reset();
    m_session.reset();
    m_client.reset();
}

void TestPolicyDialog::open(const QString &name)
{
    m_client->publish();
    m_dialog = std::make_unique<views::PolicyDialog>(*m_session, *m_theme, name);
    m_dialog->show();
}

void TestPolicyDialog::type(const char *field, const QString &text)
{
    auto *line = child<QLineEdit>(field);
    line->selectAll();
    if (text.isEmpty())
        QTest::keyClick(line, Qt::Key_Delete);
    else
        QTest::keyClicks(line, text);
}

void TestPolicyDialog::chooseKind(Schedule::Kind kind)
{
    auto *box = child<QComboBox>("scheduleKind");
    box->setCurrentIndex(int(kind));
    Q_EMIT box->activated(int(kind));
}

QString TestPolicyDialog::wrong()
{
    for (const QLabel *label : m_dialog->findChildren<QLabel *>(QStringLiteral("fieldError"))) {
        if (label->isVisible())
            return label->text();
    }
    return {};
}

void TestPolicyDialog::aNewPolicyBeginsWithTheDefaults()
{
    open();
    QVERIFY(m_dialog->policy().has_value());
    Policy defaults;
    defaults.name = m_dialog->policy()->name;
    QVERIFY(!defaults.name.isEmpty());
    QVERIFY(*m_dialog->policy() == defaults);
    QVERIFY(canSave());
    QVERIFY(wrong().isEmpty());
}

void TestPolicyDialog::whatIsTypedIsDrawnAtOnce()
{
    open();
    QVERIFY(drawn().contains(QStringLiteral("23 retries")));
    child<QSpinBox>("immediate")->setValue(1);
    QVERIFY2(drawn().contains(QStringLiteral("7 retries")), qPrintable(drawn()));
    QVERIFY(child<QLabel>("policySentence")->text().contains(QStringLiteral("7 retries")));
    type("scheduleFirst", QStringLiteral("1m"));
    QVERIFY2(drawn().contains(QStringLiteral("Gives up after 6 min")), qPrintable(drawn()));
    child<QComboBox>("exhaustedDo")->setCurrentIndex(int(Exhausted::Do::Move));
    type("exhaustedQueue", QStringLiteral("parking"));
    QVERIFY(child<QLabel>("policyEnding")->text().contains(QStringLiteral("parking")));
}

void TestPolicyDialog::anErrorStandsAtItsField_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *field, const char *typed, Schedule::Kind kind = Schedule::Kind::Linear) {
        QTest::newRow(field) << QByteArray(field) << QString::fromLatin1(typed) << int(kind);
    };
    row("policyName", "");
    row("scheduleFirst", "soon");
    row("scheduleFactor", "0.5", Schedule::Kind::Exponential);
    row("scheduleCap", "1", Schedule::Kind::Exponential);
    row("scheduleDelays", "10s, x", Schedule::Kind::List);
    row("scheduleEvery", "", Schedule::Kind::Cadence);
    row("longestGap", "25h");
    row("stopWhen", "half");
}

void TestPolicyDialog::anErrorStandsAtItsField()
{
    QFETCH(QByteArray, field);
    QFETCH(QString, typed);
    QFETCH(int, kind);
    open();
    chooseKind(Schedule::Kind(kind));
    type(field.constData(), typed);
    if (field == "scheduleFactor" || field == "scheduleCap")
        QVERIFY(child<QLineEdit>("scheduleFirst")->isVisible());
    QVERIFY(!canSave());
    QVERIFY(!wrong().isEmpty());
    auto *line = child<QLineEdit>(field.constData());
    QVERIFY(line->property("wrong").toBool());
    QCOMPARE(line->accessibleDescription(), wrong());
    QVERIFY(!answer().isEmpty());
    const QString before = drawn(); // the last policy stays, greyed
    QVERIFY(!before.isEmpty());
}

void TestPolicyDialog::onlyTheFieldsOfTheScheduleAreShown_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QStringList>("shown");
    const auto row = [](const char *name, Schedule::Kind kind, const QStringList &shown) {
        QTest::newRow(name) << int(kind) << shown;
    };
    row("linear", Schedule::Kind::Linear, {QStringLiteral("scheduleFirst"), QStringLiteral("jitter")});
    row("exponential", Schedule::Kind::Exponential,
        {QStringLiteral("scheduleFirst"), QStringLiteral("scheduleFactor"), QStringLiteral("scheduleCap"),
         QStringLiteral("jitter")});
    row("list", Schedule::Kind::List, {QStringLiteral("scheduleDelays"), QStringLiteral("jitter")});
    row("cadence", Schedule::Kind::Cadence, {QStringLiteral("scheduleEvery"), QStringLiteral("scheduleOffset")});
}

void TestPolicyDialog::onlyTheFieldsOfTheScheduleAreShown()
{
    QFETCH(int, kind);
    QFETCH(QStringList, shown);
    open();
    chooseKind(Schedule::Kind(kind));
    for (const char *name : {"scheduleFirst", "scheduleFactor", "scheduleCap", "scheduleDelays", "scheduleEvery",
                             "scheduleOffset", "jitter"})
        QCOMPARE(child<QWidget>(name)->isVisible(), shown.contains(QString::fromLatin1(name)));
}

void TestPolicyDialog::aListHasAsManyRetriesAsDelays()
{
    open();
    chooseKind(Schedule::Kind::List);
    type("scheduleDelays", QStringLiteral("10s 1m, 5m; 1h"));
    QCOMPARE(child<QSpinBox>("delayed")->value(), 4);
    QCOMPARE(m_dialog->policy()->schedule.delays, (QList<core::Milliseconds>{10s, 1min, 5min, 1h}));
    chooseKind(Schedule::Kind::Cadence);
    type("scheduleEvery", QStringLiteral("24h"));
    QCOMPARE(qint64(child<QSpinBox>("delayed")->value()), recovery::turnsBeforeBackstop(*m_dialog->policy()));
    QVERIFY(m_dialog->policy()->jitter.kind == Jitter::Kind::None);
}

void TestPolicyDialog::jitterFollowsTheScheduleUntilAPersonChoosesIt()
{
    open();
    QVERIFY(m_dialog->policy()->jitter.kind == Jitter::Kind::None); // NServiceBus: 10, 20, 30 s
    QVERIFY(drawn().contains(QStringLiteral("Gives up after 1 min.")));
    chooseKind(Schedule::Kind::Exponential);
    QVERIFY(m_dialog->policy()->jitter.kind == Jitter::Kind::Full);
    QVERIFY2(drawn().contains(QStringLiteral("Gives up after 0 s to 1 min 10 s")), qPrintable(drawn()));
    QVERIFY(child<QLabel>("policyEnding")->text().contains(QStringLiteral("Each bar")));
    chooseKind(Schedule::Kind::Linear);
    QVERIFY(m_dialog->policy()->jitter.kind == Jitter::Kind::None);
    child<QComboBox>("jitter")->setCurrentIndex(int(Jitter::Kind::Equal));
    chooseKind(Schedule::Kind::Exponential);
    QVERIFY(m_dialog->policy()->jitter.kind == Jitter::Kind::Equal);
}

void TestPolicyDialog::instancesMultiplyWhereTheBrokerDoesNotCount()
{
    open();
    QVERIFY(child<QLabel>("policyBounds")->text().isEmpty());
    child<QSpinBox>("policyInstances")->setValue(6);
    const QString bounds = child<QLabel>("policyBounds")->text();
    QVERIFY2(bounds.contains(QStringLiteral("144 attempts on RabbitMQ")), qPrintable(bounds));
    QVERIFY2(bounds.contains(QStringLiteral("24 attempts on Service Bus (DeliveryCount)")), qPrintable(bounds));
    Policy defaults;
    defaults.name = m_dialog->policy()->name;
    QVERIFY(*m_dialog->policy() == defaults); // no part of the policy
}

void TestPolicyDialog::everyFieldReachesThePolicy()
{
    open();
    type("policyName", QStringLiteral("slow partner"));
    child<QSpinBox>("immediate")->setValue(2);
    child<QSpinBox>("delayed")->setValue(4);
    chooseKind(Schedule::Kind::Exponential);
    type("scheduleFirst", QStringLiteral("5s"));
    type("scheduleFactor", QStringLiteral("3"));
    type("scheduleCap", QStringLiteral("1h"));
    child<QComboBox>("jitter")->setCurrentIndex(int(Jitter::Kind::Percent));
    child<QSpinBox>("jitterPercent")->setValue(15);
    child<QComboBox>("waitAt")->setCurrentIndex(int(recovery::WaitAt::Broker));
    type("longestGap", QStringLiteral("2h"));
    child<QCheckBox>("hasBackstop")->click();
    type("backstopCycle", QStringLiteral("12h"));
    type("backstopPlus", QStringLiteral("1h"));
    child<QCheckBox>("hasRateLimit")->click();
    child<QSpinBox>("limitAfter")->setValue(7);
    type("limitWait", QStringLiteral("9s"));
    type("stopWhen", QStringLiteral("5%"));
    child<QComboBox>("exhaustedDo")->setCurrentIndex(int(Exhausted::Do::Move));
    type("exhaustedQueue", QStringLiteral("parking"));
    child<QComboBox>("builtInRules")->setCurrentIndex(int(recovery::BuiltInRules::NServiceBus));
    const core::Result<Policy> typed = m_dialog->policy();
    QVERIFY2(typed.has_value(), typed ? "" : qPrintable(typed.error().message));
    Policy wanted;
    wanted.name = QStringLiteral("slow partner");
    wanted.immediate = 2;
    wanted.delayed = 4;
    wanted.schedule.kind = Schedule::Kind::Exponential;
    wanted.schedule.first = 5s;
    wanted.schedule.factor = 3;
    wanted.schedule.cap = 1h;
    wanted.jitter = Jitter{Jitter::Kind::Percent, 15};
    wanted.waitAt = recovery::WaitAt::Broker;
    wanted.longestGap = 2h;
    wanted.backstop = recovery::Backstop{12h, 1h};
    wanted.rateLimit = recovery::RateLimit{7, 9s};
    wanted.stopWhen = records::StopWhen{5, true};
    wanted.exhausted = Exhausted{Exhausted::Do::Move, QStringLiteral("parking")};
    wanted.builtIn = recovery::BuiltInRules::NServiceBus;
    QVERIFY(*typed == wanted);
}

// "Backstop: 3 x 24h plus 3h" says nothing to who does not know the word.
void TestPolicyDialog::theLastRetryIsSaidWithoutAForeignWord()
{
    open();
    QStringList words;
    for (const QLabel *label : m_dialog->findChildren<QLabel *>())
        words.append(label->text());
    for (const QAbstractButton *button : m_dialog->findChildren<QAbstractButton *>())
        words.append(button->text());
    for (const QWidget *widget : m_dialog->findChildren<QWidget *>())
        words.append({widget->accessibleName(), widget->toolTip()});
    for (const QLineEdit *line : m_dialog->findChildren<QLineEdit *>())
        words.append(line->placeholderText());
    QVERIFY(words.filter(QStringLiteral("backstop"), Qt::CaseInsensitive).isEmpty());
    QVERIFY(!words.filter(QStringLiteral("No retry after")).isEmpty());
    const QCheckBox *times = child<QCheckBox>("hasBackstop");
    QCOMPARE(times->text(), QStringLiteral("3 times"));
    for (const QString &explained : {times->accessibleName(), times->toolTip()})
        QVERIFY2(explained.contains(QStringLiteral("after the first failure")), qPrintable(explained));
}

void TestPolicyDialog::everyPolicySurvivesTheFields_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("defaults") << QByteArray(R"({"name": "p"})");
    QTest::newRow("no retry") << QByteArray(R"({"name": "p", "immediate": 0, "delayed": 0})");
    QTest::newRow("never stops") << QByteArray(R"({"name": "p", "stop_when": "never", "exhausted": {"do": "notify"}})");
    QTest::newRow("list that repeats") << QByteArray(
        R"({"name": "p", "delayed": 5, "schedule": {"kind": "list", "delays": ["10s", "90s"]}, "jitter": "full",)"
        R"( "wait_at": "broker"})");
    QTest::newRow("counter") << QByteArray(R"({"name": "p", "counter": "X-Custom-Retry-Count"})");
    QTest::newRow("dead letters") << QByteArray(R"({"name": "p", "exhausted": {"do": "dead-letter"}})");
    QTest::newRow("dead letters or elsewhere")
        << QByteArray(R"({"name": "p", "exhausted": {"do": "dead-letter", "queue": "parking"}})");
    QTest::newRow("cadence") << QByteArray(
        R"({"name": "p", "immediate": 0, "schedule": {"kind": "cadence", "every": "24h", "offset": "6h"},)"
        R"( "backstop": {"cycle": "12h", "plus": "0s"}})");
    QTest::newRow("classes") << QByteArray(
        R"({"name": "p", "classify": [{"exception": "*Timeout*", "as": "delayed"}, {"http_status": 429, "as": "delayed"},)"
        R"( {"message": "*optimistic*", "as": "transient"}, {"dead_letter_reason": "TTL?", "as": "permanent"}],)"
        R"( "subtypes": {"System.ArgumentException": ["Shop.PriceException"]}, "built_in_rules": "nservicebus",)"
        R"( "rate_limit": {"after": 3}})");
}

void TestPolicyDialog::everyPolicySurvivesTheFields()
{
    QFETCH(QByteArray, file);
    open();
    m_dialog->showFile(file);
    QCOMPARE(child<QTabBar>("policyTabs")->currentIndex(), 0); // shown as fields
    const core::Result<Policy> wanted = recovery::policyFrom(file);
    QVERIFY(wanted.has_value());
    const core::Result<Policy> shown = m_dialog->policy();
    QVERIFY2(shown.has_value(), shown ? "" : qPrintable(shown.error().message));
    QCOMPARE(QString::fromUtf8(recovery::toJson(*shown)), QString::fromUtf8(recovery::toJson(*wanted)));
}

void TestPolicyDialog::rulesAreEditedInATable()
{
    using recovery::ClassRule;
    open();
    QTest::mouseClick(child<QPushButton>("ruleAdd"), Qt::LeftButton);
    QTRY_COMPARE(m_dialog->focusWidget(), child<QLineEdit>("rulePattern"));
    QVERIFY(!canSave()); // there is no pattern yet
    QTest::keyClicks(child<QLineEdit>("rulePattern"), QStringLiteral("*Timeout*"));
    child<QComboBox>("ruleAs")->setCurrentIndex(int(recovery::FailureClass::Delayed));
    QTest::mouseClick(child<QPushButton>("ruleAdd"), Qt::LeftButton);
    child<QComboBox>("ruleBy")->setCurrentIndex(int(ClassRule::By::HttpStatus));
    type("rulePattern", QStringLiteral("429"));
    QVERIFY(m_dialog->policy().has_value());
    QCOMPARE(m_dialog->policy()->rules.size(), 2);
    QCOMPARE(m_dialog->policy()->rules.last().httpStatus, 429);
    QTest::mouseClick(child<QPushButton>("ruleUp"), Qt::LeftButton);
    QCOMPARE(m_dialog->policy()->rules.first().httpStatus, 429);
    QTest::keyClick(child<views::DataTable>("classRules"), Qt::Key_Delete);
    QCOMPARE(m_dialog->policy()->rules.size(), 1);
    QCOMPARE(m_dialog->policy()->rules.first().pattern, QStringLiteral("*Timeout*"));
    QVERIFY(m_dialog->policy()->rules.first().as == recovery::FailureClass::Delayed);
}

void TestPolicyDialog::aWrongRuleIsNamed()
{
    open();
    QTest::mouseClick(child<QPushButton>("ruleAdd"), Qt::LeftButton);
    child<QComboBox>("ruleBy")->setCurrentIndex(int(recovery::ClassRule::By::HttpStatus));
    QTest::keyClicks(child<QLineEdit>("rulePattern"), QStringLiteral("42"));
    QVERIFY(!canSave());
    auto *said = child<QLabel>("rulesError");
    QVERIFY(said->isVisible());
    QVERIFY(said->text().contains(QStringLiteral("Rule 1")));
    QTest::keyClicks(child<QLineEdit>("rulePattern"), QStringLiteral("9"));
    QVERIFY(canSave());
    QVERIFY(!said->isVisible());
}

void TestPolicyDialog::jsonAndFieldsAreTheSamePolicy()
{
    open();
    child<QSpinBox>("immediate")->setValue(2);
    auto *tabs = child<QTabBar>("policyTabs");
    tabs->setCurrentIndex(1);
    auto *json = child<QPlainTextEdit>("plain");
    QCOMPARE(json->toPlainText().toUtf8(), recovery::toJson(*m_dialog->policy()));
    QString text = json->toPlainText();
    json->setPlainText(text.replace(QStringLiteral("\"immediate\": 2"), QStringLiteral("\"immediate\": 4")));
    QVERIFY(drawn().contains(QStringLiteral("19 retries")));
    tabs->setCurrentIndex(0);
    QCOMPARE(child<QSpinBox>("immediate")->value(), 4);
}

void TestPolicyDialog::brokenJsonKeepsTheFieldsClosed()
{
    open();
    auto *tabs = child<QTabBar>("policyTabs");
    tabs->setCurrentIndex(1);
    auto *json = child<QPlainTextEdit>("plain");
    const QString good = json->toPlainText();
    json->setPlainText(QStringLiteral("{\"name\": \"p\", \"imediate\": 3}"));
    QVERIFY(!canSave());
    QVERIFY(answer().contains(QStringLiteral("imediate")));
    QVERIFY(!tabs->isTabEnabled(0));
    json->setPlainText(good);
    QVERIFY(tabs->isTabEnabled(0));
    QVERIFY(canSave());
}

void TestPolicyDialog::aNameThatExistsIsRefused()
{
    support::addPolicies(*m_client);
    open();
    QCOMPARE(m_dialog->policy()->name, QStringLiteral("standard 2"));
    type("policyName", QStringLiteral("standard"));
    QVERIFY(!canSave());
    QVERIFY(!wrong().isEmpty());
}

void TestPolicyDialog::anEditedPolicyKeepsItsName()
{
    support::addPolicies(*m_client);
    open(QStringLiteral("standard"));
    QVERIFY(child<QLineEdit>("policyName")->isReadOnly());
    QVERIFY(canSave());
    QCOMPARE(recovery::toJson(*m_dialog->policy()), m_client->snapshot.policies.last().file);
    child<QTabBar>("policyTabs")->setCurrentIndex(1);
    child<QPlainTextEdit>("plain")->setPlainText(QStringLiteral("{\"name\": \"other\"}"));
    QVERIFY(!canSave());
    QVERIFY(answer().contains(QStringLiteral("standard")));
}

void TestPolicyDialog::aFileIsOpened()
{
    open();
    m_dialog->showFile(QByteArrayLiteral("{\"name\": \"p\", \"immediate\": \"five\"}"));
    QCOMPARE(child<QTabBar>("policyTabs")->currentIndex(), 1); // what is wrong stays as it is
    QVERIFY(answer().contains(QStringLiteral("immediate")));
    m_dialog->showFile(QByteArrayLiteral("{\"name\": \"p\", \"immediate\": 5}"));
    QCOMPARE(child<QTabBar>("policyTabs")->currentIndex(), 0);
    QCOMPARE(child<QLineEdit>("policyName")->text(), QStringLiteral("p"));
}

void TestPolicyDialog::savingSendsThePolicyOnce()
{
    open();
    type("policyName", QStringLiteral("mine"));
    QSignalSpy saved(m_dialog.get(), &views::PolicyDialog::saved);
    const Policy wanted = *m_dialog->policy();
    m_client->holdAnswers(true);
    QTest::mouseClick(child<QPushButton>("policySave"), Qt::LeftButton);
    QVERIFY(!canSave());
    child<QSpinBox>("immediate")->setValue(1); // typing while the answer is on its way does not send twice
    QVERIFY(!canSave());
    m_client->holdAnswers(false);
    QTRY_COMPARE(saved.size(), 1);
    QCOMPARE(m_client->policiesSet.size(), 1);
    QVERIFY(*recovery::policyFrom(m_client->policiesSet.first().file) == wanted);
    QVERIFY(!m_dialog->isVisible());
}

void TestPolicyDialog::aRefusalStaysInTheDialog()
{
    open();
    m_client->failNext<api::SetPolicy>(
        core::Error{core::ErrorKind::Refused, QStringLiteral("shop does not grant this."), {}});
    QTest::mouseClick(child<QPushButton>("policySave"), Qt::LeftButton);
    QTRY_COMPARE(answer(), QStringLiteral("shop does not grant this."));
    QVERIFY(m_dialog->isVisible());
    QVERIFY(canSave());
}

// Its area does not scroll sideways, so what is wider than the dialog would be out of reach.
void TestPolicyDialog::aNarrowDialogHasOneColumn()
{
    open();
    const auto *area = child<QScrollArea>("policyArea");
    const QWidget *left = child<QLineEdit>("policyName");
    const QWidget *right = child<QLineEdit>("longestGap");
    const auto top = [area](const QWidget *one) { return one->mapTo(area->widget(), QPoint()).y(); };
    QVERIFY(std::abs(top(left) - top(right)) < left->height()); // side by side
    m_dialog->resize(640, 600);
    QTRY_VERIFY(top(right) > top(left) + left->height());
    QTRY_COMPARE(area->widget()->width(), area->viewport()->width());
    for (const char *name : {"backstopPlus", "limitWait"}) {
        const QWidget *one = child<QWidget>(name);
        QVERIFY2(one->mapTo(area->widget(), one->rect().topRight()).x() < area->viewport()->width(), name);
    }
    m_dialog->resize(860, 600);
    QTRY_VERIFY(std::abs(top(left) - top(right)) < left->height());
}

REDRIVE_WIDGET_TEST(TestPolicyDialog)
#include "tst_policydialog.moc"
