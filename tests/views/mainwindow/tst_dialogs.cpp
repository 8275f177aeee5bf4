// All dialogs alike: their buttons are on the smallest screen, in one order, and Enter presses the safe one where the act
// cannot be undone. A new dialog belongs into the table below; lint_dialogs looks for those that are missing.
#include "tests/support/fakeclient/consolescene.h"
#include "views/common/page.h"
#include "views/common/widgets/question.h"
#include "views/connections/connectiondialog.h"
#include "views/connections/errorqueuesdialog.h"
#include "views/conventions/conventiondialog.h"
#include "views/conventions/conventionsdialog.h"
#include "views/conventions/valuequestion.h"
#include "views/edits/editdialog.h"
#include "views/groups/groupmarks.h"
#include "views/help/helpdialog.h"
#include "views/mainwindow/actions.h"
#include "views/mainwindow/commandpalette.h"
#include "views/mainwindow/controllers/closequestion.h"
#include "views/mainwindow/shortcutsdialog.h"
#include "views/messages/decisionquestion.h"
#include "views/pipelines/pipelinedialog.h"
#include "views/policies/assigndialog.h"
#include "views/policies/policydialog.h"
#include "views/queues/expirydialog.h"
#include "views/queues/movedialog.h"
#include "views/queues/redirectsdialog.h"
#include "views/queues/takequestion.h"
#include "views/rehearsals/rehearsaldialog.h"
#include "views/retries/confirmcancel.h"
#include "views/retries/doubtdialog.h"
#include "views/retries/plan/plandialog.h"
#include "views/retries/ratedialog.h"
#include "views/retries/returnsdialog.h"
#include "views/settings/settingsdialog.h"
#include "views/transfers/importdialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QFile>
#include <QMenu>
#include <QScreen>
#include <QTemporaryDir>
#include <QTest>

using views::DialogFoot;

namespace {

constexpr QSize smallest{720, 450}; // 1440 x 900 at a scale of 200 %

// The console without its window, over the night on call.
struct Scene
{
    Scene()
    {
        support::fillScene(client);
        client.store = client.store.mid(0, 40);
        client.publish();
    }

    [[nodiscard]] core::ConnectionId connection() const { return session.snapshot().connections.first().connection.id; }
    [[nodiscard]] const api::OperationView &operation() const { return session.snapshot().operations.first(); }
    [[nodiscard]] models::ActionScope oneMessage() const
    {
        models::ActionScope scope;
        scope.connection = connection();
        scope.filter.messages = {client.store.first().id};
        scope.count = 1;
        return scope;
    }
    [[nodiscard]] QDialog *decision(api::Decision decision)
    {
        api::DecideMessages command;
        command.decision = decision;
        command.filter.connection = connection();
        return new views::DecisionQuestion(session, command, 214, &host);
    }

