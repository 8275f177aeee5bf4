#include "backend/store/eventstore.h"

#include "backend/core/digest.h"
#include "backend/store/database/database.h"

#include <QCborArray>
#include <QCborValue>

namespace store {

EventStore::EventStore(Database &database)
    : m_database(database)
{
}

QByteArray eventHash(const QByteArray &before, const records::Event &event)
{
    const QCborArray fields{before,    event.sequence, core::toMs(event.at), static_cast<int>(event.severity),
                            event.who, event.what,     event.onWhat,         event.result};
    return core::sha256({QCborValue(fields).toCbor()});
}

Result<> EventStore::append(const records::Event &event)
{
    records::Event entry = event;
    QByteArray before;
    {
        Statement last =
            m_database.sql(QStringLiteral("SELECT sequence, hash FROM event_log ORDER BY sequence DESC LIMIT 1"));
        TRY(const bool row, last.step());
        entry.sequence = row ? last.integer(0) + 1 : 1;
        before = row ? last.blob(1) : QByteArray();
    }
    return m_database
        .sql(QStringLiteral("INSERT INTO event_log (sequence, at, severity, who, what, on_what, result, hash)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"))
        .bind(entry.sequence, entry.at, entry.severity, entry.who, entry.what, entry.onWhat, entry.result,
              eventHash(before, entry))
        .run()
        .map([](int) {});
}

} // namespace store
