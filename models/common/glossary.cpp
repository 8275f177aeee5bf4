#include "models/common/glossary.h"

#include "models/common/text.h"

namespace models {

QString explained(Term term)
{
    switch (term) {
    case Term::Frozen:
        return Text::tr("Frozen: the set of messages is fixed at this time. Messages that fail later are not in it.");
    case Term::Ejected:
        return Text::tr("Ejected: the broker refused the message, so the retry left it out.");
    case Term::InDoubt:
        return Text::tr("In doubt: sent without an answer, so the message may or may not have arrived.");
    case Term::CameBack:
        return Text::tr("Came back: sent by this retry and failed again.");
    case Term::Staging:
        return Text::tr(
            "Staging queue: a queue of Redrive on the broker that collects all copies of a batch before one "
            "is sent. Its ID names one attempt to fill it.");
    }
    Q_UNREACHABLE();
}

} // namespace models
