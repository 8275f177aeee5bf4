#pragma once

#include "views/common/theme/theme.h"

#include <QAction>
#include <QObject>

#include <array>

namespace views {

enum class ActionId {
    Refresh,
    CommandPalette,
    BackUpStore,
    RestoreBackup,
    Conventions,
    Settings,
    Quit,
    ShowGroups,
    ShowMessages,
    ShowRetries,
    ShowHistory,
    ShowPolicies,
    ShowPipelines,
    ShowMessage,
    FocusFilter,
    FocusSearch,
    FocusQueues,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    TimesUtc,
    TimesLocal,
    ResetLayout,
    AddConnection,
    EditConnection,
    RemoveConnection,
    AddPipeline,
    RemovePipeline,
    TakeNow,
    BrowseOnly,
    Subscribe,
    ShowEverywhere,
    OpenMembers,
    Archive,
    UndoArchive,
    TakeBack,
    Resolve,
    Restore,
    Release,
    Delete,
    ExportMessages,
    ImportMessages,
    SaveTable,
    RetrySelected,
    RetryThis,
    EditThis,
    AssignPolicy,
    AddPolicy,
    PauseAll,
    Help,
    FirstSteps,
    ShortcutSheet,
    About,
};
inline constexpr int actionCount = int(ActionId::About) + 1;

enum class MenuId { Console, View, Connection, Messages, Retry, Help };

// Every action of the window, made from one table of texts, shortcuts, icons and menus. Tool bar, menus, command
// palette and the list of shortcuts use these actions. GUI thread.
class Actions final : public QObject
{
    Q_OBJECT

public:
    Actions(const Theme &theme, QObject *parent);

    [[nodiscard]] QAction *get(ActionId id) const { return m_actions.at(size_t(id)); }
    [[nodiscard]] QList<QAction *> all() const; // in the order of the table
    [[nodiscard]] QList<QAction *> of(MenuId menu) const;
    // Disables the action and shows the reason as its tool tip; enables it when the reason is empty.
    void allow(ActionId id, const QString &refusal);
    // As plain text: why the action is disabled, else its name.
    [[nodiscard]] static QString tipOf(const QAction *action);

private:
    std::array<QAction *, actionCount> m_actions{};
};

} // namespace views
