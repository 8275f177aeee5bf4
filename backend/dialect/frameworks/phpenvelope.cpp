#include "backend/dialect/frameworks/phpenvelope.h"

#include <QJsonObject>

#include <algorithm>

namespace dialect {

namespace {

constexpr int stampDepth = 2; // a stamp, and an exception in it; not its trace

QByteArray withoutSlashes(const QByteArray &text)
{
    QByteArray plain;
    plain.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.at(i) != '\\')
            plain += text.at(i);
        else if (++i < text.size())
            plain += text.at(i) == '0' ? '\0' : text.at(i);
    }
    return plain;
}

QByteArray withSlashes(const QByteArray &plain)
{
    QByteArray text;
    text.reserve(plain.size() + plain.size() / 8);
    for (const char c : plain) {
        if (c == '\0') {
            text += "\\0";
            continue;
        }
        if (c == '\'' || c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    return text;
}

QByteArray withoutBase64(const QByteArray &body)
{
    return body.endsWith('}') ? body : QByteArray::fromBase64(body);
}

QByteArray bodyWith(const QByteArray &serialized)
{
    QByteArray body = withSlashes(serialized);
    return QUtf8StringView(body).isValidUtf8() ? body : body.toBase64();
}

} // namespace

bool PhpEnvelope::isOne(const QByteArray &body)
{
    constexpr qsizetype headBytes = 128;
    QByteArray head = body.left(headBytes);
    if (head.startsWith("TzozNj")) // "O:36:"
        head = QByteArray::fromBase64(head);
    return head.replace('\\', "").startsWith("O:36:\"SymfonyComponentMessengerEnvelope\":");
}

std::optional<PhpEnvelope> PhpEnvelope::from(const QByteArray &body)
{
    if (!isOne(body))
        return std::nullopt;
    const QByteArray text = withoutBase64(body);
    const QByteArray serialized = withoutSlashes(text);
    const bool isSame = withSlashes(serialized) == text && (body.endsWith('}') || text.toBase64() == body);
    if (!isSame)
        return std::nullopt;
    std::optional<PhpSerialized> content = PhpSerialized::parse(serialized);
    if (!content)
        return std::nullopt;
    return PhpEnvelope(body, *std::move(content));
}

int PhpEnvelope::stamps() const
{
    const int found = m_content.member(0, "stamps");
    return found > 0 && m_content.values().at(size_t(found)).kind == PhpKind::Array ? found : -1;
}

QString PhpEnvelope::messageType() const
{
    const int message = m_content.member(0, "message");
    if (message < 0)
        return {};
    const PhpValue &value = m_content.values().at(size_t(message));
    const bool isObject = value.kind == PhpKind::Object || value.kind == PhpKind::Custom;
    return isObject ? QString::fromUtf8(m_content.textOf(value)) : QString();
}

QJsonArray PhpEnvelope::stampsOf(const QString &name) const
{
    const int list = stamps() < 0 ? -1 : m_content.member(stamps(), name.toUtf8());
    if (list < 0 || m_content.values().at(size_t(list)).kind != PhpKind::Array)
        return {};
    QJsonArray all;
    for (const int key : m_content.keysOf(list))
        all.append(m_content.toJson(key + 1, stampDepth));
    return all;
}

core::Result<QByteArray> PhpEnvelope::without(const QStringList &classes) const
{
    const int array = stamps();
    std::vector<int> gone = array < 0 ? std::vector<int>() : m_content.keysOf(array);
    std::erase_if(gone, [&](int key) {
        return !classes.contains(QString::fromUtf8(m_content.textOf(m_content.values().at(size_t(key)))));
    });
    if (gone.empty())
        return m_body;
    TRY(const QByteArray rest, m_content.without(array, gone));
    return bodyWith(rest);
}

} // namespace dialect
