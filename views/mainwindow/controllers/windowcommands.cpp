#include "views/mainwindow/controllers/windowcommands.h"

#include "models/common/text.h"
#include "models/session/decisiontext.h"
#include "models/session/longwork.h"
#include "views/common/widgets/banner.h"
#include "views/common/widgets/question.h"
#include "views/detail/detailpane.h"
#include "views/groups/groupspage.h"
#include "views/help/firststeps.h"
#include "views/help/helpkey.h"
#include "views/mainwindow/commandpalette.h"
#include "views/mainwindow/detailplace.h"
#include "views/mainwindow/pagetabs.h"
#include "views/mainwindow/shortcutsdialog.h"
#include "views/mainwindow/statusline.h"
#include "views/mainwindow/toolbar.h"
#include "views/messages/decisionquestion.h"
#include "views/messages/messagespage.h"
#include "views/queues/queuespane.h"
#include "views/settings/settingsdialog.h"

#include <QActionGroup>
#include <QDockWidget>

namespace views {

namespace {

constexpr std::pair<ActionId, api::Decision> decisions[] = {{ActionId::TakeBack, api::Decision::TakeBack},
                                                            {ActionId::Resolve, api::Decision::Resolve},
                                                            {ActionId::Restore, api::Decision::Restore},
                                                            {ActionId::Delete, api::Decision::Delete}};

QString firstOf(const QString &a, const QString &b)
{
    return a.isEmpty() ? b : a;
}

} // namespace

WindowCommands::WindowCommands(MainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    joinView();
    joinConnections();
    joinMessages();
    joinNavigator();
    joinNotices();
    connect(&console().session, &models::ConsoleSession::engineChanged, this, &WindowCommands::update);
    connect(&console().session, &models::ConsoleSession::connectionsChanged, this, &WindowCommands::update);
    connect(&console().selection, &models::SharedSelection::changed, this, &WindowCommands::update);
    connect(m_window.m_queues, &QueuesPane::currentChanged, this, &WindowCommands::update);
    connect(&console().session, &models::ConsoleSession::queuesChanged, this, &WindowCommands::update);
    connect(m_window.m_detail, &DetailPane::shownChanged, this, &WindowCommands::update);
    update();
}

void WindowCommands::joinView()
{
    on(ActionId::Refresh, [this] { refresh(); });
    on(ActionId::Quit, [this] { m_window.close(); });
    on(ActionId::BackUpStore, [this] { Q_EMIT m_window.backupRequested(); });
    on(ActionId::Settings, [this] {
        auto *dialog = new SettingsDialog(console().session, &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    on(ActionId::RestoreBackup, [this] { Q_EMIT m_window.restoreRequested(); });
    on(ActionId::CommandPalette, [this] {
        (new CommandPalette(console(), m_window.m_actions.all() + m_window.paneActions(), &m_window))->open();
    });
    on(ActionId::Help, [this] { m_window.m_help->openFor(m_window.focusWidget()); });
    on(ActionId::FirstSteps, [this] { m_window.m_firstSteps->open(); });
    on(ActionId::ShortcutSheet, [this] { (new ShortcutsDialog(m_window.m_actions.all(), &m_window))->open(); });
    on(ActionId::About, [this] { showAbout(); });
    on(ActionId::FocusFilter, [this] { m_window.m_pageTabs->current()->focusFilter(); });
    on(ActionId::FocusSearch, [this] { m_window.m_toolBar->focusSearch(); });
    on(ActionId::FocusQueues, [this] { m_window.m_queues->focusFilter(); });
    on(ActionId::ResetLayout, [this] { m_window.resetLayout(); });

    auto *themes = new QActionGroup(this);
    const std::pair<ActionId, ThemeMode> modes[] = {{ActionId::ThemeSystem, ThemeMode::System},
                                                    {ActionId::ThemeLight, ThemeMode::Light},
                                                    {ActionId::ThemeDark, ThemeMode::Dark}};
    for (const auto &[id, mode] : modes) {
        QAction *action = m_window.m_actions.get(id);
        themes->addAction(action);
        action->setChecked(mode == m_window.m_theme.mode());
        on(id, [this, chosen = mode] {
            m_window.m_theme.setMode(chosen);
            m_window.m_preferences.setTheme(chosen);
        });
    }
    auto *zones = new QActionGroup(this);
    const std::pair<ActionId, models::TimeZone> both[] = {{ActionId::TimesUtc, models::TimeZone::Utc},
                                                          {ActionId::TimesLocal, models::TimeZone::Local}};
    for (const auto &[id, zone] : both) {
        QAction *action = m_window.m_actions.get(id);
        zones->addAction(action);
        action->setChecked(zone == m_window.m_filter.zone());
        on(id, [this, chosen = zone] {
            m_window.m_filter.setZone(chosen);
            m_window.m_preferences.setZone(chosen);
        });
    }
    connect(m_window.m_toolBar, &ToolBar::rangeChosen, this,
            [this](models::TimeRange range) { m_window.m_preferences.setRange(range); });
    connect(m_window.m_toolBar, &ToolBar::searchWanted, this, [this] {
        m_window.m_messages->showEverything();
        m_window.showPage(m_window.m_messages);
    });
}

void WindowCommands::joinConnections()
{
    QueuesPane *queues = m_window.m_queues;
    on(ActionId::AddConnection, [this] { Q_EMIT m_window.m_navigator.connectionRequested({}); });
    on(ActionId::EditConnection,
       [this, queues] { Q_EMIT m_window.m_navigator.connectionRequested(queues->currentConnection()); });
    on(ActionId::RemoveConnection, [queues] { queues->askToRemove(); });
    on(ActionId::TakeNow, [queues] { queues->takeNow(); });
    on(ActionId::BrowseOnly, [queues] { queues->browseNow(); });
    on(ActionId::Subscribe, [queues] { queues->toggleSubscription(); });
    on(ActionId::ShowEverywhere, [this] { m_window.m_filter.setPlace({}, {}); });
}

void WindowCommands::joinMessages()
{
    on(ActionId::OpenMembers, [this] { m_window.m_pageTabs->current()->openCurrent(); });
    on(ActionId::Archive, [this] { archive(console().selection.scope()); });
    on(ActionId::UndoArchive, [this] { console().session.undoArchive(); });
    for (const auto &[id, decision] : decisions)
        on(id, [this, chosen = decision] { decide(chosen); });
    on(ActionId::Release, [this] { Q_EMIT m_window.m_navigator.releaseRequested(console().selection.scope()); });
    on(ActionId::RetrySelected, [this] { retrySelected(); });
    on(ActionId::RetryThis, [this] { m_window.m_detail->retry(); });
    on(ActionId::EditThis, [this] { m_window.m_detail->edit(); });
    on(ActionId::AssignPolicy, [this] { assignPolicy(); });
    on(ActionId::AddPolicy, [this] { Q_EMIT m_window.m_navigator.newPolicyRequested(); });
    on(ActionId::PauseAll, [this] { togglePause(); });
}

void WindowCommands::joinNavigator()
{
    Navigator &navigator = m_window.m_navigator;
    connect(&navigator, &Navigator::messagesRequested, this,
            [this](const records::MessageFilter &filter, const QString &words) {
                m_window.m_messages->open(filter, words);
                m_window.showPage(m_window.m_messages);
                m_window.m_messages->focusList();
            });
    connect(&navigator, &Navigator::messageRequested, m_window.m_detail, &DetailPane::show);
    connect(&navigator, &Navigator::messageOpened, this, [this](core::MessageId id) {
        m_window.m_detail->show(id);
        m_window.m_detailPlace->open();
    });
    connect(&navigator, &Navigator::newestOfGroupRequested, m_window.m_detail, &DetailPane::showNewestOf);
    connect(&navigator, &Navigator::archiveRequested, this, &WindowCommands::archive);
    connect(&console().session, &models::ConsoleSession::planNeeded, this,
            [this](const models::ActionScope &scope) { Q_EMIT m_window.m_navigator.retryRequested(scope); });
}

void WindowCommands::joinNotices()
{
    models::ConsoleSession &session = console().session;
    connect(&session, &models::ConsoleSession::succeeded, this,
            [this](const QString &sentence) { m_window.m_status->showMessage(sentence, 6000); });
    connect(&session, &models::ConsoleSession::failed, this,
            [this](const QString &sentence) { m_window.m_notice->show(models::Tone::Bad, sentence); });
    connect(&session, &models::ConsoleSession::decisionListed, this,
            [this](const api::DecideMessages &command, qint64 count) {
                (new DecisionQuestion(console().session, command, count, &m_window))->open();
            });
    connect(&session, &models::ConsoleSession::archived, this, &WindowCommands::tellArchived);
    connect(&session, &models::ConsoleSession::longWorkChanged, this, &WindowCommands::showLongWork);
    connect(&session, &models::ConsoleSession::undoChanged, this, [this] {
        if (!console().session.canUndoArchive())
            m_window.m_undo->dismiss();
        update();
    });
}

void WindowCommands::showLongWork()
{
    const models::LongWork *work = console().session.longWork();
    if (work == nullptr)
        return m_window.m_work->dismiss();
    Banner::Action cancel;
    if (work->canCancel())
        cancel = {tr("Cancel the rest"), [this] {
                      if (models::LongWork *now = console().session.longWork())
                          now->cancel();
                  }};
    m_window.m_work->show(models::Tone::Normal, work->text(), cancel);
}

// The offer to undo stays as long as undoing is possible, so that nobody has to hurry.
void WindowCommands::tellArchived(qint64 count, bool canUndo, const QString &stayed)
{
    QString text = tr("Archived %1 messages.", nullptr, int(count)).arg(models::formatNumber(count));
    if (!stayed.isEmpty())
        text += QLatin1Char(' ') + stayed;
    if (canUndo)
        m_window.m_undo->show(models::Tone::Normal, text, {tr("Undo"), [this] { console().session.undoArchive(); }});
    else
        m_window.m_notice->show(models::Tone::Normal, text);
}

void WindowCommands::refresh()
{
    console().session.refreshQueues();
    m_window.m_pageTabs->current()->reload();
}

void WindowCommands::retrySelected()
{
    const models::ActionScope &scope = console().selection.scope();
    if (!scope.isEmpty())
        Q_EMIT m_window.m_navigator.retryRequested(scope);
}

void WindowCommands::archive(const models::ActionScope &scope)
{
    models::ConsoleSession &session = console().session;
    const bool isNothing = scope.isEmpty() || !models::lists(scope, records::MessageStatus::Unresolved);
    if (isNothing || !session.refusal(models::Verb::Archive, scope.connection).isEmpty())
        return;
    if (session.archiveIsAsked(scope))
        session.listForDecision(scope, records::MessageStatus::Unresolved, api::Decision::Archive);
    else
        session.archive(scope);
}

void WindowCommands::decide(api::Decision decision)
{
    const models::ActionScope &scope = console().selection.scope();
    if (decisionRefusal(decision).isEmpty())
        console().session.listForDecision(
            scope, scope.filter.status.value_or(api::DecideMessages{{}, decision}.statusBefore()), decision);
}

QString WindowCommands::decisionRefusal(api::Decision decision) const
{
    const models::ActionScope &scope = console().selection.scope();
    if (scope.isEmpty())
        return tr("Select groups or messages first.");
    if (scope.filter.status && !models::decisionsOn(*scope.filter.status).contains(decision))
        return tr("Show messages with the status \"%1\" first.")
            .arg(models::textOf(api::DecideMessages{{}, decision}.statusBefore()));
    return console().session.refusal(models::verbFor(decision), scope.connection);
}

void WindowCommands::togglePause()
{
    console().session.pauseAll(console().session.snapshot().engine != api::EngineState::Paused);
}

void WindowCommands::assignPolicy()
{
    const models::ActionScope &selected = console().selection.scope();
    recovery::Scope scope;
    if (selected.groups == 1 && selected.filter.groups.size() == 1) {
        scope.of = recovery::Scope::Of::Group;
        scope.group = selected.filter.groups.constFirst();
        scope.connection = selected.connection;
    } else {
        scope.connection = console().filter.connection();
        scope.queue = console().filter.queue();
    }
    Q_EMIT m_window.m_navigator.assignmentRequested(scope, {});
}

void WindowCommands::showAbout()
{
    Question about;
    about.name = QStringLiteral("about");
    about.title = tr("About Redrive");
    about.text = tr("Redrive %1").arg(QStringLiteral(REDRIVE_VERSION));
    about.consequences = tr("Sends failed messages back, safely. GPL-3.0-or-later.");
    askQuestion(about, &m_window);
}

void WindowCommands::update()
{
    Actions &actions = m_window.m_actions;
    const models::ConsoleSession &session = console().session;
    updateSelected();
    actions.allow(ActionId::Settings, session.refusal(models::Verb::Pause)); // like pausing, settings need no right
    actions.allow(ActionId::UndoArchive, session.canUndoArchive() ? QString() : tr("There is nothing to undo."));
    actions.allow(ActionId::RetryThis, m_window.m_detail->retryRefusal());
    actions.allow(ActionId::EditThis, m_window.m_detail->editRefusal());
    const QString noEdit = session.refusal(models::Verb::EditConnections);
    const core::ConnectionId place = m_window.m_queues->currentConnection();
    const QString noPlace = place.isValid() ? QString() : tr("Choose a connection or a queue first.");
    const QString noTake = firstOf(noPlace, session.refusal(models::Verb::Take, place));
    actions.allow(ActionId::AddConnection, noEdit);
    actions.allow(ActionId::EditConnection, firstOf(noPlace, noEdit));
    actions.allow(ActionId::RemoveConnection, firstOf(noPlace, noEdit));
    actions.allow(ActionId::AddPipeline, noEdit);
    actions.allow(ActionId::RemovePipeline, noEdit);
    actions.allow(ActionId::TakeNow, noTake);
    actions.allow(ActionId::BrowseOnly, firstOf(noPlace, session.refusal(models::Verb::Browse, place)));
    actions.allow(ActionId::Subscribe,
                  m_window.m_queues->currentQueue().isEmpty() ? tr("Choose a queue first.") : noTake);
    actions.get(ActionId::Subscribe)->setChecked(m_window.m_queues->currentIsSubscribed());
    const QString noRetry = session.refusal(models::Verb::Retry);
    actions.allow(ActionId::AssignPolicy, noRetry);
    actions.allow(ActionId::AddPolicy, noRetry);
    updatePause();
}

void WindowCommands::updateSelected()
{
    Actions &actions = m_window.m_actions;
    const models::ConsoleSession &session = console().session;
    const models::ActionScope &scope = console().selection.scope();
    const bool isSettled = !models::lists(scope, records::MessageStatus::Unresolved);
    const QString settled =
        isSettled
            ? tr("Only unresolved messages can be retried, archived or released. For these messages use the buttons "
                 "above the list.")
            : QString();
    const QString nothing = scope.isEmpty() ? tr("Select groups or messages first.") : settled;
    const QString noRetry = firstOf(nothing, session.refusal(models::Verb::Retry, scope.connection));
    actions.allow(ActionId::RetrySelected, noRetry);
    actions.allow(ActionId::Release, noRetry);
    actions.allow(ActionId::Archive, firstOf(nothing, session.refusal(models::Verb::Archive, scope.connection)));
    for (const auto &[id, decision] : decisions)
        actions.allow(id, decisionRefusal(decision));
}

void WindowCommands::updatePause()
{
    const bool paused = console().session.snapshot().engine == api::EngineState::Paused;
    QAction *action = m_window.m_actions.get(ActionId::PauseAll);
    action->setText(paused ? tr("Resume all") : tr("Pause all"));
    action->setIcon(m_window.m_theme.icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_window.m_actions.allow(ActionId::PauseAll, console().session.refusal(models::Verb::Pause));
}

} // namespace views

#include "moc_windowcommands.cpp"
