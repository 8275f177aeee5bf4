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

// All live and recent retry operations. The current row is the one that the stage board and the chart follow.
class RetriesPage final : public QWidget
{
    Q_OBJECT

public:
    RetriesPage(models::ConsoleSession &session, const Theme &theme, QWidget *parent = nullptr);

    void setZone(models::TimeZone zone);
    // Makes that row the current one, as soon as the snapshot knows it.
    void choose(core::OperationId operation);
    // Selects its row without choosing it: what the board follows by itself.
    void mark(core::OperationId operation);

Q_SIGNALS:
    void chosen(core::OperationId operation);
    void cameBackWanted(core::OperationId operation); // show the messages that came back from it
    void doubtsWanted(core::OperationId operation); // settle what of it is in doubt

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
    std::optional<bool> m_showsPace; // rate and time left
    bool m_onlyMark = false; // the wanted one
    bool m_marking = false; // now
    core::OperationId m_wanted;
};

} // namespace views
