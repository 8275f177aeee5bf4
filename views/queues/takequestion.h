// Taking is a decision: failed messages leave the broker and lie in the store afterwards. Says how many, from where and to
// where, and offers all of them, the first n, or nothing. What arrives later is taken by following, which is another switch.
#pragma once

#include "models/session/consolesession.h"

#include <QDialog>

class QPushButton;
class QRadioButton;
class QSpinBox;

namespace views {

class TakeQuestion final : public QDialog
{
    Q_OBJECT

public:
    // Queue empty: all failure queues of the connection.
    TakeQuestion(models::ConsoleSession &session, core::ConnectionId connection, QString queue,
                 QWidget *parent = nullptr);

    // In Production always; elsewhere when the store holds nothing of a queue yet and does not follow it.
    [[nodiscard]] static bool isNeeded(const api::Snapshot &snapshot, core::ConnectionId connection,
                                       const QString &queue);
    // Takes at once where no question is needed.
    static void ask(models::ConsoleSession &session, core::ConnectionId connection, const QString &queue,
                    QWidget *parent);

private:
    QWidget *makeBody();
    QWidget *makeFoot();
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString diskText() const; // empty: nothing is known
    [[nodiscard]] QString foreignText() const; // empty: there are none
    [[nodiscard]] std::optional<qint64> waiting() const; // on the broker, in all the queues asked for; nothing: unknown
    [[nodiscard]] std::optional<qint64> limit() const;
    void refresh();
    void take();

    models::ConsoleSession &m_session;
    core::ConnectionId m_connection;
    QString m_queue;
    QRadioButton *m_all = nullptr;
    QRadioButton *m_first = nullptr;
    QSpinBox *m_limit = nullptr;
    QPushButton *m_take = nullptr;
};

} // namespace views
