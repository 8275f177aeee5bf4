#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Says what it means to take these back (TakeBack) or to mark them as resolved (Resolve), and does it when a person agrees. Opens
// and returns.
void askToCloseSent(models::ConsoleSession &session, const QList<core::MessageId> &messages, api::Decision decision,
                    QWidget *parent);

} // namespace views
