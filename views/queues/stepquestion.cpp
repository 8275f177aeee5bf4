#include "views/queues/stepquestion.h"

#include "backend/records/takinginsteps.h"
#include "models/common/visibletext.h"
#include "views/common/text.h"
#include "views/common/widgets/question.h"

namespace views {

void askForSteps(models::ConsoleSession &session, core::ConnectionId connection, QWidget *parent)
{
    const api::ConnectionView *view = session.connection(connection);
    if (view == nullptr)
        return;
    Question question;
    question.name = QStringLiteral("takeInSteps");
    question.title = Text::tr("Take in small steps");
    question.text = Text::tr("Take messages of %1 in small steps?").arg(models::visibleLine(view->connection.name));
    question.consequences = records::stepsGuarantee();
    question.action = Text::tr("Allow small steps");
    askQuestion(question, parent, [&session, connection] { session.takeInSteps(connection, true); });
}

} // namespace views
