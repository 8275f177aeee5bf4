#include "views/retries/confirmcancel.h"

#include "models/common/formatters.h"
#include "views/common/text.h"
#include "views/common/widgets/question.h"

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
    Question question;
    question.name = QStringLiteral("confirmCancel");
    question.title = Text::tr("Cancel retry");
    question.text = Text::tr("Cancel this retry?");
    question.consequences = consequences(view.operation.counts);
    question.action = Text::tr("Cancel the retry");
    question.leave = Text::tr("Keep the retry");
    const core::OperationId id = view.operation.id;
    askQuestion(question, parent, [&session, id] { session.act(id, api::OperationAction::Cancel); });
}

} // namespace views
