#pragma once

#include "models/policies/assignmentsmodel.h"
#include "views/common/page.h"

class QPushButton;

namespace views {

class AttemptTimelineView;
class DataTable;
class ListOrState;

// One policy below the list: what it does now, when next or why not, its attempts, and what it is assigned to. GUI
// thread.
class PolicyDetail final : public QWidget
{
    Q_OBJECT

public:
    explicit PolicyDetail(const Console &console, QWidget *parent = nullptr);

    // Null: nothing is shown. Valid during the call only.
    void show(const api::PolicyView *policy);
    void setTimelineShown(bool shown); // where room is short, it gives way to the words

Q_SIGNALS:
    void assignmentWanted(); // of this policy to something

private:
    void showText(const api::PolicyView &policy);
    void showObstacle(const api::PolicyView &policy);
    void updateButtons();
    void unassign();

    Console m_console;
    models::AssignmentsModel m_model;
    PlainLabel *m_situation;
    PlainLabel *m_sentence;
    AttemptTimelineView *m_timeline;
    PlainLabel *m_results;
    DataTable *m_table;
    ListOrState *m_list;
    QPushButton *m_assign;
    QPushButton *m_unassign;
    QPushButton *m_obstacle; // opens the operation that due messages wait for
    core::OperationId m_waitsFor;
    QByteArray m_file; // of which the time line is drawn
};

} // namespace views
