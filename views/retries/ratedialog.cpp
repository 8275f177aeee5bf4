#include "views/retries/ratedialog.h"

#include "views/common/text.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"
#include "views/retries/plan/ratechoice.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

void askForRate(models::ConsoleSession &session, const api::OperationView &view, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("rateDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    dialog->setWindowTitle(Text::tr("Rate of operation %1").arg(view.operation.id.value));
    auto *choice = new RateChoice(dialog);
    choice->setPerMinute(view.operation.plan.perMinute);
    auto *words =
        new PlainLabel(Text::tr("The rate applies from the next batch on. Messages that are already on the broker move "
                                "at the broker's own speed."),
                       dialog);
    words->setWordWrap(true);
    words->setProperty("tone", QStringLiteral("muted"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, dialog);
    QPushButton *set = buttons->addButton(Text::tr("Set rate"), QDialogButtonBox::AcceptRole);
    set->setObjectName(QStringLiteral("rateSet"));
    setStyleProperty(set, "primary", true);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(12);
    layout->addWidget(choice);
    layout->addWidget(words);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    const core::OperationId id = view.operation.id;
    QObject::connect(dialog, &QDialog::accepted, &session,
                     [&session, id, choice] { session.setRate(id, choice->perMinute()); });
    dialog->open();
}

} // namespace views
