#include "backend/engine/dispatch/lastchange.h"

#include "backend/api/requests/queries.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>

namespace engine {

namespace {

constexpr int entriesRead = 500;

QString doneText(const QString &what, const QString &who, core::TimePoint at)
{
    const QString when = QDateTime::fromMSecsSinceEpoch(core::toMs(at), QTimeZone::utc())
                             .toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
    return who.isEmpty() ? Text::tr("%1 (%2)").arg(what, when) : Text::tr("%1 by %2 at %3").arg(what, who, when);
}

} // namespace

LastChange::LastChange(std::shared_ptr<store::QueryService> queries)
    : m_queries(std::move(queries))
{
}

core::Task<QString> LastChange::ofMessage(core::MessageId message)
{
    const QString id = QString::number(message.value);
    if (!m_queries.exist())
        co_return Text::tr("Message %1 changed.").arg(id);
    api::MessageDetailQuery query;
    query.message = message;
    const core::Pending<core::Result<api::MessageDetail>> asked = m_queries.ask(query);
    const core::Result<api::MessageDetail> detail = co_await asked;
    if (!detail && detail.error().kind == core::ErrorKind::NotFound)
        co_return Text::tr("Message %1 was deleted.").arg(id);
    if (!detail || detail->trail.isEmpty())
        co_return Text::tr("Message %1 changed.").arg(id);
    const records::TrailEntry &last = detail->trail.constLast();
    co_return Text::tr("Message %1: %2.").arg(id, doneText(last.what, last.who, last.at));
}

core::Task<QString> LastChange::entryAbout(QString onWhat, QStringList activities)
{
    if (!m_queries.exist())
        co_return QString();
    api::EventQuery query;
    query.limit = entriesRead;
    const core::Pending<core::Result<QList<records::Event>>> asked = m_queries.ask(query);
    const core::Result<QList<records::Event>> events = co_await asked;
    if (!events)
        co_return QString();
    const auto found = std::find_if(events->cbegin(), events->cend(), [&](const records::Event &event) {
        return event.severity == records::Severity::Info && event.onWhat == onWhat && activities.contains(event.what);
    });
    co_return found == events->cend() ? QString() : doneText(found->what, found->who, found->at);
}

} // namespace engine
