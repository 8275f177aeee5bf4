#pragma once

#include "tests/support/storagequeue/storagequeueclient.h"

namespace support {

// What the applications around a storage account do: create queues, put texts, see what lies there. Signs on its own.
class StorageQueueTools final
{
public:
    explicit StorageQueueTools(quint16 port);

    void create(const QString &queue);
    void put(const QString &queue, const QString &text);
    void putAll(const QString &queue, const QStringList &texts); // many at a time, so in any order
    [[nodiscard]] QStringList texts(const QString &queue); // of the first 32 in sight
    [[nodiscard]] QStringList drain(const QString &queue); // all that is in sight, taken out; the rest goes, too
    void clear(const QString &queue);
    [[nodiscard]] qint64 count(const QString &queue); // those out of sight among them; 0: there is no such queue

    // Shared access signatures, good for an hour.
    [[nodiscard]] QString accountToken(const QByteArray &permissions) const;
    [[nodiscard]] QString queueToken(const QString &queue, const QByteArray &permissions) const;

private:
    [[nodiscard]] http::Response call(const QByteArray &verb, const QByteArray &path, const QByteArray &query,
                                      const QByteArray &body = {});
    [[nodiscard]] core::Task<http::Response> ask(QByteArray verb, QByteArray path, QByteArray query, QByteArray body);
    [[nodiscard]] static QStringList textsOf(const http::Response &answer);
    [[nodiscard]] QByteArray expiry() const;

    core::SystemClock m_clock;
    http::QnamHttpClient m_client;
    QByteArray m_root;
};

} // namespace support
