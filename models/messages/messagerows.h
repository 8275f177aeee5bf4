// The rows of messages that were asked for, in pages of 200 by id. Keeps the newest few thousand, asks for what is
// missing, the latest wish first, at most two questions at a time.
#pragma once

#include "backend/api/client.h"

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

    explicit MessageRows(api::EngineClient &client, QObject *parent = nullptr);

    // Null when it is not here (yet). Good until the next event.
    [[nodiscard]] const records::FailedMessage *find(core::MessageId id) const
    {
        const Kept *kept = m_rows.object(id);
        return kept != nullptr ? &kept->message : nullptr;
    }
    // False: missing, or read before the last clear().
    [[nodiscard]] bool isFresh(core::MessageId id) const;
    void put(const QList<records::FailedMessage> &rows);
    // Asks for a page soon; a page that is on its way or already wished for is not asked twice.
    void want(int page, const QList<core::MessageId> &ids);
    // Forgets all wishes. Rows stay for the eye until they are read again or others need the room, but are not fresh.
    void clear();

Q_SIGNALS:
    void arrived(const QList<core::MessageId> &ids);
    void failed(const core::Error &error);

private:
    struct Kept
    {
        records::FailedMessage message;
        int generation = 0; // when it was asked for
    };
    struct Wish
    {
        int page = 0;
        QList<core::MessageId> ids;
    };
    void put(const QList<records::FailedMessage> &rows, int generation);
    void askNext();
    void take(const Wish &wish, int generation, const core::Result<QList<records::FailedMessage>> &rows);

    api::EngineClient &m_client;
    QCache<core::MessageId, Kept> m_rows;
    QList<Wish> m_wishes; // the last is asked first
    QSet<int> m_asked; // pages on their way
    int m_generation = 0;
    QTimer m_soon;
};

} // namespace models
