#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Says what it means to take back (TakeBack) or to mark as resolved (Resolve) what was sent, and does it when a person
// agrees. Opens and returns.
void askToCloseSent(models::ConsoleSession &session, const models::ActionScope &scope, api::Decision decision,
                    QWidget *parent);

} // namespace views
