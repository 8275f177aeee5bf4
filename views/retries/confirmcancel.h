#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Says how many messages are already with the broker and cannot be called back, and cancels when the person agrees.
void confirmCancel(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent);

} // namespace views
