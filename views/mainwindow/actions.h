// Every action of the window in one table: its words, key, icon and the menu it stands in. Tool bar, menus, palette and
// the sheet of keys all read it.
#pragma once

#include "views/common/theme.h"

#include <QAction>
#include <QObject>

#include <array>

namespace views {

enum class ActionId {
    Refresh,
    CommandPalette,
    BackUpStore,
    RestoreBackup,
    Settings,
    Quit,
    ShowGroups,
    ShowMessages,
    ShowRetries,
    ShowHistory,
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
    TakeNow,
    OnlyLook,
    Follow,
    ShowEverywhere,
    OpenMembers,
    Archive,
    UndoArchive,
    TakeBack,
    Resolve,
    Restore,
    Release,
    Delete,
    RetrySelected,
    RetryThis,
    EditThis,
    PauseAll,
    ShortcutSheet,
    About,
};
inline constexpr int actionCount = int(ActionId::About) + 1;

enum class MenuId { Console, View, Connection, Messages, Retry, Help };

class Actions final : public QObject
{
    Q_OBJECT

public:
    Actions(const Theme &theme, QObject *parent);

    [[nodiscard]] QAction *get(ActionId id) const { return m_actions.at(size_t(id)); }
    [[nodiscard]] QList<QAction *> all() const; // in the order of the table
    [[nodiscard]] QList<QAction *> of(MenuId menu) const;
    // Disabled with the reason as tool tip, or enabled when there is none.
    void allow(ActionId id, const QString &refusal);
    // Plain text: why it is disabled, else its name.
    [[nodiscard]] static QString tipOf(const QAction *action);

private:
    std::array<QAction *, actionCount> m_actions{};
};

} // namespace views
