#pragma once

#include "models/retries/doubtmodel.h"
#include "views/common/listdialog.h"
#include "views/common/page.h"

namespace views {

// What of a retry was handed over without an answer, and what a person knows of it: it arrived, or it is to be sent again.
// Of the selected rows, or of all where none is selected. A row opens its message.
class DoubtDialog final : public ListDialog
{
    Q_OBJECT

public:
    DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent = nullptr);

private:
    void refresh();
    void refreshButtons();
    // What a person saw when they decided; no ordinals only where more are in doubt than are listed: all of them.
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
