#include "backend/http/answertext.h"

#include "backend/core/text/safetext.h"
#include "backend/http/redaction.h"
#include "backend/http/text.h"

#include <QRegularExpression>

namespace http {

namespace {

constexpr qsizetype longestPath = 140;
constexpr qsizetype longestText = 120;
constexpr qsizetype bytesRead = 16 * 1024; // of a body

QString shortened(const QString &text, qsizetype longest)
{
    return text.size() <= longest ? text : text.left(longest - 1) + QChar(u'…');
}

} // namespace

QString askedText(const QByteArray &verb, const QUrl &url)
{
    const QString path = redacted(url.path(QUrl::FullyEncoded));
    return (QString::fromLatin1(verb) + QLatin1Char(' ') + shortened(path, longestPath)).trimmed();
}

QString firstText(const QByteArray &body)
{
    // Scripts, styles and tags, also one that is cut at the end.
    static const QRegularExpression markup(QStringLiteral("<(script|style)\\b.*?(</\\1\\s*>|$)|<[^>]*(>|$)"),
                                           QRegularExpression::CaseInsensitiveOption
                                               | QRegularExpression::DotMatchesEverythingOption);
    const QString text = QString::fromUtf8(body.left(bytesRead)).replace(markup, QStringLiteral(" "));
    return shortened(redacted(core::safeText(text.simplified())), longestText);
}

QString answerText(const Response &answer)
{
    const QString asked = askedText(answer.verb, answer.url);
    const QString status = QString::number(answer.status);
    const QString came =
        asked.isEmpty() ? QStringLiteral("HTTP %1").arg(status) : QStringLiteral("%1 (HTTP %2)").arg(asked, status);
    const QString words = firstText(answer.body);
    if (!words.isEmpty())
        return QStringLiteral("%1: %2").arg(came, words);
    const QString nothing = answer.body.isEmpty() ? Text::tr("%1: the response is empty.")
                                                  : Text::tr("%1: the response has no readable text.");
    return nothing.arg(came);
}

} // namespace http
