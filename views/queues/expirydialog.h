#pragma once

#include "models/queues/expirymodel.h"
#include "views/common/listdialog.h"
#include "views/common/page.h"

namespace views {

// What of a queue, or of a connection, its broker will throw away by itself, the first to be lost first. A row opens its
// message.
class ExpiryDialog final : public ListDialog
{
    Q_OBJECT

public:
    ExpiryDialog(const Console &console, core::ConnectionId connection, const QString &queue,
                 QWidget *parent = nullptr);

private:
    void refresh();

    models::ExpiryModel m_model;
};

} // namespace views
