// What a decision means for the messages it names, before it is carried out. Deleting in Production is guarded as a retry is:
// the count is typed.
#pragma once

#include "models/session/consolesession.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace views {

class DecisionQuestion final : public QDialog
{
    Q_OBJECT

public:
    // `count`: how many messages the command is about. Carries it out when a person agrees.
    DecisionQuestion(models::ConsoleSession &session, const api::DecisionCommand &command, qint64 count,
                     QWidget *parent);

protected:
    void keyPressEvent(QKeyEvent *event) override; // Enter decides nothing

private:
    QWidget *makeHead(const QString &question);
    QWidget *makeBody(const QString &consequences);
    QWidget *makeFoot(const QString &action);
    void refresh();

    models::ConsoleSession &m_session;
    api::DecisionCommand m_command;
    qint64 m_count;
    bool m_isProduction;
    bool m_mustType;
    QLineEdit *m_typed = nullptr; // none where a click is enough
    QPushButton *m_go = nullptr;
};

} // namespace views
