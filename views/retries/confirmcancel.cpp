#include "views/retries/confirmcancel.h"

#include "models/common/formatters.h"
#include "views/common/text.h"

#include <QMessageBox>
#include <QPushButton>

namespace views {

namespace {

QString consequences(const records::OutcomeCounts &counts)
{
    const qint64 withBroker = counts.sent + counts.staged + counts.inDoubt;
    const qint64 unsent = counts.pending + counts.claimed;
    return Text::tr("Already sent or on the broker, cannot be called back: %1\n"
                    "Not sent yet, unresolved and free for another retry: %2")
        .arg(models::formatNumber(withBroker), models::formatNumber(unsent));
}

} // namespace

void confirmCancel(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent)
{
    auto *box = new QMessageBox(parent);
    box->setObjectName(QStringLiteral("confirmCancel"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(Text::tr("Cancel retry"));
    box->setText(Text::tr("Cancel this retry?"));
    box->setInformativeText(consequences(view.operation.counts));
    QPushButton *yes = box->addButton(Text::tr("Cancel the retry"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(Text::tr("Keep the retry"), QMessageBox::RejectRole));
    const core::OperationId id = view.operation.id;
    QObject::connect(box, &QMessageBox::buttonClicked, &session, [&session, yes, id](const QAbstractButton *clicked) {
        if (clicked == yes)
            session.act(id, api::OperationAction::Cancel);
    });
    box->open();
}

} // namespace views
