#include "backend/broker/rabbitmq/http/json.h"

#include "backend/broker/rabbitmq/text.h"

#include <QCborArray>
#include <QCborMap>
#include <QVariant>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace broker::rabbitmq {

namespace {

constexpr size_t maxDepth = 64;

// QString drops a byte order mark at the start, but in a header or a body it is content.
QString textFrom(const std::string &utf8)
{
    static constexpr std::string_view mark = "\xEF\xBB\xBF";
    QString text = QString::fromStdString(utf8);
    if (utf8.starts_with(mark))
        text.prepend(QChar(QChar::ByteOrderMark));
    return text;
}

void writeText(QByteArray &out, const QString &text);

// An object or list that stays text.
class OpaqueText final
{
public:
    void put(const QByteArray &token)
    {
        m_text += m_needsComma ? "," : "";
        m_text += token;
        m_needsComma = true;
    }
    void putText(const QString &text)
    {
        QByteArray token;
        writeText(token, text);
        put(token);
    }
    void key(const QString &name)
    {
        putText(name);
        m_text += ':';
        m_needsComma = false;
    }
    void open(char bracket)
    {
        put(QByteArray(1, bracket));
        m_needsComma = false;
        ++m_open;
    }
    void close(char bracket)
    {
        m_text += bracket;
        m_needsComma = true;
        --m_open;
    }
    [[nodiscard]] bool isOpen() const { return m_open > 0; }
    [[nodiscard]] QString take()
    {
        m_needsComma = false;
        return tooDeep + QString::fromUtf8(std::exchange(m_text, {}));
    }

private:
    QByteArray m_text;
    bool m_needsComma = false;
    int m_open = 0;
};

// Builds CBOR from the events of nlohmann's parser, which does not recurse and keeps integers and doubles apart.
class Builder final : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return add(QCborValue(nullptr)); }
    bool boolean(bool value) override { return add(QCborValue(value)); }
    bool number_integer(number_integer_t value) override { return add(QCborValue(qint64{value})); }
    bool number_unsigned(number_unsigned_t value) override
    {
        constexpr auto top = quint64(std::numeric_limits<qint64>::max());
        return add(value <= top ? QCborValue(qint64(value)) : QCborValue(double(value)));
    }
    bool number_float(number_float_t value, const string_t &text) override
    {
        if (!m_opaque.isOpen())
            return add(QCborValue(value));
        m_opaque.put(QByteArray::fromStdString(text));
        return true;
    }
    bool string(string_t &value) override { return add(QCborValue(textFrom(value))); }
    bool binary(binary_t &) override { return false; }
    bool start_object(size_t) override { return open(true); }
    bool start_array(size_t) override { return open(false); }
    bool key(string_t &value) override
    {
        if (m_opaque.isOpen())
            m_opaque.key(textFrom(value));
        else
            m_levels.back().key = textFrom(value);
        return true;
    }
    bool end_object() override { return close('}'); }
    bool end_array() override { return close(']'); }
    bool parse_error(size_t position, const std::string &, const nlohmann::detail::exception &) override
    {
        m_error = QStringLiteral("not JSON at byte %1").arg(position);
        return false;
    }

    [[nodiscard]] const QString &error() const { return m_error; }
    [[nodiscard]] QCborValue takeRoot() { return std::move(m_root); }

