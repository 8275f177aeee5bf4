#pragma once

#include "models/groups/groupsfeed.h"
#include "views/common/page.h"

class QComboBox;
class QLineEdit;

namespace views {

class DataTable;
class DecisionBar;
class FilterChips;
class FilterRow;
class ListOrState;
class ScopeMenu;

// The page of failure groups: the few causes behind the many failed messages. GUI thread.
class GroupsPage final : public Page
{
    Q_OBJECT

public:
    explicit GroupsPage(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;
    [[nodiscard]] models::ActionScope scope() const override;
    void openCurrent() override;
    void leave() override;

    // Call when a retry of this selection starts: its groups stay in the list until the retry ends.
    void keep(const models::ActionScope &scope, core::OperationId operation);

private:
    void makeFilters();
    void makeTable();
    void selectionMoved();
    void tellScope(); // gives the selection to the decision bar and the commands
    void showChosen();
    void showPlace();
    void startAnew(); // clears the selection, because another list follows
    void updateState();
    void lookOrTake(const api::QueueView &queue);
    void showEmpty();
    [[nodiscard]] const api::QueueView *waitingQueue() const; // the error queue here with the most messages; null: none
    void updateHeld();
    void selectFirst();
    void open(int row);
    void showMenu(const QPoint &at);
    void addMarks(ScopeMenu &menu, int row);
    [[nodiscard]] models::ActionScope scopeOfRow(int row) const;

    models::GroupsFeed m_feed;
    FilterRow *m_filters;
    FilterChips *m_chips;
    DecisionBar *m_decisions;
    QComboBox *m_classifier = nullptr;
    QComboBox *m_status = nullptr;
    QComboBox *m_muted = nullptr;
    QLineEdit *m_box = nullptr;
    DataTable *m_table;
    ListOrState *m_list;
    bool m_active = false;
    bool m_selectedOnce = false;
};

} // namespace views
