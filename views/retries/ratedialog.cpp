#include "views/retries/ratedialog.h"

#include "views/common/text.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"
#include "views/retries/plan/ratechoice.h"

#include <QDialog>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

static constexpr int rateDialogWidth = 460;

void askForRate(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("rateDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    dialog->setWindowTitle(Text::tr("Rate of operation %1").arg(view.operation.id.value));
    auto *body = new QWidget(dialog);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *choice = new RateChoice(body);
    choice->setPerMinute(view.operation.plan.perMinute);
    auto *words =
        new PlainLabel(Text::tr("The rate applies from the next batch on. Messages that are already on the broker move "
                                "at the broker's own speed."),
                       body);
    words->setWordWrap(true);
    words->setProperty("tone", QStringLiteral("muted"));
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(choice);
    layout->addWidget(words);
    auto *foot = new DialogFoot(dialog);
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("rateCancel"), Text::tr("Cancel"));
    const QPushButton *set =
        foot->addPrimary(QStringLiteral("rateSet"), Text::tr("Set rate"), DialogFoot::Act::CanBeUndone);
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    QObject::connect(set, &QPushButton::clicked, dialog, &QDialog::accept);
    frameDialog(*dialog, {nullptr, body, foot});
    fitDialog(*dialog, rateDialogWidth);
    const core::OperationId id = view.operation.id;
    QObject::connect(dialog, &QDialog::accepted, &session,
                     [&session, id, choice] { session.setRate(id, choice->perMinute()); });
    dialog->open();
}

} // namespace views
