#pragma once

#include "models/retries/returnsmodel.h"
#include "views/common/lists/listdialog.h"
#include "views/common/page.h"

namespace views {

// Lists the causes with which messages of a retry came back (were sent and failed again). A row opens its messages; the
// buttons act on the selected causes, or on all when none is selected.
class ReturnsDialog final : public ListDialog
{
    Q_OBJECT

public:
    ReturnsDialog(const Console &console, core::OperationId operation, QWidget *parent = nullptr);

private:
    void refresh();
    void refreshButtons();
    void showMessages(const QList<int> &rows); // none: of all causes
    void retry();
    [[nodiscard]] records::MessageFilter filterOf(const QList<int> &rows) const;

    Console m_console;
    models::ReturnsModel m_model;
    QPushButton *m_show;
    QPushButton *m_retry;
};

} // namespace views
