#include "models/detail/detailfeed.h"

#include "models/common/inbackground.h"
#include "models/common/visibletext.h"

namespace models {

DetailFeed::DetailFeed(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_read(session, [this] { ask(); })
    , m_newest(session)
    , m_wholeBody(session)
    , m_format(session)
{
    m_read.setActive(false);
    // A policy moves on, and a person decides, without a change of the message itself.
    connect(&session, &ConsoleSession::messagesRevised, &m_read, &EngineCall::refresh);
    connect(&session, &ConsoleSession::policiesChanged, &m_read, &EngineCall::refresh);
    connect(&session, &ConsoleSession::ownChange, &m_read, &EngineCall::refresh);
}

void DetailFeed::show(core::MessageId id)
{
    m_newest.drop();
    if (id == m_id)
        return;
    m_error.clear();
    m_wholeBody.drop();
    m_read.drop();
    if (!id.isValid()) {
        clear();
        return;
    }
    m_id = id;
    m_read.refresh();
}

void DetailFeed::clear()
{
    m_id = {};
    m_read.drop();
    m_wholeBody.drop();
    m_detail.reset();
    Q_EMIT changed();
}

void DetailFeed::showNewestOf(const ActionScope &group)
{
    api::MessageQuery query;
    query.filter = group.filter;
    query.limit = 1;
    query.countLater = true; // nobody looks at it
    m_newest.ask(query, [this](const core::Result<api::MessagePage> &page) {
        if (page) {
            show(page->rows.isEmpty() ? core::MessageId{} : page->rows.first().id);
            return;
        }
        m_error = visibleLine(page.error().message);
        clear(); // an empty pane is better than a message of another group
    });
}

void DetailFeed::ask()
{
    if (!m_id.isValid())
        return;
    m_read.ask(api::MessageDetailQuery{m_id}, [this](const core::Result<api::MessageDetail> &detail) {
        m_error = detail ? QString() : visibleLine(detail.error().message);
        if (detail)
            take(*detail);
        else
            m_detail.reset();
        Q_EMIT changed();
    });
}

void DetailFeed::take(const api::MessageDetail &detail)
{
    const bool sameMessage = m_detail && m_detail->message.id == detail.message.id;
    const bool keepWhole = sameMessage && m_detail->bodyComplete && !detail.bodyComplete;
    const QByteArray whole = keepWhole ? m_detail->envelope.body : QByteArray();
    if (!sameMessage)
        m_body = {}; // no body is better than that of another message, until the new one is formatted
    m_detail = detail;
    if (keepWhole) {
        m_detail->envelope.body = whole;
        m_detail->bodyComplete = true;
    }
    m_headers.show(detail.envelope);
    format();
}

void DetailFeed::setBodyView(BodyView view)
{
    if (m_view == view)
        return;
    m_view = view;
    format();
}

void DetailFeed::loadWholeBody()
{
    m_wholeBody.ask(api::BodyQuery{m_id}, [this](const core::Result<QByteArray> &body) {
        if (!m_detail)
            return;
        if (!body) {
            m_error = visibleLine(body.error().message);
            Q_EMIT changed();
            return;
        }
        m_detail->envelope.body = *body;
        m_detail->bodyComplete = true;
        format();
        Q_EMIT changed();
    });
}

void DetailFeed::format()
{
    if (!m_detail)
        return;
    const auto text = [body = m_detail->envelope.body, view = m_view]() -> core::Result<BodyText> {
        return bodyText(body, view);
    };
    m_format.await(inBackground(text), [this](const core::Result<BodyText> &formatted) {
        m_body = formatted.value_or(BodyText());
        Q_EMIT bodyChanged();
    });
}

ActionScope DetailFeed::scope() const
{
    if (!m_detail || m_newest.isPending() || m_detail->message.id != m_id)
        return {};
    ActionScope scope;
    scope.filter.messages = {m_detail->message.id};
    scope.filter.connection = m_detail->message.connection;
    scope.connection = m_detail->message.connection;
    scope.count = 1;
    scope.asOfChange = m_session.snapshot().change;
    return scope;
}

} // namespace models

#include "moc_detailfeed.cpp"
