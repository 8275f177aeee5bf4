#pragma once

#include "backend/api/commands.h"
#include "views/common/page.h"

class QHBoxLayout;
class QPushButton;

namespace views {

// What a person can decide about the messages of the status that a list shows: a row of buttons above it. Hidden where there is
// nothing to decide.
class DecisionBar final : public QWidget
{
    Q_OBJECT

public:
    explicit DecisionBar(const Console &console, QWidget *parent = nullptr);

    void setStatus(std::optional<records::MessageStatus> status); // nothing: messages of several
    void setScope(const models::ActionScope &scope); // what is selected in the list

Q_SIGNALS:
    void keysLeft(); // a button with the keys in it can no longer be used

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
