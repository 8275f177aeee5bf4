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

// The few causes behind the many failures.
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

    // A retry of this selection was started: its groups stay in the list until it has ended.
    void keep(const models::ActionScope &scope, core::OperationId operation);

protected:
    void resizeEvent(QResizeEvent *event) override; // a narrow page gives the room to the causes

private:
    void makeFilters();
    void makeTable();
    void selectionMoved();
    void tellScope(); // what is selected, to whatever acts on it
    void showChosen();
    void showPlace();
    void startAnew(); // another list: nothing of it is chosen yet
    void updateState();
    void lookOrTake(const api::QueueView &queue);
    void showEmpty();
    [[nodiscard]] const api::QueueView *waitingQueue() const; // failed messages lie there that could be taken
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
