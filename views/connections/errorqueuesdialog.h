#pragma once

#include "backend/api/candidatequeue.h"

#include <QDialog>

class QCheckBox;
class QPushButton;

namespace views {

class DialogFoot;

// Offers queues as error queues, with what speaks for and against each. Those against which nothing speaks are checked.
// It changes nothing by itself: `chosen` says what the person chose. GUI thread.
class ErrorQueuesDialog final : public QDialog
{
    Q_OBJECT

public:
    enum class About {
        Offer, // dead letters arrive in these queues, and the connection names none of them
        TakenBefore, // Redrive took from them before queues had to be named
        AddAndTake, // one queue that somebody wants to take from
    };
    ErrorQueuesDialog(About about, const QString &connection, const QList<api::CandidateQueue> &queues,
                      QWidget *parent = nullptr);

Q_SIGNALS:
    // `leave`: the queues that were not checked.
    void chosen(const QStringList &take, const QStringList &leave);

private:
    QWidget *makeBody(const QString &connection, const QList<api::CandidateQueue> &queues);
    QWidget *makeQueue(const api::CandidateQueue &queue);
    DialogFoot *makeFoot();
    [[nodiscard]] QString sentence(const QString &connection) const;
    void refresh();
    void choose();

    const About m_about;
    QStringList m_names; // in the order of the boxes
    QList<QCheckBox *> m_boxes;
    QPushButton *m_choose = nullptr;
};

} // namespace views
