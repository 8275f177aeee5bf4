#include "backend/store/search/textindex.h"

#include "backend/core/limits.h"
#include "backend/store/database/database.h"
#include "backend/store/messages/messagerow.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/search/wordbreaks.h"

namespace store {

using core::MessageId;

Result<TextProgress> TextIndex::progress()
{
    Statement row = m_database.sql(QStringLiteral("SELECT searched, last_message FROM store_meta"));
    TRY(const bool found, row.step());
    return found ? TextProgress{MessageId{row.integer(0)}, MessageId{row.integer(1)}} : TextProgress{};
}

// The sizes come from the head of a row, without reading all of it.
Result<MessageId> TextIndex::endOfStep(const TextProgress &progress)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT message, length(headers) + min(length(body), ?) FROM message_content"
                                      " WHERE message > ? ORDER BY message LIMIT ?"));
    rows.bind(core::limits::bodyPreviewBytes, progress.reached, TextProgress::stepMessages);
    MessageId end = progress.newest; // messages missing in between were removed
    int count = 0;
    qint64 bytes = 0;
    while (true) {
        TRY(const bool row, rows.step());
        if (!row)
            break;
        bytes += rows.integer(1);
        if (++count < TextProgress::stepMessages && bytes < TextProgress::stepBytes)
            continue;
        end = MessageId{rows.integer(0)};
        break;
    }
    return end;
}

Result<QList<MessageId>> TextIndex::idsIn(const QString &condition, const QVariantList &values)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT message FROM message_content WHERE %1 ORDER BY message").arg(condition));
    rows.bindAll(values);
    QList<MessageId> ids;
    TRY(rows.each([&] { ids.append(MessageId{rows.integer(0)}); }));
    return ids;
}

Result<TextProgress> TextIndex::goOn()
{
    Result<TextProgress> now = progress();
    if (!now || now->isComplete())
        return now;
    TRY(const MessageId end, endOfStep(*now));
    TRY(const QList<MessageId> ids,
        idsIn(QStringLiteral("message > ? AND message <= ?"), {now->reached.value, end.value}));
    for (const MessageId id : ids)
        TRY(add(id));
    TRY(m_database.sql(QStringLiteral("UPDATE store_meta SET searched = ?")).bind(end).run());
    now->reached = end;
    return now;
}

Result<bool> TextIndex::covers(MessageId id)
{
    return progress().map([id](const TextProgress &now) { return id.value <= now.reached.value; });
}

Result<> TextIndex::forget(MessageId id)
{
    TRY(const bool covered, covers(id));
    return covered ? takeOut(id) : Result<>{};
}

Result<> TextIndex::learn(MessageId id)
{
    TRY(const bool covered, covers(id));
    return covered ? add(id) : Result<>{};
}

Result<> TextIndex::forgetAll(core::ConnectionId connection)
{
    TRY(const QList<MessageId> ids,
        idsIn(QStringLiteral("message IN (SELECT id FROM failed_message WHERE connection = ?)"
                             " AND message <= (SELECT searched FROM store_meta)"),
              {connection.value}));
    for (const MessageId id : ids)
        TRY(takeOut(id));
    return {};
}

// Always the text as it is stored, so that a word is removed exactly as it was added.
Result<QString> TextIndex::textOf(MessageId id)
{
    constexpr qint64 most = core::limits::bodyPreviewBytes + 1; // one more byte shows that it is cut
    const Result<records::Envelope> envelope = loadEnvelope(m_database, id, most);
    if (!envelope && envelope.error().kind == core::ErrorKind::Corrupt)
        return QString(); // unreadable headers have no words, and other messages must not wait for them
    if (!envelope)
        return core::fail(envelope.error());
    return searchedText(*envelope);
}

Result<> TextIndex::add(MessageId id)
{
    TRY(const QString text, textOf(id));
    return m_database.search().addWords(m_database, id, text);
}

Result<> TextIndex::takeOut(MessageId id)
{
    TRY(const QString text, textOf(id));
    return m_database.search().removeWords(m_database, id, text);
}

} // namespace store
