#pragma once

#include "views/mainwindow/mainwindow.h"

#include <QPointer>

namespace views {

class DoubtDialog;
class PlanDialog;
class RetriesPage;
class StageBoard;
class ThroughputPanel;

// Adds retrying to the window: the Retries page, the stage board and the chart of one operation, and the
// dialogs that pages request (plan, edit, connection, in doubt, came back). Lives as long as the window. GUI thread.
class RetryController final : public QObject
{
    Q_OBJECT

public:
    explicit RetryController(MainWindow &window);

private:
    void makePage();
    void makeDocks();
    void openPlan(const models::ActionScope &scope);
    void openEdit(const models::ActionScope &scope);
    PlanDialog *makePlan(const models::ActionScope &scope, const records::Edit &edit, QWidget *parent,
                         records::OperationKind kind = records::OperationKind::Retry);
    void openConnection(core::ConnectionId id);
    void openDoubts(core::OperationId operation);
    void showCameBack(core::OperationId operation);
    void updateNote();
    [[nodiscard]] const Console &console() const { return m_window.console(); }

    MainWindow &m_window;
    RetriesPage *m_retries;
    StageBoard *m_board;
    ThroughputPanel *m_chart;
    QPointer<DoubtDialog> m_doubts; // one at a time
};

} // namespace views
