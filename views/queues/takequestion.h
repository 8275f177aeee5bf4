#pragma once

#include "models/session/consolesession.h"

#include <QDialog>

class QPushButton;
class QRadioButton;
class QSpinBox;

namespace views {

class DialogFoot;

// Asks before failed messages move from the broker to the store: says how many, from where and to where, and offers
// to take all of them, the first n, or none. Messages that arrive later are taken only from subscribed queues. GUI
// thread.
class TakeQuestion final : public QDialog
{
    Q_OBJECT

public:
    // An empty queue means all error queues of the connection.
    TakeQuestion(models::ConsoleSession &session, core::ConnectionId connection, QString queue,
                 QWidget *parent = nullptr);

    // True for a production connection and for a queue that is no error queue yet, and elsewhere where one of the queues
    // is not subscribed and the store holds no unresolved message that was taken from it.
    [[nodiscard]] static bool isNeeded(const api::Snapshot &snapshot, core::ConnectionId connection,
                                       const QString &queue);
    // Asks, or takes at once where no question is needed.
    static void ask(models::ConsoleSession &session, core::ConnectionId connection, const QString &queue,
                    QWidget *parent);

private:
    QWidget *makeBody();
    DialogFoot *makeFoot();
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString wayBackText() const; // queues that take nothing back
    [[nodiscard]] QString limitText() const; // empty: none of the queues has a delivery limit
    [[nodiscard]] QString diskText() const; // empty: the free space is unknown
    [[nodiscard]] QString foreignText() const; // empty: no other console has queues there
    [[nodiscard]] std::optional<qint64> waiting() const; // on the broker, in these queues; nothing: unknown
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
