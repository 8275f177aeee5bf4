#include "views/mainwindow/actions.h"

#include "views/common/widgets/plaintext.h"

namespace views {

namespace {

struct Row
{
    ActionId id;
    MenuId menu;
    const char *text;
    const char *keys; // portable text; empty: none
    const char *icon; // empty: none
    bool checkable = false;
};

constexpr std::array<Row, actionCount> table{{
    {ActionId::Refresh, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Refresh"), "F5", "refresh"},
    {ActionId::CommandPalette, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Find a command…"), "Ctrl+K", "search"},
    {ActionId::BackUpStore, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Back up the store…"), "", ""},
    {ActionId::RestoreBackup, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Restore a backup…"), "", ""},
    {ActionId::Conventions, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Conventions…"), "", ""},
    {ActionId::Settings, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Settings…"), "Ctrl+,", ""},
    {ActionId::Quit, MenuId::Console, QT_TRANSLATE_NOOP("Actions", "Quit"), "Ctrl+Q", ""},
    {ActionId::ShowGroups, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Failure groups"), "Ctrl+1", ""},
    {ActionId::ShowMessages, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Messages"), "Ctrl+2", ""},
    {ActionId::ShowRetries, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Retries"), "Ctrl+3", ""},
    {ActionId::ShowHistory, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Past retries"), "Ctrl+4", ""},
    {ActionId::ShowPolicies, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Policies"), "Ctrl+5", ""},
    {ActionId::ShowPipelines, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Pipelines"), "Ctrl+6", ""},
    {ActionId::ShowMessage, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Message"), "Ctrl+7", ""},
    {ActionId::FocusFilter, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Filter this page"), "Ctrl+F", ""},
    {ActionId::FocusSearch, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Search all messages"), "Ctrl+Shift+F",
     "search"},
    {ActionId::FocusQueues, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Filter queues"), "Ctrl+Shift+Q", ""},
    {ActionId::ThemeSystem, MenuId::View, QT_TRANSLATE_NOOP("Actions", "System theme"), "", "", true},
    {ActionId::ThemeLight, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Light theme"), "", "", true},
    {ActionId::ThemeDark, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Dark theme"), "", "", true},
    {ActionId::TimesUtc, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Times in UTC"), "", "", true},
    {ActionId::TimesLocal, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Times in local time"), "", "", true},
    {ActionId::ResetLayout, MenuId::View, QT_TRANSLATE_NOOP("Actions", "Reset the layout"), "", ""},
    {ActionId::AddConnection, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Add connection…"), "Ctrl+N", "plus"},
    {ActionId::EditConnection, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Edit connection…"), "", "edit"},
    {ActionId::RemoveConnection, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Remove connection…"), "", "trash"},
    {ActionId::AddPipeline, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Add pipeline…"), "", "plus"},
    {ActionId::RemovePipeline, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Remove pipeline…"), "", "trash"},
    {ActionId::TakeNow, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Take failed messages now"), "Ctrl+T",
     "intake"},
    {ActionId::BrowseOnly, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Browse only"), "", "search"},
    {ActionId::Subscribe, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Subscribe to this queue"), "", "", true},
    {ActionId::ShowEverywhere, MenuId::Connection, QT_TRANSLATE_NOOP("Actions", "Show all queues"), "Ctrl+0", "queue"},
    {ActionId::OpenMembers, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Open"), "", "open"},
    {ActionId::Archive, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Archive"), "Del", "archive"},
    {ActionId::UndoArchive, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Undo archive"), "Ctrl+Z", "undo"},
    {ActionId::TakeBack, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Take back…"), "", "retry"},
    {ActionId::Resolve, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Mark as resolved…"), "", "archive"},
    {ActionId::Restore, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Restore from the archive…"), "", "undo"},
    {ActionId::Release, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Release to error queue…"), "", "redirect"},
    {ActionId::Delete, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Delete for good…"), "", "trash"},
    {ActionId::ExportMessages, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Export selected…"), "", "save"},
    {ActionId::ImportMessages, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Import messages…"), "", "intake"},
    {ActionId::SaveTable, MenuId::Messages, QT_TRANSLATE_NOOP("Actions", "Save table as CSV…"), "", "save"},
    {ActionId::RetrySelected, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Retry selected…"), "Ctrl+R", "retry"},
    {ActionId::RetryThis, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Retry this message"), "Ctrl+Shift+R", "retry"},
    {ActionId::EditThis, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Edit and retry this message…"), "Ctrl+E", "edit"},
    {ActionId::AssignPolicy, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Assign a policy…"), "", "policy"},
    {ActionId::AddPolicy, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Add policy…"), "", "plus"},
    {ActionId::PauseAll, MenuId::Retry, QT_TRANSLATE_NOOP("Actions", "Pause all"), "", "pause"},
    {ActionId::Help, MenuId::Help, QT_TRANSLATE_NOOP("Actions", "Help"), "F1", "question"},
    {ActionId::FirstSteps, MenuId::Help, QT_TRANSLATE_NOOP("Actions", "First steps"), "", ""},
    {ActionId::ShortcutSheet, MenuId::Help, QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts"), "?", ""},
    {ActionId::About, MenuId::Help, QT_TRANSLATE_NOOP("Actions", "About Redrive"), "", ""},
}};

} // namespace

Actions::Actions(const Theme &theme, QObject *parent)
    : QObject(parent)
{
    for (const Row &row : table) {
        auto *action = new QAction(tr(row.text), this);
        action->setObjectName(QStringLiteral("action%1").arg(int(row.id)));
        action->setShortcut(QKeySequence::fromString(QString::fromLatin1(row.keys), QKeySequence::PortableText));
        action->setCheckable(row.checkable);
        if (*row.icon != '\0')
            action->setIcon(theme.icon(QString::fromLatin1(row.icon)));
        m_actions.at(size_t(row.id)) = action;
    }
}

QList<QAction *> Actions::all() const
{
    return QList<QAction *>(m_actions.cbegin(), m_actions.cend());
}

QList<QAction *> Actions::of(MenuId menu) const
{
    QList<QAction *> list;
    for (const Row &row : table) {
        if (row.menu == menu)
            list.append(get(row.id));
    }
    return list;
}

void Actions::allow(ActionId id, const QString &refusal)
{
    QAction *action = get(id);
    action->setEnabled(refusal.isEmpty());
    action->setProperty("why", refusal);
    action->setToolTip(plainToolTip(tipOf(action)));
}

QString Actions::tipOf(const QAction *action)
{
    const QString why = action->property("why").toString();
    return why.isEmpty() ? action->text() : why;
}

} // namespace views

#include "moc_actions.cpp"
