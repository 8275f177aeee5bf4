#include "models/edits/editsamples.h"

#include "backend/api/requests/queries.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

constexpr int pageSize = 100;

} // namespace

EditSamples::EditSamples(ConsoleSession &session, records::MessageFilter filter, QObject *parent)
    : QObject(parent)
    , m_filter(std::move(filter))
    , m_call(session)
    , m_nameCall(session)
    , m_moreCall(session)
{
    m_filter.status = records::MessageStatus::Unresolved;
}

void EditSamples::show(const records::Edit &edit, bool askEndpoints)
{
    m_edit = edit;
    m_askEndpoints = askEndpoints;
    ask(m_messages.value(m_at));
}

bool EditSamples::hasNext() const
{
    return m_sample.message.isValid() && (m_at + 1 < m_messages.size() || !m_total || !m_cursor.isEmpty());
}

void EditSamples::next()
{
    if (!hasNext())
        return;
    if (m_at + 1 == m_messages.size()) {
        askForMore();
        return;
    }
    ask(m_messages.at(++m_at));
}

void EditSamples::previous()
{
    if (hasPrevious())
        ask(m_messages.at(--m_at));
}

void EditSamples::jumpTo(core::MessageId message)
{
    const qsizetype known = m_messages.indexOf(message);
    if (known >= 0) {
        m_at = known;
    } else {
        m_at = m_messages.isEmpty() ? 0 : m_at + 1;
        m_messages.insert(m_at, message);
    }
    ask(message);
}

void EditSamples::ask(core::MessageId message)
{
    m_call.askUntilReplaced(api::PreviewEdit{m_filter, message, m_edit, m_askEndpoints},
                            [this](const core::Result<api::EditSample> &answer) {
                                m_error = answer ? QString() : visibleLine(answer.error().message);
                                if (answer)
                                    take(*answer);
                                else
                                    Q_EMIT changed();
                            });
    Q_EMIT changed();
}

void EditSamples::take(const api::EditSample &sample)
{
    const bool isOther = sample.message != m_sample.message;
    m_sample = sample;
    m_difference = records::difference(sample.before, sample.after);
    if (!sample.message.isValid())
        m_error = tr("No message is left to send.");
    else if (m_messages.isEmpty())
        m_messages.append(sample.message);
    if (isOther)
        askForName();
    Q_EMIT changed();
}

void EditSamples::askForName()
{
    m_name.clear();
    m_nameCall.ask(
        api::MessageRowQuery{{m_sample.message}}, [this](const core::Result<QList<records::FailedMessage>> &rows) {
            if (!rows || rows->isEmpty())
                return;
            const records::FailedMessage &row = rows->constFirst();
            QStringList parts;
            for (const QString &part : {row.messageType, row.messageId.isEmpty() ? row.uniqueId : row.messageId}) {
                if (!part.isEmpty())
                    parts.append(visibleLine(part, 60));
            }
            m_name = parts.join(QStringLiteral(" · "));
            Q_EMIT changed();
        });
}

void EditSamples::askForMore()
{
    api::MessageQuery query;
    query.filter = m_filter;
    query.limit = pageSize;
    query.after = m_cursor;
    m_moreCall.ask(query, [this](const core::Result<api::MessagePage> &page) {
        if (!page) {
            m_error = visibleLine(page.error().message);
            Q_EMIT changed();
            return;
        }
        m_total = page->total;
        m_cursor = page->next;
        for (const records::FailedMessage &row : page->rows) {
            if (!m_messages.contains(row.id))
                m_messages.append(row.id);
        }
        if (m_at + 1 < m_messages.size())
            ask(m_messages.at(++m_at));
        else if (!m_cursor.isEmpty())
            next(); // all messages of this page are known
        else
            Q_EMIT changed();
    });
}

QString EditSamples::counters() const
{
    QStringList all;
    for (const api::ResetCounter &one : m_sample.counters)
        all.append(
            one.after.isEmpty()
                ? tr("%1: %2, removed").arg(visibleLine(one.name), visibleLine(one.before))
                : tr("%1: %2, set to %3").arg(visibleLine(one.name), visibleLine(one.before), visibleLine(one.after)));
    QStringList lines;
    if (!all.isEmpty())
        lines.append(tr("Retry counters that start again: %1").arg(all.join(QStringLiteral("; "))));
    for (const api::ResetCounter &one : m_sample.withheld)
        lines.append(tr("Goes without %1 (%2).").arg(visibleLine(one.name), visibleLine(one.before)));
    return lines.join(QLatin1Char('\n'));
}

QString EditSamples::text() const
{
    if (!m_sample.message.isValid())
        return isAsking() ? tr("Loading a sample…") : QString();
    const QString number = m_total ? tr("Sample %1 of %2").arg(formatNumber(m_at + 1), formatNumber(*m_total))
                                   : tr("Sample %1").arg(formatNumber(m_at + 1));
    return m_name.isEmpty() ? number : tr("%1 · %2").arg(number, m_name);
}

} // namespace models

#include "moc_editsamples.cpp"
