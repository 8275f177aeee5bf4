#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Opens a dialog that sets how fast this operation may go from its next batch on. Returns at once. GUI thread.
void askForRate(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent);

} // namespace views
