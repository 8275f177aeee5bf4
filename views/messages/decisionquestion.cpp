#include "views/messages/decisionquestion.h"

#include "models/session/decisionwords.h"

#include <QMessageBox>
#include <QPushButton>

namespace views {

void askToDecide(models::ConsoleSession &session, const api::DecisionCommand &command, QWidget *parent)
{
    const models::DecisionWords words = models::decisionWords(command, command.filter.messages.size());
    const bool isForGood = command.decision == api::Decision::Delete;
    auto *box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("decisionQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setIcon(isForGood ? QMessageBox::Warning : QMessageBox::Question);
    box->setWindowTitle(words.verb);
    box->setText(words.question);
    box->setInformativeText(words.consequences);
    const QPushButton *yes =
        box->addButton(words.verb, isForGood ? QMessageBox::DestructiveRole : QMessageBox::AcceptRole);
    box->setDefaultButton(box->addButton(models::DecisionWords::tr("Leave as it is"), QMessageBox::RejectRole));
    QObject::connect(box, &QMessageBox::buttonClicked, &session,
                     [&session, yes, command](const QAbstractButton *clicked) {
                         if (clicked == yes)
                             session.decide(command);
                     });
    box->open();
}

} // namespace views