private:
    // QCborMap searches all its keys at each insertion, which is slow for a message with thousands of headers. Such
    // headers are kept beside the map and come out sorted by name.
    struct Level
    {
        bool isMap = false;
        QCborMap map;
        QVariantMap more; // the last value of a key counts
        QCborArray array;
        QString key;
    };

    static void insert(Level &level, const QCborValue &value)
    {
        constexpr qsizetype few = 128;
        if (level.map.size() < few || level.map.contains(level.key))
            level.map.insert(level.key, value);
        else
            level.more.insert(level.key, QVariant::fromValue(value));
    }
    static QCborMap mapFrom(Level level)
    {
        if (level.more.isEmpty())
            return level.map;
        for (auto it = level.map.constBegin(); it != level.map.constEnd(); ++it)
            level.more.insert(it.key().toString(), QVariant::fromValue(QCborValue(it.value())));
        return QCborMap::fromVariantMap(level.more);
    }

    bool open(bool isMap)
    {
        if (m_levels.size() == maxDepth)
            m_opaque.open(isMap ? '{' : '[');
        else
            m_levels.push_back(Level{isMap, {}, {}, {}, {}});
        return true;
    }
    bool close(char bracket)
    {
        if (m_opaque.isOpen()) {
            m_opaque.close(bracket);
            return m_opaque.isOpen() || add(QCborValue(m_opaque.take()));
        }
        Level level = std::move(m_levels.back());
        m_levels.pop_back();
        return add(level.isMap ? QCborValue(mapFrom(std::move(level))) : QCborValue(level.array));
    }
    bool add(const QCborValue &value)
    {
        if (m_opaque.isOpen())
            m_opaque.put(toJson(value));
        else if (m_levels.empty())
            m_root = value;
        else if (Level &level = m_levels.back(); !level.isMap)
            level.array.append(value);
        else
            insert(level, value);
        return true;
    }

    std::vector<Level> m_levels;
    OpaqueText m_opaque;
    QCborValue m_root;
    QString m_error;
};

void writeText(QByteArray &out, const QString &text)
{
    static constexpr char hex[] = "0123456789abcdef";
    out += '"';
    const QByteArray utf8 = text.toUtf8();
    for (const char c : utf8) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20) {
            out += "\\u00";
            out += hex[code >> 4];
            out += hex[code & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

void writeDouble(QByteArray &out, double value)
{
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    const QByteArray text = QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
    if (value == 0 && std::signbit(value)) // Qt drops the sign
        out += '-';
    out += text;
    if (!text.contains('.') && !text.contains('e'))
        out += ".0";
}

void write(QByteArray &out, const QCborValue &value)
{
    switch (value.type()) {
    case QCborValue::Integer:
        out += QByteArray::number(value.toInteger());
        return;
    case QCborValue::Double:
        return writeDouble(out, value.toDouble());
    case QCborValue::True:
        out += "true";
        return;
    case QCborValue::False:
        out += "false";
        return;
    case QCborValue::String:
        return writeText(out, value.toString());
    case QCborValue::ByteArray:
        return writeText(out, QString::fromLatin1(value.toByteArray().toBase64()));
    case QCborValue::Array: {
        char separator = '[';
        const QCborArray array = value.toArray();
        for (const QCborValue &item : array) {
            out += std::exchange(separator, ',');
            write(out, item);
        }
        out += array.isEmpty() ? "[]" : "]";
        return;
    }
    case QCborValue::Map: {
        char separator = '{';
        const QCborMap map = value.toMap();
        for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
            out += std::exchange(separator, ',');
            writeText(out, it.key().toString());
            out += ':';
            write(out, it.value());
        }
        out += map.isEmpty() ? "{}" : "}";
        return;
    }
    default: // null, undefined, tags: JSON has no other form for them
        out += "null";
    }
}

} // namespace

core::Result<QCborValue> parseJson(const QByteArray &json)
{
    Builder builder;
    if (!nlohmann::json::sax_parse(json.cbegin(), json.cend(), &builder)) {
        return core::fail(core::ErrorKind::Corrupt, Text::tr("RabbitMQ's answer cannot be read."), builder.error());
    }
    return builder.takeRoot();
}

QByteArray toJson(const QCborValue &value)
{
    QByteArray out;
    write(out, value);
    return out;
}

void appendJson(QByteArray &out, const QString &text)
{
    writeText(out, text);
}

void appendJson(QByteArray &out, const QCborValue &value)
{
    write(out, value);
}

} // namespace broker::rabbitmq
