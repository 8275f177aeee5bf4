// What a person types or pastes to name an account. The first byte is a part of it: URLs and connection strings as they are.
#include "backend/records/address/connectionurl.h"
#include "backend/records/address/sqsaddress.h"
#include "tests/fuzz/fuzz.h"

using fuzz::holds;
using records::BrokerKind;
using records::ConnectionUrl;

namespace {

void checkUrl(const ConnectionUrl &found, const QByteArray &text)
{
    const QUrl &url = found.url;
    holds(url.isValid() && !url.host().isEmpty() && url.port() != 0, "an address leads somewhere", text);
    holds(url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https"), "by http or https", text);
    holds(url.password().isEmpty() && !url.hasFragment(), "no password is kept in an address", text);
    holds(found.kind == BrokerKind::Sqs || !url.hasQuery(), "no token is kept in an address", text);
    holds(url.path().startsWith(QLatin1Char('/')), "an address has a path", text);
    holds(found.kind != BrokerKind::Sqs || !records::sqsRegion(url).isEmpty(), "SQS has a region", text);
    holds(found.kind == BrokerKind::Sqs || !url.userName().isEmpty(), "an account has a name", text);
}

void checkSame(const ConnectionUrl &found, const QByteArray &text)
{
    const QString written = records::connectionUrlText(found.kind, found.url);
    const core::Result<ConnectionUrl> again = records::connectionUrlFrom(written);
    holds(again.has_value(), "what is written can be read", text + "\n" + written.toUtf8());
    holds(!again->secret, "nothing that is written holds a secret", written.toUtf8());
    holds(again->kind == found.kind && again->url == found.url, "it leads to the same", text + "\n" + written.toUtf8());
    const QString secret = found.secret.value_or(QString());
    // A host that is completed from the account's name alone holds what was not typed in its place.
    const bool isTyped = text.contains(found.url.host().toUtf8());
    const bool isTold = isTyped && secret.size() >= 12 && text.count(secret.toUtf8()) == 1 && written.contains(secret);
    holds(!isTold, "no secret is written", written.toUtf8());
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    const QString text = QString::fromUtf8(bytes);
    const core::Result<ConnectionUrl> found = records::connectionUrlFrom(text);
    if (!found) {
        holds(found.error().kind == core::ErrorKind::Rejected && !found.error().message.isEmpty(), "an error says so");
        const bool isTold = text.size() >= 16 && found.error().message.contains(text);
        holds(!isTold && found.error().detail.isEmpty(), "an error keeps what was pasted", bytes);
        return 0;
    }
    checkUrl(*found, bytes);
    checkSame(*found, bytes);
    (void)records::isOnThisMachine(found->url);
    return 0;
}
