#pragma once

#include "models/retries/doubtmodel.h"
#include "views/common/page.h"

#include <QDialog>

class QPushButton;

namespace views {

class DataTable;
class ListOrState;

// What of a retry was sent without an answer, and what a person knows of it: it arrived, or it is to be sent again. Of the
// selected rows, or of all where none is selected. A row opens its message.
class DoubtDialog final : public QDialog
{
    Q_OBJECT

public:
    DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent = nullptr);

private:
    QWidget *makeBody();
    QWidget *makeFoot();
    void refresh();
    void refreshButtons();
    void settle(api::Settlement settlement);
    void askToSendAgain();
    [[nodiscard]] QList<qint64> chosen() const; // none: all
    [[nodiscard]] qint64 concerned() const;

    Console m_console;
    models::DoubtModel m_model;
    DataTable *m_table = nullptr;
    ListOrState *m_list = nullptr;
    PlainLabel *m_summary = nullptr;
    QPushButton *m_sent = nullptr;
    QPushButton *m_again = nullptr;
};

} // namespace views
