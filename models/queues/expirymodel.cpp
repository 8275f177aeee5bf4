#include "models/queues/expirymodel.h"

#include "models/common/roles.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"

#include <tuple>

namespace models {

using records::BrokerRetention;
using records::Expiry;

ExpiryModel::ExpiryModel(ConsoleSession &session, const ConsoleFilter &filter, core::ConnectionId connection,
                         QString queue, QObject *parent)
    : RowModel(parent)
    , m_session(session)
    , m_filter(filter)
    , m_connection(connection)
    , m_queue(std::move(queue))
    , m_call(session, [this] { ask(); })
{
    connect(&session, &ConsoleSession::messagesRevised, this, &ExpiryModel::load);
    connect(&filter, &ConsoleFilter::zoneChanged, this, [this] { touchAll(); });
    m_minute.setInterval(std::chrono::minutes(1));
    connect(&m_minute, &QTimer::timeout, this, [this] { touchAll(); });
    m_minute.start();
}

void ExpiryModel::ask()
{
    api::ExpiryQuery query;
    query.connection = m_connection;
    query.queue = m_queue;
    m_call.ask(query, [this](const core::Result<api::ExpiryPage> &page) { take(page); });
}

void ExpiryModel::take(const core::Result<api::ExpiryPage> &page)
{
    m_error = page ? QString() : visibleLine(page.error().message);
    if (page) {
        m_loaded = true;
        setRows(page->rows);
        m_page = *page;
        m_page.rows.clear();
    }
    Q_EMIT changed();
}

QString ExpiryModel::summary() const
{
    QStringList parts;
    if (rowCount() < m_page.total)
        parts += Text::tr("%1 of %2 messages shown").arg(formatNumber(rowCount()), formatNumber(m_page.total));
    else
        parts += Text::tr("%1 messages", nullptr, int(m_page.total)).arg(formatNumber(m_page.total));
    if (m_page.notKnown > 0)
        parts += Text::tr("%1 more have no known expiry time", nullptr, int(m_page.notKnown))
                     .arg(formatNumber(m_page.notKnown));
    if (m_page.never > 0)
        parts += Text::tr("%1 more do not expire", nullptr, int(m_page.never)).arg(formatNumber(m_page.never));
    return parts.join(QStringLiteral(" · "));
}

bool ExpiryModel::same(const api::ExpiringRow &a, const api::ExpiringRow &b) const
{
    const auto key = [](const api::ExpiringRow &one) {
        return std::tie(one.queue, one.messageType, one.cause, one.expiry.known, one.expiry.at);
    };
    return key(a) == key(b);
}

QString ExpiryModel::lostText(const api::ExpiringRow &row) const
{
    if (row.expiry.at <= now())
        return Text::tr("should have expired");
    const QString in = formatRelative(row.expiry.at, now());
    return row.expiry.known == Expiry::Known::Latest ? Text::tr("%1 at the latest").arg(in) : in;
}

QString ExpiryModel::text(const api::ExpiringRow &row, int column) const
{
    switch (Column(column)) {
    case Lost:
        return lostText(row);
    case Queue:
        return visibleLine(row.queue);
    case Type:
        return visibleLine(row.messageType);
    case Cause:
        return visibleLine(row.cause);
    }
    Q_UNREACHABLE();
}

QVariant ExpiryModel::cell(const api::ExpiringRow &row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return column == Lost ? timeTip(row.expiry.at, now(), m_filter.zone()) : text(row, column);
    case IdRole:
        return row.message.value;
    case ToneRole:
        if (column != Lost)
            return int(Tone::Normal);
        if (row.expiry.at <= now())
            return int(Tone::Bad);
        return int(row.expiry.at - now() <= records::QueueLoss::soonIs ? Tone::Warn : Tone::Normal);
    default:
        return {};
    }
}

QVariant ExpiryModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (Column(column)) {
    case Lost:
        return Text::tr("Expires");
    case Queue:
        return Text::tr("Queue");
    case Type:
        return Text::tr("Type");
    case Cause:
        return Text::tr("Cause");
    }
    Q_UNREACHABLE();
}

QStringList lossLines(const records::QueueLoss &loss, qint64 browsedOnly, core::TimePoint now)
{
    QStringList lines;
    if (loss.retention.known == BrokerRetention::Known::Limited)
        lines += Text::tr("The queue keeps a message for %1.").arg(formatDuration(loss.retention.keeps));
    for (const QString &one : loss.retention.also)
        lines += visibleLine(one);
    if (loss.first) {
        const QString first = Text::tr("The first browsed message expires %1").arg(formatRelative(*loss.first, now));
        lines += loss.soon > 0 ? Text::tr("%1, %2 within 24 h.").arg(first, formatNumber(loss.soon))
                               : first + QLatin1Char('.');
    }
    if (loss.past > 0)
        lines += Text::tr("%1 messages should have expired by now. Browse again.", nullptr, int(loss.past))
                     .arg(formatNumber(loss.past));
    const qint64 notKnown = browsedOnly - loss.dated - loss.never;
    if (notKnown > 0)
        lines += Text::tr("The broker gives no expiry time for %1 browsed messages.", nullptr, int(notKnown))
                     .arg(formatNumber(notKnown));
    return lines;
}

} // namespace models

#include "moc_expirymodel.cpp"