    support::FakeClient client;
    models::ConsoleSession session{client};
    models::ConsoleFilter filter;
    models::SharedSelection selection;
    views::Navigator navigator;
    views::Theme theme{views::ThemeMode::Light};
    views::Console console{session, filter, selection, navigator, theme};
    QWidget host; // below which the dialogs are
    views::Actions actions{theme, &host};
};

// Makes the dialog, or opens it below the host. `enter`: the button that Enter presses; empty: none.
struct Case
{
    const char *name;
    std::function<QDialog *(Scene &)> make;
    const char *enter;
};

// What a function opens.
QDialog *opened(Scene &scene)
{
    return scene.host.findChild<QDialog *>();
}

QList<Case> lists()
{
    using namespace views;
    return {
        {"ConventionsDialog",
         [](Scene &s) -> QDialog * {
             return new ConventionsDialog(s.session, s.theme, models::TimeZone::Utc, &s.host);
         },
         ""},
        {"HelpDialog", [](Scene &s) -> QDialog * { return new HelpDialog(&s.host); }, "helpClose"},
        {"ErrorQueuesDialog",
         [](Scene &s) -> QDialog * {
             QList<api::CandidateQueue> queues;
             for (int i = 0; i < 12; ++i)
                 queues.append(
                     {QStringLiteral("orders.%1.dlq").arg(i), 3, {{records::QueueFact::Kind::NamedForFailures}}});
             return new ErrorQueuesDialog(ErrorQueuesDialog::About::Offer, QStringLiteral("shop"), queues, &s.host);
         },
         "errorQueuesCancel"},
        {"ShortcutsDialog", [](Scene &s) -> QDialog * { return new ShortcutsDialog(s.actions.all(), &s.host); },
         "keySheetClose"},
        {"CommandPalette",
         [](Scene &s) -> QDialog * { return new CommandPalette(s.console, s.actions.all(), &s.host); }, ""},
        {"ExpiryDialog", [](Scene &s) -> QDialog * { return new ExpiryDialog(s.console, s.connection(), {}, &s.host); },
         ""},
        {"MoveDialog",
         [](Scene &s) -> QDialog * {
             return new MoveDialog(s.session, s.connection(), QStringLiteral("error"), &s.host);
         },
         "moveClose"},
        {"RedirectsDialog",
         [](Scene &s) -> QDialog * { return new RedirectsDialog(s.session, s.theme, s.connection(), {}, &s.host); },
         ""},
        {"DoubtDialog",
         [](Scene &s) -> QDialog * { return new DoubtDialog(s.console, s.operation().operation.id, &s.host); }, ""},
        {"ReturnsDialog",
         [](Scene &s) -> QDialog * { return new ReturnsDialog(s.console, s.operation().operation.id, &s.host); }, ""},
    };
}

QList<Case> questions()
{
    using namespace views;
    return {
        {"ValueQuestion",
         [](Scene &s) -> QDialog * {
             return new ValueQuestion(QStringLiteral("For queue"), QStringLiteral("billing.*"), &s.host);
         },
         "conventionValueSet"},
        {"CloseQuestion",
         [](Scene &s) -> QDialog * { return new CloseQuestion(QStringLiteral("1 retry runs"), &s.host); }, "closeStay"},
        {"DecisionQuestion", [](Scene &s) { return s.decision(api::Decision::Archive); }, "decisionGo"},
        {"DecisionQuestion restore", [](Scene &s) { return s.decision(api::Decision::Restore); }, "decisionGo"},
        {"DecisionQuestion delete", [](Scene &s) { return s.decision(api::Decision::Delete); }, "decisionLeave"},
        {"DecisionQuestion resolve", [](Scene &s) { return s.decision(api::Decision::Resolve); }, "decisionLeave"},
        {"TakeQuestion",
         [](Scene &s) -> QDialog * {
             return new TakeQuestion(s.session, s.connection(), QStringLiteral("error"), &s.host);
         },
         "takeButton"},
        {"askForRate",
         [](Scene &s) {
             askForRate(s.session, s.operation(), &s.host);
             return opened(s);
         },
         "rateSet"},
        {"askForNote",
         [](Scene &s) {
             askForNote(s.console, {}, &s.host);
             return opened(s);
         },
         "noteSave"},
        {"askForDate",
         [](Scene &s) {
             QMenu menu;
             addMuteEntries(&menu, s.console, {}, &s.host);
             menu.findChild<QAction *>(QStringLiteral("muteDate"))->trigger();
             return opened(s);
         },
         "muteSet"},
        {"confirmCancel",
         [](Scene &s) {
             confirmCancel(s.session, s.operation(), &s.host);
             return opened(s);
         },
         "questionLeave"},
        {"QuestionDialog",
         [](Scene &s) {
             Question question;
             question.text = support::hostileText();
             question.consequences = support::hostileText().repeated(20);
             question.action = QStringLiteral("Go on");
             question.act = DialogFoot::Act::CanBeUndone;
             askQuestion(question, &s.host);
             return opened(s);
         },
         "questionGo"},
    };
}

QList<Case> forms()
{
    using namespace views;
    return {
        {"ConnectionDialog",
         [](Scene &s) -> QDialog * {
             return new ConnectionDialog(s.session, s.session.snapshot().connections.first().connection, &s.host);
         },
         "connectionSave"},
        {"ConventionDialog",
         [](Scene &s) -> QDialog * {
             return new ConventionDialog(s.session, s.theme, {}, true, std::nullopt, &s.host);
         },
         "conventionSave"},
        {"EditDialog",
         [](Scene &s) -> QDialog * { return new EditDialog(s.session, s.theme, s.oneMessage(), &s.host); }, ""},
        {"PipelineDialog", [](Scene &s) -> QDialog * { return new PipelineDialog(s.console, &s.host); }, "pipelineAdd"},
        {"AssignDialog", [](Scene &s) -> QDialog * { return new AssignDialog(s.console, {}, {}, {}, &s.host); },
         "assign"},
        {"PolicyDialog", [](Scene &s) -> QDialog * { return new PolicyDialog(s.session, s.theme, {}, &s.host); },
         "policySave"},
        {"RehearsalDialog",
         [](Scene &s) -> QDialog * {
             return new RehearsalDialog(s.console, api::Rehearse{}, QStringLiteral("Rehearsal"), &s.host);
         },
         "rehearsalStart"},
        {"PlanDialog", // in Production: there Enter starts no retry
         [](Scene &s) -> QDialog * { return new PlanDialog(s.session, {}, s.theme, models::TimeZone::Utc, &s.host); },
         ""},
        {"SettingsDialog", [](Scene &s) -> QDialog * { return new SettingsDialog(s.session, &s.host); },
         "settingsSave"},
        {"ImportDialog",
         [](Scene &s) -> QDialog * { return new ImportDialog(s.console, QStringLiteral("/nowhere"), &s.host); },
         "importStart"},
    };
}

const QList<Case> &cases()
{
    static const QList<Case> all = lists() + questions() + forms();
    return all;
}

} // namespace

