// Of Holding: what is known of a message that breaks shovels, and what is said of it.
#include "backend/broker/rabbitmq/holding/holding.h"

#include "backend/broker/rabbitmq/http/answers.h"
#include "backend/broker/rabbitmq/text.h"

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

// The first shovel that breaks has up to 1,000 messages in hand, so others may be before it; the second has one.
void Holding::noteUnreadable(const QString &source)
{
    const bool wasAlone = m_unreadable.contains(source);
    m_unreadable.insert(source, {wasAlone, {}});
}

// Since it was refused last: what arrives meanwhile must not hide that the message was taken out.
bool Holding::hasShrunk(const LiveQueue &source) const
{
    const std::optional<qint64> before = m_unreadable.value(source.name).depth;
    return before && source.messages && *source.messages < *before;
}

// Says how many stay and notes that, at first by statistics that are newer than the last shovel.
Task<Result<>> Holding::refuse(LiveQueue source)
{
    if (!source.isExact() && !m_unreadable.value(source.name).depth) {
        CO_TRY(source, co_await whenCounted(source, false));
    }
    if (source.messages)
        m_unreadable[source.name].depth = source.messages;
    co_return fail(unreadableIn(source));
}

Task<Result<>> Holding::refuse(QString source)
{
    CO_TRY(const LiveQueue live, co_await m_queues.live(source));
    const Result<> refused = co_await refuse(live);
    co_return refused;
}

core::Error Holding::unreadableIn(const LiveQueue &source)
{
    QString text = unreadableText(source.name);
    if (source.messages)
        text += QLatin1Char(' ') + Text::tr("Messages that stay in the queue: %1.").arg(*source.messages);
    return {ErrorKind::Refused, text, {}, {}};
}

} // namespace broker::rabbitmq
