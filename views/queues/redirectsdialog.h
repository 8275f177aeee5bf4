#pragma once

#include "models/queues/redirectsmodel.h"
#include "models/session/enginecall.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace views {

class DataTable;
class DialogFoot;
class ListOrState;
class Theme;

// Shows the permanent redirects of one connection. Adding and removing needs the right to redirect. The engine checks
// each redirect; the dialog shows its refusal unchanged. GUI thread.
class RedirectsDialog final : public QDialog
{
    Q_OBJECT

public:
    // `from` fills the source field; it may be empty.
    RedirectsDialog(models::ConsoleSession &session, const Theme &theme, core::ConnectionId connection,
                    const QString &from, QWidget *parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeList(const Theme &theme);
    QWidget *makeForm(const QString &from);
    DialogFoot *makeFoot();
    QComboBox *makeQueueBox(const QString &name, const QString &label, QWidget *parent);
    void refresh();
    void refreshButtons();
    void add();
    void removeSelected();
    void send(const api::ChangeRedirect &command);
    void say(const QString &text, const QString &tone);

    models::ConsoleSession &m_session;
    core::ConnectionId m_connection;
    models::RedirectsModel m_model;
    DataTable *m_table = nullptr;
    ListOrState *m_list = nullptr;
    QComboBox *m_from = nullptr;
    QComboBox *m_to = nullptr;
    QPushButton *m_add = nullptr;
    QPushButton *m_remove = nullptr;
    QLabel *m_answer = nullptr;
    models::EngineCall m_adding{m_session}; // its button stays enabled to keep the focus
};

} // namespace views
