#pragma once

#include "models/queues/expirymodel.h"
#include "views/common/page.h"

#include <QDialog>

namespace views {

class DataTable;
class ListOrState;
class PlainLabel;

// What of a queue, or of a connection, its broker will throw away by itself, the first to be lost first. A row opens its
// message.
class ExpiryDialog final : public QDialog
{
    Q_OBJECT

public:
    ExpiryDialog(const Console &console, core::ConnectionId connection, const QString &queue,
                 QWidget *parent = nullptr);

private:
    QWidget *makeBody(const QString &words);
    QWidget *makeFoot();
    void refresh();

    Console m_console;
    models::ExpiryModel m_model;
    DataTable *m_table = nullptr;
    ListOrState *m_list = nullptr;
    PlainLabel *m_summary = nullptr;
};

} // namespace views
