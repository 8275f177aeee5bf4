#pragma once

#include "models/session/consolesession.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace views {

class ButtonRow;

// The buttons that act on the operation chosen in the list of retries. GUI thread.
class OperationBar final : public QWidget
{
    Q_OBJECT

public:
    explicit OperationBar(models::ConsoleSession &session, QWidget *parent = nullptr);

    void show(const api::OperationView *view); // copied; null: none is chosen

Q_SIGNALS:
    void cameBackWanted(core::OperationId operation); // show the messages that came back from it
    void doubtsWanted(core::OperationId operation); // settle its messages in doubt
    void retryWanted(const models::ActionScope &scope); // of what came back

private:
    void connectButtons();
    void refresh();
    void act(api::OperationAction action);
    void pauseOrResume();

    models::ConsoleSession &m_session;
    std::optional<api::OperationView> m_view;
    ButtonRow *m_buttons;
    QPushButton *m_pause = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_rate = nullptr;
    QPushButton *m_cameBack = nullptr;
    QPushButton *m_retry = nullptr;
    QPushButton *m_doubt = nullptr;
    QPushButton *m_report = nullptr;
    QPushButton *m_dismiss = nullptr;
};

} // namespace views
