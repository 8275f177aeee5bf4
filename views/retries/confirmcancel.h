#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Opens a question that says how many messages are already with the broker and cannot be called back; cancels the
// operation when the person agrees. Returns at once. GUI thread.
void confirmCancel(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent);

} // namespace views
