#pragma once

#include "backend/api/requests/queuemove.h"
#include "models/session/enginecall.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace views {

class DialogFoot;
class FormGrid;

// Lets the broker move a whole queue: shows the message count and what such a move guarantees, asks for confirmation,
// then shows progress and outcome. The engine decides what is possible; the dialog shows its refusal unchanged.
// Closing the dialog does not cancel a move. GUI thread.
class MoveDialog final : public QDialog
{
    Q_OBJECT

public:
    MoveDialog(models::ConsoleSession &session, core::ConnectionId connection, QString queue,
               QWidget *parent = nullptr);

    static constexpr int betweenMs = 2000; // milliseconds between two queries about a running move

private:
    QWidget *makeBody();
    QWidget *makeForm(QWidget *body);
    DialogFoot *makeFoot();
    void ask(api::MoveQueue::Action action);
    void take(const core::Result<api::MoveAnswer> &answer, api::MoveQueue::Action action);
    void offerTargets();
    void refresh();
    void showMove();
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString whyNot() const; // why no move can start now; empty: one can
    void say(const QString &text, const QString &tone);

    models::ConsoleSession &m_session;
    core::ConnectionId m_connection;
    QString m_queue;
    api::MoveAnswer m_last;
    bool m_known = false; // the broker has answered at least once
    models::EngineCall m_call{m_session};
    QTimer m_next;
    FormGrid *m_form = nullptr;
    QLabel *m_words = nullptr;
    QComboBox *m_to = nullptr;
    QSpinBox *m_rate = nullptr;
    QWidget *m_confirm = nullptr;
    QLabel *m_confirmText = nullptr;
    QLineEdit *m_typed = nullptr;
    QProgressBar *m_bar = nullptr;
    QLabel *m_state = nullptr;
    QLabel *m_answer = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_begin = nullptr;
};

} // namespace views
