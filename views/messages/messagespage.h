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
class DecisionBar;
class FilterRow;
class FilterChips;
class ListOrState;
class ScopeMenu;

// The page of failed messages: the list of any filter, of any size. GUI thread.
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
    void leave() override;

    // Shows the messages of this filter instead of the current ones. `words` name the filter, such as a group's
    // title; may be empty.
    void open(const records::MessageFilter &filter, const QString &words);
    void showEverything(); // without any filter but the search

private:
    void makeFilters();
    void makeTable();
    void applyFilter();
    void showStatus();
    void showChips();
    void refresh();
    void carrySelection();
    void restoreSelection();
    void selectionMoved();
    void showChosen();
    void readOwnChange();
    [[nodiscard]] core::MessageId currentAfter() const;
    void updateState();
    void updateCounts();
    [[nodiscard]] bool isSearching() const; // a search is running and has no rows yet
    [[nodiscard]] QString searchedSoFar() const; // progress of the text index; empty: the index is complete
    void showMenu(const QPoint &at);
    void addActions(ScopeMenu *menu, records::MessageStatus status, const models::ActionScope &chosen);

    Preferences &m_preferences;
    models::MessagesModel m_model;
    models::OtherMatches m_other;
    records::MessageFilter m_base; // group, type and other conditions that the page was opened with
    QString m_words; // the name of m_base on its chip
    FilterRow *m_filters;
    FilterChips *m_chips;
    DecisionBar *m_decisions;
    QComboBox *m_status = nullptr;
    QLineEdit *m_box = nullptr;
    QPushButton *m_newer = nullptr;
    DataTable *m_table;
    ListOrState *m_list;
    QTimer m_typing;
    QTimer m_refresh; // limits refreshes to one per second
    bool m_active = false;
    bool m_stale = true;
    QSet<core::MessageId> m_carried; // the selection before the list is replaced
    bool m_carriedAll = false;
    QList<core::MessageId> m_carriedIds; // the list before it is replaced, to find the next row of one that went
    qsizetype m_carriedRow = -1; // the current row in m_carriedIds
};

} // namespace views
