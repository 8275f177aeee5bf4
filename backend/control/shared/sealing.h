// Secrets on their way through the database of a shared store: it keeps what is written to it, in its log and in backups, and
// others may read it. So they are sealed to the process that holds the store, whose key lives only in its memory.
#pragma once

#include <QByteArray>
#include <QCborMap>

#include <memory>
#include <optional>

struct evp_pkey_st;

namespace control {

// The key of one holder. X25519, and AES-256-GCM under a key for each seal.
class SealingKey final
{
public:
    SealingKey();
    // What others seal with; empty: this machine's OpenSSL makes no such keys, and nothing can be sealed.
    [[nodiscard]] QByteArray publicKey() const;
    // Nothing: it was sealed to another key, or changed on the way.
    [[nodiscard]] std::optional<QByteArray> open(const QByteArray &sealed) const;

private:
    struct Freed
    {
        void operator()(evp_pkey_st *key) const;
    };
    std::unique_ptr<evp_pkey_st, Freed> m_key;
};

// Empty: this is no key.
[[nodiscard]] QByteArray seal(const QByteArray &publicKey, const QByteArray &open);

// Whether a request holds a field with the name "secret" that is not empty.
[[nodiscard]] bool hasSecret(const QCborMap &request);

} // namespace control