class TestDialogs final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theButtonsAreOnTheSmallestScreen_data() { allOfThem(); }
    void theButtonsAreOnTheSmallestScreen();
    void enterPressesTheRightButton_data() { allOfThem(); }
    void enterPressesTheRightButton();
    void settingsThatDeleteMessagesAreNotSavedByEnter();

private:
    static void allOfThem();
    void open(const Case &one);

    std::unique_ptr<Scene> m_scene;
    QDialog *m_dialog = nullptr; // below the host of the scene
};

void TestDialogs::allOfThem()
{
    QTest::addColumn<int>("row");
    for (int row = 0; row < cases().size(); ++row)
        QTest::newRow(cases().at(row).name) << row;
}

void TestDialogs::initTestCase()
{
    QCOMPARE(QGuiApplication::primaryScreen()->size(), smallest);
}

void TestDialogs::open(const Case &one)
{
    m_scene = std::make_unique<Scene>();
    QTRY_VERIFY(m_scene->session.hasSnapshot());
    m_dialog = one.make(*m_scene);
    QVERIFY(m_dialog != nullptr);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog));
    QCoreApplication::processEvents(); // the answers of the client have come, and the layouts follow
}

void TestDialogs::theButtonsAreOnTheSmallestScreen()
{
    QFETCH(int, row);
    open(cases().at(row));
    QVERIFY2(m_dialog->width() <= smallest.width() && m_dialog->height() <= smallest.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(m_dialog->width()).arg(m_dialog->height())));
    const auto *foot = m_dialog->findChild<DialogFoot *>();
    if (foot == nullptr) { // a list without buttons
        QCOMPARE(m_dialog->objectName(), QStringLiteral("commandPalette"));
        return;
    }
    int shown = 0;
    const QList<QPushButton *> buttons = foot->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        if (!button->isVisible())
            continue;
        ++shown;
        const QRect place(button->mapTo(m_dialog, QPoint()), button->size());
        QVERIFY2(m_dialog->rect().contains(place), qPrintable(button->objectName()));
        QVERIFY2(button->height() >= button->minimumSizeHint().height()
                     && button->width() >= button->sizeHint().width(),
                 qPrintable(button->objectName() + QStringLiteral(" is squeezed")));
    }
    QVERIFY(shown > 0);
}

void TestDialogs::enterPressesTheRightButton()
{
    QFETCH(int, row);
    const Case &one = cases().at(row);
    open(one);
    QStringList defaults;
    for (const QPushButton *button : m_dialog->findChildren<QPushButton *>()) {
        QVERIFY2(!button->autoDefault(), qPrintable(button->text())); // or it becomes the default with the focus
        if (button->isDefault())
            defaults.append(button->objectName());
    }
    QCOMPARE(defaults.join(u' '), QString::fromLatin1(one.enter));
    const auto *foot = m_dialog->findChild<DialogFoot *>();
    if (foot == nullptr || defaults.isEmpty())
        return;
    // What leaves is never blue, and what is blue is on the right.
    const auto *pressed = m_dialog->findChild<QPushButton *>(defaults.constFirst());
    for (const QPushButton *button : foot->findChildren<QPushButton *>()) {
        if (button->property("primary").toBool())
            QVERIFY2(button == pressed, qPrintable(button->objectName()));
    }
}

void TestDialogs::settingsThatDeleteMessagesAreNotSavedByEnter()
{
    const auto settings = std::find_if(cases().cbegin(), cases().cend(), [](const Case &one) {
        return QLatin1String(one.name) == QLatin1String("SettingsDialog");
    });
    m_scene = std::make_unique<Scene>();
    m_scene->client.settingsAnswer.resolvedDue = 12;
    QTRY_VERIFY(m_scene->session.hasSnapshot());
    m_dialog = settings->make(*m_scene);
    m_dialog->show();
    QTRY_VERIFY(!m_dialog->findChild<QPushButton *>(QStringLiteral("settingsSave"))->isDefault());
    QVERIFY(m_dialog->findChild<QPushButton *>(QStringLiteral("settingsCancel"))->isDefault());
}

static int onTheSmallestScreen(int argc, char **argv)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("screens.json")));
    if (!file.open(QIODevice::WriteOnly))
        return 1;
    file.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 720, "height": 450}]})");
    file.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toLocal8Bit());
    const QApplication application(argc, argv);
    TestDialogs test;
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(onTheSmallestScreen)
#include "tst_dialogs.moc"
