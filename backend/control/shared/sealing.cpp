#include "backend/control/shared/sealing.h"

#include "backend/core/digest.h"

#include <QCborValue>

#include <algorithm>
#include <array>

#include <openssl/evp.h>

namespace control {

namespace {

constexpr qsizetype keyBytes = 32;
constexpr qsizetype tagBytes = 16;
constexpr std::array<unsigned char, 12> nonce{}; // a key is used once

struct KeyFreed
{
    void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyFreed>;
struct ContextFreed
{
    void operator()(EVP_PKEY_CTX *context) const { EVP_PKEY_CTX_free(context); }
    void operator()(EVP_CIPHER_CTX *context) const { EVP_CIPHER_CTX_free(context); }
};

unsigned char *raw(QByteArray &bytes, qsizetype at = 0)
{
    return reinterpret_cast<unsigned char *>(bytes.data()) + at;
}

const unsigned char *raw(const QByteArray &bytes, qsizetype at = 0)
{
    return reinterpret_cast<const unsigned char *>(bytes.constData()) + at;
}

QByteArray publicPart(const EVP_PKEY *key)
{
    QByteArray bytes(keyBytes, Qt::Uninitialized);
    size_t length = keyBytes;
    if (key == nullptr || EVP_PKEY_get_raw_public_key(key, raw(bytes), &length) != 1)
        return {};
    return bytes;
}

Key fromPublic(const QByteArray &bytes)
{
    return Key(bytes.size() == keyBytes
                   ? EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, raw(bytes), size_t(bytes.size()))
                   : nullptr);
}

// Of what both ends can compute, for this pair of keys alone; empty: they do not fit.
QByteArray sharedKey(EVP_PKEY *mine, EVP_PKEY *theirs, const QByteArray &senders, const QByteArray &receivers)
{
    if (mine == nullptr || theirs == nullptr)
        return {};
    const std::unique_ptr<EVP_PKEY_CTX, ContextFreed> context(EVP_PKEY_CTX_new(mine, nullptr));
    QByteArray secret(keyBytes, Qt::Uninitialized);
    size_t length = keyBytes;
    if (!context || EVP_PKEY_derive_init(context.get()) != 1 || EVP_PKEY_derive_set_peer(context.get(), theirs) != 1
        || EVP_PKEY_derive(context.get(), raw(secret), &length) != 1)
        return {};
    return core::sha256({QByteArrayView("redrive sealed request 1"), secret, senders, receivers});
}

} // namespace

void SealingKey::Freed::operator()(evp_pkey_st *key) const
{
    EVP_PKEY_free(key);
}

SealingKey::SealingKey()
    : m_key(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"))
{
}

QByteArray SealingKey::publicKey() const
{
    return publicPart(m_key.get());
}

// The sender's public key, the sealed bytes, and a tag that shows every change.
QByteArray seal(const QByteArray &publicKey, const QByteArray &open)
{
    const Key receiver = fromPublic(publicKey);
    const Key sender(EVP_PKEY_Q_keygen(nullptr, nullptr, "X25519"));
    const QByteArray senders = publicPart(sender.get());
    const QByteArray key = sharedKey(sender.get(), receiver.get(), senders, publicKey);
    const std::unique_ptr<EVP_CIPHER_CTX, ContextFreed> context(EVP_CIPHER_CTX_new());
    QByteArray sealed(keyBytes + open.size() + tagBytes, Qt::Uninitialized);
    std::copy(senders.cbegin(), senders.cend(), sealed.begin());
    int written = 0;
    int rest = 0;
    if (key.isEmpty() || !context
        || EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, raw(key), nonce.data()) != 1
        || EVP_EncryptUpdate(context.get(), raw(sealed, keyBytes), &written, raw(open), int(open.size())) != 1
        || EVP_EncryptFinal_ex(context.get(), raw(sealed, keyBytes + written), &rest) != 1
        || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, int(tagBytes), raw(sealed, keyBytes + open.size()))
               != 1)
        return {};
    return sealed;
}

std::optional<QByteArray> SealingKey::open(const QByteArray &sealed) const
{
    const qsizetype length = sealed.size() - keyBytes - tagBytes;
    if (length < 0)
        return std::nullopt;
    const QByteArray senders = sealed.first(keyBytes);
    const Key sender = fromPublic(senders);
    const QByteArray key = sharedKey(m_key.get(), sender.get(), senders, publicKey());
    const std::unique_ptr<EVP_CIPHER_CTX, ContextFreed> context(EVP_CIPHER_CTX_new());
    QByteArray open(length, Qt::Uninitialized);
    QByteArray tag = sealed.last(tagBytes);
    int written = 0;
    int rest = 0;
    if (key.isEmpty() || !context
        || EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, raw(key), nonce.data()) != 1
        || EVP_DecryptUpdate(context.get(), raw(open), &written, raw(sealed, keyBytes), int(length)) != 1
        || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, int(tagBytes), raw(tag)) != 1
        || EVP_DecryptFinal_ex(context.get(), raw(open, written), &rest) != 1)
        return std::nullopt;
    return open;
}

bool hasSecret(const QCborMap &request)
{
    return std::any_of(request.cbegin(), request.cend(), [](const std::pair<QCborValue, QCborValue> &field) {
        if (field.first.toString() == QLatin1String("secret"))
            return !field.second.isNull() && !field.second.toString().isEmpty();
        return field.second.isMap() && hasSecret(field.second.toMap());
    });
}

} // namespace control
