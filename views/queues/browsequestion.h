#pragma once

#include "models/session/consolesession.h"

class QWidget;

namespace views {

// Browses the queue; an empty name means all error queues of the connection. Where the look counts as a delivery of each message
// that it shows, it is done only after a person has seen the price; where only the last deliveries are left, it is not offered.
// Of all error queues, those whose look counts are left out and named. GUI thread.
void browseOrAsk(models::ConsoleSession &session, core::ConnectionId connection, const QString &queue, QWidget *parent);

} // namespace views
