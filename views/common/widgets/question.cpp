#include "views/common/widgets/question.h"

#include "views/common/text.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QDialog>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int questionWidth = 460;

PlainLabel *questionLabel(const QString &objectName, const QString &text)
{
    auto *label = new PlainLabel(text);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    return label;
}

QWidget *questionBody(const Question &question, QDialog *dialog)
{
    auto *body = new QWidget(dialog);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    PlainLabel *text = questionLabel(QStringLiteral("questionText"), question.text);
    text->setProperty("strong", true);
    column->addWidget(text);
    if (!question.consequences.isEmpty())
        column->addWidget(questionLabel(QStringLiteral("questionConsequences"), question.consequences));
    column->addStretch(1);
    return body;
}

} // namespace

void askQuestion(const Question &question, QWidget *parent, std::function<void()> yes)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(question.name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(question.title);
    QWidget *body = questionBody(question, dialog);
    auto *foot = new DialogFoot(dialog);
    foot->addStretch();
    const QString close = question.action.isEmpty() ? Text::tr("Close") : Text::tr("Cancel");
    QPushButton *leave =
        foot->addLeave(QStringLiteral("questionLeave"), question.leave.isEmpty() ? close : question.leave);
    QObject::connect(leave, &QPushButton::clicked, dialog, &QDialog::reject);
    if (question.action.isEmpty()) {
        foot->setAct(DialogFoot::Act::CannotBeUndone); // so that Enter closes it
    } else {
        QPushButton *go =
            foot->addPrimary(QStringLiteral("questionGo"), withoutMnemonics(question.action), question.act);
        QObject::connect(go, &QPushButton::clicked, dialog, &QDialog::accept);
        QObject::connect(dialog, &QDialog::accepted, parent, std::move(yes));
    }
    frameDialog(*dialog, {nullptr, body, foot});
    fitDialog(*dialog, questionWidth);
    foot->focusDefault();
    dialog->open();
}

} // namespace views
