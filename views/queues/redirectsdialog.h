// The standing redirects of one connection: seen by everybody, added and removed by who may redirect. What fits together the
// engine knows; its refusal is shown as it is.
#pragma once

#include "models/queues/redirectsmodel.h"
#include "models/session/consolesession.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;

namespace views {

class DataTable;
class ListOrState;
class Theme;

class RedirectsDialog final : public QDialog
{
    Q_OBJECT

public:
    // `from`: what is typed already; may be empty.
    RedirectsDialog(models::ConsoleSession &session, const Theme &theme, core::ConnectionId connection,
                    const QString &from, QWidget *parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeList(const Theme &theme);
    QWidget *makeForm(const QString &from);
    QWidget *makeFoot();
    QComboBox *makeQueueBox(const QString &name, const QString &label, QWidget *parent);
    void refresh();
    void refreshButtons();
    void add();
    void removeSelected();
    void send(const api::RedirectCommand &command);
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
    bool m_waiting = false; // for the answer to an addition; its button stays enabled, so that the focus stays
};

} // namespace views
