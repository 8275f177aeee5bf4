#include "backend/core/digest.h"

#include <QCryptographicHash>

#include <openssl/evp.h>

#include <memory>

namespace core {

namespace {

struct Free
{
    void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};

// Empty if the settings of this machine's OpenSSL exclude SHA-256.
QByteArray fastPath(std::initializer_list<QByteArrayView> parts)
{
    static const EVP_MD *const method = EVP_MD_fetch(nullptr, "SHA256", nullptr); // for the life of the process
    const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
    if (method == nullptr || !context || EVP_DigestInit_ex(context.get(), method, nullptr) != 1)
        return {};
    for (const QByteArrayView part : parts) {
        if (EVP_DigestUpdate(context.get(), part.data(), size_t(part.size())) != 1)
            return {};
    }
    QByteArray digest(EVP_MD_get_size(method), Qt::Uninitialized);
    if (EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char *>(digest.data()), nullptr) != 1)
        return {};
    return digest;
}

} // namespace

QByteArray sha256(std::initializer_list<QByteArrayView> parts)
{
    const QByteArray digest = fastPath(parts);
    if (!digest.isEmpty())
        return digest;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QByteArrayView part : parts)
        hash.addData(part);
    return hash.result();
}

} // namespace core
