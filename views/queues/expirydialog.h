#pragma once

#include "models/queues/expirymodel.h"
#include "views/common/lists/listdialog.h"
#include "views/common/page.h"

namespace views {

// Lists the browsed messages of one queue, or of all queues of a connection, that the broker deletes when they
// expire; the earliest expiry comes first. Opening a row opens its message. GUI thread.
class ExpiryDialog final : public ListDialog
{
    Q_OBJECT

public:
    // An empty queue means all queues of the connection.
    ExpiryDialog(const Console &console, core::ConnectionId connection, const QString &queue,
                 QWidget *parent = nullptr);

private:
    void refresh();

    models::ExpiryModel m_model;
};

} // namespace views
