#include "backend/records/takinginsteps.h"

#include "backend/core/text/safetext.h"
#include "backend/records/text.h"

namespace records {

QString stepsGuarantee()
{
    return Text::tr(
        "In small steps, Redrive reads the first messages of a classic queue, stores them, and then removes some of them. "
        "If Redrive or RabbitMQ stops at any moment, or an answer is lost, no message is lost: the next start compares "
        "what it stored with the queue. One risk remains: a message is lost if anybody else takes from the queue or looks "
        "into it at the moment of a step, and Redrive stops or the answer of this step is lost. Anybody else is a "
        "consumer, a person (also one who looks at messages in RabbitMQ's own pages), a time limit, or a full queue that "
        "drops its oldest messages. Messages that may be there twice are flagged. Quorum queues, and queues with "
        "consumers or priorities, are not taken from.");
}

QString stepsOffer(const QString &connection)
{
    return Text::tr("Messages can be taken in small steps all the same: redrive connection steps %1 says with which "
                    "guarantee.")
        .arg(core::shellWord(connection));
}

} // namespace records
