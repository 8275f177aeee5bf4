#pragma once

#include "models/retries/operationsmodel.h"
#include "models/session/consolesession.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace views {

class DataTable;
class ListOrState;
class Theme;

// The list of active and recent retry operations. The stage board and the chart show the operation of the current row.
class RetriesPage final : public QWidget
{
    Q_OBJECT

public:
    RetriesPage(models::ConsoleSession &session, const Theme &theme, QWidget *parent = nullptr);

    void setZone(models::TimeZone zone);
    // Makes the row of that operation the current one, as soon as the snapshot contains it, and emits chosen().
    void choose(core::OperationId operation);
    // The same without chosen(): for the operation that the board picked by itself.
    void mark(core::OperationId operation);

Q_SIGNALS:
    void chosen(core::OperationId operation);
    void cameBackWanted(core::OperationId operation); // show the messages that came back from it
    void doubtsWanted(core::OperationId operation); // settle its messages in doubt

private:
    QWidget *makeBar();
    void refresh();
    void refreshButtons();
    void showPace(bool anyLive);
    [[nodiscard]] const api::OperationView *current() const;
    void act(api::OperationAction action);

    models::ConsoleSession &m_session;
    models::OperationsModel m_model;
    DataTable *m_table;
    ListOrState *m_list;
    QLabel *m_summary = nullptr;
    QPushButton *m_pause = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_rate = nullptr;
    QPushButton *m_cameBack = nullptr;
    QPushButton *m_doubt = nullptr;
    QPushButton *m_report = nullptr;
    QPushButton *m_dismiss = nullptr;
    std::optional<bool> m_showsPace; // whether the columns for rate and time left are visible
    bool m_onlyMark = false; // m_wanted is only to be marked
    bool m_marking = false; // a row is being marked now
    core::OperationId m_wanted;
};

} // namespace views
