// A cache of message rows that loads missing rows by id, in pages of 200. It keeps the newest 5,000 rows, serves the
// latest wish first, and has at most two requests at a time. GUI thread.
#pragma once

#include "models/session/consolesession.h"

#include <QCache>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace models {

class MessageRows final : public QObject
{
    Q_OBJECT

public:
    static constexpr int pageSize = 200;

    explicit MessageRows(ConsoleSession &session, QObject *parent = nullptr);

    // Null while the row is missing. Valid until the next event.
    [[nodiscard]] const records::FailedMessage *find(core::MessageId id) const
    {
        const Kept *kept = m_rows.object(id);
        return kept != nullptr ? &kept->message : nullptr;
    }
    // False when the row is missing or was requested before the last clear().
    [[nodiscard]] bool isFresh(core::MessageId id) const;
    void put(const QList<records::FailedMessage> &rows); // adds rows that were read elsewhere
    // Requests a page soon. A page that was already requested is not requested twice.
    void want(int page, const QList<core::MessageId> &ids);
    // Drops all wishes. The rows stay visible until they are read again or leave the cache, but they are no longer
    // fresh.
    void clear();

Q_SIGNALS:
    void arrived(const QList<core::MessageId> &ids);
    void failed(const core::Error &error);

private:
    struct Kept
    {
        records::FailedMessage message;
        int generation = 0; // of its request
    };
    struct Wish
    {
        int page = 0;
        QList<core::MessageId> ids;
    };
    void put(const QList<records::FailedMessage> &rows, int generation);
    void askNext();
    void take(const Wish &wish, int generation, const core::Result<QList<records::FailedMessage>> &rows);

    ConsoleSession &m_session;
    QCache<core::MessageId, Kept> m_rows;
    QList<Wish> m_wishes; // the last one is requested first
    QSet<int> m_asked; // pages with a running request
    int m_generation = 0;
    QTimer m_soon;
};

} // namespace models
