#include "backend/http/redaction.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace http {

namespace {

constexpr QLatin1String hidden("***");

struct Rule
{
    QRegularExpression pattern;
    QString replacement;
};

const std::array<Rule, 2> &rules()
{
    using Option = QRegularExpression;
    static const std::array<Rule, 2> all{
        Rule{Option(QStringLiteral(R"(\b((?:(?:Basic|Bearer|SharedKey|SharedAccessSignature)\s+)+)\S+)"),
                    Option::CaseInsensitiveOption),
             QStringLiteral("\\1***")},
        Rule{Option(QStringLiteral(R"(([?&;,\s"']|^)(sig|signature|x-amz-signature)=[^;&\s]+)"),
                    Option::CaseInsensitiveOption),
             QStringLiteral("\\1\\2=***")},
    };
    return all;
}

// A password with a slash ends at the last '@'. The text after a port is a path, not a password. This rule runs first:
// a password may end like the name of a secret, and then the rule for names would remove its '@'.
QString withoutUserInfo(QString text)
{
    using Option = QRegularExpression;
    static const Option pattern(
        QStringLiteral(R"((\b[a-z][a-z0-9+.-]*://)(?:[^/\s?#]*|[^/\s:@]*:(?!\d{1,5}[/?#])[^\s@]*)@)"),
        Option::CaseInsensitiveOption);
    return text.replace(pattern, QStringLiteral("\\1***@"));
}

// Hides the values of names such as AccountKey or password, also at the end of a longer name and in JSON. The value of
// one name may be the next name, so each name is searched for by itself. "ExpiredToken: ..." is the name of an error
// and stays.
QString withoutValues(const QString &text)
{
    using Option = QRegularExpression;
    static const Option names(
        QStringLiteral(R"((?:Access[_-]?Key|AccountKey|password|passwd|pwd|secret|(?<![a-z0-9])token)"
                       R"(|(?:session|security|access|refresh|auth)[_-]?token)\\?["']?\s*[=:]\s*)"
                       R"((?:(?:Basic|Bearer|SharedKey|SharedAccessSignature)\s+)*)"),
        Option::CaseInsensitiveOption);
    static const Option value(QStringLiteral(R"((?:"(?:[^"\\]|\\.)*"?|'[^']*'?)[^;&\s]*|[^;&\s]+)"));
    QString result;
    qsizetype shown = 0; // how far the text has been copied
    auto found = names.globalMatch(text);
    while (found.hasNext()) {
        const qsizetype from = found.next().capturedEnd();
        const QRegularExpressionMatch match =
            value.match(text, from, Option::NormalMatch, Option::AnchorAtOffsetMatchOption);
        const qsizetype end = std::max(shown, match.hasMatch() ? match.capturedEnd() : from);
        if (end == from || end == shown)
            continue;
        result += text.mid(shown, std::max(qsizetype{0}, from - shown)) + hidden;
        shown = end;
    }
    return result + text.mid(shown);
}

} // namespace

QString redacted(const QUrl &url)
{
    return redacted(url.toString(QUrl::RemoveUserInfo | QUrl::FullyEncoded));
}

QString redacted(const QString &text)
{
    QString result = withoutValues(withoutUserInfo(text));
    for (const Rule &rule : rules())
        result.replace(rule.pattern, rule.replacement);
    return result;
}

QString redacted(const HeaderField &field)
{
    const QByteArray name = field.name.toLower();
    const bool secret = name.contains("auth") || name.contains("cookie") || name.contains("key")
                        || name.contains("token") || name.contains("secret") || name.contains("password");
    return QString::fromLatin1(field.name) + QLatin1String(": ")
           + (secret ? QString(hidden) : redacted(QString::fromUtf8(field.value)));
}

} // namespace http
