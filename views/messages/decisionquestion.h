#pragma once

#include "models/session/consolesession.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace views {

class DialogFoot;

// Explains what a decision (archive, restore, delete, resolve, take back) means for its messages and asks before it
// is carried out. Deleting many messages of a production connection needs the typed message count, as a retry does.
// GUI thread.
class DecisionQuestion final : public QDialog
{
    Q_OBJECT

public:
    // `count`: the number of messages of the command. Carries the command out when the user agrees.
    DecisionQuestion(models::ConsoleSession &session, const api::DecideMessages &command, qint64 count,
                     QWidget *parent);

protected:
    void keyPressEvent(QKeyEvent *event) override; // so that Enter in the count field decides nothing

private:
    QWidget *makeHead(const QString &question);
    QWidget *makeBody(const QString &consequences);
    DialogFoot *makeFoot(const QString &action);
    void refresh();

    models::ConsoleSession &m_session;
    api::DecideMessages m_command;
    qint64 m_count;
    bool m_isProduction;
    bool m_mustType;
    QLineEdit *m_typed = nullptr; // null: a click is enough
    QPushButton *m_go = nullptr;
};

} // namespace views
