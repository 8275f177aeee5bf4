#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Asks where to, gathers what the operation did and writes it as one page. The session says how that went.
void saveReport(models::ConsoleSession &session, core::OperationId id, QWidget *parent);

} // namespace views
