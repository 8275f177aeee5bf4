#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Asks for a path, gathers what the operation did and writes it as one HTML page. Returns at once; success or failure
// is told by the signals succeeded and failed of the session. GUI thread.
void saveReport(models::ConsoleSession &session, core::OperationId id, QWidget *parent);

} // namespace views
