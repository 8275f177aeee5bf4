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
    [[nodiscard]] QStringList texts(const QString &queue); // of the first 32 in sight
    void clear(const QString &queue);

    // Shared access signatures, good for an hour.
    [[nodiscard]] QString accountToken(const QByteArray &permissions) const;
    [[nodiscard]] QString queueToken(const QString &queue, const QByteArray &permissions) const;

private:
    [[nodiscard]] http::Response call(const QByteArray &verb, const QByteArray &path, const QByteArray &query,
                                      const QByteArray &body = {});
    [[nodiscard]] QByteArray expiry() const;

    core::SystemClock m_clock;
    http::QnamHttpClient m_client;
    QByteArray m_root;
};

} // namespace support
