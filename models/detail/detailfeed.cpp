#include "models/detail/detailfeed.h"

#include "models/common/visibletext.h"

#include <QPromise>
#include <QThreadPool>

namespace models {

namespace {

QFuture<BodyText> formatted(const QByteArray &body, BodyView view)
{
    auto promise = std::make_shared<QPromise<BodyText>>();
    promise->start();
    QThreadPool::globalInstance()->start([promise, body, view] {
        promise->addResult(bodyText(body, view));
        promise->finish();
    });
    return promise->future();
}

} // namespace

DetailFeed::DetailFeed(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_session(session)
{
    // A policy moves on, and a person decides, without a change of the message itself.
    connect(&session, &ConsoleSession::messagesRevised, this, &DetailFeed::readAgain);
    connect(&session, &ConsoleSession::policiesChanged, this, &DetailFeed::readAgain);
    connect(&session, &ConsoleSession::ownChange, this, &DetailFeed::readAgain);
}

void DetailFeed::readAgain()
{
    m_stale = true;
    if (m_active)
        ask();
}

void DetailFeed::setActive(bool active)
{
    m_active = active;
    if (m_active && m_stale)
        ask();
}

void DetailFeed::show(core::MessageId id)
{
    ++m_newestRequest;
    m_looking = false;
    if (id == m_id)
        return;
    m_error.clear();
    if (!id.isValid()) {
        clear();
        return;
    }
    m_id = id;
    ++m_request;
    m_stale = true;
    if (m_active)
        ask();
}

void DetailFeed::clear()
{
    m_id = {};
    ++m_request;
    m_detail.reset();
    Q_EMIT changed();
}

void DetailFeed::showNewestOf(const ActionScope &group)
{
    api::MessageQuery query;
    query.filter = group.filter;
    query.limit = 1;
    const int request = ++m_newestRequest;
    m_looking = true;
    whenDone(this, m_session.client().ask(query), [this, request](const core::Result<api::MessagePage> &page) {
        if (request != m_newestRequest)
            return;
        if (page) {
            show(page->rows.isEmpty() ? core::MessageId{} : page->rows.first().id);
            return;
        }
        m_looking = false;
        m_error = visibleLine(page.error().message);
        clear(); // an empty pane is better than a message of another group
    });
}

void DetailFeed::ask()
{
    m_stale = false;
    if (!m_id.isValid())
        return;
    const int request = ++m_request;
    whenDone(this, m_session.client().ask(api::MessageDetailQuery{m_id}),
             [this, request](const core::Result<api::MessageDetail> &detail) {
                 if (request != m_request)
                     return;
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

void DetailFeed::reload()
{
    if (m_active)
        ask();
}

void DetailFeed::loadWholeBody()
{
    const core::MessageId asked = m_id;
    whenDone(this, m_session.client().ask(api::BodyQuery{asked}), [this, asked](const core::Result<QByteArray> &body) {
        if (asked != m_id || !m_detail)
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
    auto *watcher = new QFutureWatcher<BodyText>(this);
    const int request = ++m_formatRequest;
    connect(watcher, &QFutureWatcher<BodyText>::finished, this, [this, watcher, request] {
        watcher->deleteLater();
        if (request != m_formatRequest)
            return;
        m_body = watcher->result();
        Q_EMIT bodyChanged();
    });
    watcher->setFuture(formatted(m_detail->envelope.body, m_view));
}

ActionScope DetailFeed::scope() const
{
    if (!m_detail || m_looking || m_detail->message.id != m_id)
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
