#include "models/conventions/conventionstart.h"

#include "backend/api/requests/conventions.h"
#include "backend/records/conventions/glob.h"
#include "models/common/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace models {

namespace {

QString freeName(const QString &queue, const QStringList &taken)
{
    QString plain;
    std::copy_if(queue.cbegin(), queue.cend(), std::back_inserter(plain),
                 [](QChar one) { return one.isPrint() && one != u'/' && one != u',' && one != u'$'; });
    constexpr qsizetype roomForNumber = 10;
    plain = plain.left(records::longestConventionName - roomForNumber).trimmed();
    const QString first = plain.isEmpty() ? Text::tr("convention") : plain;
    QString name = first;
    for (int i = 2; taken.contains(name); ++i)
        name = Text::tr("%1 %2").arg(first, QString::number(i));
    return name;
}

} // namespace

records::Convention conventionFor(const records::FailedMessage &message, const ConsoleSession &session,
                                  const QStringList &taken)
{
    records::Convention convention;
    convention.name = freeName(message.queue, taken);
    if (const api::ConnectionView *view = session.connection(message.connection))
        convention.isFor.connection = view->connection.name;
    convention.isFor.queues = {message.queue};
    return convention;
}

records::MessageFilter messagesOf(const records::Convention &convention, const ConsoleSession &session)
{
    records::MessageFilter filter;
    filter.status = records::MessageStatus::Unresolved;
    for (const api::ConnectionView &view : session.snapshot().connections) {
        if (view.connection.name == convention.isFor.connection)
            filter.connection = view.connection.id;
    }
    const QStringList &queues = convention.isFor.queues;
    if (queues.size() == 1 && !records::Glob::isGlob(queues.constFirst()))
        filter.queue = queues.constFirst();
    return filter;
}

QString refusalToSet(const records::Convention &convention, const ConsoleSession &session)
{
    const records::Rights rights = api::rightsToSet(convention);
    const core::ConnectionId connection = messagesOf(convention, session).connection;
    for (const auto &[right, verb] :
         {std::pair(records::Right::Retry, Verb::Retry), std::pair(records::Right::Redirect, Verb::Redirect),
          std::pair(records::Right::Edit, Verb::Edit)}) {
        const QString refusal = rights.testFlag(right) ? session.refusal(verb, connection) : QString();
        if (!refusal.isEmpty())
            return refusal;
    }
    return {};
}

} // namespace models
