#include "views/queues/browsequestion.h"

#include "models/common/visibletext.h"
#include "views/common/text.h"
#include "views/common/widgets/question.h"

#include <algorithm>

namespace views {

void browseOrAsk(models::ConsoleSession &session, core::ConnectionId connection, const QString &queue, QWidget *parent)
{
    const QList<api::QueueView> &queues = session.snapshot().queues;
    const auto found = std::find_if(queues.cbegin(), queues.cend(), [&](const api::QueueView &one) {
        return one.connection == connection && one.name == queue;
    });
    if (found == queues.cend() || !found->looksCount()) {
        session.browse(connection, queue);
        return;
    }
    const QString name = models::visibleLine(queue);
    Question question;
    question.name = QStringLiteral("browseCounted");
    question.title = Text::tr("Browse only");
    question.text = Text::tr("Browse %1?").arg(name);
    const QString refusal = records::lookRefusal(*found->deliveryLimit, found->deliveriesUsed, queue);
    if (!refusal.isEmpty()) {
        question.text = Text::tr("%1 cannot be browsed.").arg(name);
        question.consequences = models::visibleLine(refusal);
        askQuestion(question, parent);
        return;
    }
    question.consequences = models::visibleLine(records::lookPrice(*found->deliveryLimit, found->deliveriesUsed));
    question.action = Text::tr("Browse all the same");
    askQuestion(question, parent, [&session, connection, queue] { session.browse(connection, queue, true); });
}

} // namespace views
