#pragma once

#include "models/retries/doubtmodel.h"
#include "views/common/lists/listdialog.h"
#include "views/common/page.h"

namespace views {

// Lists the messages of a retry that are in doubt (sent without an answer) and settles them: a person says that they
// arrived, or sends them again. The buttons act on the selected rows, or on all when none is selected. A row opens its
// message.
class DoubtDialog final : public ListDialog
{
    Q_OBJECT

public:
    DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent = nullptr);

private:
    void refresh();
    void refreshButtons();
    // The messages that the person saw when they decided. No ordinals means all in doubt: more than are listed.
    struct Choice
    {
        QList<qint64> ordinals;
        qint64 count = 0;
    };
    [[nodiscard]] Choice choice() const;
    void settle(api::Settlement settlement);
    void ask(api::Settlement settlement, const Choice &choice);
    void send(api::Settlement settlement, const Choice &choice);

    models::ConsoleSession &m_session;
    models::DoubtModel m_model;
    QPushButton *m_sent;
    QPushButton *m_again;
};

} // namespace views
