#include "backend/http/redaction.h"

#include <QRegularExpression>

#include <array>

namespace http {

namespace {

constexpr QLatin1String hidden("***");

struct Rule
{
    QRegularExpression pattern;
    QString replacement;
};

const std::array<Rule, 4> &rules()
{
    using Option = QRegularExpression;
    static const std::array<Rule, 4> all{
        Rule{Option(QStringLiteral(R"((\b[a-z][a-z0-9+.-]*://)[^/\s?#]*@)"), Option::CaseInsensitiveOption),
             QStringLiteral("\\1***@")},
        Rule{Option(QStringLiteral(R"(\b(Basic|Bearer|SharedKey|SharedAccessSignature)\s+\S+)"),
                    Option::CaseInsensitiveOption),
             QStringLiteral("\\1 ***")},
        Rule{
            Option(QStringLiteral(R"(\b(SharedAccessKey|AccountKey|password|passwd|secret|token)(\s*[=:]\s*)[^;&\s]+)"),
                   Option::CaseInsensitiveOption),
            QStringLiteral("\\1\\2***")},
        Rule{Option(QStringLiteral(R"(([?&\s]|^)(sig|signature|x-amz-signature)=[^;&\s]+)"),
                    Option::CaseInsensitiveOption),
             QStringLiteral("\\1\\2=***")},
    };
    return all;
}

} // namespace

QString redacted(const QUrl &url)
{
    return redacted(url.toString(QUrl::RemoveUserInfo | QUrl::FullyEncoded));
}

QString redacted(const QString &text)
{
    QString result = text;
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
