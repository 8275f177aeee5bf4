// Header values, dates and what is hidden in them. a: a Retry-After. d: a date. t: any text that goes to a log. r: a secret in a
// text: what stands before it, the secret, what stands behind it. f: a header field, "Name: value". u: a URL.
#include "backend/core/time/httpdate.h"
#include "backend/http/redaction.h"
#include "backend/http/retryafter.h"
#include "tests/fuzz/fuzz.h"

#include <QUrl>

#include <algorithm>
#include <array>

using fuzz::holds;

namespace {

const core::TimePoint now = core::fromMs(1767323045000);
constexpr core::Milliseconds day = std::chrono::hours{24};

void wait(const QByteArray &value)
{
    const http::Response response{503, {{"Retry-After", value}}, {}};
    const core::Milliseconds wait = http::retryAfter(response, now);
    holds(wait.count() >= 0 && wait <= day, "a wait is between none and a day", value);
}

void date(const QByteArray &text)
{
    const std::optional<core::TimePoint> time = core::fromHttpDate(text);
    if (!time)
        return;
    const QByteArray written = core::toHttpDate(*time);
    holds(core::fromHttpDate(written) == time, "a date is read as it is written", text + " " + written);
}

// What keys, tokens and passwords look like; not too short, so that it is not found by chance.
QByteArray secretFrom(const QByteArray &bytes)
{
    QByteArray secret = "S3";
    for (const char one : bytes.left(60)) {
        const bool isPlain = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9')
                             || one == '+' || one == '/' || one == '=' || one == '_' || one == '-' || one == '.';
        secret += isPlain ? one : 'x';
    }
    return secret.leftJustified(10, 'z');
}

void redaction(const QByteArrayList &parts)
{
    static constexpr std::array forms{
        "amqp://user:%1@host/",
        "Authorization: Basic %1",
        "authorization: bearer %1",
        "SharedKey account:%1",
        "SharedAccessKey=%1",
        ";AccountKey=%1;",
        "password=%1",
        "password: %1",
        "?sv=1&sig=%1",
        "&X-Amz-Signature=%1",
        "\"password\":\"%1\"",
        "{\"secret\" : \"%1\"}",
        "db_password=%1",
        "AWS_SECRET_ACCESS_KEY=%1",
        "x-amz-security-token:%1",
        "SharedAccessSignature=sr=a&sig=%1",
        "SecretAccessKey=%1",
    };
    const QString before = QString::fromUtf8(parts.value(0));
    const QString secret = QString::fromLatin1(secretFrom(parts.value(1)));
    const QString behind = QString::fromUtf8(parts.value(2));
    if (before.contains(secret) || behind.contains(secret))
        return;
    for (const char *form : forms) {
        const QString text =
            before + QLatin1Char(' ') + QString::fromLatin1(form).arg(secret) + QLatin1Char(' ') + behind;
        const QString shown = http::redacted(text);
        holds(!shown.contains(secret), "no secret is left", text.toUtf8() + "\n" + shown.toUtf8());
    }
}

// What has no sign of a secret stays as it is.
void text(const QString &given)
{
    const bool isPlain = std::none_of(given.begin(), given.end(), [](QChar one) {
        return one == QLatin1Char('=') || one == QLatin1Char(':') || one == QLatin1Char('@') || one.isSpace();
    });
    const QString shown = http::redacted(given);
    holds(!isPlain || shown == given, "what is no secret stays", given.toUtf8() + "\n" + shown.toUtf8());
}

void field(const QByteArray &bytes)
{
    const qsizetype colon = std::max(qsizetype{0}, bytes.indexOf(':'));
    const http::HeaderField field{bytes.first(colon), bytes.mid(colon + 1).trimmed()};
    const QString shown = http::redacted(field);
    const QByteArray name = field.name.toLower();
    const bool isSecret = name == "authorization" || name == "cookie" || name == "x-amz-security-token";
    holds(!isSecret || shown.endsWith(QLatin1String("***")), "a credential is hidden", bytes);
}

void url(const QString &given)
{
    const QUrl url(given);
    const QString shown = http::redacted(url);
    const QString password = url.password(QUrl::FullyEncoded);
    const bool isOnce = password.size() >= 10 && given.count(password) == 1;
    holds(!isOnce || !shown.contains(password), "no password is left", shown.toUtf8());
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    switch (input.mode()) {
    case 'a':
        wait(input.rest());
        break;
    case 'd':
        date(input.rest());
        break;
    case 'r':
        redaction(input.parts());
        break;
    case 't':
        text(input.text());
        break;
    case 'f':
        field(input.rest());
        break;
    case 'u':
        url(input.text());
        break;
    default:
        break;
    }
    return 0;
}
