#pragma once

#include "models/messages/othermatches.h"
#include "views/common/page.h"
#include "views/common/preferences.h"

#include <QSet>
#include <QTimer>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace views {

class DataTable;
class FilterRow;
class FilterChips;
class ListOrState;
class ScopeMenu;

// Failed messages of any filter, any number of them.
class MessagesPage final : public Page
{
    Q_OBJECT

public:
    MessagesPage(const Console &console, Preferences &preferences, QWidget *parent = nullptr);

    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;
    [[nodiscard]] models::ActionScope scope() const override;
    [[nodiscard]] bool usesTimeRange() const override { return true; }
    void openCurrent() override;

    // Shows the messages of this filter, whatever was shown before; `words` name it (a group's title), may be empty.
    void open(const records::MessageFilter &filter, const QString &words);

private:
    void makeFilters();
    void makeTable();
    void applyFilter();
    void showStatusWhereItDiffers();
    void showChips();
    void refresh();
    void carrySelection();
    void restoreSelection();
    void selectionMoved();
    void currentMoved(const QModelIndex &current);
    void updateState();
    void updateCounts();
    [[nodiscard]] bool isSearching() const; // and nothing has come yet
    [[nodiscard]] QString searchedSoFar() const; // while the text index catches up; else empty
    void showMenu(const QPoint &at);
    void addActions(ScopeMenu *menu, records::MessageStatus status, const QString &count);
    void addDecision(ScopeMenu *menu, records::MessageStatus status, api::Decision decision, const QString &text);

    Preferences &m_preferences;
    models::MessagesModel m_model;
    models::OtherMatches m_other;
    records::MessageFilter m_base; // group, type and what else the page was opened with
    QString m_words; // for the chip of m_base
    FilterRow *m_filters;
    FilterChips *m_chips;
    QComboBox *m_status = nullptr;
    QLineEdit *m_box = nullptr;
    QPushButton *m_newer = nullptr;
    DataTable *m_table;
    ListOrState *m_list;
    QTimer m_typing;
    QTimer m_refresh; // no more often than once a second
    bool m_active = false;
    bool m_stale = true;
    QSet<core::MessageId> m_carried; // selected before the list was read anew
    bool m_carriedAll = false;
    core::MessageId m_carriedCurrent;
};

} // namespace views
