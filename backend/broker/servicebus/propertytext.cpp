#include "backend/broker/servicebus/propertytext.h"

#include "backend/core/text/losslessjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace broker {

namespace {

std::optional<QString> quotedText(const QByteArray &text)
{
    if (text.size() < 2 || !text.startsWith('"') || !text.endsWith('"'))
        return {};
    QJsonParseError error;
    const QJsonDocument json = core::jsonFrom('[' + text + ']', &error);
    if (error.error == QJsonParseError::NoError && json.array().size() == 1)
        return json.array().at(0).toString();
    // The library azure-sb does not escape quotes: "say "hi"".
    return QString::fromUtf8(text.sliced(1, text.size() - 2)).replace(QLatin1String("\\\""), QLatin1String("\""));
}

bool looksLikeNumber(const QByteArray &text)
{
    const QByteArray digits = text.startsWith('-') ? text.sliced(1) : text;
    return !digits.isEmpty() && digits.at(0) >= '0' && digits.at(0) <= '9'
           && std::all_of(digits.cbegin(), digits.cend(), [](char c) {
                  return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
              });
}

} // namespace

QCborValue propertyFromText(const QByteArray &raw)
{
    const QByteArray text = raw.trimmed();
    if (const std::optional<QString> quoted = quotedText(text))
        return *quoted;
    const QByteArray lower = text.toLower();
    if (lower == "true" || lower == "false")
        return lower == "true";
    bool ok = false;
    if (looksLikeNumber(text)) {
        const qint64 integer = text.toLongLong(&ok);
        if (ok)
            return integer;
        const double number = text.toDouble(&ok);
        if (ok)
            return QCborValue(number);
    }
    return QString::fromUtf8(text);
}

std::optional<QByteArray> propertyToText(const QCborValue &value)
{
    switch (value.type()) {
    case QCborValue::String: {
        const QByteArray array = QJsonDocument(QJsonArray{value.toString()}).toJson(QJsonDocument::Compact);
        return array.sliced(1, array.size() - 2);
    }
    case QCborValue::Integer:
        return QByteArray::number(value.toInteger());
    case QCborValue::Double: {
        QByteArray text = QByteArray::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
        if (value.toDouble() == 0 && std::signbit(value.toDouble())) // Qt drops the sign
            text.prepend('-');
        return text.contains('.') || text.contains('e') || text.contains('n') ? text : text + ".0";
    }
    case QCborValue::True:
        return QByteArray("true");
    case QCborValue::False:
        return QByteArray("false");
    default:
        return {};
    }
}

bool isProperty(const QString &name, const QByteArray &text)
{
    // Never properties (protocols.md A.2), and headers of one connection only.
    static const std::array<QLatin1String, 16> never{QLatin1String("authorization"),
                                                     QLatin1String("host"),
                                                     QLatin1String("user-agent"),
                                                     QLatin1String("brokerproperties"),
                                                     QLatin1String("date"),
                                                     QLatin1String("via"),
                                                     QLatin1String("connection"),
                                                     QLatin1String("transfer-encoding"),
                                                     QLatin1String("expect"),
                                                     QLatin1String("keep-alive"),
                                                     QLatin1String("te"),
                                                     QLatin1String("trailer"),
                                                     QLatin1String("upgrade"),
                                                     QLatin1String("location"),
                                                     QLatin1String("x-ms-retrypolicy"),
                                                     QLatin1String("x-ms-client-request-id")};
    const QString lower = name.toLower();
    if (lower.startsWith(QLatin1String("content-")) || lower.startsWith(QLatin1String("accept"))
        || std::find(never.cbegin(), never.cend(), lower) != never.cend())
        return false;
    return canBeHeaderName(name) || text.startsWith('"');
}

bool canBeHeaderName(const QString &name)
{
    static const std::array<QLatin1String, 23> taken{
        QLatin1String("authorization"), QLatin1String("host"),        QLatin1String("user-agent"),
        QLatin1String("date"),          QLatin1String("via"),         QLatin1String("connection"),
        QLatin1String("keep-alive"),    QLatin1String("te"),          QLatin1String("trailer"),
        QLatin1String("upgrade"),       QLatin1String("expect"),      QLatin1String("brokerproperties"),
        QLatin1String("server"),        QLatin1String("location"),    QLatin1String("transfer-encoding"),
        QLatin1String("cookie"),        QLatin1String("set-cookie"),  QLatin1String("range"),
        QLatin1String("referer"),       QLatin1String("origin"),      QLatin1String("strict-transport-security"),
        QLatin1String("cache-control"), QLatin1String("x-request-id")};
    // Gateways add the headers of the last three groups to answers.
    static const std::array<QLatin1String, 8> groups{
        QLatin1String("content-"), QLatin1String("accept"),   QLatin1String("x-ms-"),        QLatin1String("proxy-"),
        QLatin1String("if-"),      QLatin1String("x-envoy-"), QLatin1String("x-forwarded-"), QLatin1String("x-b3-")};
    const QString lower = name.toLower();
    if (name.isEmpty() || name.size() > 255
        || std::any_of(groups.cbegin(), groups.cend(), [&](QLatin1String group) { return lower.startsWith(group); }))
        return false;
    const bool isToken = std::all_of(name.cbegin(), name.cend(), [](QChar c) {
        return c > QLatin1Char(' ') && c < QChar(127) && !QLatin1String("()<>@,;:\\\"/[]?={}").contains(c);
    });
    return isToken && std::find(taken.cbegin(), taken.cend(), lower) == taken.cend();
}

} // namespace broker
