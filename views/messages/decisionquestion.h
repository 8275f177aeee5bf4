#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Says what the decision means for the messages it names, and carries it out when a person agrees. Opens and returns.
void askToDecide(models::ConsoleSession &session, const api::DecisionCommand &command, QWidget *parent);

} // namespace views
