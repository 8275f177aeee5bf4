#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Asks how fast this operation may go from its next batch on. Opens and returns.
void askForRate(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent);

} // namespace views
