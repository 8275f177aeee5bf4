#pragma once

#include "views/common/page.h"

class QHBoxLayout;
class QPushButton;

namespace views {

// A row of buttons above a list: the decisions that the status of its messages allows. Hidden where there are none. GUI
// thread.
class DecisionBar final : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionBar(const Console &console, QWidget *parent = nullptr);

    void setStatus(std::optional<records::MessageStatus> status); // nothing: the list mixes statuses
    void setScope(const models::ActionScope &scope); // the selection in the list

Q_SIGNALS:
    void keysLeft(); // a button with the keyboard focus became disabled

private:
    void update();
    void ask(api::Decision decision);

    Console m_console;
    QHBoxLayout *m_layout;
    std::optional<records::MessageStatus> m_status = records::MessageStatus::Unresolved;
    models::ActionScope m_scope;
    QList<std::pair<api::Decision, QPushButton *>> m_buttons;
};

} // namespace views
