#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Shows what taking in small steps guarantees and what remains; the connection takes so once the person says yes. GUI thread.
void askForSteps(models::ConsoleSession &session, core::ConnectionId connection, QWidget *parent);

} // namespace views
