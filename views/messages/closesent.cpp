#include "views/messages/closesent.h"

#include "models/common/formatters.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace views {

namespace {

QString tr(const char *text, const char *comment = nullptr, int count = -1)
{
    return QCoreApplication::translate("CloseSent", text, comment, count);
}

QString question(api::Decision decision, qint64 count)
{
    const QString words = decision == api::Decision::TakeBack
                              ? tr("Take %1 messages back?", nullptr, int(count))
                              : tr("Mark %1 messages as resolved?", nullptr, int(count));
    return words.arg(models::formatNumber(count));
}

QString consequences(api::Decision decision)
{
    if (decision == api::Decision::TakeBack) {
        return tr(
            "They were sent, or may have been. They become unresolved again and can be retried: what was processed "
            "meanwhile is then processed twice.");
    }
    return tr(
        "They were sent, or may have been, and you know that they were processed. Should one of them fail again, it "
        "comes back as unresolved.");
}

} // namespace

void askToCloseSent(models::ConsoleSession &session, const QList<core::MessageId> &messages, api::Decision decision,
                    QWidget *parent)
{
    const bool back = decision == api::Decision::TakeBack;
    auto *box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("closeSent"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(back ? tr("Take back") : tr("Mark as resolved"));
    box->setText(question(decision, messages.size()));
    box->setInformativeText(consequences(decision));
    QPushButton *yes = box->addButton(back ? tr("Take back") : tr("Mark as resolved"), QMessageBox::AcceptRole);
    box->setDefaultButton(box->addButton(tr("Leave as it is"), QMessageBox::RejectRole));
    QObject::connect(box, &QMessageBox::buttonClicked, &session,
                     [&session, yes, messages, decision](const QAbstractButton *clicked) {
                         if (clicked == yes)
                             session.closeSent(messages, decision);
                     });
    box->open();
}

} // namespace views
